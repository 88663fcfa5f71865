"""%diveval: score lists with several metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.batch import batch_lists
from divmetrics.core.judgments import equal_judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import dense_ranks, is_best
from divmetrics.errors import DivmetricsError, join_words
from divmetrics.notebook.magics.arguments import read_arguments
from divmetrics.notebook.magics.list_tables import of_topic
from divmetrics.notebook.magics.magic import CONVENTION, METRICS, Magic
from divmetrics.notebook.magics.resolve import metrics_of_options, resolve_lists
from divmetrics.notebook.magics.session import Session
from divmetrics.render.tables import (
    BEST,
    Cell,
    TableRow,
    format_score,
    html_notes,
    html_table,
    html_title,
    score_cell,
    text_table,
)

if TYPE_CHECKING:
    import pandas as pd


MOST_ORDERED = 5  # the most lists whose order is put into words
MOST_ACROSS = 6  # the most lists that fit side by side in 700 pixels


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The result of `%diveval`: the scores `values`, (metric, list).

    `table` and `tidy` are DataFrames, `best` has the best lists of each metric, and `words` is a sentence on
    the metrics that disagree.
    """

    metrics: tuple[BaseMetric, ...]
    labels: tuple[str, ...]  # the metrics' names as typed
    lists: Mapping[str, RankedList]
    values: np.ndarray

    @classmethod
    def of(
        cls, lists: Mapping[str, RankedList], metrics: Sequence[BaseMetric], labels: Sequence[str]
    ) -> Evaluation:
        """Score {name: list} under metrics named `labels`; lists with the same judgments form one batch.

        Raises DivmetricsError, which names the metric, if a score is not finite.
        """
        values = np.zeros((len(metrics), len(lists)))
        by_judgments: dict[int, list[int]] = {}
        every = list(lists.values())
        for place, ranked in enumerate(every):
            by_judgments.setdefault(id(ranked.judgments), []).append(place)
        for places in by_judgments.values():
            batch = batch_lists([every[place] for place in places])
            for m, metric in enumerate(metrics):
                try:
                    values[m, places] = metric.scores(batch)[0]
                except DivmetricsError as error:
                    message = str(error)
                    raise DivmetricsError(
                        message if labels[m] in message else f"{labels[m]}: {message}"
                    ) from None
        return cls(tuple(metrics), tuple(labels), dict(lists), values)

    @property
    def table(self) -> pd.DataFrame:
        """The scores, one row per metric (the index, names as typed), one column per list."""
        import pandas as pd

        return pd.DataFrame(self.values, index=pd.Index(self.labels, name="metric"), columns=list(self.lists))

    @property
    def tidy(self) -> pd.DataFrame:
        """The scores in the form of `divmetrics.evaluate`: columns run, topic, metric, score."""
        import pandas as pd

        rows = [
            (name, ranked.topic.id, label, float(self.values[m, place]))
            for place, (name, ranked) in enumerate(self.lists.items())
            for m, label in enumerate(self.labels)
        ]
        return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])

    @property
    def best(self) -> dict[str, tuple[str, ...]]:
        """{name of a metric as typed: names of the lists with its highest score}; several if they tie."""
        winners = zip(self.labels, map(is_best, self.values), strict=True)
        return {label: tuple(compress(self.lists, highest)) for label, highest in winners}

    @property
    def words(self) -> str:
        """A sentence that says whether the metrics agree on the better list."""
        return " ".join(self._verdict())

    @cached_property
    def comparable(self) -> bool:
        """Whether there are several lists, all for one topic."""
        return len(self.lists) > 1 and len({ranked.topic.id for ranked in self.lists.values()}) == 1

    def _orders(self) -> dict[str, list[str]]:
        """Return {order of the lists, such as "A > B = C": the metrics with that order}."""
        orders: dict[str, list[str]] = {}
        names = list(self.lists)
        for label, row in zip(self.labels, self.values, strict=True):
            level = dense_ranks(row)
            order = np.argsort(-level, kind="stable").tolist()
            ordering = names[order[0]]
            for above, below in pairwise(order):
                ordering += f" {'=' if level[above] == level[below] else '>'} {names[below]}"
            orders.setdefault(ordering, []).append(label)
        return orders

    def _verdict(self) -> Iterator[str]:
        if not self.comparable:
            return
        orders = self._orders() if len(self.lists) <= MOST_ORDERED else self._winners()
        if len(orders) == 1:
            (ordering,) = orders
            if len(self.labels) > 1:
                every = "Both metrics say" if len(self.labels) == 2 else f"All {len(self.labels)} metrics say"
                yield f"{every} {ordering}."
            return
        tied = [ordering for ordering in orders if "=" in ordering and ">" not in ordering]
        strict = {ordering: labels for ordering, labels in orders.items() if ordering not in tied}
        each = [
            f"{join_words(labels)} say{'s' * (len(labels) == 1)} {ordering}"
            for ordering, labels in strict.items()
        ]
        if len(strict) > 1:
            yield f"The metrics disagree: {'; '.join(each)}."
        elif each:
            yield f"{each[0]}."
        for ordering in tied:
            see = "sees" if len(orders[ordering]) == 1 else "see"
            yield f"{join_words(orders[ordering])} {see} no difference."

    def _winners(self) -> dict[str, list[str]]:
        """Return {"that A is best": metrics with this best list}, for too many lists to order in words."""
        winners: dict[str, list[str]] = {}
        for label, best in self.best.items():
            names = best if len(best) <= MOST_ORDERED else (*best[:MOST_ORDERED], "others")
            winners.setdefault(
                f"that {join_words(names)} {'is' if len(best) == 1 else 'are'} best", []
            ).append(label)
        return winners

    def _notes(self) -> Iterator[str]:
        topics = dict.fromkeys(ranked.topic.id for ranked in self.lists.values())
        if len(topics) > 1:
            each = [f"{name} for {ranked.topic.id}" for name, ranked in self.lists.items()]
            yield f"The lists are for different topics ({', '.join(each)}), so none is marked as best."
        elif any(not equal_judgments(a.judgments, b.judgments) for a, b in pairwise(self.lists.values())):
            yield "The lists have different judgments, so their ideal lists may differ."
        cutoffs = [metric.cutoff for metric in self.metrics]
        depth = None if None in cutoffs else max(c for c in cutoffs if c is not None)
        for name, ranked in self.lists.items():
            n = sum(doc not in ranked.judgments.position for doc in ranked.docs[:depth])
            if n:
                what = "a document" if n == 1 else f"{n} documents"
                where = f" in its top {depth}" if depth else ""
                counts = "it counts" if n == 1 else "they count"
                yield f"{name} has {what} never judged{where}; {counts} as not relevant."

    def _title(self) -> str:
        names = join_words(list(self.lists))
        topics = dict.fromkeys(ranked.topic.id for ranked in self.lists.values())
        first = next(iter(self.lists.values())).topic
        return f"Scores of {names}{of_topic(first) if len(topics) == 1 else ''}"

    def _rows(self) -> tuple[TableRow, list[TableRow]]:
        """Return metrics down and lists across, or the transpose for many lists."""
        cells = {
            (label, name): score_cell(value, self.comparable and name in best and len(best) < len(self.lists))
            for (label, best), row in zip(self.best.items(), self.values.tolist(), strict=True)
            for name, value in zip(self.lists, row, strict=True)
        }
        if len(self.lists) > max(MOST_ACROSS, len(self.labels)):
            heads = [Cell(label, right=True) for label in self.labels]
            return [Cell("list"), *heads], [
                [Cell(name), *(cells[label, name] for label in self.labels)] for name in self.lists
            ]
        head = [Cell("metric"), *(Cell(name, right=True) for name in self.lists)]
        rows: list[TableRow] = []
        two = self.comparable and len(self.lists) == 2
        for label, values in zip(self.labels, self.values.tolist(), strict=True):
            difference = self._difference(label, values) if two else []
            rows.append([Cell(label), *(cells[label, name] for name in self.lists), *difference])
        a_minus_b = [Cell(" − ".join(self.lists), right=True), Cell("prefers")]
        return [*head, *(a_minus_b if two else [])], rows

    def _difference(self, label: str, values: Sequence[float]) -> TableRow:
        """Return the cells of the difference of two lists and of the better list under the metric `label`."""
        best = self.best[label]
        if len(best) > 1:
            return [Cell(format_score(0.0), right=True), Cell("neither")]
        difference = values[0] - values[1]
        return [
            Cell(f"{'+' if difference > 0 else '−'}{format_score(abs(difference))}", right=True),
            Cell(best[0]),
        ]

    def __repr__(self) -> str:
        star = [f"{BEST} the best by that metric"] if self.comparable else []
        return "\n".join([self._title(), text_table(*self._rows()), *star, *self._verdict(), *self._notes()])

    def _repr_html_(self) -> str:
        verdict = [*self._verdict()]
        table = html_table(*self._rows())
        return html_title(self._title()) + table + html_notes([*verdict, *self._notes()])


def _evaluate_lists(session: Session, line: str) -> Evaluation:
    """%diveval [LIST ...] [-m METRIC ...] [--convention NAME]

    The scores of lists, the best of each metric marked, and where the metrics disagree. Without a LIST, all
    lists of the topic; without a METRIC, four that look at different things.

        %diveval A B
        %diveval A B -m ERR-IA@5 -m D#-nDCG@5
        %diveval A B -m alpha-nDCG(alpha=0.3)@5,ndeval:ERR-IA@5
        scores = %diveval A B --convention ntcireval

    -m, --metric METRIC    may be given several times; Tab completes names and parameters
    --convention NAME      whose formulas bare names mean: paper, ndeval or ntcireval

    A LIST is any RankedList of the kernel, also lab.a of a widget. Returns an Evaluation: `.table` (metrics
    by lists) and `.tidy` are DataFrames; `.best`, `.words`.
    """
    arguments = read_arguments(MAGIC, line)
    lists = resolve_lists(session, arguments.words)
    labels, metrics = metrics_of_options(arguments, lists.values())
    return Evaluation.of(lists, metrics, labels)


MAGIC = Magic("diveval", _evaluate_lists, options=(METRICS, CONVENTION), words=("list",))
