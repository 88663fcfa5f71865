"""ContributionsView as a reader uses it: pointer, keyboard, menu, in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

import divmetrics as dm
from tools.browser import Notebook

CELL = """
import divmetrics as dm
from divmetrics_widgets import ContributionsView
ranked = dm.datasets.harry_potter().list("A", "0083")
view = ContributionsView("ERR-IA@5", ranked, metrics=["ERR-IS@5", "RBU@15"])
view
"""


def test_walk_hover_and_change_the_metric(open_notebook: Callable[..., Notebook]) -> None:
    ranked = dm.datasets.harry_potter().list("A", "0083")
    page = open_notebook([CELL]).page
    root = page.locator('[data-widget="contributions-view"]').first
    root.wait_for()
    element = root.locator(".dm-words")

    def check(metric: str) -> None:
        table = dm.explain(metric, ranked)
        expect(root.locator("[data-score]")).to_have_text(f"{dm.metric(metric).score(ranked):.4f}")
        key = table["intent"] + ("/" + table["subtopic"] if metric == "ERR-IS@5" else "")
        for intent, earned in table.groupby(key)["contribution"].sum().items():
            sums = root.locator(f'tr[data-intent="{intent}"] [data-sum]')
            expect(sums).to_have_text(f"{earned:.4f}".replace("0.", ".") if earned else "")

    check("ERR-IA@5")
    first = root.locator('td[tabindex="0"]')
    expect(first).to_have_count(1)
    first.focus()
    expect(element).to_contain_text("Rank 1, film: d1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(element).to_contain_text("Rank 3, film: d2 has grade 2 and is the third film document")
    expect(root.locator('td[tabindex="0"]')).to_have_attribute("data-key", "film|3")
    page.keyboard.press("Home")
    expect(element).to_contain_text("Rank 1, film")
    root.locator('td[data-key="book|2"]').hover()
    expect(element).to_contain_text("Rank 2, book")
    root.locator("thead").hover()
    expect(element).to_contain_text("Rank 1, film")
    for metric in ("RBU@15", "ERR-IS@5"):
        root.locator("select").select_option(metric)
        expect(root.locator("[data-score]")).to_have_text(f"{dm.metric(metric).score(ranked):.4f}")
        check(metric)
    expect(root.locator('tr[data-intent^="film/"]').first).to_be_visible()
    expect(root.locator('td[tabindex="0"]')).to_have_count(1)
