"""A widget in a page without a kernel, such as a page of the course's book.

There a widget is the same module as in a notebook, on a model with the state of Python when the page was
built: its traits, and tables from which the browser looks answers up (front/book.js).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from html import escape
from typing import Any

from divmetrics_widgets import bundles

BOOK_VARIABLE = "DIVMETRICS_BOOK"  # environment variable, set while notebooks are run for the book
# The MIME type of this form: an output of a cell holds it beside the HTML for everyone else.
PAGE_TYPE = "application/vnd.divmetrics.page"


def is_enabled() -> bool:
    """Return whether widgets are displayed for a page without a kernel, too."""
    return bool(os.environ.get(BOOK_VARIABLE))


def element(
    module: str, traits: Mapping[str, Any], tables: Mapping[str, Any], static_html: str, model: str
) -> str:
    """Return the HTML from which front/book.js makes a widget: its module, its state, and its static form.

    model: the id by which other widgets of the page refer to it.
    """
    state = json.dumps({"traits": traits, "tables": tables}, separators=(",", ":"), ensure_ascii=False)
    state = state.replace("<", "\\u003c")  # so that no text in it closes the script element
    attributes = f'data-module="{escape(module)}" data-model="{escape(model)}"'
    script_element = f'<script type="application/json">{state}</script>'
    return f'<div class="divmetrics-page" {attributes}>{static_html}</div>{script_element}'


def script() -> str:
    """Return the script of a page of the book: not a module, since browsers load none from a file."""
    return bundles.bundle("book.js")


def styles() -> str:
    """Return the style sheets of all widgets."""
    return bundles.styles(sorted(path.name for path in bundles.FRONT.iterdir() if path.name.endswith(".css")))
