"""How a lab of the book uses its page: lists beside each other, scores in sight, a title in a line, paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from divmetrics_widgets import RankedListLab
from tests.support.layout import cut_off, on_each_other
from tests.support.offline_page import opened, written

PRESETS = ("harry potter", "java")
TALL = 900


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("page"), [RankedListLab(preset) for preset in PRESETS])


@pytest.fixture
def page(address: str, chromium: Browser) -> Iterator[Page]:
    with opened(address, chromium) as found:
        yield found


def resized(page: Page, width: int) -> Locator:
    """The first lab of the page in a window of another width, when it has been laid out for it."""
    page.set_viewport_size({"width": width, "height": TALL})
    page.evaluate("() => new Promise((next) => requestAnimationFrame(() => setTimeout(next, 100)))")
    return page.locator("[data-widget='ranked-list-lab']").first


def boxes(lab: Locator) -> list[dict[str, Any]]:
    return lab.locator(".dm-grid").evaluate_all("all => all.map((e) => e.getBoundingClientRect().toJSON())")


@pytest.mark.parametrize("width", [1000, 1280, 1400, 1920])
def test_both_lists_stand_beside_each_other_on_a_desk(page: Page, width: int) -> None:
    first, second = boxes(resized(page, width))
    assert first["top"] == second["top"]
    assert first["right"] < second["left"]


@pytest.mark.parametrize("width", [320, 390, 768, 1000, 1400])
def test_nothing_is_cut_or_scrolls_sideways(page: Page, width: int) -> None:
    lab = resized(page, width)
    assert cut_off(lab) == []
    assert on_each_other(lab) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [390, 1400])
def test_scores_and_verdict_stay_in_sight_of_the_last_row(page: Page, width: int) -> None:
    lab = resized(page, width)
    last = lab.locator('.dm-grid[data-list="B"] tr[data-doc]').last
    last.evaluate("(row) => scrollTo(0, row.getBoundingClientRect().bottom + scrollY - innerHeight)")
    for seen in (".dm-chosen [data-score]", ".dm-verdict-box"):
        for place in lab.locator(seen).evaluate_all(
            "all => all.map((e) => e.getBoundingClientRect().toJSON())"
        ):
            assert 0 <= place["top"] < place["bottom"] <= TALL


def test_each_title_has_one_line_at_1400_pixels(page: Page) -> None:
    titles = resized(page, 1400).locator(".dm-grid .dm-about")
    assert titles.count() == 16
    assert set(titles.evaluate_all("all => all.map((e) => e.getClientRects().length)")) == {1}


def test_letters_have_at_least_14_pixels(page: Page) -> None:
    small = resized(page, 1400).evaluate(
        """(lab) => [...lab.querySelectorAll("*")]
            .filter((e) => e.checkVisibility() && !e.closest("math, .dm-actions, svg"))
            .filter((e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
            .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 14)
            .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_what_needs_python_is_not_drawn(page: Page) -> None:
    lab = resized(page, 1400)
    dead = "[data-do=copy], [data-do=remove], [data-key$='|add'], [data-key^='flip|'], .dm-add"
    assert lab.locator(dead).count() == 0
    assert lab.locator("button:visible:disabled").count() == 0


@pytest.mark.parametrize("width", [390, 1400])
def test_both_lists_stand_on_one_printed_page(page: Page, width: int) -> None:
    lab = resized(page, width)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # what a sheet of A4 has within its margins
    first, second = boxes(lab)
    assert first["top"] == second["top"]
    assert lab.evaluate("(e) => e.getBoundingClientRect().height") < 1000
    assert lab.locator(".dm-mark").first.evaluate("(e) => getComputedStyle(e).printColorAdjust") == "exact"
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")


def test_the_blocks_of_a_list_end_where_its_score_does(page: Page) -> None:
    """On one scale for both lists, each row begins where the row above it ended."""
    lists = resized(page, 1400).evaluate(
        """(lab) => [...lab.querySelectorAll(".dm-grid")].map((grid) => {
            const ends = (row) => [...(row.getAttribute("style") ?? "").matchAll(/ ([\\d.]+)% ([\\d.]+)%/g)]
                .map(([, from, to]) => [Number(from), Number(to)]);
            const score = Number(grid.querySelector("tfoot .dm-sum").textContent);
            const rows = [...grid.querySelectorAll("tbody tr")];
            return [score, rows.flatMap(ends), ends(grid.querySelector("tfoot tr"))];
        })"""
    )
    for score, blocks, whole in lists:
        assert blocks[0][0] == 0
        assert [to for _, to in blocks[:-1]] == pytest.approx([since for since, _ in blocks[1:]], abs=0.02)
        assert whole == blocks
        assert score > 0
    (one, blocks, _), (other, others, _) = lists
    assert one / blocks[-1][1] == pytest.approx(other / others[-1][1], rel=0.01)
