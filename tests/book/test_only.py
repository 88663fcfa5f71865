"""One lab of a lesson as a page of its own, and in an iframe of another page."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from tools.local_server import served

pytestmark = pytest.mark.slow
LESSON = "notebooks/06_the_reader_who_leaves.html"
NAMES = "lab1, walk1 and lab2"
AXE = files("axe_playwright_python").joinpath("axe.min.js")
# Without asking for style sheets again, which a page on the disk may not.
VIOLATIONS = "async () => (await axe.run({ preload: false, resultTypes: ['violations'] })).violations"


@pytest.fixture(scope="module")
def published(site: Path) -> Iterator[str]:
    """The address of the lesson where the book is served."""
    with served(site) as address:
        yield f"{address}/{LESSON}"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of the browser; nothing may be said on its console."""
    messages: list[str] = []
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    yield page
    page.close()
    assert messages == []


def alone(page: Page | FrameLocator) -> Locator:
    """The only widget that is seen, when it is drawn."""
    lab = page.locator("main.divmetrics-only [data-widget=ranked-list-lab]")
    expect(lab.locator("[data-score]").first).to_be_visible()
    return lab


def shown(lab: Locator) -> list[str]:
    """The documents of both lists, in their order."""
    docs: list[str] = lab.locator("tr[data-doc]").evaluate_all("(all) => all.map((row) => row.dataset.doc)")
    return docs


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["", "&size=large"])
def test_one_lab_is_the_whole_page(site: Path, page: Page, size: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{(site / LESSON).as_uri()}?only=lab2{size}")
    lab = alone(page)
    expect(page.locator("[data-widget]:visible")).to_have_count(1)
    expect(page.locator("header:visible, aside:visible, nav:visible, footer:visible")).to_have_count(0)
    expect(page.locator("h1")).to_have_count(2)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)  # of the two, that of the lesson is hidden
    link = page.get_by_role("main").get_by_role("link").last
    assert str(link.evaluate("(one) => one.href")) == (site / LESSON).as_uri()
    for width in (480, 700, 1000, 1200, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    # At the last of these widths.
    assert lab.evaluate("(box) => box.currentCSSZoom") == pytest.approx(1.4 if size else 1)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(VIOLATIONS) == []


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("only=lab3", f"This page has no lab3; it has {NAMES}."),
        ("only=lab0", f"This page has no lab0; it has {NAMES}."),
        ("only=Lab1&size=large", f"This page has no Lab1; it has {NAMES}."),
        ("only=", f"This page has no lab without a name; it has {NAMES}."),
        ("only=%3Cimg%20src%3Dx%3E", f"This page has no <img src=x>; it has {NAMES}."),
    ],
)
def test_a_wrong_name_gets_the_names_there_are(site: Path, page: Page, query: str, sentence: str) -> None:
    page.goto(f"{(site / LESSON).as_uri()}?{query}")
    expect(page.get_by_role("status")).to_have_text([sentence])
    expect(page.locator("[data-widget]")).to_have_count(0)


def test_a_page_without_labs_says_so(site: Path, page: Page) -> None:
    page.goto(f"{(site / 'notebooks/map.html').as_uri()}?only=lab1")
    expect(page.get_by_role("status")).to_have_text("This page has no lab1; it has no lab at all.")


def test_a_wrong_size_or_state_shows_the_lab_and_says_so(site: Path, page: Page) -> None:
    page.goto(f"{(site / LESSON).as_uri()}?only=lab1&size=huge#lab=1&A=d1&B=d2")
    lab = alone(page)
    said = page.locator("main > [role=status]")
    expect(said).to_contain_text(["No lab of this page can show what the link says", "There is no size huge"])
    assert lab.evaluate("(box) => box.currentCSSZoom") == 1


def test_the_address_keeps_the_lists(site: Path, page: Page) -> None:
    page.goto(f"{(site / LESSON).as_uri()}?only=lab2")
    lab = alone(page)
    before = shown(lab)
    lab.locator("[data-list=A] [data-do=down]").first.click()
    page.wait_for_function("() => location.hash.includes('lab=2')")
    after = shown(lab)
    assert after != before
    address = page.url
    page.evaluate("sessionStorage.clear()")
    page.reload()
    assert shown(alone(page)) == after
    page.goto("about:blank")
    page.goto(address)
    assert shown(alone(page)) == after
    lab = alone(page)
    lab.locator("[data-key=reset]").click()
    page.wait_for_function("(address) => location.href !== address", arg=address)
    page.reload()
    assert shown(alone(page)) == before


def test_what_was_shared_is_what_an_iframe_shows(published: str, page: Page) -> None:
    page.goto(published)
    lab = page.locator("[data-widget=ranked-list-lab]").nth(1)
    lab.locator("[data-list=B] [data-do=down]").nth(1).click()
    lab.locator("[data-key=share]").click()
    lab.locator("[data-key=frame]").click()
    line = lab.get_by_label("a line of HTML for a page of your own")
    expect(line).to_be_focused()
    html = line.input_value()
    assert html.startswith(f'<iframe src="{published}?only=lab2#lab=2&amp;metric=')
    wanted = shown(lab)
    # The address goes on to say what the lab shows, once it speaks of it.
    lab.locator("[data-list=A] [data-do=down]").nth(1).click()
    page.wait_for_function("(shared) => !shared.includes(location.hash.replaceAll('&', '&amp;'))", arg=html)
    page.goto(published.replace("06_the_reader_who_leaves", "map"))  # a page that is not the lesson
    page.evaluate("(html) => document.body.insertAdjacentHTML('afterbegin', html)", html)
    inside = page.frame_locator("iframe")
    framed = alone(inside)
    assert shown(framed) == wanted
    framed.locator("[data-list=A] [data-do=down]").first.click()
    expect(framed.locator("[data-key=undo]")).to_be_enabled()
    framed.locator("[data-key=full]").click()  # the line allows it
    page.wait_for_function("() => document.fullscreenElement?.localName === 'iframe'")
    page.keyboard.press("Escape")
    expect(inside.locator("dialog")).to_have_count(0)


def test_a_page_on_a_disk_says_why_it_has_no_iframe(site: Path, page: Page) -> None:
    page.goto(f"{(site / LESSON).as_uri()}?only=lab1")
    lab = alone(page)
    lab.locator("[data-key=share]").click()
    lab.locator("[data-key=frame]").click()
    expect(lab.locator(".dm-status")).to_contain_text("This page is a file on a disk")
    # Where the book says its address, that is the one to show.
    canonical = f"https://example.org/book/{LESSON}"
    link = f'<link rel="canonical" href="{canonical}">'
    page.evaluate("(link) => document.head.insertAdjacentHTML('beforeend', link)", link)
    lab.locator("[data-key=frame]").click()
    line = lab.get_by_label("a line of HTML for a page of your own").input_value()
    assert line.startswith(f'<iframe src="{canonical}?only=lab1#lab=1&amp;')
