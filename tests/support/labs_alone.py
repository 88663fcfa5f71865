"""A lab on a page without a kernel, put into many orders and compared with the library."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from divmetrics.names.parse import metric
from divmetrics_widgets import RankedListLab

# Both lists in some orders, each under the next of the metrics: what the model says, and the screen.
REORDERED = """([at, orders]) => {
    const lab = document.querySelectorAll('.divmetrics-page[data-module="lab.js"]')[at].firstElementChild;
    const model = lab.divmetrics, { name, metrics } = model.get("_shown");
    return orders.map((lists, i) => {
        model.set("_edit", { name: `order ${i}`, on: name, lists });
        model.set("_chosen", metrics[i % metrics.length]);
        model.save_changes();
        const texts = (selector) => [...lab.querySelectorAll(selector)].map((element) => element.textContent);
        return { ...model.get("_results"), shown: texts(".dm-scores span[data-score]") };
    });
}"""


def reordered(
    page: Page, at: int, lab: RankedListLab, count: int
) -> list[tuple[dict[str, list[str]], dict[str, Any]]]:
    """So many orders of the lists of the page's lab with this number, and what it says of each."""
    dice = random.Random(at)
    orders = [
        {side: dice.sample(docs, len(docs)) for side, docs in lab.page.lists.items()} for _ in range(count)
    ]
    return list(zip(orders, page.evaluate(REORDERED, [at, orders]), strict=True))


def check_numbers(page: Page, at: int, lab: RankedListLab, count: int) -> None:
    """Scores to the last digit that is shown, and every contribution."""
    for lists, found in reordered(page, at, lab, count):
        rows = lab._measure().rows(lists, lab.page.metrics)
        assert found["rows"] == rows
        assert found["shown"] == [text for row in rows for text in row["scores"]]
        for side, of_list in lab._measure().earned(metric(found["chosen"]), lists).items():
            expected = of_list.by_intent
            cells = [row[: expected.shape[1]] for row in found["earned"][side]["cells"]]
            assert cells == [pytest.approx(row, abs=1e-12) for row in expected.tolist()]
            assert found["earned"][side]["score"] == f"{of_list.score:.4f}"
