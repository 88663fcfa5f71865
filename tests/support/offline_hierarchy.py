"""A HierarchyLab on a page without a kernel, put into many orders and compared with the library."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

from divmetrics_widgets import HierarchyLab
from divmetrics_widgets.measuring import plain
from divmetrics_widgets.two_levels import describe_levels, pair

# The list in some orders: what the model says, and the screen.
REORDERED = """([at, orders]) => {
    const labs = document.querySelectorAll('.divmetrics-page[data-module="hierarchy.js"]');
    const lab = labs[at].firstElementChild;
    const model = lab.divmetrics, { name } = model.get("_shown");
    return orders.map((docs, i) => {
        model.set("_edit", { name: `order ${i}`, on: name, lists: { A: docs } });
        model.save_changes();
        const all = (selector, what) => [...lab.querySelectorAll(selector)].map(what);
        const text = (element) => element.textContent;
        return {
            ...model.get("_results"), shown: all("[data-score]", text), said: all(".dm-words-box p", text),
            titles: all("[data-form] td[data-rank]", (cell) => cell.title),
        };
    });
}"""


def check_levels(page: Page, at: int, lab: HierarchyLab, count: int) -> None:
    """Both scores, every cell and every sentence of so many orders, to the last digit that is shown.

    at: the number of the page's lab, from 0; lab: the same with a kernel.
    """
    dice = random.Random(at)
    docs = lab.page.lists["A"]
    orders = [dice.sample(docs, len(docs)) for _ in range(count)]
    flat, square = pair(lab.page.metrics[0])
    scorer = lab._scorer()
    for order, results in zip(orders, page.evaluate(REORDERED, [at, orders]), strict=True):
        lists = {"A": order}
        above, below = (plain(scorer.contributions(metric, lists)["A"]) for metric in (flat, square))
        assert (results["chosen"], results["square"]) == (str(flat), str(square))
        assert results["shown"] == [above["score"], below["score"]]
        words = describe_levels(flat, square, scorer.ranked("A", order), scorer)
        assert results["words"] == results["said"] == words
        assert results["most"] == scorer.largest_contribution(flat)
        for cells, expected in (
            (results["earned"]["A"]["cells"], above["cells"]),
            (results["below"]["cells"], below["cells"]),
            (results["below"]["leaves"], below["leaves"]),
        ):
            assert cells == [pytest.approx(row, abs=1e-12) for row in expected]
        rows = above["cells"] + below["leaves"]
        assert results["titles"] == [f"{value:.4f}" for row in rows for value in row]
