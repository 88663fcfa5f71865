"""Exported as HTML, no notebook shows an answer before its reader opens it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from nbconvert import HTMLExporter

from tools.notebook_files import read, reading_order, tags

DETAILS = re.compile(r"<details[\s>][\s\S]*?</details>")
ANSWER = re.compile(r"(?:Thea|A)nswer:")


def letters(html: str) -> str:
    """What is read, without its spaces: those of code depend on its colours."""
    return "".join(unescape(re.sub(r"<[^<>]*>", "", html)).split())


@pytest.mark.parametrize("path", reading_order(), ids=lambda path: path.stem)
def test_no_answer_stands_open_in_an_export(path: Path) -> None:
    page, _ = HTMLExporter().from_filename(str(path))
    body = page[page.index("<body") :]
    assert not re.search(r"<details\s[^>]*\bopen\b", body)
    inside, outside = letters(" ".join(DETAILS.findall(body))), letters(DETAILS.sub(" ", body))
    assert not ANSWER.search(outside)
    assert ANSWER.search(inside)  # every notebook asks something
    solutions = [cell for cell in read(path).cells if "solution" in tags(cell)]
    files = [path.parent / match[1] for cell in solutions if (match := re.search(r'"(.+)"', cell.source))]
    assert len(files) >= 3
    for file in files:
        code = "".join(file.read_text(encoding="utf-8").partition("\n")[2].split())
        assert code in inside
        assert code not in outside
