"""A lab fills the screen in large letters, and a lecturer goes on to the next one by a key."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from divmetrics_widgets import HierarchyLab, RankedListLab
from tests.browser.conftest import Open
from tests.support.offline_page import opened, wait_for_widgets, written
from tests.support.page_actions import box_of, drag, in_sight, press

AXE = files("axe_playwright_python").joinpath("axe.min.js")
# Without asking for style sheets again, which a page on the disk may not.
VIOLATIONS = "async (box) => (await axe.run(box, { preload: false, resultTypes: ['violations'] })).violations"
NO_SCREEN = "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('not allowed'));"
LABS = 3


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with two labs of two lists and one of two levels."""
    labs = [RankedListLab("harry potter"), HierarchyLab("harry potter"), RankedListLab("java")]
    return written(tmp_path_factory.mktemp("page"), labs)


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    with opened(address, chromium) as found:
        yield found


def lab_at(page: Page, at: int) -> Locator:
    return page.locator(".divmetrics-page").nth(at).locator("[data-widget]")


def fill_screen(page: Page, at: int) -> Locator:
    lab_at(page, at).locator("[data-key=full]").click()
    return shows(page, at)


def shows(page: Page, at: int) -> Locator:
    """The dialog, when the lab with this number fills the window and no other does."""
    dialog = page.locator("dialog")
    expect(dialog).to_have_count(1)
    expect(dialog).to_have_accessible_name(f"lab {at + 1} of {LABS}, full screen")
    inside = page.locator(".divmetrics-page").nth(at).locator("dialog [data-widget]")
    expect(inside).to_be_visible()
    width, height = page.evaluate("[innerWidth, innerHeight]")
    box = box_of(dialog)
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, width, height)
    assert dialog.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    return dialog


def letters(lab: Locator) -> float:
    """How high a document's rank is drawn."""
    return box_of(lab.locator(".dm-rank-number").first)["height"]


def stands_at(row: Locator, y: float) -> None:
    """Wait until the row is seen there."""
    row.page.wait_for_function(
        "([row, y]) => Math.abs(row.getBoundingClientRect().top - y) < 1.5", arg=[row.element_handle(), y]
    )


def test_keys_lead_through_the_labs_of_the_page_and_escape_leaves(page: Page) -> None:
    before = letters(lab_at(page, 0))
    dialog = fill_screen(page, 0)
    page.wait_for_function("() => document.fullscreenElement")
    assert letters(lab_at(page, 0)) == pytest.approx(1.2 * before, abs=1)
    expect(dialog.locator("[data-key=full-back]")).to_be_disabled()
    press(page, "PageUp")  # there is none before it
    shows(page, 0)
    press(page, "PageDown")
    shows(page, 1)
    page.locator("[data-key=full-next]").click()
    shows(page, 2)
    expect(page.locator("[data-key=full-next]")).to_be_disabled()
    expect(page.locator("[data-key=full-back]")).to_be_focused()
    press(page, "PageDown")  # nor one behind the last
    shows(page, 2)
    press(page, "PageUp", "PageUp", "PageDown")
    shows(page, 1)
    press(page, "Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.wait_for_function("() => !document.fullscreenElement")
    expect(lab_at(page, 1).locator("[data-key=full]")).to_be_focused()
    expect(lab_at(page, 1)).to_be_in_viewport()
    assert letters(lab_at(page, 0)) == before
    press(page, "PageDown")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_button_leaves_and_fields_keep_their_keys(page: Page) -> None:
    dialog = fill_screen(page, 0)
    slider = dialog.locator("[role=slider]").first
    value = slider.get_attribute("aria-valuenow")
    slider.press("PageDown")  # a border of the mix moves by it
    expect(slider).not_to_have_attribute("aria-valuenow", value or "")
    shows(page, 0)
    dialog.locator("[data-key=share]").click()
    dialog.locator("textarea").press("PageDown")
    shows(page, 0)
    dialog.locator("[data-key=full-leave]").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.wait_for_function("() => !document.fullscreenElement")


def test_the_window_is_filled_where_the_screen_may_not_be(address: str, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1300, "height": 800})
    page.add_init_script(NO_SCREEN)
    page.goto(address)
    wait_for_widgets(page)
    fill_screen(page, 0)
    press(page, "PageDown")
    shows(page, 1)
    assert not page.evaluate("Boolean(document.fullscreenElement)")
    press(page, "Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.close()


def test_the_end_of_full_screen_leaves_the_lab(page: Page) -> None:
    """As by F11 or the browser's own button."""
    fill_screen(page, 0)
    page.wait_for_function("() => document.fullscreenElement")
    page.evaluate("document.exitFullscreen()")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_row_follows_the_pointer_in_large_letters(page: Page) -> None:
    lab = fill_screen(page, 0)
    docs = "(rows) => rows.map((row) => row.dataset.doc)"
    before = lab.locator("[data-list=A] tr[data-doc]").evaluate_all(docs)
    grip, row = lab.locator("[data-key='A|d1|grip']"), lab.locator("[data-list=A] tr[data-doc=d1]")
    other = lab.locator("[data-list=A] tr[data-doc]").nth(3)
    in_sight(grip, other)
    start, place, goal = box_of(grip), box_of(row), box_of(other)
    x, y = start["x"] + 5, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 9)
    down = goal["y"] - place["y"]
    page.mouse.move(x, y + down)
    stands_at(row, place["y"] + down)
    # The rows between have made room: each stands where the one above it stood.
    stands_at(lab.locator("[data-list=A] tr[data-doc]").nth(1), place["y"])
    press(page, "Escape")  # gives the row back, and leaves nothing else
    page.mouse.up()
    shows(page, 0)
    assert lab.locator("[data-list=A] tr[data-doc]").evaluate_all(docs) == before
    drag(page, grip, other, below=True)
    moved = [*before[1:4], before[0], *before[4:]]
    expect(lab.locator("[data-list=A] tr[data-doc]").nth(3)).to_have_attribute("data-doc", "d1")
    assert lab.locator("[data-list=A] tr[data-doc]").evaluate_all(docs) == moved


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("at", [0, 1])
def test_axe_reports_no_violation(page: Page, at: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    dialog = fill_screen(page, at)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert dialog.evaluate(VIOLATIONS) == []


def test_in_jupyterlab(open_notebook: Open) -> None:
    notebook = open_notebook(
        ["from divmetrics_widgets import *\nRankedListLab('java')", "RankedListLab('harry potter')"]
    )
    page = notebook.page
    notebook.page.locator("[data-widget=ranked-list-lab] [data-key=full]").first.click()
    dialog = page.get_by_role("dialog", name="lab 1 of 2, full screen")
    expect(dialog).to_be_visible()
    press(page, "PageDown")
    dialog = page.get_by_role("dialog", name="lab 2 of 2, full screen")
    score = dialog.locator(".dm-scores [data-score][data-list=B][data-metric='ERR-IA@5']")
    before = score.inner_text()
    dialog.locator("[data-list=B] [data-do=down]").nth(1).click()
    expect(score).not_to_have_text(before)  # the kernel answers there, too
    press(page, "Escape")
    expect(page.locator("dialog.dm-full")).to_have_count(0)
    expect(score).to_have_count(0)
    expect(page.locator("[data-widget=ranked-list-lab]")).to_have_count(2)
