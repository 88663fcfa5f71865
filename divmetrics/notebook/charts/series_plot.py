"""Draw several series over the same positions: a few in one plot with distinct marks, more in panels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from divmetrics.core.checks import check_ordered
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.marks import MARKS, Mark
from divmetrics.notebook.appearance.palette import INK
from divmetrics.notebook.charts.axes import MOST_NAMES, HorizontalAxis, axis
from divmetrics.notebook.charts.contours import Interval, Point, round_interval
from divmetrics.notebook.charts.figure import MEDIUM
from divmetrics.notebook.charts.label_placement import apart
from divmetrics.notebook.charts.panels import (
    FULL,
    arrange_panels,
    is_first_in_row,
    layer,
    shorten_titles,
    size_panel,
)
from divmetrics.notebook.charts.text_width import shorten, text_width

MOST_TOGETHER, MOST_STEEP = 6, 60  # the most lines, and thick steps in all, that are legible in one plot
HEIGHT = 300
LONGEST, LINE = 230, 16  # pixels: the widest label at the end of a line; from one label to the next
TO, BESIDE = 14, 30  # pixels from the plot to a label's mark and to its text
NARROWEST = 9.5  # width in pixels of an upright name below the plot
MOST_MARKS, MANY_MARKS = 15, 50  # a series with more than MANY_MARKS points gets at most MOST_MARKS marks
THIN, THICK = 1.2, 3.5
BAND, LEVEL = "#DDDDDD", "#8C8C8C"
LARGEST, SMALLEST = (
    130,
    60,
)  # area of a mark: lower ones are larger, so that they stay visible under upper ones


@dataclass(frozen=True)
class Series:
    """Points (x, y) from left to right; the step to each point whose index is in `steep` is drawn thick.

    `note` is a text at the end of the line.
    """

    name: str
    points: tuple[Point, ...]
    note: str = ""
    steep: frozenset[int] = frozenset()


def series_from_table(table: pd.DataFrame, value: str, across: str, one: str) -> list[Series]:
    """Return one series for each row of a table whose column names are ascending numbers, the positions.

    Raises DivmetricsError if a cell is missing; `value`, `across` and `one` are the nouns for a cell, a
    column and a row in its message.
    """
    for row, column in np.argwhere(table.isna().to_numpy())[:1]:
        raise DivmetricsError(
            f"{table.index[row]!r} has no {value} at {across} {table.columns[column]:g}; give one for every "
            f"setting, or leave that {one} out"
        )
    places = [float(column) for column in table.columns]
    return [
        Series(str(name), tuple(zip(places, map(float, values), strict=True)))
        for name, values in zip(table.index, table.to_numpy(), strict=True)
    ]


@dataclass(frozen=True)
class VerticalAxis:
    """The vertical axis, on a linear or square-root scale, with a dashed line at `level`."""

    title: str
    level: float | None = None
    window: Interval | None = None  # the visible interval; by default, a round interval around all values
    ticks: tuple[float, ...] = ()
    root: bool = False


def series_plot(
    series: Sequence[Series], across: HorizontalAxis, up: VerticalAxis, mark_order: Sequence[str] = ()
) -> Any:
    """Return a chart of one or more series; `across` is the horizontal axis, `up` the vertical one.

    `mark_order` names the series that get the first marks, even if they are not among `series`.
    """
    check_ordered("marks", mark_order)
    heights = [y for one in series for _, y in one.points] + ([] if up.level is None else [up.level])
    plot = _Plot(series, across, up, up.window or round_interval(heights), tuple(mark_order))
    crowded = len(series) > MOST_TOGETHER or sum(len(one.steep) for one in series) > MOST_STEEP
    # Labels at the ends of lines leave less width for the names below the plot.
    crowded |= len(across.names) <= MOST_NAMES and len(across.names) * NARROWEST > plot.width
    return plot.apart() if crowded and len(series) > 1 else plot.together()


@dataclass(frozen=True)
class _Plot:
    series: Sequence[Series]
    across: HorizontalAxis
    up: VerticalAxis
    window: Interval
    marked: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The label at the end of each line."""
        whole = [f"{one.name}: {one.note}" if one.note else one.name for one in self.series]
        return [shorten(text, LONGEST, MEDIUM) for text in whole]

    @property
    def width(self) -> int:
        """The width of the plot in pixels, which leaves room for the labels."""
        return FULL - BESIDE - math.ceil(max(text_width(text, MEDIUM) for text in self.words))

    def together(self) -> Any:
        """Draw all series in one plot, with distinct marks and a label at the end of each line."""
        width = self.width
        x, y = self._x(width=width), self._y(labelled=True)
        layers, marked_as = self._level(y), self._marked_as()
        for one, (colour, _) in zip(self.series, marked_as, strict=True):
            layers += self._line(one, x, y, colour)
        point: dict[str, Any] = {"filled": True, "opacity": 1, "stroke": INK, "strokeWidth": 0.7}
        look = {"fill": alt.Fill("fill:N", scale=None), "shape": alt.Shape("shape:N", scale=None)}
        for n, (colour, shape) in enumerate(marked_as):
            drawn = layer([row | {"fill": colour, "shape": shape} for row in self._marks(n)])
            size, fields = alt.Size("area:Q", scale=None), ["series:N", *self._tooltip()]
            layers.append(drawn.mark_point(**point).encode(x=x, y=y, size=size, tooltip=fields, **look))
        for end, middle, text, (colour, shape) in zip(*self._ends(width), self.words, marked_as, strict=True):
            at = layer([{"text": text, "fill": colour, "shape": shape}])
            beside = at.encode(y=alt.value(middle))
            layers += [
                at.mark_rule(color=LEVEL, strokeWidth=0.7).encode(
                    x=alt.value(end[0]), y=alt.value(end[1]), x2=alt.value(width + TO), y2=alt.value(middle)
                ),
                beside.mark_point(**point, size=SMALLEST).encode(x=alt.value(width + TO + 5), **look),
                beside.mark_text(align="left", baseline="middle", fontSize=MEDIUM, color=INK).encode(
                    x=alt.value(width + TO + 13), text="text:N"
                ),
            ]
        return alt.layer(*layers).properties(width=width, height=HEIGHT)

    def _ends(self, width: float) -> tuple[list[Point], list[float]]:
        """Return, in pixels, the end of each line and the height of its label."""
        left, right = self.across.domain([x for one in self.series for x, _ in one.points])
        low, high = (self._up(value) for value in self.window)
        ends = [
            ((x - left) / (right - left) * width, (high - self._up(y)) / (high - low) * HEIGHT)
            for x, y in (one.points[-1] for one in self.series)
        ]
        return ends, apart([y for _, y in ends], LINE, 0, HEIGHT)

    def _up(self, value: float) -> float:
        return math.sqrt(max(value, 0.0)) if self.up.root else value

    def _marked_as(self) -> list[Mark]:
        places = {name: n for n, name in enumerate(dict.fromkeys([*self.marked, *self._names()]))}
        last = max(places[name] for name in self._names())
        if last >= len(MARKS):
            raise DivmetricsError(
                f"the marks are for {len(places)} metrics, more than the {len(MARKS)} that shapes and "
                "colours can tell apart; name fewer in `marks`"
            )
        return [MARKS[places[name]] for name in self._names()]

    def _names(self) -> list[str]:
        return [one.name for one in self.series]

    def apart(self) -> Any:
        """Draw one panel per series, in front of the range of all series."""
        band = layer(_band(self.series))
        names = shorten_titles(self._names())
        return arrange_panels([self._panel(n, one, names[n], band) for n, one in enumerate(self.series)])

    def _panel(self, n: int, one: Series, name: str, band: Any) -> Any:
        of = len(self.series)
        x, y = self._x(n, of), self._y(labelled=is_first_in_row(n, of))
        dots = self._rows(one) if len(one.points) <= MOST_MARKS else []
        chart = alt.layer(
            band.mark_area(color=BAND).encode(x=x, y=y, y2="y2:Q"),
            *self._level(y),
            # Ink contrasts with the band on light and dark pages and in greyscale.
            *self._line(one, x, y, INK),
            layer(dots).mark_point(filled=True, size=14, color=INK, opacity=1).encode(x=x, y=y),
        )
        return size_panel(chart, of, name, one.note)

    def _line(self, one: Series, x: Any, y: Any, colour: str) -> list[Any]:
        """Return two layers: the line of a series, and its steep steps as thick lines."""
        steep = [
            {"x": x1, "y": y1, "x2": x2, "y2": y2}
            for i in sorted(one.steep)
            for (x1, y1), (x2, y2) in [one.points[i - 1 : i + 1]]
        ]
        line = layer(self._rows(one)).mark_line(strokeWidth=THIN, color=colour)
        thick = layer(steep).mark_rule(strokeWidth=THICK, color=colour)
        return [line.encode(x=x, y=y, tooltip=self._tooltip()), thick.encode(x=x, y=y, x2="x2:Q", y2="y2:Q")]

    def _x(self, n: int = 0, of: int = 1, width: float = FULL) -> Any:
        return self.across.channel([x for one in self.series for x, _ in one.points], n, of, width)

    def _y(self, labelled: bool) -> Any:
        kind: Literal["sqrt", "linear"] = "sqrt" if self.up.root else "linear"
        scale = alt.Scale(type=kind, domain=list(self.window), nice=False, zero=False)
        return alt.Y("y:Q", scale=scale, axis=axis(self.up.title, self.up.ticks) if labelled else None)

    def _level(self, y: Any) -> list[Any]:
        if self.up.level is None:
            return []
        return [layer([{"y": self.up.level}]).mark_rule(color=LEVEL, strokeDash=[5, 3]).encode(y=y)]

    def _rows(self, one: Series) -> list[dict[str, Any]]:
        return [{"series": one.name, "x": x, "y": y, "at": self.across.place(x)} for x, y in one.points]

    def _marks(self, n: int) -> list[dict[str, Any]]:
        """Return the points of a series that get a mark; in long series a sample, offset between series."""
        rows = self._rows(self.series[n])
        step = math.ceil(len(rows) / MOST_MARKS) if len(rows) > MANY_MARKS else 1
        first = n * step // len(self.series)
        area = LARGEST - (LARGEST - SMALLEST) * n / max(1, len(self.series) - 1)
        return [row | {"area": area} for row in rows[first::step]]

    def _tooltip(self) -> list[Any]:
        return [self.across.tooltip(), alt.Tooltip("y:Q", title=self.up.title, format=".4f")]


def _band(series: Sequence[Series]) -> list[dict[str, Any]]:
    """Return a record per position with the lowest and the highest value of all series."""
    at: dict[float, list[float]] = {}
    for one in series:
        for x, y in one.points:
            at.setdefault(x, []).append(y)
    return [{"x": x, "y": min(ys), "y2": max(ys)} for x, ys in sorted(at.items())]
