"""The labs of the book: every order of their lists shows the library's numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from divmetrics_widgets import RankedListLab
from tests.support.chromium import need_chromium
from tests.support.labs_alone import check_numbers
from tools.book.checks import pages
from tools.browser import browser

pytestmark = pytest.mark.slow
LAB = '.divmetrics-page[data-module="lab.js"]'
HELD = re.compile(r'data-module="lab\.js".*?<script type="application/json">(.*?)</script>', re.DOTALL)
ORDERS = 40


def test_every_lab_follows_every_order(site: Path) -> None:
    need_chromium()
    labs = {file: HELD.findall(file.read_text(encoding="utf-8")) for file in pages(site)}
    assert sum(map(len, labs.values())) >= 30
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1000, "height": 1000})
        for file, found in labs.items():
            if not found:
                continue
            page.goto(file.as_uri())
            expect(page.locator(f"{LAB} [data-widget]")).to_have_count(len(found))
            for at, held in enumerate(found):
                told = json.loads(held)
                assert [name for name, of in told["tables"]["metrics"].items() if "problem" in of] == []
                check_numbers(page, at, RankedListLab(told["traits"]["state"]), ORDERS)
