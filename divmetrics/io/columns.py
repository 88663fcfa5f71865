"""The tables of judgments and of a run that every reader returns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from divmetrics.io.string_column import DictionaryColumn, StringColumn

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from divmetrics.core.topics import Topic


# Each column with its names in ir_measures, ir_datasets and PyTerrier. The first name present is used:
# `subtopic` is the second level if there is also another one.
JUDGMENT_COLUMNS = {
    "topic": ("query_id", "qid"),
    "intent": ("subtopic_id", "iteration", "subtopic"),
    "doc": ("doc_id", "docno"),
    "grade": ("relevance", "label"),
}
LIST_COLUMNS = {"topic": ("query_id", "qid"), "doc": ("doc_id", "docno"), "score": ()}
INTENT_COLUMNS = {
    "topic": JUDGMENT_COLUMNS["topic"],
    "intent": JUDGMENT_COLUMNS["intent"],
    "probability": (),
    "kind": (),
}
LEVELS = {"fls": "intent", "sls": "subtopic"}  # IMine's first- and second-level subtopics
NO_SUBTOPIC = "0"  # what judgments have in place of subtopics, also in ir_measures


def name_in(present: Collection[str], name: str, others: tuple[str, ...]) -> str | None:
    """Return `name` or the first of its `others` that is among the columns `present`; None if none is."""
    return next((alias for alias in (name, *others) if alias in present), None)


@dataclass(frozen=True, eq=False)
class JudgmentColumns:
    """Checked judgments, one row each, in file order; no (topic, intent, subtopic, doc) occurs twice.

    Parameters
    ----------
    topic, intent, doc : DictionaryColumn
        The ids as text, one for each row; the intent "0" (TREC's whole topic) is an intent like any other.
    grade : numpy.ndarray
        The grades, int64, which may be negative.
    subtopic : DictionaryColumn or None
        The ids of second-level subtopics; None if the judgments have one level.
    source : str
        The path or name that messages show.
    own_topics : callable
        Returns the topics that the file contains as a tuple; empty except for files of nuggets.
    own_runs : {run: {topic: [document]}}
        The runs that the file contains; empty except for nuggets assigned to answers.
    """

    topic: DictionaryColumn
    intent: DictionaryColumn
    doc: DictionaryColumn
    grade: np.ndarray
    subtopic: DictionaryColumn | None
    source: str
    own_topics: Callable[[], tuple[Topic, ...]] = tuple
    own_runs: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def frame(self) -> pd.DataFrame:
        """Return a DataFrame, a row for each judgment: topic, intent, [subtopic,] doc (str), grade (int64).

        The column subtopic is missing if `subtopic` is None.
        """
        below = {} if self.subtopic is None else {"subtopic": self.subtopic}
        return _frame(
            {"topic": self.topic, "intent": self.intent, **below, "doc": self.doc, "grade": self.grade}
        )


@dataclass(frozen=True, eq=False)
class RunColumns:
    """A checked run, one row per retrieved document, in file order; no (topic, doc) occurs twice.

    The rows of a topic may be in any order: `rank` or `score` tells the order of its list.

    Parameters
    ----------
    topic : DictionaryColumn
        The ids of topics.
    doc : StringColumn
        The ids of documents, not encoded yet.
    rank : numpy.ndarray or None
        The printed ranks, int64; None if only the scores determine the order.
    score : numpy.ndarray
        The scores, finite float64.
    tag : str
        The name of the run.
    source : str
        The path or name that messages show.
    """

    topic: DictionaryColumn
    doc: StringColumn
    rank: np.ndarray | None
    score: np.ndarray
    tag: str
    source: str

    def frame(self) -> pd.DataFrame:
        """Return a DataFrame, a row for each document: run, topic, doc (str), rank (int64), score (float64).

        The column rank is missing if `rank` is None.
        """
        rank = {} if self.rank is None else {"rank": self.rank}
        columns = {"topic": self.topic, "doc": self.doc.encode(), **rank, "score": self.score}
        return _frame({"run": self.tag, **columns})


def _frame(columns: Mapping[str, Any]) -> pd.DataFrame:
    import pandas as pd

    def values(column: Any) -> Any:
        if not isinstance(column, DictionaryColumn):
            return column
        return pd.Series(column.distinct.tolist()).array.take(column.codes)  # each string is made once

    return pd.DataFrame({name: values(column) for name, column in columns.items()})
