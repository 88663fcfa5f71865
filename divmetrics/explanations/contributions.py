"""What every intent earned at every rank of a list: the one value that all explanations show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.collection import Intent, RankedList, Topic
from divmetrics.core.metric import BaseMetric

if TYPE_CHECKING:
    import pandas as pd

FEW = 24  # rows that are shown one by one, whether a document serves them or not


@dataclass(frozen=True)
class IntentRow:
    """What earns: an intent, or under an intent-square metric one of its second-level subtopics.

    place: of the intent in its topic; below: of the subtopic in the intent, None for a whole intent.
    """

    place: int
    intent: Intent
    below: int | None = None

    @property
    def child(self) -> Intent | None:
        """The second-level subtopic; None where an intent stands for itself."""
        children = self.intent.children
        return None if self.below is None or not children else children[self.below]

    @property
    def name(self) -> str:
        """The intent's id, or "intent/subtopic"."""
        return self.intent.id if self.child is None else f"{self.intent.id}/{self.child.id}"

    @property
    def subtopic(self) -> str:
        """The subtopic's id, the intent's where it stands for itself; "" of a whole intent."""
        return "" if self.below is None else (self.child or self.intent).id

    @property
    def label(self) -> str:
        """What earns, in words."""
        return (self.child or self.intent).label

    @property
    def probability(self) -> float:
        """p(t|q), of a second-level subtopic p(t|q) p(e|t,q)."""
        return self.intent.probability * (1.0 if self.child is None else self.child.probability)


def intent_rows(topic: Topic, two_levels: bool) -> tuple[IntentRow, ...]:
    """What earns on a topic: its second-level subtopics, or its intents."""
    return tuple(
        IntentRow(i, intent, e if two_levels else None)
        for i, intent in enumerate(topic.intents)
        for e in range(max(len(intent.children), 1) if two_levels else 1)
    )


@dataclass(frozen=True, eq=False)
class Fold:
    """Those of many rows that no document of a list serves: shown as one line, so that the others are read.

    places: of the rows; values: what they earn together at each rank, so that a table with this line still
    adds up; words: a sentence that says how many they are, and the sum of their probabilities.
    """

    places: frozenset[int]
    values: np.ndarray
    name: str
    words: str


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each row earned at each rank of one list; the score is the sum of all.

    docs: the list's documents, best first. values and grades: (row, rank), down to the list's end or the
    cutoff, or as far as a cost is charged below the end; a document that is not there has grade 0, as one
    that is not relevant or was never judged. by_intent: the values of each intent's rows together.
    """

    rows: tuple[IntentRow, ...]
    docs: tuple[str, ...]
    values: np.ndarray
    grades: np.ndarray
    by_intent: np.ndarray
    score: float

    @classmethod
    def of(
        cls, metric: BaseMetric, view: Batch, topic: Topic, lists: Sequence[Sequence[str]]
    ) -> list[Contributions]:
        """Those of each run of a View of one topic; `lists` are the runs' documents."""
        rows = intent_rows(topic, metric.two_levels)
        earned = metric.subtopic_contributions(view)[0]
        grades = metric.subtopic_grades(view.cut(earned.shape[-1]))[0]
        places = slice(None), [row.place for row in rows], [row.below or 0 for row in rows]
        values, grades = earned[places], grades[places].astype(np.int64)  # (run, row, rank)
        by_intent = earned.sum(axis=2)
        scores = by_intent.sum(axis=(1, 2)).tolist()
        found = []
        for run, docs in enumerate(lists):
            charged = np.flatnonzero(values[run].any(axis=0)) + 1
            shown = run, slice(None), slice(max(len(docs), int(charged.max(initial=0))))
            found.append(cls(rows, tuple(docs), values[shown], grades[shown], by_intent[shown], scores[run]))
        return found

    @classmethod
    def of_list(cls, metric: BaseMetric, ranked: RankedList) -> Contributions:
        """Those of one list; DivmetricsError where they sum to no number."""
        view = batch_lists([ranked])
        metric.scores(view)  # refuses what is no number
        return cls.of(metric, view, ranked.topic, [ranked.docs])[0]

    @property
    def two_levels(self) -> bool:
        """Are the rows second-level subtopics?"""
        return any(row.below is not None for row in self.rows)

    @cached_property
    def fold(self) -> Fold | None:
        """The rows that no document serves, where there are several of them among more than `FEW` rows."""
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
    def shown(self) -> list[int]:
        """The places of the rows that stand for themselves, in the order of the topic."""
        return [place for place in range(len(self.rows)) if not self.fold or place not in self.fold.places]

    def doc(self, rank: int) -> str:
        """The document at a rank from 0; "" where the list has ended."""
        return self.docs[rank] if rank < len(self.docs) else ""

    def folded(self, most: int) -> np.ndarray:
        """The values of the rows shown, and last of their fold, in at most so many columns.

        Of more ranks the last column has all from there on.
        """
        values = self.values[self.shown]
        if self.fold:
            values = np.vstack([values, self.fold.values])
        if values.shape[1] <= most:
            return values
        return np.column_stack([values[:, : most - 1], sum(values.T[most - 1 :])])

    def frame(self) -> pd.DataFrame:
        """As `divmetrics.explain` returns them: rank by rank, and where the list has ended only the costs."""
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
