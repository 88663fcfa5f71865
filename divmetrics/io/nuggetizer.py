"""Nuggetizer's JSON lines, and the TREC RAG track's.

Written by `nuggetizer` (castorini/nuggetizer 0.0.6): banks, a line `{"qid", "query", "nuggets": [{"text",
"importance"}]}` per topic, and with `assign --input-kind retrieval` assignments, a line `{"qid", "text",
"docid", "nuggets": [{"text", "importance", "assignment"}]}` per topic and document. The TREC RAG track's
nuggets (the 2026 development data, `rag25-dev-nuggets.jsonl`) are banks whose nuggets also have a
`mapped_sub_narrative`: the first level, with the nuggets below it. Nuggets have no ids: they count from 1.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from divmetrics.core.checks import quote
from divmetrics.core.collection import Topic
from divmetrics.errors import DivmetricsWarning, did_you_mean
from divmetrics.io import json_records
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.json_records import Record
from divmetrics.io.nuggets import ByText, Judgment, Nugget, NuggetFile, NuggetTopic, topics

GRADES = {"support": 2, "partial_support": 1, "not_support": 0}
FAILED = "failed"  # the model gave no answer, so the document is not judged
BANK = "nuggets of a topic (qid, nuggets with text, and perhaps importance and mapped_sub_narrative)"
ASSIGNMENTS = "nuggets assigned to a document (qid, docid, nuggets with text and assignment)"


class _Named(NamedTuple):
    """A nugget as a line of a file names it; `again`: how often its text stood before in that line."""

    text: str
    group: str
    importance: str
    again: int


class _Line(NamedTuple):
    """A line; `doc` and `assignments` are empty in a bank."""

    where: str
    topic: str
    title: str
    doc: str
    nuggets: tuple[_Named, ...]
    assignments: tuple[str, ...]


def is_nuggetizer(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object is nuggetizer's, or what it is made from."""
    return "candidates" in first or ("nuggets" in first and not {"query_id", "nugget_bank"} & set(first))


def bank(contents: Contents) -> NuggetFile:
    """The topics of a bank, or of assignments: their nuggets in order of appearance."""
    return _bank(contents.source, _lines(contents, BANK, judged=False))


def judgments(contents: Contents, described: Sequence[Topic] | None) -> NuggetFile:
    """The assignments; their nuggets are those of the topics given, known by text, or as they appear."""
    lines = list(_lines(contents, ASSIGNMENTS, judged=True))
    file = _bank(contents.source, lines)
    by_text = ByText(topics(file, "uniform") if described is None else described)
    places: dict[tuple[str, _Named], tuple[str, str]] = {}
    rows: list[Judgment] = []
    failed = 0
    for where, topic, _, doc, nuggets, assignments in lines:
        for number, (nugget, assignment) in enumerate(zip(nuggets, assignments, strict=True), 1):
            if assignment == FAILED:
                failed += 1
                continue
            place = places.get((topic, nugget))
            if place is None:
                place = by_text.find(topic, nugget.text, nugget.again, nugget.group)
            if place is None:
                hint = by_text.hint(topic, nugget.text)
                what = f"nugget {number} ({quote(nugget.text)}) is not a nugget of topic {topic}{hint}"
                raise format_error(
                    where,
                    what,
                    ASSIGNMENTS,
                    "give as topics the nuggets that were assigned, on all their levels",
                )
            places[topic, nugget] = place
            rows.append(Judgment(where, topic, *place, doc, GRADES[assignment]))
    if not rows:
        raise format_error(contents.source, "has failed assignments only", ASSIGNMENTS, "assign again")
    if failed:
        warnings.warn(
            f"{contents.source}: {failed} failed assignment(s) are left out, as if not judged",
            DivmetricsWarning,
            stacklevel=3,
        )
    return file._replace(judgments=tuple(rows))


def _lines(contents: Contents, expected: str, judged: bool) -> Iterator[_Line]:
    shared: dict[_Named, _Named] = {}  # every document has the nuggets of its topic
    for record in json_records.records(contents, expected):
        _check_kind(record)
        if judged and not record.has("docid"):
            what = "has nuggets but no docid: no document is judged"
            raise record.refusal(
                what, "give nuggets assigned to documents as judgments, and this file as topics"
            )
        nuggets = list(record.records("nuggets", "nugget"))
        yield _Line(
            record.where,
            record.id("qid"),
            next((said for key in ("query", "text") if isinstance(said := record.fields.get(key), str)), ""),
            record.id("docid") if record.has("docid") else "",
            tuple(shared.setdefault(named, named) for named in _named(record, nuggets)),
            tuple(map(_assignment, nuggets)) if judged else (),
        )


def _bank(source: str, lines: Iterable[_Line]) -> NuggetFile:
    found: dict[str, tuple[_Line, dict[tuple[str, str, int], _Named]]] = {}
    for line in lines:
        first, known = found.setdefault(line.topic, (line, {}))
        if first is not line and not line.doc:
            what = f"topic {line.topic} is given again (first at {first.where})"
            raise format_error(line.where, what, "every topic once", "remove one of the two")
        for nugget in line.nuggets:
            known.setdefault((nugget.group, nugget.text, nugget.again), nugget)
    return NuggetFile(source, tuple(_topic(first, known.values()) for first, known in found.values()))


def _check_kind(record: Record) -> None:
    if "candidates" in record.fields:
        what = "holds documents to which no nuggets are assigned yet"
        raise record.refusal(what, "run nuggetizer on it, and give what it writes")
    if not record.has("docid") and {"answer_text", "run_id"} & set(record.fields):
        what = "assigns nuggets to an answer, not to a document"
        raise record.refusal(what, "assign with --input-kind retrieval, or give judgments of documents")


def _named(record: Record, nuggets: Sequence[Record]) -> Iterator[_Named]:
    counts: Counter[tuple[str, str]] = Counter()
    if not nuggets:
        raise record.refusal("has no nuggets", "add them, or remove the line")
    grouped = [nugget.has("mapped_sub_narrative") for nugget in nuggets]
    if any(grouped) and not all(grouped):
        what = "has no mapped_sub_narrative, but others of its topic do"
        raise nuggets[grouped.index(False)].refusal(what, "give every nugget of the topic one, or none")
    for nugget in nuggets:
        text = nugget.text("text")
        group = _unquoted(nugget.text("mapped_sub_narrative")) if grouped[0] else ""
        importance = nugget.text("importance") if nugget.has("importance") else ""
        yield _Named(text, group, importance, counts[group, text])
        counts[group, text] += 1


def _assignment(nugget: Record) -> str:
    assignment = nugget.text("assignment")
    if assignment not in GRADES and assignment != FAILED:
        what = f"has the assignment {quote(assignment)}{did_you_mean(assignment, GRADES)}"
        raise nugget.refusal(what, f"write one of {', '.join(GRADES)}")
    return assignment


def _unquoted(text: str) -> str:
    """Without the quotation marks that the track's files have around a sub-narrative."""
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1].strip()
    return inner or text


def _topic(first: _Line, named: Iterable[_Named]) -> NuggetTopic:
    groups: dict[str, list[_Named]] = {}
    for nugget in named:
        groups.setdefault(nugget.group, []).append(nugget)
    if list(groups) == [""]:
        return NuggetTopic(first.where, first.topic, first.title, _counted(groups[""]))
    if "" in groups:
        what = f"some lines of topic {first.topic} have a mapped_sub_narrative and some have none"
        raise format_error(first.where, what, BANK, "give every nugget of the topic one, or none")
    nuggets = (
        Nugget(str(number), group, children=_counted(members))
        for number, (group, members) in enumerate(groups.items(), 1)
    )
    return NuggetTopic(first.where, first.topic, first.title, tuple(nuggets))


def _counted(named: Iterable[_Named]) -> tuple[Nugget, ...]:
    return tuple(Nugget(str(number), n.text, n.importance) for number, n in enumerate(named, 1))
