"""Charts of one size below and beside each other, each with its name above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import pandas as pd

from divmetrics.notebook.appearance.palette import INK, QUIET_INK
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, SMALL
from divmetrics.notebook.charts.text_width import shorten

FULL = INSIDE - 60  # pixels across; the rest is for the upward axis
BETWEEN = 16
# Of a panel without its axes, by panels in a row: a row is as wide as a panel alone.
SIZE = {n: ((FULL - (n - 1) * BETWEEN) // n, height) for n, height in ((1, 130), (2, 110), (3, 80))}


def in_a_row(of: int) -> int:
    """How many of so many panels stand beside each other."""
    return 1 if of <= 3 else 2 if of <= 6 else 3


def layer(rows: Iterable[dict[str, Any]]) -> alt.Chart:
    """A chart of these rows, as a DataFrame: of other data Altair checks and copies each value often."""
    return alt.Chart(pd.DataFrame(rows))


def arrange_panels(panels: Sequence[Any]) -> Any:
    """The charts in rows."""
    return alt.concat(*panels, columns=in_a_row(len(panels)), spacing=BETWEEN)


def is_first_in_row(n: int, of: int) -> bool:
    """Does panel n begin a row, so that it carries the upward axis?"""
    return n % in_a_row(of) == 0


def is_last_in_column(n: int, of: int) -> bool:
    """Is nothing below panel n, so that it carries the title of the other axis?"""
    return n + in_a_row(of) >= of


def shorten_titles(names: Sequence[str]) -> list[str]:
    """Names as they fit above their panels, cut where they stay apart: at their starts or their ends."""
    width, _ = SIZE[in_a_row(len(names))]
    starts = [shorten(name, width, MEDIUM) for name in names]
    if len(set(starts)) == len(set(names)):
        return starts
    return [shorten(name, width, MEDIUM, keep="end") for name in names]


def size_panel(panel: Any, of: int, name: str, note: str = "") -> Any:
    """The panel at its size, with its name and a note; these as marks, since titles give way to axes."""
    width, height = SIZE[in_a_row(of)]
    heads = [(name, MEDIUM, INK, -20 if note else -6), *([(note, SMALL, QUIET_INK, -6)] if note else [])]
    layers = [
        layer([{"head": shorten(text, width, size)}])
        .mark_text(align="left", baseline="alphabetic", fontSize=size, color=ink)
        .encode(x=alt.value(0), y=alt.value(y), text="head:N")
        for text, size, ink, y in heads
    ]
    return alt.layer(*panel.layer, *layers).properties(width=width, height=height)
