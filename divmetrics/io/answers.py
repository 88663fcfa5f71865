"""Read the answers of the TREC RAG track as runs: the documents to which an answer refers.

A line per topic: `{"run_id", "topic_id", "references": [docid, ...], "answer": [...]}` of 2024, or with
`"metadata": {"run_id", "narrative_id" or "topic_id"}`, as of 2025 and in RAGTIME's reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.io.columns import RunColumns
from divmetrics.io.file_contents import file_stem, format_error
from divmetrics.io.json_records import Record, records
from divmetrics.io.string_column import StringColumn
from divmetrics.io.validate import run_columns

if TYPE_CHECKING:
    from divmetrics.io.formats import InputFile

ANSWERS = "answers with references (run_id, topic_id, references as document ids)"


def run(file: InputFile) -> RunColumns:
    """Read the references of every answer, in their order, as a run whose tag is the answers' run_id.

    Raises DivmetricsError, naming the line, if an answer is invalid, or the answers are of several runs.
    """
    topics: list[str] = []
    docs: list[str] = []
    tags: dict[str, Record] = {}
    for record in records(file.contents, ANSWERS):
        about = record.record(record.fields["metadata"], "metadata") if record.has("metadata") else record
        topic = next((key for key in ("topic_id", "narrative_id", "qid") if about.has(key)), "topic_id")
        listed = record.ids("references")
        topics += [about.id(topic)] * len(listed)
        docs += listed
        tags.setdefault(about.id("run_id"), record)
    if len(tags) > 1:
        what = f"belongs to run {quote(list(tags)[1])}, others of the file to {quote(next(iter(tags)))}"
        raise list(tags.values())[1].error(what, "give one file for each run")
    return ranked_columns(file.contents.source, topics, docs, next(iter(tags)))


def ranked_columns(source: str, topics: Sequence[str], docs: Sequence[str], tag: str = "") -> RunColumns:
    """Return a run of documents in the order of the file, ranked from 1 through the whole file.

    topics, docs: the ids of each row. tag: the name of the run; "" for that of the file `source`. Raises
    DivmetricsError if there is no document, or one is listed twice for a topic.
    """
    if not docs:
        raise format_error(source, "lists no document", ANSWERS, "check where the file came from")
    ranks = np.arange(1, len(docs) + 1)
    return run_columns(
        source,
        lambda row: f"{source}, topic {topics[row]}",
        topic=StringColumn.of(list(topics)),
        doc=StringColumn.of(list(docs)),
        rank=ranks,
        score=-ranks.astype(np.float64),
        tag=tag or file_stem(source),
    )
