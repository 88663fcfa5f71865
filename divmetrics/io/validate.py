"""Check rows from any source: normalise ids of topics, remove duplicates or raise an error."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divmetrics.core.checks import is_number, is_whole, quote
from divmetrics.errors import DivmetricsWarning
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.number_parsing import LARGEST_WHOLE_FLOAT
from divmetrics.io.string_column import DictionaryColumn, StringColumn

RowLocator = Callable[
    [int], str
]  # maps a row, counted from 0, to its place for messages, such as file and line

AN_ID = "text that is not empty, or a whole number"
BLANKS = " \t\n\r\v\f"  # what separates the fields of a file
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # has no UTF-8
TASK_PREFIX = re.compile(r"wt[0-9][0-9]-([0-9]+)", re.IGNORECASE)


def id_text(value: Any) -> str | None:
    """Return an id as a file would have it: text without blanks around it; None if `value` is no id.

    A whole number is an id, too, also as a float such as 7.0, which pandas makes of whole numbers beside
    missing ones. Empty or blank text and lone surrogates are none.
    """
    if isinstance(value, str):
        text = value.strip(BLANKS)
        return text if text and not LONE_SURROGATE.search(text) else None
    if is_whole(value):
        return str(value)
    is_id = is_number(value) and value.is_integer() and abs(value) <= LARGEST_WHOLE_FLOAT
    return str(int(value)) if is_id else None


def topic_id(text: str) -> str:
    """Return the id of a topic without its task, as ndeval does: "wt09-101" becomes "101"; others stay."""
    match = TASK_PREFIX.fullmatch(text)
    return (match.group(1).lstrip("0") or "0") if match else text


def judgment_columns(
    source: str,
    place: RowLocator,
    topic: StringColumn,
    intent: StringColumn,
    doc: StringColumn,
    grade: np.ndarray,
    subtopic: StringColumn | None = None,
) -> JudgmentColumns:
    """Return judgments as columns, without repeated ones, and with topic ids as `topic_id` returns them.

    source: the name of the judgments in messages; place: returns the name of a row, counted from 0. One
    warning counts the repeated judgments. Raises DivmetricsError if one is repeated with another grade.
    """
    topics, intents, docs = _without_task(topic), intent.encode(), doc.encode()
    subtopics = None if subtopic is None else subtopic.encode()
    levels = [intents] if subtopics is None else [intents, subtopics]
    first, again = _repeated_rows([topics, *levels, docs])
    if len(again):
        for other in np.flatnonzero(grade[first] != grade[again])[:1]:
            before, row = int(first[other]), int(again[other])
            within = "/".join(level[row] for level in levels)
            what = (
                f"topic {topics[row]}, intent {within}, document {quote(docs[row])} has grade "
                f"{grade[row]} but grade {grade[before]} at {place(before)}"
            )
            raise format_error(place(row), what, "one grade per judgment", "remove one of the two")
        warnings.warn(
            f"{source}: {len(again)} judgment(s) repeat an earlier one word for word (the first at "
            f"{place(int(again[0]))}); each is counted once",
            DivmetricsWarning,
            stacklevel=2,
        )
        rows = np.delete(np.arange(len(grade)), again)
        topics, intents, docs = (column.take(rows) for column in (topics, intents, docs))
        subtopics = None if subtopics is None else subtopics.take(rows)
        grade = grade[rows]
    return JudgmentColumns(topics, intents, docs, grade, subtopics, source)


def run_columns(
    source: str,
    place: RowLocator,
    topic: StringColumn,
    doc: StringColumn,
    rank: np.ndarray | None,
    score: np.ndarray,
    tag: str,
) -> RunColumns:
    """Return a run as columns, with topic ids as `topic_id` returns them.

    rank: the printed ranks, or None. source, place: the name of the run, and a function that returns that of
    a row, counted from 0, in messages. Raises DivmetricsError if the list of a topic has a document twice.
    """
    topics = _without_task(topic)
    if _may_repeat(topics, doc):
        docs = doc.encode()
        first, again = _repeated_rows([topics, docs])
        if len(again):
            before, row = int(first[0]), int(again[0])
            what = (
                f"document {quote(docs[row])} stands in the list of topic {topics[row]} for the second time"
            )
            what = f"{what} (first at {place(before)})"
            raise format_error(place(row), what, "every document once per topic", "remove one of the two")
    return RunColumns(topics, doc, rank, score, tag, source)


def _may_repeat(topics: DictionaryColumn, docs: StringColumn) -> bool:
    """Return whether a topic may have a document twice, by comparing fingerprints only."""
    keys = np.sort(docs.fingerprints + topics.codes.astype(np.uint64))
    return bool((keys[1:] == keys[:-1]).any())


def _repeated_rows(columns: Sequence[DictionaryColumn]) -> tuple[np.ndarray, np.ndarray]:
    """Return (first, again): for each row in `again` that repeats an earlier row, the first equal row.

    `again` is ascending.
    """
    rarest = max(columns, key=lambda column: len(column.distinct)).codes
    rows = np.flatnonzero(np.bincount(rarest)[rarest] > 1)  # others are unique
    keys, distinct = np.zeros(len(rows), dtype=np.int64), 1
    for column in columns:
        size = len(column.distinct)
        if distinct * size >= 2**63:
            values, keys = np.unique(keys, return_inverse=True)
            distinct = len(values)
        keys = keys * size + column.codes[rows]
        distinct *= size
    if not (np.diff(np.sort(keys)) == 0).any():
        return rows[:0], rows[:0]
    order = np.argsort(keys, kind="stable")
    starts = np.diff(keys[order], prepend=-1) > 0
    first = order[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
    again, first = order[~starts], first[~starts]
    in_order = np.argsort(again)
    return rows[first[in_order]], rows[again[in_order]]


def _without_task(topic: StringColumn) -> DictionaryColumn:
    encoded = topic.encode()
    names = encoded.distinct.tolist()
    plain = [topic_id(name) for name in names]
    if plain == names:
        return encoded
    renamed = StringColumn.of(plain).encode()
    return DictionaryColumn(renamed.distinct, renamed.codes[encoded.codes])
