"""Where a score comes from: intent x rank, every cell a contribution, all cells together the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import altair as alt
import numpy as np

from divmetrics.charts.figure import INSIDE, MEDIUM, SMALL, Figure
from divmetrics.charts.lettering import shorten, text_width
from divmetrics.core.calls import public
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.ties import TIE
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.names.parse import metric as metric_named
from divmetrics.shown.escaping import in_expression
from divmetrics.shown.palette import INK, RULE, ink_on, shade

MOST_ROWS, MOST_COLUMNS = 40, 20
NARROWEST, WIDEST, ROOMY, HEIGHT = 28, 58, 40, 26  # of a cell, in pixels
WIDEST_NAME, GAP, LINE = 170, 6, 15
ROOM = INSIDE - 2 * GAP
TOTAL = "total"


@public
def contributions(metric: str | BaseMetric, ranked_list: RankedList) -> Figure:
    """The contributions of `explain` as a table in colour: intents down, ranks across.

    Cells and totals are in the unit of the score. From rank 20 on, a longer list shares one column. For an
    intent-square metric the rows are second-level subtopics, grouped by intent. Raises DivmetricsError for a
    list without documents and for more than 40 rows. Of more than 24 rows, those that no document serves are
    one row, and a sentence says how many they are.
    """
    chosen = metric_named(metric)
    earned = Contributions.of_list(chosen, ranked_list)
    topic = ranked_list.topic
    if not earned.values.size:
        raise DivmetricsError(
            f"list {ranked_list.run} for topic {topic.id} has no documents, so {chosen} has no contributions "
            "to draw; give a list with at least one"
        )
    rows = len(earned.shown) + (earned.fold is not None)
    if rows > MOST_ROWS:
        raise DivmetricsError(
            f"topic {topic.id} has {rows} rows of contributions to draw, expected at most "
            f"{MOST_ROWS}; `explain` gives them as a table"
        )
    table = _Table.of(earned)
    chart, decimals = _draw(table)
    of = f"list {ranked_list.run}, topic {topic.id}" + (f" ({topic.title})" if topic.title else "")
    rounded = "" if decimals == 4 else f", to {decimals} decimals"
    signs = " Blue: earned; orange: a cost, below 0." if table.cells.min() < 0 else ""
    meaning = f"A cell is what an intent earns at a rank{rounded}; all cells together are the score."
    description = f"Contributions to {chosen} of {of}, intent by rank. {_describe(table)}"
    told = [earned.fold.words] if earned.fold else []
    return Figure.of(chart, f"{chosen} = {_signed(earned.score)}", [of, meaning + signs, *told], description)


@dataclass(frozen=True)
class _Table:
    """Contributions as they are drawn: `cells` (row, column), and the sums of rows and of columns."""

    earned: Contributions
    names: list[str]  # of the rows, and last of those that are one
    columns: list[str]
    cells: np.ndarray
    by_row: dict[str, float]
    by_column: dict[str, float]

    @classmethod
    def of(cls, earned: Contributions) -> Self:
        cells = earned.folded(MOST_COLUMNS)
        cells = np.where(np.abs(cells) <= TIE, 0.0, cells)
        columns = [str(k + 1) for k in range(cells.shape[1])]
        if earned.values.shape[1] > MOST_COLUMNS:
            columns[-1] = f"≥{MOST_COLUMNS}"
        names = _names(earned, min(ROOM - (len(columns) + 1) * NARROWEST, WIDEST_NAME))
        by_row = dict(zip(names, sum(cells.T).tolist(), strict=True))
        by_column = dict(zip(columns, sum(cells).tolist(), strict=True))
        return cls(earned, names, columns, cells, by_row, by_column)

    def doc(self, column: int) -> str:
        """The document of a column; "" where there is none, or several."""
        return self.earned.doc(column) if self.columns[column].isdigit() else ""


def _draw(table: _Table) -> tuple[Any, int]:
    """The chart, and how many decimals its numbers have."""
    two_levels, names = table.earned.two_levels, table.names
    head = "intent / subtopic" if two_levels else "intent"
    columns = len(table.columns) + 1
    for_names = max(text_width(name, MEDIUM) for name in (*names, TOTAL, head))
    step = int(min((ROOM - for_names) // columns, WIDEST))
    values = [*table.cells.ravel().tolist(), *table.by_row.values(), *table.by_column.values()]
    number, decimals = number_format([*values, table.earned.score], step - 3)
    x, y = _rank_axis(table, step), _row_axis(names, head)

    def layer(data: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=data)).encode(x=x, y=y)

    fields = ["intent", *(["subtopic"] if two_levels else []), "rank", "doc", "grade"]
    tooltip = [*(alt.Tooltip(f"{name}:N") for name in fields), alt.Tooltip("contribution:Q", format=".6f")]
    cells = layer(_cell_data(table, number)).encode(tooltip=tooltip)
    total = {"rank": TOTAL, "row": TOTAL}
    totals = layer(
        [total | {"row": name, "text": number(value)} for name, value in table.by_row.items()]
        + [total | {"rank": column, "text": number(value)} for column, value in table.by_column.items()]
    )
    corner = layer([total | {"text": number(table.earned.score)}])
    weight = "bold" if step >= ROOMY else "normal"
    layers = [
        cells.mark_rect(stroke=RULE, strokeWidth=1).encode(fill=alt.Fill("fill:N", scale=None)),
        cells.mark_text(fontSize=SMALL).encode(text="text:N", color=alt.Color("ink:N", scale=None)),
        totals.mark_text(fontSize=SMALL, color=INK).encode(text="text:N"),
        corner.mark_rect(fill="white", stroke=INK, strokeWidth=1.5),
        corner.mark_text(fontSize=SMALL, fontWeight=weight, color=INK).encode(text="text:N"),
    ]
    if two_levels:
        places = [table.earned.rows[place].place for place in table.earned.shown]
        pairs = enumerate(pairwise(places), 1)
        firsts = [{"row": names[place]} for place, (above, own) in pairs if above != own]
        if table.earned.fold:
            firsts.append({"row": names[-1]})
        line = alt.Chart(alt.Data(values=firsts)).mark_rule(color=INK)
        layers.append(
            line.encode(
                y=alt.Y("row:O", bandPosition=0), x=alt.value(0), x2=alt.value(step * len(table.columns))
            )
        )
    chart = alt.layer(*layers).properties(width=step * columns, height=HEIGHT * (len(names) + 1))
    return chart, decimals


def _cell_data(table: _Table, number: Callable[[float], str]) -> list[dict[str, Any]]:
    top = float(np.abs(table.cells).max())
    data = []
    earned = table.earned
    several = {len(earned.shown): earned.fold.name} if earned.fold else {}
    for r, values in enumerate(table.cells.tolist()):
        row = None if r in several else earned.rows[earned.shown[r]]
        for k, value in enumerate(values):
            fill = shade(value, top)
            graded = table.columns[k].isdigit() and (table.doc(k) or value)
            data.append(
                {
                    "row": table.names[r],
                    "intent": row.intent.id if row else several[r],
                    "subtopic": row.subtopic if row else "",
                    "rank": table.columns[k],
                    "doc": table.doc(k),
                    "grade": str(earned.grades[earned.shown[r], k] if row else 0) if graded else "",
                    "contribution": value,
                    "text": number(value) if value else "",
                    "fill": fill,
                    "ink": ink_on(fill),
                }
            )
    return data


def _rank_axis(table: _Table, step: float) -> Any:
    """Ranks, and below them the documents where all of them fit."""
    docs = {column: table.doc(k) for k, column in enumerate(table.columns)}
    fit = any(docs.values()) and all(text_width(doc, MEDIUM) <= step - 4 for doc in docs.values())
    lines = {**{column: [column, doc] for column, doc in docs.items()}, TOTAL: [TOTAL, ""]}
    return alt.X(
        "rank:O",
        scale=alt.Scale(domain=[*table.columns, TOTAL], paddingInner=0, paddingOuter=0),
        axis=alt.Axis(
            orient="top",
            title="rank and document" if fit else "rank",
            titlePadding=6,
            labelAngle=0,
            labelExpr=in_expression(lines, "datum.label") if fit else "datum.label",
            labelPadding=5 + (LINE if fit else 0),
            labelLineHeight=LINE,
            domain=False,
            ticks=False,
        ),
    )


def _row_axis(names: Sequence[str], head: str) -> Any:
    return alt.Y(
        "row:O",
        scale=alt.Scale(domain=[*names, TOTAL], paddingInner=0, paddingOuter=0),
        axis=alt.Axis(
            title=head,
            titleAngle=0,
            titleAlign="right",
            titleBaseline="bottom",
            titleX=-GAP,
            titleY=-5,
            labelPadding=GAP,
            domain=False,
            ticks=False,
        ),
    )


def _names(earned: Contributions, width: float) -> list[str]:
    """A name for each row shown: its ids, with the labels where all are short; all are different."""
    rows = [earned.rows[place] for place in earned.shown]
    ids = [[one.id for one in (row.intent, row.child) if one] for row in rows]
    short = [" / ".join(of_row) for of_row in ids]
    long = [
        f"{name}: {row.label}" if row.label not in ("", *of_row) else name
        for name, of_row, row in zip(short, ids, rows, strict=True)
    ]
    if any(text_width(name, MEDIUM) > width for name in long):
        long = [shorten(name, width, MEDIUM, keep="end") for name in short]
    last = [earned.fold.name] if earned.fold else []
    if len({*long, *last, TOTAL}) < len(long) + len(last) + 1:
        long = [f"{n}. {shorten(name, width - 22, MEDIUM)}" for n, name in enumerate(short, 1)]
    return long + last


def number_format(values: Sequence[float], width: float) -> tuple[Callable[[float], str], int]:
    """Four decimals; where cells are narrow without the leading 0, then with three decimals."""

    def written(value: float, decimals: int, leading: bool, minus: str) -> str:
        if not value:
            return "0"
        text = f"{abs(value):.{decimals}f}"
        if not float(text):
            return "≈0"
        if not leading and text.startswith("0."):
            text = text[1:]
        return f"{minus}{text}" if value < 0 else text

    for style in ((4, True, "−"), (4, False, "−"), (3, False, "−"), (3, False, "-")):
        if all(text_width(written(value, *style), SMALL) <= width for value in values):
            break
    return lambda value: written(value, *style), style[0]


def _describe(table: _Table) -> str:
    earned = table.earned
    by_intent = earned.by_intent.sum(axis=1).tolist()
    places = dict.fromkeys(row.place for row in earned.rows)
    ids = {earned.rows[place].place: earned.rows[place].intent.id for place in earned.shown}
    each = ", ".join(f"{ids[t]} {_signed(by_intent[t])}" for t in places if t in ids)
    words = [f"They add up to the score {_signed(earned.score)}. By intent: {each}."]
    if earned.fold:
        words.append(earned.fold.words)
    told = []
    for place in np.argsort(-table.cells, axis=None, kind="stable")[:3].tolist():
        row, column = divmod(place, len(table.columns))
        value = float(table.cells[row, column])
        if value > 0:
            doc = f" ({table.doc(column)})" if table.doc(column) else ""
            rank = table.columns[column].replace("≥", "from ")
            told.append(f"{table.names[row]} at rank {rank}{doc} {_signed(value)}")
    if told:
        words.append(f"The largest: {', '.join(told)}.")
    costs = float(table.cells[table.cells < 0].sum())
    if costs:
        words.append(f"Cells below 0 add up to {_signed(costs)}.")
    return " ".join(words)


def _signed(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")
