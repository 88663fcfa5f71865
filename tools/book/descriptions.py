"""Descriptions of pages for search engines, and previews of links to them: an extension of Sphinx."""

from __future__ import annotations

import re
import textwrap
from html import escape, unescape
from typing import Any
from urllib.parse import urljoin

from docutils import nodes
from sphinx.application import Sphinx

LETTERS = 160  # about what a search engine shows
PREVIEW = "_static/preview.png"
VIEWPORT = re.compile(r'\s*<meta [^>]*name="viewport"[^>]*>')
OF_THE_BOOK = "How to measure the diversity of search results: an interactive course and a Python library."


def description(page: nodes.document | None) -> str:
    """Return the first paragraph of a page, cut after a word, or else a description of the book."""
    first = page.next_node(nodes.paragraph) if page else None
    text = " ".join(first.astext().split()) if first else ""
    return textwrap.shorten(text, LETTERS, placeholder=" …") or OF_THE_BOOK


def _page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    text = description(tree)
    title = re.sub(r"<[^>]*>", "", context.get("title", "")) or app.config.html_title
    preview = {
        "og:type": "website",
        "og:site_name": app.config.html_title,
        "og:title": unescape(title),
        "og:description": text,
        # An absolute address once the book has one, as those who make previews want it.
        "og:image": urljoin(context.get("pageurl") or "", context["pathto"](PREVIEW, 1)),
        "og:image:alt": "Two lists of results with their scores, and the list that a metric prefers",
    }
    tags = [f'<meta name="description" content="{escape(text)}">']
    tags += [f'<meta property="{name}" content="{escape(value)}">' for name, value in preview.items()]
    tags += ['<meta name="twitter:card" content="summary_large_image">']
    # The theme has a viewport of its own.
    context["metatags"] = "\n".join([VIEWPORT.sub("", context.get("metatags", "")), *tags])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
