"""Where a score comes from: intent x rank, every cell a contribution, all cells together the score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import altair as alt

from divmetrics.calls import public
from divmetrics.charts.figure import INSIDE, MEDIUM, SMALL, Figure
from divmetrics.charts.lettering import shorten, text_width
from divmetrics.charts.palette import INK, RULE, ink_on, shade
from divmetrics.collection import RankedList, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.escaping import in_expression
from divmetrics.explain import explain
from divmetrics.metric import BaseMetric
from divmetrics.registry import metric as metric_named

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS, MOST_COLUMNS = 40, 20
NARROWEST, WIDEST, ROOMY, HEIGHT = 28, 58, 40, 26  # of a cell, in pixels
WIDEST_NAME, GAP, LINE = 170, 6, 15
TOTAL = "total"
NOISE = 1e-12  # a sum of floats that should be 0

Row = tuple[str, str]  # intent and second-level subtopic ("" where there is none)


@public
def contributions(metric: str | BaseMetric, ranked_list: RankedList) -> Figure:
    """The contributions of `explain` as a table in colour: intents down, ranks across.

    Cells and totals are in the unit of the score. From rank 20 on, a longer list shares one column. For an
    intent-square metric the rows are second-level subtopics, grouped by intent. Raises DivmetricsError for a
    list without documents and for more than 40 rows.
    """
    chosen = metric_named(metric)
    explained = explain(chosen, ranked_list)
    topic = ranked_list.topic
    if explained.empty:
        raise DivmetricsError(
            f"list {ranked_list.run} for topic {topic.id} has no documents, so {chosen} has no contributions "
            "to draw; give a list with at least one"
        )
    table = _Table.of(topic, explained)
    if len(table.rows) > MOST_ROWS:
        raise DivmetricsError(
            f"topic {topic.id} has {len(table.rows)} rows of contributions to draw, expected at most "
            f"{MOST_ROWS}; `explain` gives them as a table"
        )
    chart, names, decimals = _draw(table, topic)
    of = f"list {ranked_list.run}, topic {topic.id}" + (f" ({topic.title})" if topic.title else "")
    rounded = "" if decimals == 4 else f", to {decimals} decimals"
    signs = " Blue: earned; orange: a cost, below 0." if min(table.cells.values()) < 0 else ""
    meaning = f"A cell is what an intent earns at a rank{rounded}; all cells together are the score."
    description = f"Contributions to {chosen} of {of}, intent by rank. {_describe(table, names)}"
    return Figure.of(chart, f"{chosen} = {_signed(table.score)}", [of, meaning + signs], description)


@dataclass(frozen=True)
class _Table:
    """Contributions by (row, column); `docs` and `grades` for the columns of one rank."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[Row, str], float]
    docs: dict[str, str]
    grades: dict[tuple[Row, str], int]

    @classmethod
    def of(cls, topic: Topic, explained: pd.DataFrame) -> _Table:
        """From the table that `explain` returns."""
        rows: list[Row] = [(intent.id, "") for intent in topic.intents]
        if "subtopic" in explained:
            rows = [(intent.id, e.id) for intent in topic.intents for e in intent.children or (intent,)]
        last = int(explained["rank"].max())
        columns = [str(k) for k in range(1, min(last, MOST_COLUMNS) + 1)]
        if last > MOST_COLUMNS:
            columns[-1] = f"≥{MOST_COLUMNS}"
        cells = {(row, column): 0.0 for row in rows for column in columns}
        docs: dict[str, str] = {}
        grades: dict[tuple[Row, str], int] = {}
        for record in explained.to_dict("records"):
            column = columns[min(record["rank"], MOST_COLUMNS) - 1]
            row = record["intent"], record.get("subtopic", "")
            cells[row, column] += record["contribution"]
            if column == str(record["rank"]):
                docs[column] = record["doc"]
                grades[row, column] = record["grade"]
        cells = {place: 0.0 if abs(value) < NOISE else value for place, value in cells.items()}
        return cls(tuple(rows), tuple(columns), cells, docs, grades)

    @property
    def two_levels(self) -> bool:
        return self.rows[0][1] != ""

    @cached_property
    def by_row(self) -> dict[Row, float]:
        return {row: sum(self.cells[row, column] for column in self.columns) for row in self.rows}

    @cached_property
    def by_column(self) -> dict[str, float]:
        return {column: sum(self.cells[row, column] for row in self.rows) for column in self.columns}

    @property
    def score(self) -> float:
        return sum(self.by_row.values())


def _draw(table: _Table, topic: Topic) -> tuple[Any, dict[Row, str], int]:
    """The chart, the names of its rows, and how many decimals its numbers have."""
    head = "intent / subtopic" if table.two_levels else "intent"
    room, columns = INSIDE - 2 * GAP, len(table.columns) + 1
    names = _names(topic, table.rows, min(room - columns * NARROWEST, WIDEST_NAME))
    for_names = max(text_width(name, MEDIUM) for name in (*names.values(), TOTAL, head))
    step = int(min((room - for_names) // columns, WIDEST))
    values = [*table.cells.values(), *table.by_row.values(), *table.by_column.values(), table.score]
    number, decimals = number_format(values, step - 3)
    x, y = _rank_axis(table, step), _row_axis(list(names.values()), head)

    def layer(data: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=data)).encode(x=x, y=y)

    fields = ["intent", *(["subtopic"] if table.two_levels else []), "rank", "doc", "grade"]
    tooltip = [*(alt.Tooltip(f"{name}:N") for name in fields), alt.Tooltip("contribution:Q", format=".6f")]
    cells = layer(_cell_data(table, names, number)).encode(tooltip=tooltip)
    total = {"rank": TOTAL, "row": TOTAL}
    totals = layer(
        [total | {"row": names[row], "text": number(value)} for row, value in table.by_row.items()]
        + [total | {"rank": column, "text": number(value)} for column, value in table.by_column.items()]
    )
    corner = layer([total | {"text": number(table.score)}])
    weight = "bold" if step >= ROOMY else "normal"
    layers = [
        cells.mark_rect(stroke=RULE, strokeWidth=1).encode(fill=alt.Fill("fill:N", scale=None)),
        cells.mark_text(fontSize=SMALL).encode(text="text:N", color=alt.Color("ink:N", scale=None)),
        totals.mark_text(fontSize=SMALL, color=INK).encode(text="text:N"),
        corner.mark_rect(fill="white", stroke=INK, strokeWidth=1.5),
        corner.mark_text(fontSize=SMALL, fontWeight=weight, color=INK).encode(text="text:N"),
    ]
    if table.two_levels:
        firsts = [below for above, below in pairwise(table.rows) if below[0] != above[0]]
        line = alt.Chart(alt.Data(values=[{"row": names[row]} for row in firsts])).mark_rule(color=INK)
        layers.append(
            line.encode(
                y=alt.Y("row:O", bandPosition=0), x=alt.value(0), x2=alt.value(step * len(table.columns))
            )
        )
    chart = alt.layer(*layers).properties(width=step * columns, height=HEIGHT * (len(table.rows) + 1))
    return chart, names, decimals


def _cell_data(table: _Table, names: dict[Row, str], number: Callable[[float], str]) -> list[dict[str, Any]]:
    top = max(map(abs, table.cells.values()))
    data = []
    for (row, column), value in table.cells.items():
        fill = shade(value, top)
        data.append(
            {
                "row": names[row],
                "intent": row[0],
                "subtopic": row[1],
                "rank": column,
                "doc": table.docs.get(column, ""),
                "grade": str(table.grades.get((row, column), "")),
                "contribution": value,
                "text": number(value) if value else "",
                "fill": fill,
                "ink": ink_on(fill),
            }
        )
    return data


def _rank_axis(table: _Table, step: float) -> Any:
    """Ranks, and below them the documents where all of them fit."""
    docs = {column: table.docs.get(column, "") for column in table.columns}
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


def _names(topic: Topic, rows: Sequence[Row], width: float) -> dict[Row, str]:
    """A name for each row: its ids, with the labels where all are short; different for different rows."""
    labels = {(intent.id, ""): intent.label for intent in topic.intents}
    labels |= {(intent.id, child.id): child.label for intent in topic.intents for child in intent.children}
    # A subtopic that stands for itself (leaf=self) has the same id at both levels.
    parents = {intent.id for intent in topic.intents if intent.children}
    ids = [" / ".join(row) if row[1] and row[0] in parents else row[0] for row in rows]
    long = [
        f"{name}: {labels[row]}" if labels.get(row) not in ("", None, *row) else name
        for name, row in zip(ids, rows, strict=True)
    ]
    if any(text_width(name, MEDIUM) > width for name in long):
        long = [shorten(name, width, MEDIUM, keep="end") for name in ids]
    if len({*long, TOTAL}) < len(long) + 1:
        long = [f"{n}. {shorten(name, width - 22, MEDIUM)}" for n, name in enumerate(ids, 1)]
    return dict(zip(rows, long, strict=True))


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


def _describe(table: _Table, names: dict[Row, str]) -> str:
    earned: dict[str, float] = {}
    for (intent, _), value in table.by_row.items():
        earned[intent] = earned.get(intent, 0.0) + value
    each = ", ".join(f"{intent} {_signed(value)}" for intent, value in earned.items())
    words = [f"They add up to the score {_signed(table.score)}. By intent: {each}."]
    largest = sorted(table.cells.items(), key=lambda cell: -cell[1])[:3]
    told = []
    for (row, column), value in largest:
        if value > 0:
            doc = f" ({table.docs[column]})" if table.docs.get(column) else ""
            told.append(f"{names[row]} at rank {column.replace('≥', 'from ')}{doc} {_signed(value)}")
    if told:
        words.append(f"The largest: {', '.join(told)}.")
    costs = sum(value for value in table.cells.values() if value < 0)
    if costs:
        words.append(f"Cells below 0 add up to {_signed(costs)}.")
    return " ".join(words)


def _signed(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")
