"""The two tables that every reader ends in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class JudgmentColumns:
    """One row per judgment, in file order, as the file has them (subtopic 0 and negative grades included).

    `topic`, `intent`, `doc`: pyarrow arrays of text, each text once in their dictionaries; `grade`: numpy
    int64; `subtopic`: another such array (the second-level subtopic) or None; `source`: the path or name that
    messages show. No (topic, intent, subtopic, doc) occurs twice.
    """

    topic: pa.DictionaryArray
    intent: pa.DictionaryArray
    doc: pa.DictionaryArray
    grade: np.ndarray
    subtopic: pa.DictionaryArray | None
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

    `topic`, `doc`: pyarrow arrays of text, each text once in their dictionaries; `rank`: numpy int64, as
    printed, or None where only the scores say the order; `score`: numpy float64, finite; `tag`: the run's
    name; `source`: the path or name that messages show. No (topic, doc) occurs twice.
    """

    topic: pa.DictionaryArray
    doc: pa.DictionaryArray
    rank: np.ndarray | None
    score: np.ndarray
    tag: str
    source: str

    def frame(self) -> pd.DataFrame:
        """A DataFrame with the columns run, topic, doc (str), rank (int64), score (float64)."""
        import pyarrow as pa

        run = pa.repeat(pa.scalar(self.tag), len(self.topic))
        rank = {} if self.rank is None else {"rank": self.rank}
        return _frame({"run": run, "topic": self.topic, "doc": self.doc, **rank, "score": self.score})


def _frame(columns: Mapping[str, pa.Array | np.ndarray]) -> pd.DataFrame:
    import pyarrow as pa

    plain = {
        name: column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
        for name, column in columns.items()
    }
    return pa.table(plain).to_pandas()
