"""The two tables that every reader ends in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from divmetrics.io.string_column import DictionaryColumn, StringColumn

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


@dataclass(frozen=True, eq=False)
class JudgmentColumns:
    """One row per judgment, in file order, as the file has them (subtopic 0 and negative grades included).

    `topic`, `intent`, `doc`: texts, each distinct one held once; `grade`: numpy int64; `subtopic`: such texts
    (second-level subtopics) or None; `source`: the path or name that messages show. No (topic, intent,
    subtopic, doc) occurs twice.
    """

    topic: DictionaryColumn
    intent: DictionaryColumn
    doc: DictionaryColumn
    grade: np.ndarray
    subtopic: DictionaryColumn | None
    source: str

    def frame(self) -> pd.DataFrame:
        """A DataFrame with the columns topic, intent, [subtopic,] doc (str), grade (int64)."""
        below = {} if self.subtopic is None else {"subtopic": self.subtopic}
        return _frame(
            {"topic": self.topic, "intent": self.intent, **below, "doc": self.doc, "grade": self.grade}
        )


@dataclass(frozen=True, eq=False)
class RunColumns:
    """One row per retrieved document, in file order.

    `topic`: texts, each distinct one held once; `doc`: texts, not yet looked through for those that occur
    again under other topics; `rank`: numpy int64, as printed, or None where only the scores say the order;
    `score`: numpy float64, finite; `tag`: the run's name; `source`: the path or name that messages show. No
    (topic, doc) occurs twice.
    """

    topic: DictionaryColumn
    doc: StringColumn
    rank: np.ndarray | None
    score: np.ndarray
    tag: str
    source: str

    def frame(self) -> pd.DataFrame:
        """A DataFrame with the columns run, topic, doc (str), rank (int64), score (float64)."""
        rank = {} if self.rank is None else {"rank": self.rank}
        columns = {"topic": self.topic, "doc": self.doc.encode(), **rank, "score": self.score}
        return _frame({"run": self.tag, **columns})


def _frame(columns: Mapping[str, Any]) -> pd.DataFrame:
    import pandas as pd

    def held(column: Any) -> Any:
        # Each text becomes one of pandas once.
        return (
            pd.Series(column.distinct.tolist()).array.take(column.codes)
            if isinstance(column, DictionaryColumn)
            else column
        )

    return pd.DataFrame({name: held(column) for name, column in columns.items()})
