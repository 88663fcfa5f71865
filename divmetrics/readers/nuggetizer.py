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

from divmetrics.core.checks import shown
from divmetrics.core.collection import Topic
from divmetrics.errors import DivmetricsWarning, did_you_mean
from divmetrics.readers import json_entries
from divmetrics.readers.json_entries import Record
from divmetrics.readers.nuggets import ByText, Judgment, Nugget, NuggetFile, NuggetTopic, topics
from divmetrics.readers.opening import Contents, refusal

GRADES = {"support": 2, "partial_support": 1, "not_support": 0}
FAILED = "failed"  # the model gave no answer, so the document is not judged
BANK = "nuggets of a topic (qid, nuggets with text, and perhaps importance and mapped_sub_narrative)"
ASSIGNMENTS = "nuggets assigned to a document (qid, docid, nuggets with text and assignment)"


class _Named(NamedTuple):
    """A nugget as one line of a file names it; `again`: how often its text stood before in that line."""

    text: str
    group: str
    importance: str
    again: int
    record: Record


class _Line(NamedTuple):
    record: Record
    topic: str
    nuggets: tuple[_Named, ...]


def recognised(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object is nuggetizer's, or what it is made from."""
    return "candidates" in first or ("nuggets" in first and not {"query_id", "nugget_bank"} & set(first))


def bank(contents: Contents) -> NuggetFile:
    """The topics of a bank, or of assignments: their nuggets in order of appearance."""
    return _bank(contents.source, _lines(contents, BANK))


def judgments(contents: Contents, described: Sequence[Topic] | None) -> NuggetFile:
    """The assignments; their nuggets are those of the topics given, known by text, or as they appear."""
    lines = list(_lines(contents, ASSIGNMENTS))
    bare = next((line.record for line in lines if not line.record.has("docid")), None)
    if bare is not None:
        what = "has nuggets but no docid: no document is judged"
        raise bare.refusal(what, "give nuggets assigned to documents as judgments, and this file as topics")
    file = _bank(contents.source, lines)
    by_text = ByText(topics(file, "uniform") if described is None else described)
    rows: list[Judgment] = []
    failed = 0
    for record, topic, nuggets in lines:
        doc = record.id("docid")
        for text, group, _, again, nugget in nuggets:
            assignment = nugget.text("assignment")
            if assignment == FAILED:
                failed += 1
                continue
            if assignment not in GRADES:
                what = f"has the assignment {shown(assignment)}{did_you_mean(assignment, GRADES)}"
                raise nugget.refusal(what, f"write one of {', '.join(GRADES)}")
            place = by_text.find(topic, text, again, group)
            if place is None:
                what = f"({shown(text)}) is no nugget of topic {topic}{by_text.hint(topic, text)}"
                raise nugget.refusal(what, "give as topics the nuggets that were assigned")
            rows.append(Judgment(record.where, topic, *place, doc, GRADES[assignment]))
    if not rows:
        raise refusal(contents.source, "has failed assignments only", ASSIGNMENTS, "assign again")
    if failed:
        warnings.warn(
            f"{contents.source}: {failed} failed assignment(s) are left out, as if not judged",
            DivmetricsWarning,
            stacklevel=3,
        )
    return file._replace(judgments=tuple(rows))


def _lines(contents: Contents, expected: str) -> Iterator[_Line]:
    for record in json_entries.records(contents, expected):
        _check_kind(record)
        yield _Line(record, record.id("qid"), tuple(_named(record)))


def _bank(source: str, lines: Iterable[_Line]) -> NuggetFile:
    found: dict[str, tuple[Record, dict[tuple[str, str, int], _Named]]] = {}
    for record, topic, nuggets in lines:
        first, known = found.setdefault(topic, (record, {}))
        if first is not record and not record.has("docid"):
            what = f"topic {topic} is given again (first at {first.where})"
            raise refusal(record.where, what, "every topic once", "remove one of the two")
        for nugget in nuggets:
            known.setdefault((nugget.group, nugget.text, nugget.again), nugget)
    return NuggetFile(
        source, tuple(_topic(topic, record, known.values()) for topic, (record, known) in found.items())
    )


def _check_kind(record: Record) -> None:
    if "candidates" in record.fields:
        what = "holds documents to which no nuggets are assigned yet"
        raise record.refusal(what, "run nuggetizer on it, and give what it writes")
    if not record.has("docid") and {"answer_text", "run_id"} & set(record.fields):
        what = "assigns nuggets to an answer, not to a document"
        raise record.refusal(what, "assign with --input-kind retrieval, or give judgments of documents")


def _named(record: Record) -> Iterator[_Named]:
    counts: Counter[tuple[str, str]] = Counter()
    nuggets = list(record.records("nuggets", "nugget"))
    if not nuggets:
        raise record.refusal("has no nuggets", "add them, or remove the line")
    grouped = {nugget.has("mapped_sub_narrative") for nugget in nuggets}
    for nugget in nuggets:
        if len(grouped) > 1 and not nugget.has("mapped_sub_narrative"):
            what = "has no mapped_sub_narrative, but others of its topic do"
            raise nugget.refusal(what, "give every nugget of the topic one, or none")
        text = nugget.text("text")
        group = _unquoted(nugget.text("mapped_sub_narrative")) if True in grouped else ""
        importance = nugget.text("importance") if nugget.has("importance") else ""
        yield _Named(text, group, importance, counts[group, text], nugget)
        counts[group, text] += 1


def _unquoted(text: str) -> str:
    """Without the quotation marks that the track's files have around a sub-narrative."""
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1].strip()
    return inner or text


def _topic(topic: str, record: Record, named: Iterable[_Named]) -> NuggetTopic:
    groups: dict[str, list[_Named]] = {}
    for nugget in named:
        groups.setdefault(nugget.group, []).append(nugget)
    titles = (record.fields.get(key) for key in ("query", "text"))
    title = next((said for said in titles if isinstance(said, str)), "")
    if list(groups) == [""]:
        return NuggetTopic(record.where, topic, title, _counted(groups[""]))
    if "" in groups:
        what = f"some lines of topic {topic} have a mapped_sub_narrative and some have none"
        raise refusal(record.where, what, BANK, "give every nugget of the topic one, or none")
    nuggets = (
        Nugget(str(number), group, children=_counted(members))
        for number, (group, members) in enumerate(groups.items(), 1)
    )
    return NuggetTopic(record.where, topic, title, tuple(nuggets))


def _counted(named: Iterable[_Named]) -> tuple[Nugget, ...]:
    return tuple(Nugget(str(number), n.text, n.importance) for number, n in enumerate(named, 1))
