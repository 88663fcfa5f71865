"""A metric that is defined in a cell appears in the labs that are open on the page."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

import divmetrics as dm
from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics_widgets import RankedListLab
from tools.browser import PATIENCE, Notebook

Open = Callable[..., Notebook]
SETUP = "%load_ext divmetrics\nimport divmetrics as dm\nfrom divmetrics_widgets import *"
CELLS = [
    SETUP,
    "lab = RankedListLab()\nlab",
    "%%metric mine\nM = relevant * 0.5 ** seen_before",
    "%%metric mine\nM = grade",
    "dm.unregister('mine')",
    "%%metric mine\nM = first",
]


def run_cell(notebook: Notebook, place: int) -> None:
    """Run one cell, as Shift+Enter does, and do not wait."""
    notebook.page.evaluate(
        """(place) => {
            const notebook = jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = place;
            return void jupyterapp.commands.execute('notebook:run-cell');
        }""",
        place,
    )


def run_first(notebook: Notebook, cells: int) -> None:
    for place in range(cells):
        run_cell(notebook, place)
    expect(notebook.page.locator(".jp-CodeCell .jp-InputPrompt").nth(cells - 1)).to_have_text(
        re.compile(r"\[\d+\]"), timeout=PATIENCE
    )


def score(root: Locator, side: str = "A") -> Locator:
    return root.locator(f'[data-score][data-list="{side}"][data-metric="mine@5"]')


def known(text: str, side: str) -> str:
    lab = RankedListLab()
    ranked = lab.a if side == "A" else lab.b
    return f"{(write_metric('mine', text).metric @ 5).score(ranked):.4f}"


def test_a_metric_from_a_cell_is_in_an_open_lab(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS, run=False)
    run_first(notebook, 2)
    root = notebook.page.locator('[data-widget="ranked-list-lab"]')
    root.wait_for()
    root.locator('[data-key="metric-list"]').click()
    names = root.locator("[role=option]")
    assert "mine" not in names.evaluate_all("options => options.map((option) => option.dataset.metric)")
    expect(score(root)).to_have_count(0)
    run_cell(notebook, 2)
    expect(score(root)).to_have_text(known("M = relevant * 0.5 ** seen_before", "A"))
    expect(score(root, "B")).to_have_text(known("M = relevant * 0.5 ** seen_before", "B"))
    root.locator('[data-key="metric-list"]').click()
    expect(names.and_(root.locator('[data-metric="mine"]'))).to_contain_text("in the lab")
    run_cell(notebook, 3)
    expect(score(root)).to_have_text(known("M = grade", "A"))
    run_cell(notebook, 4)
    row = root.locator('[data-metric-row="mine@5"]')
    expect(row).to_contain_text("was removed in this session")
    run_cell(notebook, 5)
    expect(score(root)).to_have_text(known("M = first", "A"))
    assert dm.metric("S-recall@5").name == "S-recall"  # the tests' own process knows nothing of it


def test_undo_takes_the_row_away_and_the_box_brings_it_back(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS, run=False)
    run_first(notebook, 3)
    root = notebook.page.locator('[data-widget="ranked-list-lab"]')
    expect(score(root)).to_have_count(1)
    root.locator('[data-key="undo"]').click()
    expect(score(root)).to_have_count(0)
    root.locator('[data-key="metric-name"]').fill("mine@5")
    root.locator('[data-key="metric-add"]').click()
    expect(score(root)).to_have_text(known("M = relevant * 0.5 ** seen_before", "A"))


def test_the_other_tools_offer_it(open_notebook: Open) -> None:
    tools = ["DisagreementFinder()", "MetricComposer()", "HierarchyLab()"]
    cells = [SETUP, *tools, "%%metric mine\nM = relevant"]
    notebook = open_notebook(cells, run=False)
    run_first(notebook, 4)
    page = notebook.page
    for name in ("disagreement-finder", "metric-composer", "hierarchy-lab"):
        page.locator(f'[data-widget="{name}"]').wait_for(state="attached")
    run_cell(notebook, 4)
    offered = {
        '[data-widget="disagreement-finder"] datalist option[value="mine@5"]': 1,
        '[data-widget="metric-composer"] [data-start] option[value="mine"]': 1,
        '[data-widget="hierarchy-lab"] [data-key="metric"] option[value="mine"]': 1,
    }
    for selector, count in offered.items():
        expect(page.locator(selector)).to_have_count(count)
