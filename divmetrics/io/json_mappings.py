"""Read the dicts and tables that Python callers pass, written as JSON.

Judgments are `{topic: {document: {intent: grade}}}`, topics `{topic: {intent: probability}}`, and runs
`{topic: [document, ...]}`, in one object or an object for each topic. Each may also be rows, one a line or
in a list, with the names of a DataFrame's columns.
(Runs `{topic: {document: score}}` are FreshStack's `results`.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from divmetrics.errors import DivmetricsError
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.file_contents import file_stem, format_error
from divmetrics.io.formats import has_intent_rows, has_judgment_rows, has_list_rows
from divmetrics.io.json_records import records
from divmetrics.io.run_mappings import RANKED, checked_id
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import topics_of_rows
from divmetrics.io.validate import run_columns

if TYPE_CHECKING:
    import pandas as pd

    from divmetrics.core.topics import Topic
    from divmetrics.io.formats import InputFile

T = TypeVar("T")

JUDGMENTS = "judgments as JSON ({topic: {document: {intent: grade}}}, or rows of topic, intent, doc, grade)"
TOPICS = "topics as JSON ({topic: {intent: probability}}, or rows of topic, intent, probability)"
RUN = f"a run as JSON ({RANKED}, {{topic: {{document: score}}}}, or rows of topic, doc, score)"


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read judgments as `evaluate` reads the same dict or DataFrame; `_topics` is not used.

    Raises DivmetricsError, which names the file, in the same cases, or if a topic is in two objects.
    """
    from divmetrics.io import in_memory

    source = file.contents.source
    if has_judgment_rows(file):
        frame, places = _frame(file, JUDGMENTS)
        table = _named(source, lambda: in_memory.wrap_judgments(frame, file.ad_hoc))
        return replace(table, source=source, place=places.__getitem__).columns()
    mapping = _mapping(file, JUDGMENTS)
    return replace(
        _named(source, lambda: in_memory.wrap_judgments(mapping, file.ad_hoc).columns()), source=source
    )


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics from `{topic: {intent: probability}}` or rows, in file order.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if the file is invalid.
    """
    if has_intent_rows(file):
        from divmetrics.io import dataframes

        frame, places = _frame(file, TOPICS)
        table = dataframes.intent_rows(frame, file.contents.source, places.__getitem__)
        return topics_of_rows(file.contents.source, table, probabilities)
    rows = (
        (record.where, topic, intent, of_topic.number(intent), "")
        for record in records(file.contents, TOPICS)
        for topic, value in record.fields.items()
        for of_topic in [record.record(value, f"topic {topic}")]
        for intent in of_topic.fields
    )
    return topics_of_rows(file.contents.source, rows, probabilities)


def run(file: InputFile) -> RunColumns:
    """Read a run of lists or rows, which is named after its file unless its rows name it.

    Raises DivmetricsError if an id or a score is invalid, a document is listed twice, or there are several
    runs.
    """
    source = file.contents.source
    if not has_list_rows(file):
        return _ranked(source, _mapping(file, RUN))
    from divmetrics.io import dataframes

    frame, places = _frame(file, RUN)
    runs = dataframes.runs(frame, source, places.__getitem__)
    if len(runs) > 1:
        what = f"has rows of {len(runs)} runs"
        raise format_error(source, what, "one run per file", "split the file by its field run")
    return runs[0] if "run" in frame else replace(runs[0], tag=file_stem(source))


def _named(source: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except DivmetricsError as error:
        raise DivmetricsError(f"{source}: {error}") from None


def _ranked(source: str, lists: Mapping[str, Sequence[Any]]) -> RunColumns:
    """Return the run of lists, best document first."""
    topics = [checked_id(f"{source}: the id of a topic", topic) for topic in lists]
    docs = [
        checked_id(f"{source}: topic {topic}: the document at rank {k}", doc)
        for topic, listed in lists.items()
        for k, doc in enumerate(listed, 1)
    ]
    rank = np.concatenate([np.arange(1, len(listed) + 1) for listed in lists.values()])
    topic_of = [topic for topic, listed in zip(topics, lists.values(), strict=True) for _ in listed]

    def place(row: int) -> str:
        return f"{source}, topic {topic_of[row]}, rank {rank[row]}"

    if not docs:
        raise format_error(source, "lists no document", RUN, "check where the file came from")
    columns = StringColumn.of(topic_of), StringColumn.of(docs)
    return run_columns(source, place, *columns, rank, -rank.astype(np.float64), file_stem(source))


def _mapping(file: InputFile, expected: str) -> dict[str, Any]:
    """Return the objects of a file as one dict; raise DivmetricsError if two have the same topic."""
    merged: dict[str, Any] = {}
    for record in records(file.contents, expected):
        for topic, value in record.fields.items():
            if topic in merged:
                raise record.error(
                    f"has topic {topic}, which an earlier line has, too", "remove one of the two"
                )
            merged[topic] = value
    return merged


def _frame(file: InputFile, expected: str) -> tuple[pd.DataFrame, list[str]]:
    """Return the objects of a file as rows of a table, and the place of each."""
    import pandas as pd

    rows = list(records(file.contents, expected))
    return pd.DataFrame([row.fields for row in rows]), [row.where for row in rows]
