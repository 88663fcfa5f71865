"""Build the axes of plots and panels: positions with names or numbers across, values upwards."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from divmetrics.notebook.appearance.palette import QUIET_INK
from divmetrics.notebook.charts.figure import MEDIUM, SMALL
from divmetrics.notebook.charts.panels import FULL, in_a_row, is_last_in_column
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.render.escaping import escape_controls

MOST_NAMES, LONGEST_NAME = 50, 110  # the most positions that get names; the widest name in pixels
FLUSH = 8  # pixels from the end of a small panel within which a label stays inside
QUIET: dict[str, Any] = {"grid": False, "domainColor": QUIET_INK, "tickColor": QUIET_INK}


@dataclass(frozen=True)
class HorizontalAxis:
    """The horizontal axis: positions 1, 2, ... with `names`, or numbers (without names) with `ticks`."""

    title: str
    short: str  # the title in narrow panels
    names: tuple[str, ...] = ()
    ticks: tuple[float, ...] = ()

    def place(self, x: float) -> str:
        """Return the name of position x, or the number as text."""
        return self.names[round(x) - 1] if self.names else f"{x:g}"

    def domain(self, xs: Sequence[float]) -> tuple[float, float]:
        """Return the left and right ends of a scale that contains all `xs`."""
        room = 0.5 if self.names else (max(xs) - min(xs)) * 0.02 or 1
        return min(xs) - room, max(xs) + room

    def channel(self, xs: Sequence[float], n: int = 0, of: int = 1, width: float = FULL) -> alt.X:
        """Return the x channel of panel `n` (from 0) of `of` panels.

        `xs` are all positions in the panel; `width` is the width in pixels of a chart that fills its row.
        """
        scale = alt.Scale(domain=list(self.domain(xs)), nice=False, zero=False)
        if in_a_row(of) > 1:
            title = self.short if is_last_in_column(n, of) else None
            ticks = (1.0, float(len(self.names))) if self.names else self.ticks
            few = ticks if len(ticks) <= 5 else (ticks[0], ticks[-1])
            return alt.X("x:Q", scale=scale, axis=axis(title, few, flush=FLUSH))
        if is_last_in_column(n, of):
            return alt.X("x:Q", scale=scale, axis=self._wide_axis(width))
        return alt.X("x:Q", scale=scale, axis=alt.Axis(title=None, labels=False, ticks=False, **QUIET))

    def tooltip(self) -> alt.Tooltip:
        """Return a tooltip for the field `at`, which holds the name of the position."""
        return alt.Tooltip("at:N", title=self.short)

    def _wide_axis(self, width: float) -> alt.Axis:
        """Return an axis with the names, upright if they are wide, or with numbers if there are too many."""
        title = shorten(self.title, width, MEDIUM)
        if not self.names or len(self.names) > MOST_NAMES:
            return axis(title, self.ticks or ticks_to(len(self.names)))
        short = [shorten(name, LONGEST_NAME, MEDIUM, keep="end") for name in self.names]
        upright = max(text_width(name, MEDIUM) for name in short) > width / len(short) - 6
        return alt.Axis(
            title=title,
            values=list(range(1, len(short) + 1)),
            labelExpr=f"({json.dumps(['', *map(escape_controls, short)])})[datum.value]",
            labelAngle=-90 if upright else 0,
            labelOverlap=False,
            # Upright names must not overlap their neighbours.
            labelFontSize=max(SMALL, min(MEDIUM, math.floor(width / len(short)))),
            labelPadding=4,
            **QUIET,
        )


def axis(title: str | None, ticks: Sequence[float] = (), *, flush: float = 0) -> alt.Axis:
    """Return an axis without a grid, with these ticks, or about five if there are none.

    A label within `flush` pixels of an end is moved inside.
    """
    written: dict[str, Any] = {"values": list(ticks), "format": ".6~g"} if ticks else {"tickCount": 5}
    return alt.Axis(title=title, labelFlush=flush or False, **written, **QUIET)


def ticks_to(last: int) -> tuple[float, ...]:
    """Return 1, `last`, and about seven round numbers between them, ascending."""
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if last / s <= 8), 1000)
    between = [float(n) for n in range(step, last, step) if 1 < n <= last - step / 2]
    return tuple(dict.fromkeys([1.0, *between, float(last)]))
