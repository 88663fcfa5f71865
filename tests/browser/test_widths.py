"""Every widget has room in windows of all widths, and its documents keep their titles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.layout import cut_off, on_each_other, sideways
from tools.browser import Notebook

Open = Callable[..., Notebook]
TALL = 12_000  # JupyterLab takes away what is out of sight

# Titles that are hidden, or that have more lines than are shown.
UNREAD = """all => all
    .filter((e) => !e.checkVisibility() || (e.clientHeight && e.scrollHeight > e.clientHeight + 1))
    .map((e) => e.textContent)"""
SETUP = """
from divmetrics import datasets
from divmetrics_widgets import *
potter, what = datasets.harry_potter(), datasets.harry_potter_documents()
ranked = potter.list("C", "0083")
page = next(iter(datasets.simulated_pages(datasets.aggregated_search(1))))
"""
CELLS = [
    SETUP,
    'RankedListLab("harry potter")',
    'HierarchyLab("harry potter")',
    'ContributionsView("ERR-IA@5", ranked, about=what)',
    'ReaderWalk("ERR-IA@5", ranked, about=what)',
    'ReaderWalk("alpha-nDCG@5", ranked, about=what)',
    'ReaderWalk("AS_DCG", page)',
    'MetricComposer("alpha-nDCG@5")',
    'DisagreementFinder("ERR-IA@3", "D#-nDCG@3", about=what)',
    'PreferenceJudge(metrics=["S-recall@5", "ERR-IA@5"])',
    'Predict("Which list serves the most intents?", ["this", "that"])',
]


@pytest.fixture(scope="module")
def opened(open_for_all: Open) -> Notebook:
    return open_for_all(CELLS, size=(1400, TALL))


@pytest.mark.parametrize("width", [420, 700, 1000, 1280, 1366, 1920])
def test_every_widget_has_room(opened: Notebook, width: int) -> None:
    opened.resize(width, TALL)
    widgets = opened.page.locator("[data-widget]")
    expect(widgets).to_have_count(len(CELLS) - 1)
    for widget in widgets.all():
        name = widget.get_attribute("data-widget")
        assert cut_off(widget) == [], name
        assert on_each_other(widget) == [], name
        assert widget.locator(".dm-about").evaluate_all(UNREAD) == [], name
    assert sideways(opened.page) == []


@pytest.mark.parametrize(("width", "beside"), [(700, False), (1000, True), (1280, True), (1440, True)])
def test_two_lists_stand_beside_each_other(opened: Notebook, width: int, beside: bool) -> None:
    opened.resize(width, TALL)
    lab = opened.page.locator('[data-widget="ranked-list-lab"]')
    first, second = (lab.locator(f'table[data-list="{side}"]').bounding_box() for side in "AB")
    assert first is not None
    assert second is not None
    assert (first["y"] == second["y"]) == beside


@pytest.mark.parametrize("levels", [False, True])
def test_a_wide_window_gives_each_title_a_line(opened: Notebook, levels: bool) -> None:
    opened.resize(1920, TALL)
    lab = opened.page.locator('[data-widget="ranked-list-lab"]')
    button = lab.get_by_role("button", name="two levels")
    if levels:
        button.click()
    expect(button).to_have_attribute("aria-pressed", str(levels).lower())
    titles = lab.locator(".dm-grid .dm-about")
    assert titles.count() == 16
    assert set(titles.evaluate_all("all => all.map((e) => e.getClientRects().length)")) == {1}
    heads = lab.locator(".dm-grid thead th:not(.dm-upright) .dm-mark")
    assert heads.count() == 10  # and the names of intents need not be turned
    assert cut_off(lab) == []
    if levels:
        button.click()
