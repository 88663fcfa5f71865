"""The exercises of the book: those with a field can be answered there, rightly and wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools.book.checks import pages

pytestmark = pytest.mark.slow
HELD = re.compile(r'data-module="check\.js".*?<script type="application/json">(.*?)</script>', re.DOTALL)


def test_every_field_has_a_right_answer_and_a_wrong_one(site: Path) -> None:
    tables_by_page = [
        (file.stem, json.loads(held)["tables"])
        for file in pages(site)
        for held in HELD.findall(file.read_text(encoding="utf-8"))
    ]
    assert len(tables_by_page) > 70
    with_field = [(name, tables) for name, tables in tables_by_page if tables]
    assert len(with_field) >= 72
    for name, tables in with_field:
        tried = [] if "rules" in tables else tables["runs"]  # those with rules: see test_exercises.py
        for runs in tried if "each" in tables else [tried] if tried else []:
            verdicts = {tables["texts"][text][0] for _, text in runs}
            assert verdicts == {"right", "not yet"}, name
