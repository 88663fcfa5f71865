"""A widget in a page that no kernel stands behind, such as one of the course's book.

There a widget is the same module as in a notebook, on a model that holds what Python knew when the page was
made: its traits, and tables from which the browser reads the answers that it can (front/book.js).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from html import escape
from typing import Any

from divmetrics_widgets import bundles

BOOK_VARIABLE = "DIVMETRICS_BOOK"  # an environment variable: set where notebooks are run for a book


def is_enabled() -> bool:
    """Are widgets to be shown so?"""
    return bool(os.environ.get(BOOK_VARIABLE))


def element(module: str, traits: Mapping[str, Any], tables: Mapping[str, Any], still: str, model: str) -> str:
    """HTML in which front/book.js finds a widget: what it is, what it holds, and its still form until then.

    model: its id, by which another widget of the page names it.
    """
    held = json.dumps({"traits": traits, "tables": tables}, separators=(",", ":"), ensure_ascii=False)
    held = held.replace("<", "\\u003c")  # so that no text in it ends the element
    names = f'data-module="{escape(module)}" data-model="{escape(model)}"'
    return (
        f'<div class="divmetrics-page" {names}>{still}</div><script type="application/json">{held}</script>'
    )


def script() -> str:
    """Return what a page of the book loads, once: no module, for a browser reads none from a file."""
    return bundles.bundle("book.js")


def styles() -> str:
    """Return the style sheets of all widgets."""
    return bundles.styles(sorted(path.name for path in bundles.FRONT.iterdir() if path.name.endswith(".css")))
