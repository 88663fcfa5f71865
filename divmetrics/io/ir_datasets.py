"""Read judgments and topics from the optional package ir_datasets, which fetches them from the network.

The path is `irds:` and the package's own id, e.g. `irds:clueweb09/en/trec-web-2012/diversity`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.formats import DATASET_PREFIX
from divmetrics.io.string_column import StringColumn
from divmetrics.io.topic_hierarchy import Hierarchy, Subtopic
from divmetrics.io.topic_hierarchy import topics as with_probabilities
from divmetrics.io.validate import judgment_columns, topic_id
from divmetrics.optional import import_optional

if TYPE_CHECKING:
    from divmetrics.core.topics import Topic
    from divmetrics.io.formats import InputFile

EXAMPLE = "a diversity task of ir_datasets such as irds:clueweb09/en/trec-web-2012/diversity"


def judgments(file: InputFile, _topics: object) -> JudgmentColumns:
    """Read the judgments of a dataset of ir_datasets, in the package's order; its subtopics are the intents.

    Raises MissingPackage if the package is not installed, or DivmetricsError if the id is unknown, the data
    cannot be fetched, or its judgments have no subtopics.
    """
    identifier = os.fspath(file.path)
    rows = _fetch(identifier, "qrels_iter")
    if not rows or not hasattr(rows[0], "subtopic_id"):
        raise format_error(identifier, "has no judgments of subtopics", EXAMPLE, "add /diversity to the id")
    return judgment_columns(
        identifier,
        lambda row: f"{identifier}, judgment {row + 1}",
        topic=StringColumn.of([str(row.query_id) for row in rows]),
        intent=StringColumn.of([str(row.subtopic_id) for row in rows]),
        doc=StringColumn.of([str(row.doc_id) for row in rows]),
        grade=np.array([row.relevance for row in rows], dtype=np.int64),
    )


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read the topics of a dataset of ir_datasets, whose subtopics are equally probable intents.

    probabilities: as in `read_topics`. Raises MissingPackage if the package is not installed, or
    DivmetricsError if the id is unknown, the data cannot be fetched, or its topics have no subtopics.
    """
    identifier = os.fspath(file.path)
    queries = _fetch(identifier, "queries_iter")
    if not queries or not hasattr(queries[0], "subtopics"):
        raise format_error(identifier, "has no topics with subtopics", EXAMPLE, "correct the id")
    hierarchies = (
        Hierarchy(
            f"{identifier}, topic {query.query_id}",
            topic_id(str(query.query_id)),
            query.query,
            query.type or "",
            tuple(
                Subtopic(str(s.number), " ".join(s.text.split()), 1 / len(query.subtopics), kind=s.type or "")
                for s in query.subtopics
            ),
            " ".join(query.description.split()),
        )
        for query in queries
    )
    return with_probabilities(identifier, hierarchies, probabilities)


def _fetch(identifier: str, rows: str) -> list[Any]:
    package = import_optional("ir_datasets", identifier)
    try:
        dataset = package.load(identifier.removeprefix(DATASET_PREFIX))
    except Exception as error:  # the package's registry raises exceptions of many types
        what = f"is not known to ir_datasets ({error})"
        raise format_error(identifier, what, EXAMPLE, "correct the id") from error
    if not hasattr(dataset, rows):
        raise format_error(identifier, f"has no {rows.removesuffix('_iter')}", EXAMPLE, "correct the id")
    try:
        iterator: Iterable[Any] = getattr(dataset, rows)()
        return list(iterator)
    except Exception as error:  # network, disk and checksum errors have different types
        what = f"could not be fetched ({type(error).__name__}: {error})"
        expected = "a network or a copy fetched before"
        raise format_error(identifier, what, expected, "connect, or give the path of a file") from error
