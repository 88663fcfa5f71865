"""The labs of the book: every order of their lists shows the library's numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from divmetrics.notebook.textformat.lab_state import LabState as Sheet
from divmetrics_widgets import HierarchyLab, RankedListLab
from divmetrics_widgets.measuring import ListScorer
from tests.support.chromium import need_chromium
from tests.support.offline_hierarchy import check_levels
from tests.support.offline_labs import check_mixes, check_numbers
from tests.support.offline_page import wait_for_widgets
from tools.book.checks import pages
from tools.browser import browser

pytestmark = pytest.mark.slow
HELD = re.compile(
    r'data-module="(lab|hierarchy)\.js".*?<script type="application/json">(.*?)</script>', re.DOTALL
)
ORDERS = 40
MIXES = 3


def labs(site: Path, module: str, least: int) -> Iterator[tuple[Page, int, dict[str, Any]]]:
    """Every lab of the book: its page, opened, its number on that, and what the page holds of it."""
    need_chromium()
    held = {
        file: [told for of, told in HELD.findall(file.read_text(encoding="utf-8")) if of == module]
        for file in pages(site)
    }
    assert sum(map(len, held.values())) >= least
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1000, "height": 1000})
        for file, found in held.items():
            if found:
                page.goto(file.as_uri())
                wait_for_widgets(page)
                shown = page.locator(f'.divmetrics-page[data-module="{module}.js"] [data-widget]')
                expect(shown).to_have_count(len(found))
                yield from ((page, at, json.loads(told)) for at, told in enumerate(found))


def test_every_lab_follows_every_order(site: Path) -> None:
    for page, at, told in labs(site, "lab", 29):
        assert [name for name, of in told["tables"]["metrics"].items() if "problem" in of] == []
        lab = RankedListLab(told["traits"]["state"])
        check_numbers(page, at, lab, ORDERS)
        if len(lab.page.topic["intents"]) > 1 and told["tables"]["goal"] is None:
            check_mixes(page, at, lab, MIXES)


def test_every_lab_with_two_levels_follows_every_order(site: Path) -> None:
    for page, at, told in labs(site, "hierarchy", 3):
        shown = told["traits"]["_shown"]
        sheet = Sheet(**{part: value for part, value in shown.items() if part != "name"})
        ranked = ListScorer(sheet.judgments()).ranked("A", sheet.lists["A"])
        check_levels(page, at, HierarchyLab(ranked, sheet.metrics[0]), ORDERS)
