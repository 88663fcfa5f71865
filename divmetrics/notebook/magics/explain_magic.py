"""%explain: decompose the score of a list into contributions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.explanation import render_words
from divmetrics.notebook.appearance.marks import html_marks, mark_sign
from divmetrics.notebook.appearance.palette import tint
from divmetrics.notebook.magics.arguments import read_arguments
from divmetrics.notebook.magics.list_tables import of_topic
from divmetrics.notebook.magics.magic import CONVENTION, METRIC, Magic
from divmetrics.notebook.magics.resolve import metrics_of_options, resolve_only_list
from divmetrics.notebook.magics.session import Session
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.render.tables import Cell, TableRow, html_notes, html_table, html_title, text_table

if TYPE_CHECKING:
    import pandas as pd

    from divmetrics.notebook.charts.figure import Figure


MOST_COLUMNS = 8  # the most columns of ranks in 700 pixels; later ranks share the last one
NARROW = "padding:3px 4px;white-space:nowrap;font-size:0.9em;"
LONG_NAME = 9  # characters; longer document ids are left out of the head


@dataclass(frozen=True, repr=False)
class Explanation:
    """The result of `%explain`: `table` (contributions), `score`, `words`, `figure`."""

    metric: BaseMetric
    name: str
    ranked: RankedList
    earned: Contributions
    words: str  # rank by rank, every contribution with its factors

    @classmethod
    def of(cls, metric: BaseMetric, name: str, ranked: RankedList) -> Explanation:
        """Explain a list under a name; everything is computed here, so that errors surface in the magic."""
        ranked = ranked.reordered(ranked.docs, name)
        earned = Contributions.of_list(metric, ranked)
        return cls(metric, name, ranked, earned, render_words(metric, ranked, earned))

    @property
    def score(self) -> float:
        """The score of the list."""
        return self.earned.score

    @cached_property
    def table(self) -> pd.DataFrame:
        """The table of `divmetrics.explain`: columns intent, rank, doc, contribution, grade.

        For an intent-square metric it has a column subtopic, too.
        """
        return self.earned.frame()

    @property
    def figure(self) -> Figure:
        """The contributions as a chart that can be saved."""
        from divmetrics.notebook.charts import contributions

        return contributions(self.metric, self.ranked)

    def __repr__(self) -> str:
        hint = "`.words` tells it rank by rank, `.table` has it as a DataFrame."
        return "\n".join([self._title(), text_table(*self._rows()), *self._summary(), hint])

    def _repr_html_(self) -> str:
        head, rows = self._rows()
        words = escape(self.words.partition("\n")[2])  # without the title
        details = f'<pre style="white-space:pre-wrap;margin:4px 0">{words}</pre>'
        return (
            html_title(self._title())
            + html_table(head, rows, ruled=[len(rows) - 1])
            + html_notes(self._summary())
            + f"<details><summary>Rank by rank, in numbers</summary>{details}</details>"
        )

    def _title(self) -> str:
        return f"{self.metric} of list {self.name}{of_topic(self.ranked.topic)} = {self.score:.4f}"

    def _rows(self) -> tuple[TableRow, list[TableRow]]:
        values = self.earned.fold_values(MOST_COLUMNS)
        top = float(np.abs(values).max(initial=0.0))
        head = [Cell("intent"), *self._heads(), Cell("sum", right=True)]
        rows: list[TableRow] = []
        rows_drawn = [self.earned.rows[place] for place in self.earned.unfolded_rows]
        marks = assign_marks(self.ranked.topic.intents)
        signs = [marks[row.intent.id] for row in rows_drawn]
        names = [
            Cell(f"{mark_sign(mark)} {row.name}", f"{html_marks(mark)}&nbsp;{escape(row.name)}")
            for mark, row in zip(signs, rows_drawn, strict=True)
        ]
        if self.earned.fold:
            names.append(Cell(self.earned.fold.name))
        for name, of_row in zip(names, values, strict=True):
            rows.append([name, *(_shaded(v, top) for v in of_row.tolist()), _plain(of_row.sum())])
        by_rank = [_plain(v) for v in values.sum(axis=0).tolist()]
        score = f"{self.score:.4f}"
        rows.append([Cell("sum"), *by_rank, Cell(score, f"<b>{score}</b>", right=True)])
        return head, rows

    def _heads(self) -> list[Cell]:
        """Return one head per rank with its document; the last head of a long list covers the other ranks."""
        docs, depth = self.ranked.docs, self.earned.values.shape[1]
        fits = all(len(doc) <= LONG_NAME for doc in docs[: min(depth, MOST_COLUMNS)])

        def head(k: int) -> Cell:
            doc = self.earned.doc(k) if fits else ""
            below = f'<br><span style="font-weight:normal">{escape(doc)}</span>' if doc else ""
            return Cell(f"{k + 1} {doc}".strip(), f"{k + 1}{below}", right=True, style=NARROW)

        if depth <= MOST_COLUMNS:
            return [head(k) for k in range(depth)]
        return [*map(head, range(MOST_COLUMNS - 1)), Cell(f"{MOST_COLUMNS}–{depth}", right=True)]

    def _summary(self) -> list[str]:
        """Return sentences: the intent and the rank that earn most, and the folded rows."""
        values, fold = self.earned.values, self.earned.fold
        notes = [fold.words] if fold else []
        total = values.sum()
        if not values.size or total <= 0:
            return [*([] if values.any() else ["Nothing is earned."]), *notes]
        by_intent = self.earned.by_intent.sum(axis=1).tolist()
        earned = dict(zip([intent.id for intent in self.ranked.topic.intents], by_intent, strict=True))
        best = max(earned, key=lambda intent: earned[intent])
        rank = int(values.sum(axis=0).argmax())
        doc = f" ({self.earned.doc(rank)})" if rank < len(self.ranked) else ""
        first = float(values[:, rank].sum())
        nothing = [intent for intent, value in earned.items() if not value]
        costs = float(values[values < 0].sum())
        if costs:
            most = f"{best} earns the most, {_number(earned[best])}; "
            most += f"rank {rank + 1}{doc} brings {_number(first)}; "
            most += f"the cells below 0 add up to {_number(costs)}."
        else:
            most = f"{best} earns {earned[best] / total:.0%} of the score; "
            most += f"rank {rank + 1}{doc} brings {first / total:.0%}."
        if nothing and len(nothing) < len(earned) and not fold:
            most += f" Nothing for {' or '.join(nothing)}."
        return [most, *notes]


def _shaded(value: float, top: float) -> Cell:
    if not value:
        return Cell("·", right=True, style=NARROW)
    return Cell(_number(value), right=True, style=f"background:{tint(value, top).css};{NARROW}")


def _plain(value: float) -> Cell:
    return Cell(_number(value) if value else "0", right=True, style=NARROW)


def _number(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def _explain_list(session: Session, line: str) -> Explanation:
    """%explain [LIST] [-m METRIC] [--convention NAME]

    Where a score comes from: what each intent earns at each rank, which adds up to the score, and in words.
    Without a LIST, the only one; without a METRIC, ERR-IA down to the end of the list.

        %explain A
        %explain A -m alpha-nDCG@5
        why = %explain A -m ntcireval:ERR-IA@5

    -m, --metric METRIC    one metric
    --convention NAME      whose formula a bare name means: paper, ndeval or ntcireval

    Returns an Explanation: `.table` (a DataFrame of contributions), `.score`, `.words`, and `.figure`, a
    picture.
    """
    arguments = read_arguments(MAGIC, line)
    name, ranked = resolve_only_list(session, arguments.words)
    _, metrics = metrics_of_options(arguments, [ranked])
    if not arguments.has("metric"):
        metrics = [m for m in metrics if m.name == "ERR-IA"] or metrics[:1]
    if len(metrics) > 1:
        raise DivmetricsError(f"got {len(metrics)} metrics ({', '.join(map(str, metrics))}), expected one")
    if not len(ranked):
        raise DivmetricsError(f"list {name} has no documents, so nothing is earned")
    return Explanation.of(metrics[0], name, ranked)


MAGIC = Magic("explain", _explain_list, options=(METRIC, CONVENTION), words=("list", ""))
