"""What must hold of rows wherever they come from: topics in one spelling, nothing said twice."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from divmetrics.core.checks import shown
from divmetrics.errors import DivmetricsWarning
from divmetrics.readers.columns import JudgmentColumns, RunColumns
from divmetrics.readers.lines import as_numpy
from divmetrics.readers.opening import refusal

Place = Callable[[int], str]  # row, counted from 0 -> where it stands, for a message

TASK_PREFIX = re.compile(r"wt[0-9][0-9]-([0-9]+)", re.IGNORECASE)


def topic_id(text: str) -> str:
    """A topic's id without the task before it, as ndeval has it: `wt09-101` is topic 101."""
    match = TASK_PREFIX.fullmatch(text)
    return (match.group(1).lstrip("0") or "0") if match else text


def judgment_columns(
    source: str,
    place: Place,
    topic: pa.StringArray,
    intent: pa.StringArray,
    doc: pa.StringArray,
    grade: np.ndarray,
    subtopic: pa.StringArray | None = None,
) -> JudgmentColumns:
    """Checked judgments.

    Raises DivmetricsError where a judgment is given twice with different grades; warns, once, where it is
    repeated with the same.
    """
    topic, intent, doc = _without_task(topic), intent.dictionary_encode(), doc.dictionary_encode()
    subtopic = None if subtopic is None else subtopic.dictionary_encode()
    levels = [intent] if subtopic is None else [intent, subtopic]
    first, again = _repeated_rows([topic, *levels, doc])
    if len(again):
        for other in np.flatnonzero(grade[first] != grade[again])[:1]:
            before, row = int(first[other]), int(again[other])
            within = "/".join(str(level[row].as_py()) for level in levels)
            what = (
                f"topic {topic[row].as_py()}, intent {within}, document {shown(doc[row].as_py())} has grade "
                f"{grade[row]} but grade {grade[before]} at {place(before)}"
            )
            raise refusal(place(row), what, "one grade per judgment", "remove one of the two")
        warnings.warn(
            f"{source}: {len(again)} judgment(s) repeat an earlier one word for word (the first at "
            f"{place(int(again[0]))}); each is counted once",
            DivmetricsWarning,
            stacklevel=2,
        )
        kept = np.delete(np.arange(len(grade)), again)
        topic, intent, doc = (column.take(pa.array(kept)) for column in (topic, intent, doc))
        subtopic = None if subtopic is None else subtopic.take(pa.array(kept))
        grade = grade[kept]
    return JudgmentColumns(topic, intent, doc, grade, subtopic, source)


def run_columns(
    source: str,
    place: Place,
    topic: pa.StringArray,
    doc: pa.StringArray,
    rank: np.ndarray | None,
    score: np.ndarray,
    tag: str,
    known: pa.StringArray | None = None,
) -> RunColumns:
    """A checked run; known: documents, each once, that come first in the dictionary.

    Raises DivmetricsError where a topic's list has a document twice.
    """
    encoded = pa.chunked_array([doc] if known is None else [known, doc]).dictionary_encode()
    topic, doc = _without_task(topic), encoded.chunk(encoded.num_chunks - 1)
    first, again = _repeated_rows([topic, doc])
    if len(again):
        before, row = int(first[0]), int(again[0])
        what = (
            f"document {shown(doc[row].as_py())} stands in the list of topic {topic[row].as_py()} for the "
            f"second time (first at {place(before)})"
        )
        raise refusal(place(row), what, "every document once per topic", "remove one of the two")
    return RunColumns(topic, doc, rank, score, tag, source)


def _repeated_rows(columns: Sequence[pa.DictionaryArray]) -> tuple[np.ndarray, np.ndarray]:
    """(first, again): rows equal in all columns to an earlier row, in order, with the first such row."""
    rarest = as_numpy(max(columns, key=lambda column: len(column.dictionary)).indices)
    rows = np.flatnonzero(np.bincount(rarest)[rarest] > 1)  # no other row can have an equal
    keys, distinct = np.zeros(len(rows), dtype=np.int64), 1
    for column in columns:
        size = len(column.dictionary)
        if distinct * size >= 2**63:
            values, keys = np.unique(keys, return_inverse=True)
            distinct = len(values)
        keys = keys * size + as_numpy(column.indices)[rows]
        distinct *= size
    if not (np.diff(np.sort(keys)) == 0).any():
        return rows[:0], rows[:0]
    order = np.argsort(keys, kind="stable")
    starts = np.diff(keys[order], prepend=-1) > 0
    first = order[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
    again, first = order[~starts], first[~starts]
    in_order = np.argsort(again)
    return rows[first[in_order]], rows[again[in_order]]


def _without_task(topic: pa.StringArray) -> pa.DictionaryArray:
    encoded = topic.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    plain = [topic_id(name) for name in names]
    if plain == names:
        return encoded
    return pa.array(plain, pa.string()).take(encoded.indices).dictionary_encode()
