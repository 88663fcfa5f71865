"""Compute the cells of a chart of contributions: names, numbers and tints, and a description in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.explanations.contributions import Contributions
from divmetrics.notebook.appearance.palette import tint
from divmetrics.notebook.charts.figure import INSIDE, MEDIUM
from divmetrics.notebook.charts.text_width import shorten, text_width

MOST_COLUMNS = 20
NARROWEST, WIDEST_NAME, NARROWEST_NAME = 28, 170, 26  # widths in pixels: a cell; names
GAP, MARK = 6, 16  # pixels around names; width of an intent's mark
ROOM = INSIDE - 2 * GAP
TOTAL = "total"


@dataclass(frozen=True)
class ContributionGrid:
    """The drawn contributions of one list: `cells` (row, column), and {name: sum} of rows and of columns."""

    earned: Contributions
    marks: list[int]  # one per row: the mark of its intent
    names: list[str]  # one per row; the last names the folded rows, if there are any
    columns: list[str]
    cells: np.ndarray
    by_row: dict[str, float]
    by_column: dict[str, float]

    @classmethod
    def of(cls, earned: Contributions, marks: Mapping[str, int], columns: Sequence[str]) -> Self:
        """Build the grid of one list.

        `marks` is {intent id: index of its mark}; `columns` are the ranks of the longest list in the chart.
        """
        cells = earned.fold_values(MOST_COLUMNS)
        cells = np.where(np.abs(cells) <= TIE_TOLERANCE, 0.0, cells)
        names = _names(
            earned, max(min(ROOM - MARK - (len(columns) + 1) * NARROWEST, WIDEST_NAME), NARROWEST_NAME)
        )
        of_rows = [marks[earned.rows[place].intent.id] for place in earned.unfolded_rows]
        columns = list(columns[: cells.shape[1]])
        by_row = dict(zip(names, sum(cells.T).tolist(), strict=True))
        by_column = dict(zip(columns, sum(cells).tolist(), strict=True))
        return cls(earned, of_rows, names, columns, cells, by_row, by_column)

    def doc(self, column: int) -> str:
        """Return the document of a column, or "" if the column has none or several."""
        return self.earned.doc(column) if self.columns[column].isdigit() else ""


def describe_contributions(table: ContributionGrid) -> str:
    """Describe the score, its shares by intent, and the largest contributions."""
    earned = table.earned
    by_intent = earned.by_intent.sum(axis=1).tolist()
    places = dict.fromkeys(row.intent_index for row in earned.rows)
    ids = {earned.rows[place].intent_index: earned.rows[place].intent.id for place in earned.unfolded_rows}
    each = ", ".join(f"{ids[t]} {format_signed(by_intent[t])}" for t in places if t in ids)
    words = [f"They add up to the score {format_signed(earned.score)}. By intent: {each}."]
    if earned.fold:
        words.append(earned.fold.words)
    largest = []
    for place in np.argsort(-table.cells, axis=None, kind="stable")[:3].tolist():
        row, column = divmod(place, len(table.columns))
        value = float(table.cells[row, column])
        if value > 0:
            doc = f" ({table.doc(column)})" if table.doc(column) else ""
            rank = table.columns[column].replace("≥", "from ")
            largest.append(f"{table.names[row]} at rank {rank}{doc} {format_signed(value)}")
    if largest:
        words.append(f"The largest: {', '.join(largest)}.")
    costs = float(table.cells[table.cells < 0].sum())
    if costs:
        words.append(f"Cells below 0 add up to {format_signed(costs)}.")
    return " ".join(words)


def format_signed(value: float) -> str:
    """Format a number with four decimals and a true minus sign."""
    return f"{value:.4f}".replace("-", "−")


def cell_data(table: ContributionGrid, number: Callable[[float], str], top: float) -> list[dict[str, Any]]:
    """Return one record per cell for Altair; `number` formats its value, and its tint is its share of `top`.

    The fields are row, intent, subtopic, rank, doc, grade, contribution, text, fill and opacity.
    """
    data = []
    earned = table.earned
    several = {len(earned.unfolded_rows): earned.fold.name} if earned.fold else {}
    for r, values in enumerate(table.cells.tolist()):
        row = None if r in several else earned.rows[earned.unfolded_rows[r]]
        for k, value in enumerate(values):
            tone, opacity = tint(value, top)
            graded = table.columns[k].isdigit() and (table.doc(k) or value)
            data.append(
                {
                    "row": table.names[r],
                    "intent": row.intent.id if row else several[r],
                    "subtopic": row.subtopic if row else "",
                    "rank": table.columns[k],
                    "doc": table.doc(k),
                    "grade": str(earned.grades[earned.unfolded_rows[r], k] if row else 0) if graded else "",
                    "contribution": value,
                    "text": number(value) if value else "",
                    "fill": tone,
                    "opacity": opacity,
                }
            )
    return data


def _names(earned: Contributions, width: float) -> list[str]:
    """Return a distinct name per displayed row: its ids, with labels if all of them fit the width."""
    rows = [earned.rows[place] for place in earned.unfolded_rows]
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
