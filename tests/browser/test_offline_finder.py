"""A finder on a page without a kernel: answers that Python stored for every two of some metrics."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import divmetrics as dm
from divmetrics.research.disagreements import Disagreement
from divmetrics_widgets import DisagreementFinder
from divmetrics_widgets.finder import COMPARED
from divmetrics_widgets.presets import preset
from tests.browser.test_finder import shows
from tests.support.offline_page import LIVE, opened, wait_for_widgets, written

AXE = files("axe_playwright_python").joinpath("axe.min.js")
# Without asking for style sheets again, which a page on the disk may not.
VIOLATIONS = "async (box) => (await axe.run(box, { preload: false, resultTypes: ['violations'] })).violations"
QUESTIONS = 12


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    finders = [
        DisagreementFinder("ERR-IA@2", "D-nDCG@2", length=2, find="edits"),
        DisagreementFinder("P+Q@3", "ERR-IA@2", "Sakai 2012, Figure 1", 2),
    ]
    return written(tmp_path_factory.mktemp("page"), finders)


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    with opened(address, chromium) as found:
        yield found


def finder_at(page: Page, at: int) -> Locator:
    return page.locator("[data-widget=disagreement-finder]").nth(at)


def ask(finder: Locator, m1: str, m2: str, find: str) -> None:
    finder.get_by_label("metric 1").select_option(m1)
    finder.get_by_label("metric 2").select_option(m2)
    finder.get_by_label("two lists that").select_option(find)


@pytest.mark.parametrize(
    ("at", "pool", "own"),
    [(0, "harry potter", ()), (1, "Sakai 2012, Figure 1", ("P+Q@3",))],
)
def test_answers_are_the_librarys(page: Page, at: int, pool: str, own: tuple[str, ...]) -> None:
    finder = finder_at(page, at)
    names = [*own, *(f"{name}@2" for name in COMPARED)]
    chance = random.Random(at)
    for _ in range(QUESTIONS):
        m1, m2 = chance.sample(names, 2)
        find = chance.choice(["margin", "edits"])
        expected = dm.disagree(m1, m2, preset(pool).judgments(), 2, find=find, budget=50_000)  # type: ignore[arg-type]
        ask(finder, m1, m2, find)
        if isinstance(expected, Disagreement):
            one, other = expected.margins
            title = f"{m1} prefers A by {one:.4g}, {m2} prefers B by {other:.4g}."
            expect(finder.locator(".dm-answer-title")).to_have_text(title)
            shows(finder, expected)
        else:
            expect(finder.locator(".dm-answer-title")).to_have_text(f"{expected!r}")
            expect(finder.locator("table")).to_have_count(0)


def test_a_metric_and_itself_get_a_sentence(page: Page) -> None:
    finder = finder_at(page, 0)
    ask(finder, "ERR-IA@2", "ERR-IA@2", "margin")
    expect(finder.locator(".dm-answer-title")).to_have_text(
        "A metric does not disagree with itself (ERR-IA@2); give two different metrics."
    )
    expect(finder.locator("table")).to_have_count(0)
    ask(finder, "ERR-IA@2", "S-recall@2", "margin")
    expect(finder.locator(".dm-answer-lists")).to_be_visible()


def test_what_needs_python_is_said_and_not_shown(page: Page) -> None:
    finder = finder_at(page, 0)
    expect(finder.locator(".dm-kernel")).to_contain_text(
        "This page answers every two of these metrics on lists of 2 documents of harry potter; "
        "another metric, topic or length needs Python."
    )
    expect(finder.get_by_role("link")).to_have_attribute("href", LIVE)
    expect(finder.locator("button, input")).to_have_count(3)
    expect(finder.locator("button:visible, input:visible")).to_have_count(0)
    expect(finder.locator("select:visible")).to_have_count(3)


def test_the_question_survives_a_reload_and_is_its_finders_own(page: Page) -> None:
    finder = finder_at(page, 0)
    other = finder_at(page, 1).locator(".dm-answer-title").inner_text()
    ask(finder, "alpha-nDCG@2", "D#-nDCG@2", "margin")
    expect(finder.locator(".dm-answer-title")).to_contain_text("alpha-nDCG@2 prefers A")
    page.reload()
    wait_for_widgets(page)
    expect(finder.locator(".dm-answer-title")).to_contain_text("alpha-nDCG@2 prefers A")
    expect(finder.get_by_label("metric 1")).to_have_value("alpha-nDCG@2")
    expect(finder.get_by_label("two lists that")).to_have_value("margin")
    expect(finder_at(page, 1).locator(".dm-answer-title")).to_have_text(other)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_reports_no_violation_and_nothing_is_too_wide(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for width in (390, 1000):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert finder_at(page, 0).evaluate(VIOLATIONS) == []
