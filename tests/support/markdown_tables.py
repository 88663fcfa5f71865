"""Tables of Markdown as a reader sees them."""

from __future__ import annotations

import pytest

from divmetrics.errors import printable


def on_one_line(name: str) -> str:
    return printable(" ".join(name.split()))


def rows_of_markdown(text: str) -> list[list[str]]:
    """The cells of the first table as a reader sees them; the test skips where nothing can read Markdown."""
    mistune = pytest.importorskip("mistune", reason="mistune is not installed")
    tree = mistune.create_markdown(renderer="ast", plugins=["table", "strikethrough", "url"])(text)
    table = next(part for part in tree if part["type"] == "table")
    head, body = table["children"]
    return [
        [_shown(cell) for cell in row]
        for row in (head["children"], *(r["children"] for r in body["children"]))
    ]


def _shown(part: dict) -> str:
    assert part["type"] in ("table_cell", "text", "strong", "paragraph", "link"), part
    if part["type"] == "link":  # an address that stands there as text
        assert _shown({"type": "text", **part["children"][0]}) in part["attrs"]["url"]
    return part["raw"] if "raw" in part else "".join(map(_shown, part["children"]))
