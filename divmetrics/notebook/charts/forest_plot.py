"""Draw values with their intervals below each other, as a chart and as numbers: a forest plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.palette import INK, OKABE_ITO, QUIET_INK, RULE
from divmetrics.notebook.charts.contours import round_interval
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM, Figure
from divmetrics.notebook.charts.table_checks import check_columns, check_numbers, count, first_dozen
from divmetrics.notebook.charts.text_width import shorten, text_width
from divmetrics.notebook.charts.title_sentences import best, names_with_verb, together

MOST_ROWS = 100
ROW, GAP, WIDEST_NAME, HEAD = 20, 14, 200, 7  # pixels; HEAD: below the head of a column
PER_TICK = 40  # width in pixels of a tick's label
COUNTS = ("agree", "disagree", "ties")


@public
def forest(
    table: pd.DataFrame,
    value: str = "tau",
    *,
    name: str = "metric",
    by: str | None = None,
    reference: float | None = 0.0,
) -> Figure:
    """Draw a value with its interval for every row, such as each metric's agreement with people.

    Parameters
    ----------
    table : pd.DataFrame
        The table that `agreement`, `rank_correlation` with a truth, or `means` returns; rows stay in their
        order. The counts of `agreement` (agree, disagree, ties) are written beside its tau.
    value : str
        The column with the value, such as "tau" or "mean"; the columns low and high hold its interval, nan if
        there is none.
    name : str
        The column that names the rows, "metric" or "run".
    by : str, optional
        A column that groups the rows, such as the strength of preferences; nan is a group, too.
    reference : float, optional
        The value at the dashed line; None draws no line.

    Returns
    -------
    Figure
        The chart; its title names the row with the highest value.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, a column of values holds something else than finite
        numbers and nan, a name occurs twice in a group, every value is nan (a single nan is written as
        "none"), or there are more than 100 lines (of rows and groups).

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> table = pd.DataFrame({"metric": ["ERR", "RBP"], "tau": [0.5, 0.4], "low": 0.3, "high": 0.7})
    >>> dm.charts.forest(table).description
    'tau of 2 metrics, each with its interval: ERR 0.500 [0.300, 0.700]; RBP 0.400 [0.300, 0.700].'
    """
    columns = (*([] if by is None else [by]), name)
    source = "`agreement`, `rank_correlation` or `means`"
    check_columns(table, (*columns, value, "low", "high"), "values", source)
    check_numbers(table, value, "low", "high")
    twice = table.duplicated(list(columns))
    if twice.any():
        raise DivmetricsError(
            f"{name} {table.loc[twice, name].iloc[0]!r} stands in several rows; draw a part of the table, or "
            "name the column that tells them apart with by="
        )
    if not table[value].notna().any():
        raise DivmetricsError(f"no row has a value in the column {value}; give at least one")
    lines = _lines(table, value, name, by)
    if len(lines) > MOST_ROWS:
        raise DivmetricsError(
            f"{len(lines)} lines do not fit into one picture, expected at most {MOST_ROWS}; draw some of them"
        )
    values = [line for line in lines if not line.heading]
    dashed = "" if reference is None else f"; dashed: {reference:g}"
    subtitle = [f"Point: {value}; line: its interval{dashed}."]
    rows = [f"{line.group}{line.name} {line.number}" for line in values]
    people = "Agreement with people: " if values[0].counts else ""
    description = (
        f"{people}{value} of {count(len(values), name)}, each with its interval: {first_dozen(rows)}."
    )
    of = {f"{line.group}{line.name}": line.value for line in values}
    names, highest = best(of)
    number = f"{highest:.3f}".replace("-", "−")
    headline = f"{names_with_verb(names, 'has', 'have')} the highest {value} ({number})"
    if len(names) == len(of):
        headline = f"{together(names)}: {value} {number}"
    title = f"{people}{value} of each {name}"
    subtitle[0] = f"{title[0].upper()}{title[1:]}. {subtitle[0]}"
    return Figure.of(_draw(lines, value, name, reference), headline, subtitle, description)


@dataclass(frozen=True)
class _Line:
    """The heading of a group, or a name with its value; nan for a value or an interval that is missing."""

    name: str
    heading: bool = False
    group: str = ""
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    counts: str = ""

    @property
    def number(self) -> str:
        """The value and its interval as text."""
        if math.isnan(self.value):
            return "none"
        interval = "" if math.isnan(self.low) else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{interval}".replace("-", "−")


def _lines(table: pd.DataFrame, value: str, name: str, by: str | None) -> list[_Line]:
    lines = []
    for group, part in [("", table)] if by is None else table.groupby(by, sort=False, dropna=False):
        if by is not None:
            lines.append(_Line(f"{by}: {group}", heading=True))
        for row in part.to_dict("records"):
            counts = " : ".join(f"{row[column]:,}" for column in COUNTS) if {*COUNTS} <= {*row} else ""
            lines.append(
                _Line(
                    str(row[name]),
                    group="" if by is None else f"{group}, ",
                    value=float(row[value]),
                    low=float(row["low"]),
                    high=float(row["high"]),
                    counts=counts,
                )
            )
    return lines


def _draw(lines: Sequence[_Line], value: str, name: str, reference: float | None) -> Any:
    """Draw, from left to right, names, points with their intervals, the same as numbers, and counts."""
    values = [line for line in lines if not line.heading]
    heads = {"number": value, "counts": " : ".join(COUNTS) if values[0].counts else ""}
    wide = {
        column: max(text_width(text, MEDIUM) for text in (head, *(getattr(line, column) for line in values)))
        for column, head in heads.items()
    }
    for_names = min(max(text_width(text, MEDIUM) for text in (name, *(v.name for v in values))), WIDEST_NAME)
    ends: dict[str, float] = {"counts": INSIDE - 2 * GAP}
    ends["number"] = ends["counts"] - (wide["counts"] + GAP if heads["counts"] else 0)
    plot = [for_names + GAP, ends["number"] - wide["number"] - GAP]
    y = alt.Y("line:O", scale=alt.Scale(domain=list(range(len(lines)))), axis=None)

    def layer(rows: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=rows)).encode(y=y)

    def words(rows: Sequence[dict[str, Any]], at: float, align: Literal["left", "right"], **look: Any) -> Any:
        marks = layer(list(rows)).mark_text(align=align, fontSize=MEDIUM, color=INK, **look)
        return marks.encode(x=alt.value(at), text="text:N")

    def head(text: str, at: float, align: Literal["left", "right"]) -> Any:
        return words([{"text": text}], at, align, baseline="bottom").encode(y=alt.value(-HEAD))

    def column(field: str) -> list[dict[str, Any]]:
        return [{"line": n, "text": getattr(v, field)} for n, v in enumerate(lines) if not v.heading]

    # Cut long names so that they stay distinct: runs of one group differ in their ends.
    starts = {shorten(v.name, for_names, MEDIUM) for v in values}
    keep = "start" if len(starts) == len({v.name for v in values}) else "end"
    names = [row | {"text": shorten(row["text"], for_names, MEDIUM, keep)} for row in column("name")]
    headings = [{"line": n, "text": v.name} for n, v in enumerate(lines) if v.heading]
    points: list[dict[str, Any]] = [
        {"line": n, "x": v.value, "name": v.name, "number": v.number}
        for n, v in enumerate(lines)
        if not math.isnan(v.value)
    ]
    intervals: list[dict[str, Any]] = [
        {"line": n, "x": v.low, "x2": v.high} for n, v in enumerate(lines) if not math.isnan(v.low)
    ]
    ruled = [] if reference is None else [reference]
    drawn = [row["x"] for row in points] + [end for row in intervals for end in (row["x"], row["x2"])]
    quiet: dict[str, Any] = {"grid": False, "domainColor": QUIET_INK, "tickColor": QUIET_INK}
    few = max(2, min(5, int((plot[1] - plot[0]) / PER_TICK)))
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=list(round_interval(drawn + ruled)), range=plot, nice=False, zero=False),
        axis=alt.Axis(title=value, tickCount=few, labelFlush=False, **quiet),
    )
    tooltip = [alt.Tooltip("name:N", title=name), alt.Tooltip("number:N", title=value)]
    layers = [
        layer([{"line": n} for n in range(len(lines) - 1)])
        .mark_rule(color=RULE)
        .encode(y=alt.Y("line:O", bandPosition=1, axis=None), x=alt.value(0), x2=alt.value(ends["counts"])),
        head(name, 0, "left"),
        words(names, 0, "left"),
        words(headings, 0, "left", fontWeight="bold"),
        *(head(heads[field], end, "right") for field, end in ends.items()),
        *(words(column(field), end, "right") for field, end in ends.items()),
        # One segment per row, so that the line does not cross the headings of groups.
        layer([{"line": n, "x": at} for at in ruled for n, v in enumerate(lines) if not v.heading])
        .mark_rule(color=QUIET_INK, strokeDash=[5, 3])
        .encode(x=x, y=alt.Y("line:O", bandPosition=0, axis=None), y2=alt.Y2("line:O", bandPosition=1)),
        layer(intervals).mark_rule(color=INK, strokeWidth=1.5).encode(x=x, x2="x2:Q"),
        layer(points)
        .mark_point(filled=True, size=60, color=OKABE_ITO["blue"], opacity=1)
        .encode(x=x, tooltip=tooltip),
    ]
    return alt.layer(*layers).properties(width=ends["counts"], height=ROW * len(lines))
