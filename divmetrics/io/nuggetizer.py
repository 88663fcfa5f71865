"""Read nuggetizer's JSON lines, and the TREC RAG track's.

Written by `nuggetizer` (castorini/nuggetizer 0.0.6): banks, a line `{"qid", "query", "nuggets": [{"text",
"importance"}]}` per topic, and with `assign --input-kind retrieval` assignments, a line `{"qid", "text",
"docid", "nuggets": [{"text", "importance", "assignment"}]}` per topic and document. The TREC RAG track's
nuggets (the 2026 development data, `rag25-dev-nuggets.jsonl`) are banks whose nuggets also have a
`mapped_sub_narrative`: the first level, with the nuggets below it. Nuggets have no ids: they count from 1.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from divmetrics.core.checks import quote
from divmetrics.core.collection import Topic
from divmetrics.errors import DivmetricsWarning, did_you_mean
from divmetrics.io import nuggets
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.json_records import Record, records
from divmetrics.io.nuggets import ByText, Judgment, Nugget, NuggetFile, NuggetTopic

if TYPE_CHECKING:
    from divmetrics.io.formats import InputFile, KnownTopics

GRADES = {"support": 2, "partial_support": 1, "not_support": 0}
FAILED = "failed"  # the model gave no answer, so the document is not judged
BANK = "nuggets of a topic (qid, nuggets with text, and perhaps importance and mapped_sub_narrative)"
ASSIGNMENTS = "nuggets assigned to a document (qid, docid, nuggets with text and assignment)"


class _Nugget(NamedTuple):
    """A nugget in a line; `again` counts the earlier ones in the line with its text and group."""

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
    nuggets: tuple[_Nugget, ...]
    assignments: tuple[str, ...]


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read the topics of a bank or of assignments, their nuggets in order of appearance."""
    contents = file.contents
    return nuggets.topics(_bank(contents.source, _lines(contents, BANK, judged=False)), probabilities)


def judgments(file: InputFile, known_topics: KnownTopics) -> JudgmentColumns:
    """Read assignments; their nuggets are matched by text with `known_topics`, or numbered as they appear."""
    lines = list(_lines(file.contents, ASSIGNMENTS, judged=True))
    bank, known = _bank(file.contents.source, lines), known_topics()
    by_text = ByText(nuggets.topics(bank, "uniform") if known is None else known)
    ids: dict[tuple[str, _Nugget], tuple[str, str]] = {}
    rows: list[Judgment] = []
    failed = 0
    for where, topic, _, doc, members, assignments in lines:
        for number, (nugget, assignment) in enumerate(zip(members, assignments, strict=True), 1):
            if assignment == FAILED:
                failed += 1
                continue
            if (topic, nugget) not in ids:
                match = by_text.find(topic, nugget.text, nugget.again, nugget.group)
                if match is None:
                    hint = by_text.hint(topic, nugget.text)
                    what = f"nugget {number} ({quote(nugget.text)}) is not a nugget of topic {topic}{hint}"
                    remedy = "give as topics the nuggets that were assigned, on all their levels"
                    raise format_error(where, what, ASSIGNMENTS, remedy)
                ids[topic, nugget] = match
            rows.append(Judgment(where, topic, *ids[topic, nugget], doc, GRADES[assignment]))
    if not rows:
        raise format_error(bank.source, "has failed assignments only", ASSIGNMENTS, "assign again")
    if failed:
        sentence = f"{bank.source}: {failed} failed assignment(s) are left out, as if not judged"
        warnings.warn(sentence, DivmetricsWarning, stacklevel=3)
    return nuggets.columns(bank._replace(judgments=tuple(rows)))


def _lines(contents: Contents, expected: str, judged: bool) -> Iterator[_Line]:
    shared: dict[_Nugget, _Nugget] = {}  # every document has the nuggets of its topic
    for record in records(contents, expected):
        _check_kind(record)
        if judged and not record.has("docid"):
            remedy = "give nuggets assigned to documents as judgments, and this file as topics"
            raise record.error("has nuggets but no docid: no document is judged", remedy)
        members = list(record.records("nuggets", "nugget"))
        yield _Line(
            record.where,
            record.id("qid"),
            record.first_text("query", "text"),
            record.id("docid") if record.has("docid") else "",
            tuple(shared.setdefault(nugget, nugget) for nugget in _nuggets(record, members)),
            tuple(map(_assignment, members)) if judged else (),
        )


def _check_kind(record: Record) -> None:
    if "candidates" in record.fields:
        what = "holds documents to which no nuggets are assigned yet"
        raise record.error(what, "run nuggetizer on it, and give what it writes")
    if not record.has("docid") and {"answer_text", "run_id"} & set(record.fields):
        what = "assigns nuggets to an answer, not to a document"
        raise record.error(what, "assign with --input-kind retrieval, or give judgments of documents")


def _nuggets(record: Record, members: Sequence[Record]) -> Iterator[_Nugget]:
    counts: Counter[tuple[str, str]] = Counter()
    if not members:
        raise record.error("has no nuggets", "add them, or remove the line")
    grouped = [member.has("mapped_sub_narrative") for member in members]
    if any(grouped) and not all(grouped):
        what = "has no mapped_sub_narrative, but others of its topic do"
        raise members[grouped.index(False)].error(what, "give every nugget of the topic one, or none")
    for member in members:
        text = member.text("text")
        group = _without_quotes(member.text("mapped_sub_narrative")) if grouped[0] else ""
        importance = member.text("importance") if member.has("importance") else ""
        yield _Nugget(text, group, importance, counts[group, text])
        counts[group, text] += 1


def _assignment(nugget: Record) -> str:
    assignment = nugget.text("assignment")
    if assignment not in GRADES and assignment != FAILED:
        what = f"has the assignment {quote(assignment)}{did_you_mean(assignment, GRADES)}"
        raise nugget.error(what, f"write one of {', '.join(GRADES)}")
    return assignment


def _without_quotes(text: str) -> str:
    """Remove the quotation marks that the track's files have around a sub-narrative."""
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1].strip()
    return inner or text


def _bank(source: str, lines: Iterable[_Line]) -> NuggetFile:
    topics: dict[str, tuple[_Line, dict[tuple[str, str, int], _Nugget]]] = {}
    for line in lines:
        first, members = topics.setdefault(line.topic, (line, {}))
        if first is not line and not line.doc:
            what = f"topic {line.topic} is given again (first at {first.where})"
            raise format_error(line.where, what, "every topic once", "remove one of the two")
        for nugget in line.nuggets:
            members.setdefault((nugget.group, nugget.text, nugget.again), nugget)
    return NuggetFile(source, tuple(_topic(first, members.values()) for first, members in topics.values()))


def _topic(first: _Line, members: Iterable[_Nugget]) -> NuggetTopic:
    groups: dict[str, list[_Nugget]] = {}
    for nugget in members:
        groups.setdefault(nugget.group, []).append(nugget)
    numbered = {group: _numbered(own) for group, own in groups.items()}
    if "" in groups and len(groups) > 1:
        what = f"some lines of topic {first.topic} have a mapped_sub_narrative and some have none"
        raise format_error(first.where, what, BANK, "give every nugget of the topic one, or none")
    own = numbered.get("") or tuple(
        Nugget(str(number), group, children=children)
        for number, (group, children) in enumerate(numbered.items(), 1)
    )
    return NuggetTopic(first.where, first.topic, first.title, own)


def _numbered(members: Iterable[_Nugget]) -> tuple[Nugget, ...]:
    return tuple(Nugget(str(number), n.text, n.importance) for number, n in enumerate(members, 1))
