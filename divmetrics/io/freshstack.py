"""Read FreshStack's rows of queries, and the dictionaries that its package evaluates, as JSON.

The formats are those of the package freshstack 0.0.6 (fresh-stack/freshstack). Rows of its data sets, one a
line or in a list: `{"query_id", "query_title", "nuggets": [{"_id", "text", "relevant_corpus_ids",
"non_relevant_corpus_ids"}]}`. Its dictionaries, each as one object: `qrels_nuggets`, `{nugget: {document:
0 or 1}}`; `query_to_nuggets`, `{query: [nugget]}`; `results`, `{query: {document: score}}`, which is a run. A
nugget's id is its query's id, an underscore and a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.core.checks import is_number, is_whole, quote
from divmetrics.core.topics import Topic
from divmetrics.io import json_mappings, nuggets
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.file_contents import Contents, file_stem, format_error
from divmetrics.io.formats import (
    JUDGED_NUGGETS,
    NUGGET_ID,
    RESULTS,
    has_lists_of_ids,
    has_nugget_ids,
    has_query_rows,
)
from divmetrics.io.json_records import Record, records
from divmetrics.io.nuggets import Judgment, Nugget, NuggetFile, NuggetTopic
from divmetrics.io.number_parsing import NUMBER
from divmetrics.io.string_column import StringColumn
from divmetrics.io.validate import run_columns

if TYPE_CHECKING:
    from divmetrics.io.formats import CallersTopics, InputFile

ROWS = "FreshStack's queries (query_id, nuggets with _id, relevant_corpus_ids and non_relevant_corpus_ids)"
QRELS_NUGGETS = "FreshStack's qrels_nuggets ({nugget: {document: 0 or 1}}, nuggets as <query>_<number>)"
QUERY_TO_NUGGETS = "FreshStack's query_to_nuggets ({query: [nugget, ...]})"


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read topics from rows, `query_to_nuggets` or `qrels_nuggets`, their nuggets as intents in file order.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if the file is invalid.
    """
    if has_query_rows(file):
        return nuggets.topics(_rows(file.contents), probabilities)
    if has_lists_of_ids(file):
        return nuggets.topics(_query_to_nuggets(file.contents), probabilities)
    return nuggets.topics(_qrels_nuggets(file.contents, None), probabilities)


def judgments(file: InputFile, callers_topics: CallersTopics) -> JudgmentColumns:
    """Read judgments from rows or `qrels_nuggets`, whose nuggets are intents.

    callers_topics: returns the topics that own the nuggets of `qrels_nuggets`, or None: then the id of a
    nugget begins with that of its topic. Raises DivmetricsError, naming the line, if the file is invalid,
    judges nothing, or has a nugget of no topic.
    """
    if has_query_rows(file):
        return nuggets.columns(_rows(file.contents))
    if has_lists_of_ids(file):
        what, remedy = "lists documents or nuggets, but no judgments", "give the judgments here"
        what = f"{what} (it may be a run, or FreshStack's query_to_nuggets, which are topics)"
        raise format_error(file.contents.source, what, JUDGED_NUGGETS, remedy)
    topics_of_caller = callers_topics()
    if topics_of_caller is None and not has_nugget_ids(file):
        return json_mappings.judgments(file, None)  # ad hoc judgments
    return nuggets.columns(_qrels_nuggets(file.contents, topics_of_caller))


def run(file: InputFile) -> RunColumns:
    """Read `results` as a run; its tag is the file's name, and ranks follow the scores (ties in file order).

    Raises DivmetricsError if an id or a score is invalid, or there is no document.
    """
    record = _single_object(file.contents, RESULTS)
    topics, docs, scores = [], [], []
    ranks: list[int] = []
    for query, listed in record.fields.items():
        inner = record.record(listed, f"query {quote(query)}")
        for doc, score in inner.fields.items():
            if isinstance(score, str) and NUMBER.fullmatch(score.encode(errors="replace")):
                score = float(score)
            if not is_number(score):
                what = f"gives document {quote(doc)} the score {quote(score)}, which is not a finite number"
                raise inner.error(what)
            topics.append(record.check_text(query, "id"))
            docs.append(inner.check_text(doc, "id"))
            scores.append(float(score))
        own = scores[len(ranks) :]
        order = sorted(range(len(own)), key=lambda i: -own[i])
        rank_of = {place: rank for rank, place in enumerate(order, 1)}
        ranks += [rank_of[place] for place in range(len(own))]
    if not docs:
        raise record.error("lists no document", "check where the file came from")
    source = file.contents.source
    return run_columns(
        source,
        lambda _: record.where,
        topic=StringColumn.of(topics),
        doc=StringColumn.of(docs),
        rank=np.array(ranks, dtype=np.int64),
        score=np.array(scores, dtype=np.float64),
        tag=file_stem(source),
    )


def _rows(contents: Contents) -> NuggetFile:
    """Parse rows.

    A document in both lists of a nugget gets two grades, for which `columns` raises DivmetricsError.
    """
    topics, judgments = [], []
    for record in records(contents, ROWS):
        query = record.id("query_id")
        own = []
        for nugget in record.records("nuggets", "nugget"):
            name = nugget.id("_id")
            own.append(Nugget(name, nugget.text("text") if nugget.has("text") else ""))
            for key, grade in (("relevant_corpus_ids", 1), ("non_relevant_corpus_ids", 0)):
                judgments += [Judgment(record.where, query, name, "", doc, grade) for doc in nugget.ids(key)]
        topics.append(NuggetTopic(record.where, query, record.first_text("query_title"), tuple(own)))
    if not judgments:
        what = "judges no document for any nugget"
        raise format_error(contents.source, what, ROWS, "give the rows with both lists")
    return NuggetFile(contents.source, topics, judgments)


def _qrels_nuggets(contents: Contents, topics_of_caller: Sequence[Topic] | None) -> NuggetFile:
    """Parse judgments by nugget.

    The query of a nugget is the topic in `topics_of_caller` that has the nugget, or else its id up to the
    last underscore.
    """
    query_of = {intent.id: topic.id for topic in topics_of_caller or () for intent in topic.intents}
    nuggets_of: dict[str, list[Nugget]] = {}
    judgments = []
    record = _single_object(contents, QRELS_NUGGETS)
    for name, judged in record.fields.items():
        inner = record.record(judged, f"nugget {quote(name)}")
        if topics_of_caller is not None:
            query = query_of.get(name)
            what, remedy = (
                "belongs to none of the topics given",
                "give the query_to_nuggets of these judgments",
            )
        else:
            match = NUGGET_ID.fullmatch(name)
            query = match[1] if match else None
            what = "has no underscore and number after its query's id"
            remedy = "give query_to_nuggets as topics, or qrels_nuggets here (qrels_query has no nuggets)"
        if query is None:
            raise inner.error(what, remedy)
        nuggets_of.setdefault(query, []).append(Nugget(name, ""))
        for doc, grade in inner.fields.items():
            if isinstance(grade, float) and grade.is_integer():
                grade = int(grade)
            if not is_whole(grade):
                what = f"judges document {quote(doc)} with {quote(grade)}, which is not a whole number"
                raise inner.error(what, "correct it, or swap judgments and run if these are scores")
            if not -(2**63) <= grade < 2**63:
                raise inner.error(f"has the grade {quote(grade)}, which 64 bits cannot hold")
            judgments.append(Judgment(inner.where, query, name, "", inner.check_text(doc, "id"), grade))
    if not judgments:
        raise record.error("judges no document for any nugget", "check where the file came from")
    topics = [NuggetTopic(record.where, query, "", tuple(own)) for query, own in nuggets_of.items()]
    return NuggetFile(contents.source, topics, judgments)


def _query_to_nuggets(contents: Contents) -> NuggetFile:
    record = _single_object(contents, QUERY_TO_NUGGETS)
    topics = []
    owner: dict[str, str] = {}
    for query in record.fields:
        names = record.ids(query)
        for name in names:
            if owner.setdefault(name, query) != query:
                what = f"gives nugget {quote(name)} to query {owner[name]} and to query {query}"
                remedy = "leave it where it belongs (the package gives 10's nuggets to query 1, too)"
                raise record.error(what, remedy)
        topics.append(NuggetTopic(record.where, query, "", tuple(Nugget(name, "") for name in names)))
    return NuggetFile(contents.source, topics)


def _single_object(contents: Contents, expected: str) -> Record:
    objects = records(contents, expected)
    record = next(objects)
    second = next(objects, None)
    if second is not None:
        what, expected = "is a second object", f"{expected} as one object"
        raise format_error(second.where, what, expected, "give one file for each")
    return record
