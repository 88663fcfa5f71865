"""FreshStack: its rows of queries, and the dictionaries that its package evaluates, as JSON.

Read as the package freshstack 0.0.6 (fresh-stack/freshstack) has them. Rows of its data sets, one a line or
in a list: `{"query_id", "query_title", "nuggets": [{"_id", "text", "relevant_corpus_ids",
"non_relevant_corpus_ids"}]}`. Its dictionaries, each as one object: `qrels_nuggets`, `{nugget: {document:
0 or 1}}`; `query_to_nuggets`, `{query: [nugget]}`; `results`, `{query: {document: score}}`, which is a run. A
nugget's id is its query's id, an underscore and a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divmetrics.core.checks import is_number, is_whole, quote
from divmetrics.core.collection import Topic
from divmetrics.io import json_records
from divmetrics.io.columns import RunColumns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.json_records import Record
from divmetrics.io.nuggets import Judgment, Nugget, NuggetFile, NuggetTopic
from divmetrics.io.string_column import StringColumn
from divmetrics.io.validate import run_columns

ROWS = "FreshStack's queries (query_id, nuggets with _id, relevant_corpus_ids and non_relevant_corpus_ids)"
QRELS_NUGGETS = "FreshStack's qrels_nuggets ({nugget: {document: 0 or 1}}, nuggets as <query>_<number>)"
QUERY_TO_NUGGETS = "FreshStack's query_to_nuggets ({query: [nugget, ...]})"
RESULTS = "a run as results ({query: {document: score}})"
NUGGET_ID = re.compile(r"(.+)_[0-9]+")


def has_rows(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object has rows of queries."""
    return "query_id" in first and "nuggets" in first


def is_qrels_nuggets(first: Mapping[str, Any]) -> bool:
    """Whether the object is one of objects with numbers only, as `results` is, too."""
    if not _all(first, dict):
        return False
    return all(isinstance(number, (int, float)) for inner in first.values() for number in inner.values())


def is_query_to_nuggets(first: Mapping[str, Any]) -> bool:
    """Whether the object is one of lists with texts only."""
    return _all(first, list) and all(isinstance(nugget, str) for ids in first.values() for nugget in ids)


def _all(found: Mapping[str, Any], kind: type) -> bool:
    return bool(found) and all(isinstance(value, kind) for value in found.values())


def rows(contents: Contents) -> NuggetFile:
    """Topics and judgments of a data set's rows; a document in both lists of a nugget is a contradiction."""
    topics, judgments = [], []
    for record in json_records.records(contents, ROWS):
        query = record.id("query_id")
        nuggets = []
        for nugget in record.records("nuggets", "nugget"):
            name = nugget.id("_id")
            nuggets.append(Nugget(name, nugget.text("text") if nugget.has("text") else ""))
            for key, grade in (("relevant_corpus_ids", 1), ("non_relevant_corpus_ids", 0)):
                judgments += [Judgment(record.where, query, name, "", doc, grade) for doc in nugget.ids(key)]
        title = record.fields.get("query_title")
        topics.append(
            NuggetTopic(record.where, query, title if isinstance(title, str) else "", tuple(nuggets))
        )
    if not judgments:
        raise format_error(
            contents.source, "judges no document for any nugget", ROWS, "give the rows with both lists"
        )
    return NuggetFile(contents.source, tuple(topics), tuple(judgments))


def qrels_nuggets(contents: Contents, described: Sequence[Topic] | None) -> NuggetFile:
    """Judgments by nugget; its query is the topic that has it, or its id up to the last underscore."""
    query_of = {intent.id: topic.id for topic in described or () for intent in topic.intents}
    found: dict[str, list[Nugget]] = {}
    judgments = []
    record = _only(contents, QRELS_NUGGETS)
    for name, judged in record.fields.items():
        inner = record.record(judged, f"nugget {quote(name)}")
        named = NUGGET_ID.fullmatch(name)
        if described is None and named is None:
            what = "has no underscore and number after its query's id"
            remedy = "give query_to_nuggets as topics, or qrels_nuggets here (qrels_query has no nuggets)"
            raise inner.refusal(what, remedy)
        if described is not None and name not in query_of:
            raise inner.refusal(
                "belongs to none of the topics given", "give the query_to_nuggets of these judgments"
            )
        query = query_of[name] if described is not None else named.group(1) if named else ""
        found.setdefault(query, []).append(Nugget(name, ""))
        for doc, grade in inner.fields.items():
            if not is_whole(grade):
                what = f"judges document {quote(doc)} with {quote(grade)}, which is not a whole number"
                raise inner.refusal(what, "correct it, or swap judgments and run if these are scores")
            judgments.append(Judgment(inner.where, query, name, "", _id(inner, doc), _grade(inner, grade)))
    if not judgments:
        raise record.refusal("judges no document for any nugget", "check where the file came from")
    topics = (NuggetTopic(record.where, query, "", tuple(nuggets)) for query, nuggets in found.items())
    return NuggetFile(contents.source, tuple(topics), tuple(judgments))


def query_to_nuggets(contents: Contents) -> NuggetFile:
    """Topics with their nuggets."""
    record = _only(contents, QUERY_TO_NUGGETS)
    topics = []
    owner: dict[str, str] = {}
    for query in record.fields:
        nuggets = record.ids(query)
        for name in nuggets:
            if owner.setdefault(name, query) != query:
                what = f"gives nugget {quote(name)} to query {owner[name]} and to query {query}"
                remedy = "leave it where it belongs (the package gives 10's nuggets to query 1, too)"
                raise record.refusal(what, remedy)
        topics.append(NuggetTopic(record.where, query, "", tuple(Nugget(name, "") for name in nuggets)))
    return NuggetFile(contents.source, tuple(topics))


def run(contents: Contents) -> RunColumns:
    """A run; its tag is the file's name, its ranks are by score, equal ones as the file has them."""
    record = _only(contents, RESULTS)
    topics, docs, scores = [], [], []
    ranks: list[int] = []
    for query, listed in record.fields.items():
        inner = record.record(listed, f"query {quote(query)}")
        for doc, score in inner.fields.items():
            if not is_number(score):
                what = f"gives document {quote(doc)} the score {quote(score)}, which is not a finite number"
                raise inner.refusal(what)
            topics.append(_id(record, query))
            docs.append(_id(inner, doc))
            scores.append(float(score))
        own = scores[len(ranks) :]
        order = sorted(range(len(own)), key=lambda i: -own[i])
        rank_of = {place: rank for rank, place in enumerate(order, 1)}
        ranks += [rank_of[place] for place in range(len(own))]
    if not docs:
        raise record.refusal("lists no document", "check where the file came from")
    return run_columns(
        contents.source,
        lambda _: record.where,
        topic=StringColumn.of(topics),
        doc=StringColumn.of(docs),
        rank=np.array(ranks, dtype=np.int64),
        score=np.array(scores, dtype=np.float64),
        tag=Path(contents.source).name.removesuffix(".gz").rsplit(".", 1)[0],
    )


def _only(contents: Contents, expected: str) -> Record:
    """The one object of a file."""
    found: Iterator[Record] = json_records.records(contents, expected)
    record = next(found)
    second = next(found, None)
    if second is not None:
        raise format_error(
            second.where, "is a second object", f"{expected} as one object", "give one file for each"
        )
    return record


def _id(record: Record, doc: str) -> str:
    return Record(record.where, {"id": doc}, record.expected, record.name).text("id")


def _grade(record: Record, grade: int) -> int:
    if not -(2**63) <= grade < 2**63:
        raise record.refusal(f"has the grade {quote(grade)}, which 64 bits cannot hold")
    return grade
