"""The contribution of every intent at every rank of a list: the value behind all explanations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.registry.parse import metric as metric_named

if TYPE_CHECKING:
    import pandas as pd

FEW = 24  # up to this number, all rows are displayed, even rows that no document serves


@dataclass(frozen=True)
class IntentRow:
    """A row of a contribution table: an intent, or one of its subtopics under an intent-square metric.

    `intent_index` is the index of the intent in its topic; `below` is the index of the subtopic in the
    intent, and None for a whole intent.
    """

    intent_index: int
    intent: Intent
    below: int | None = None

    @property
    def child(self) -> Intent | None:
        """The second-level subtopic; None for an intent without subtopics or a whole intent."""
        children = self.intent.children
        return None if self.below is None or not children else children[self.below]

    @property
    def name(self) -> str:
        """The intent's id, or "intent/subtopic"."""
        return self.intent.id if self.child is None else f"{self.intent.id}/{self.child.id}"

    @property
    def subtopic(self) -> str:
        """The id of the subtopic, or of the intent if it has no subtopics; "" for a whole intent."""
        return "" if self.below is None else (self.child or self.intent).id

    @property
    def label(self) -> str:
        """The label of the subtopic, or of the intent."""
        return (self.child or self.intent).label

    @property
    def probability(self) -> float:
        """p(t|q) for an intent, p(t|q) p(e|t,q) for a second-level subtopic."""
        return self.intent.probability * (1.0 if self.child is None else self.child.probability)


def intent_rows(topic: Topic, two_levels: bool) -> tuple[IntentRow, ...]:
    """Return the rows of a topic: its intents or, if `two_levels`, their subtopics.

    An intent without subtopics is one row in both cases.
    """
    return tuple(
        IntentRow(i, intent, e if two_levels else None)
        for i, intent in enumerate(topic.intents)
        for e in range(max(len(intent.children), 1) if two_levels else 1)
    )


@dataclass(frozen=True, eq=False)
class Fold:
    """The rows that no document of a list serves, merged into one line of a long table.

    `places` are the indices of the rows. `values` are their summed contributions at each rank, so that the
    table still adds up to the score. `words` is a sentence with their number and total probability.
    """

    places: frozenset[int]
    values: np.ndarray
    name: str
    words: str


@dataclass(frozen=True, eq=False)
class Contributions:
    """The contribution of each row at each rank of one list; the contributions sum to the score.

    Parameters
    ----------
    rows : tuple of IntentRow
        The intents of the topic, or its second-level subtopics under an intent-square metric (X-IS). A row
        has the attributes `intent`, `child` (the subtopic; None for an intent without) and `name`.
    docs : tuple of str
        All documents of the list, best first, also those below the cutoff.
    values : array of shape (row, rank)
        Contributions down to the cutoff or, if it comes first, the end of the list; further where a metric
        charges a cost for ranks below the end.
    grades : array of int of shape (row, rank)
        Grades; 0 if the document is not relevant, was not judged or does not exist.
    by_intent : array of shape (intent, rank)
        `values` summed over the rows of each intent.
    score : float
        Sum of all contributions.

    Examples
    --------
    >>> import divmetrics as dm
    >>> topic = dm.Topic("q", [dm.Intent("film", 0.6), dm.Intent("book", 0.4)])
    >>> ranked = dm.RankedList(topic, ["d1", "d2"], {"d1": {"film": 1}, "d2": {"book": 1}})
    >>> earned = Contributions.of_list(dm.metric("ERR-IA@2"), ranked)
    >>> earned.values.round(2).tolist(), round(earned.score, 2)
    ([[0.3, 0.0], [0.0, 0.1]], 0.4)
    """

    rows: tuple[IntentRow, ...]
    docs: tuple[str, ...]
    values: np.ndarray
    grades: np.ndarray
    by_intent: np.ndarray
    score: float

    @classmethod
    def of(
        cls, metric: str | BaseMetric, batch: Batch, topic: Topic, lists: Sequence[Sequence[str]]
    ) -> list[Contributions]:
        """Return the contributions of each list of a batch that has one topic.

        Parameters
        ----------
        metric : str or Metric
            The metric.
        batch : Batch
            The lists with their judgments.
        topic : Topic
            The topic of the batch.
        lists : sequence of sequences of str
            The document ids of each list, in the order of the batch's runs.

        Returns
        -------
        list of Contributions
            One object per list, in this order. Unlike in `of_list`, a score may be infinite or nan.

        Raises
        ------
        DivmetricsError
            If there is no metric of this name, or it needs a cutoff and has none.
        """
        metric = metric_named(metric)
        rows = intent_rows(topic, metric.two_levels)
        earned = metric.subtopic_contributions(batch)[0]
        grades = metric.subtopic_grades(batch.cut(earned.shape[-1]))[0]
        cells = slice(None), [row.intent_index for row in rows], [row.below or 0 for row in rows]
        values, grades = earned[cells], grades[cells].astype(np.int64)  # (run, row, rank)
        by_intent = earned.sum(axis=2)
        scores = by_intent.sum(axis=(1, 2)).tolist()
        per_run = []
        for run, docs in enumerate(lists):
            charged = np.flatnonzero(values[run].any(axis=0)) + 1
            part = run, slice(None), slice(max(len(docs), int(charged.max(initial=0))))
            per_run.append(cls(rows, tuple(docs), values[part], grades[part], by_intent[part], scores[run]))
        return per_run

    @classmethod
    def of_list(cls, metric: str | BaseMetric, ranked: RankedList) -> Contributions:
        """Return the contributions of one list.

        Parameters
        ----------
        metric : str or Metric
            The metric.
        ranked : RankedList
            The list with its judgments.

        Returns
        -------
        Contributions
            The contributions of its documents.

        Raises
        ------
        DivmetricsError
            If there is no metric of this name, it needs a cutoff and has none, or the score is not finite.
        """
        metric, batch = metric_named(metric), batch_lists([ranked])
        metric.scores(batch)  # to check that the score is finite
        return cls.of(metric, batch, ranked.topic, [ranked.docs])[0]

    @property
    def two_levels(self) -> bool:
        """Whether the rows are second-level subtopics."""
        return any(row.below is not None for row in self.rows)

    @cached_property
    def fold(self) -> Fold | None:
        """The rows that no document serves, folded into one.

        None unless there are more than `FEW` (24) rows, and at least two that no document serves.
        """
        idle = np.flatnonzero(~self.grades.any(axis=1)).tolist()
        if len(self.rows) <= FEW or len(idle) < 2:
            return None
        values, several = self.values[idle].sum(axis=0), "subtopics" if self.two_levels else "intents"
        depth = self.values.shape[1]
        where = "of the list" if depth >= len(self.docs) else f"down to rank {depth}"
        probability = sum(self.rows[place].probability for place in idle)
        earned = f"earn {values.sum():.4f}".replace("-", "−") if values.any() else "earn nothing"
        name = f"{len(idle)} {several} not served"
        words = (
            f"No document {where} serves {len(idle)} of the {len(self.rows)} {several} "
            f"(probability {probability:.4f} together); they {earned}."
        )
        return Fold(frozenset(idle), values, name, words)

    @property
    def unfolded_rows(self) -> list[int]:
        """The indices of the rows outside `fold` (of all rows if it is None), in the order of the topic."""
        return [place for place in range(len(self.rows)) if not self.fold or place not in self.fold.places]

    def doc(self, rank: int) -> str:
        """Return the document at a rank.

        Parameters
        ----------
        rank : int
            The rank, counted from 0, at least 0.

        Returns
        -------
        str
            The id of the document, or "" below the end of the list.
        """
        return self.docs[rank] if rank < len(self.docs) else ""

    def fold_values(self, most: int) -> np.ndarray:
        """Return the values of the rows outside `fold`, then, if `fold` is not None, those of `fold`.

        Parameters
        ----------
        most : int
            The largest number of columns, at least 1.

        Returns
        -------
        numpy.ndarray
            (row, column). If the list has more ranks than columns, the last column sums the remaining
            ranks.
        """
        values = self.values[self.unfolded_rows]
        if self.fold:
            values = np.vstack([values, self.fold.values])
        if values.shape[1] <= most:
            return values
        return np.column_stack([values[:, : most - 1], sum(values.T[most - 1 :])])

    def frame(self) -> pd.DataFrame:
        """Return the table of `divmetrics.explain`, rank by rank.

        Returns
        -------
        DataFrame
            One row per rank and row of `rows`. Columns: intent (its id), rank (from 1), doc, contribution,
            grade and, under an intent-square metric, subtopic (its id). A rank below the end of the list has
            rows, with doc "", only for intents that are charged a cost there.
        """
        import pandas as pd

        values, grades = self.values.tolist(), self.grades.tolist()
        cells = [
            (row.intent.id, k + 1, self.doc(k), values[r][k], grades[r][k], row.subtopic)
            for k in range(self.values.shape[1])
            for r, row in enumerate(self.rows)
            if k < len(self.docs) or values[r][k]
        ]
        columns = ["intent", "rank", "doc", "contribution", "grade", "subtopic"]
        frame = pd.DataFrame(cells, columns=columns)
        return frame if self.two_levels else frame.drop(columns="subtopic")
