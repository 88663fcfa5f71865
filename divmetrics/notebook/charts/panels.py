"""Arrange charts of one size in rows, each with its name above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import pandas as pd

from divmetrics.notebook.appearance.palette import INK, QUIET_INK
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, SMALL
from divmetrics.notebook.charts.text_width import shorten

FULL = INSIDE - 60  # width in pixels of a plot without its vertical axis
BETWEEN = 16
# {panels in a row: (width, height) of a panel without axes}; every row has the same width.
SIZE = {n: ((FULL - (n - 1) * BETWEEN) // n, height) for n, height in ((1, 130), (2, 110), (3, 80))}


def in_a_row(of: int) -> int:
    """Return how many of `of` panels stand side by side."""
    return 1 if of <= 3 else 2 if of <= 6 else 3


def layer(rows: Iterable[dict[str, Any]]) -> alt.Chart:
    """Return a chart of these rows as a DataFrame; Altair validates and copies other data repeatedly."""
    return alt.Chart(pd.DataFrame(rows))


def arrange_panels(panels: Sequence[Any]) -> Any:
    """Return the charts in rows."""
    return alt.concat(*panels, columns=in_a_row(len(panels)), spacing=BETWEEN)


def is_first_in_row(n: int, of: int) -> bool:
    """Return whether panel `n` (from 0) of `of` begins a row, and so carries the vertical axis."""
    return n % in_a_row(of) == 0


def is_last_in_column(n: int, of: int) -> bool:
    """Return whether no panel is below panel `n` (from 0) of `of`, so that it has the horizontal title."""
    return n + in_a_row(of) >= of


def shorten_titles(names: Sequence[str]) -> list[str]:
    """Shorten names to the width of a panel, at the end or at the start, so that they stay distinct."""
    width, _ = SIZE[in_a_row(len(names))]
    starts = [shorten(name, width, MEDIUM) for name in names]
    if len(set(starts)) == len(set(names)):
        return starts
    return [shorten(name, width, MEDIUM, keep="end") for name in names]


def size_panel(panel: Any, of: int, name: str, note: str = "") -> Any:
    """Return a panel, one of `of`, with its size, and with its name and a note above.

    Both texts are marks, since axes would move titles.
    """
    width, height = SIZE[in_a_row(of)]
    heads = [(name, MEDIUM, INK, -20 if note else -6), *([(note, SMALL, QUIET_INK, -6)] if note else [])]
    layers = [
        layer([{"head": shorten(text, width, size)}])
        .mark_text(align="left", baseline="alphabetic", fontSize=size, color=ink)
        .encode(x=alt.value(0), y=alt.value(y), text="head:N")
        for text, size, ink, y in heads
    ]
    return alt.layer(*panel.layer, *layers).properties(width=width, height=height)
