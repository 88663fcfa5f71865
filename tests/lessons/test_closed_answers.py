"""Exported as HTML or Markdown, no notebook shows an answer before its reader opens it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from nbconvert import HTMLExporter, MarkdownExporter

from tools.notebook_files import read, reading_order, tags

DETAILS = re.compile(r"<details[\s>][\s\S]*?</details>")
SUMMARY = re.compile(r"<summary[\s>][\s\S]*?</summary>")
ANSWER = re.compile(r"(?:Thea|A)nswer:")
EXPORTERS = (HTMLExporter, MarkdownExporter)


def letters(html: str) -> str:
    """What is read, without its spaces: those of code depend on its colours."""
    return "".join(unescape(re.sub(r"<[^<>]*>", "", html)).split())


def exported(path: Path, exporter: type) -> str:
    page, _ = exporter().from_filename(str(path))
    return str(page[page.index("<body") :]) if exporter is HTMLExporter else str(page)


@pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda exporter: exporter.__name__)
@pytest.mark.parametrize("path", reading_order(), ids=lambda path: path.stem)
def test_no_answer_stands_open_in_an_export(path: Path, exporter: type) -> None:
    body = exported(path, exporter)
    assert not re.search(r"<details\s[^>]*\bopen\b", body)
    closed = DETAILS.findall(body)
    # Every one has more in it than what it is called.
    assert closed or not path.name[0].isdigit()
    assert [one[:80] for one in closed if not letters(SUMMARY.sub("", one))] == []
    inside, outside = letters(" ".join(closed)), letters(DETAILS.sub(" ", body))
    assert not ANSWER.search(outside)
    solutions = [cell for cell in read(path).cells if "solution" in tags(cell)]
    files = [path.parent / match[1] for cell in solutions if (match := re.search(r'"(.+)"', cell.source))]
    assert len(files) == len(solutions)
    assert len(files) >= 3 or not path.name[0].isdigit()
    for file in files:
        code = "".join(file.read_text(encoding="utf-8").partition("\n")[2].split())
        assert code in inside
        assert code not in outside
