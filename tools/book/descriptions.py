"""Descriptions of pages for search engines and link previews: an extension of Sphinx."""

from __future__ import annotations

import textwrap
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LETTERS = 160  # about what a search engine shows
OF_THE_BOOK = "How to measure the diversity of search results: an interactive course and a Python library."


def description(page: nodes.document | None) -> str:
    """Return the first paragraph of a page, cut after a word, or else a description of the book."""
    first = page.next_node(nodes.paragraph) if page else None
    text = " ".join(first.astext().split()) if first else ""
    return textwrap.shorten(text, LETTERS, placeholder=" …") or OF_THE_BOOK


def _page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    text = escape(description(tree))
    context["metatags"] = context.get("metatags", "") + f'\n<meta name="description" content="{text}">'


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
