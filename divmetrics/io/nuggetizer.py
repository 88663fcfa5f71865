"""Read nuggetizer's JSON lines, and the TREC RAG track's.

Written by `nuggetizer` (castorini/nuggetizer 0.0.6): banks, a line `{"qid", "query", "nuggets": [{"text",
"importance"}]}` per topic, and assignments, a line `{"qid", "text", "docid", "nuggets": [{"text",
"importance", "assignment"}]}` per topic and document, or `{"qid", "query", "answer_text", "run_id",
"nuggets"}` per topic and answer. An answer is a list of one document, which has the name of the run. Each of
them may be in an envelope, `{"schema_version": "castorini.cli.v1", "artifacts": [{"data": [...]}]}`. The
TREC RAG track's nuggets (the 2026 development data, `rag25-dev-nuggets.jsonl`) are banks whose nuggets also
have a `mapped_sub_narrative`: the first level, with the nuggets below it. Nuggets have no ids: they count
from 1.

A pool of documents to be judged is a run: `{"query": {"qid"}, "candidates": [{"docid"}]}` per topic.

A label other than nuggetizer's is like a failed assignment: the document is not judged for the nugget, and an
answer does not support it. If no label of a topic can be read, its documents support nothing, so that the
topic stays in the mean.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from divmetrics.core.checks import quote
from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsWarning, some
from divmetrics.io import nuggets
from divmetrics.io.answers import ranked_columns
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.file_contents import Contents, file_stem, format_error
from divmetrics.io.json_records import Record, records
from divmetrics.io.nuggets import ByText, Judgment, Nugget, NuggetFile, NuggetTopic
from divmetrics.io.validate import topic_id

if TYPE_CHECKING:
    from divmetrics.io.formats import CallersTopics, InputFile

GRADES = {"support": 2, "partial_support": 1, "not_support": 0}
UNKNOWN = "unknown"  # the importance of a nugget whose importance is empty
TOPIC = ("qid", "query_id")
WHOLE_TOPIC = "0"  # what the documents of a topic without nuggets are judged for
BANK = "nuggets of a topic (qid, nuggets with text, and perhaps importance and mapped_sub_narrative)"
ASSIGNMENTS = (
    "nuggets assigned to a document or an answer (qid, docid or run_id, nuggets with text and assignment)"
)
POOL = "documents by topic (query with qid, candidates with docid)"


class _Nugget(NamedTuple):
    """A nugget in a line; `again` counts the earlier ones in the line with its text and group."""

    text: str
    group: str
    importance: str
    again: int


class _Line(NamedTuple):
    """A line; `doc` and `assignments` are empty in a bank; `doc` is the name of the run of an answer."""

    where: str
    topic: str
    title: str
    doc: str
    nuggets: tuple[_Nugget, ...]
    assignments: tuple[str, ...]
    is_answer: bool


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read the topics of a bank or of assignments, their nuggets as intents, in order of appearance.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if the file is invalid.
    """
    contents = file.contents
    return nuggets.topics(_bank(contents.source, _lines(contents, BANK, judged=False)), probabilities)


def judgments(file: InputFile, callers_topics: CallersTopics) -> JudgmentColumns:
    """Read assignments of nuggets to documents or answers, with the nuggets as intents.

    callers_topics: returns the topics whose nuggets were assigned, which are matched by text; None numbers
    the nuggets as they appear. `file.further` is read as if it stood in the same file. The runs of answers
    are `own_runs` of the columns. Warns of labels that are none of nuggetizer's, and of runs with different
    nuggets. Raises DivmetricsError, naming the line, if a file is invalid or a nugget is none of the topics'.
    """
    source = file.contents.source
    if file.further:
        source = f"{source} and {len(file.further)} more file(s)"
    lines = [
        line for each in (file, *file.further) for line in _lines(each.contents, ASSIGNMENTS, judged=True)
    ]
    bank, topics_of_caller = _bank(source, lines), callers_topics()
    by_text = ByText(nuggets.topics(bank, "uniform") if topics_of_caller is None else topics_of_caller)
    ids: dict[tuple[str, _Nugget], tuple[str, str]] = {}
    readable = {
        line.topic for line in lines if not line.is_answer and not GRADES.keys().isdisjoint(line.assignments)
    }
    rows: list[Judgment] = []
    no_labels: Counter[str] = Counter()
    runs: dict[str, dict[str, list[str]]] = {}
    for where, topic, _, doc, members, assignments, is_answer in lines:
        if is_answer:
            runs.setdefault(doc, {})[topic_id(topic)] = [doc]
        if not members:
            rows.append(Judgment(where, topic, WHOLE_TOPIC, "", doc, 0))
        for number, (nugget, assignment) in enumerate(zip(members, assignments, strict=True), 1):
            if assignment not in GRADES:
                no_labels[assignment] += 1
                if topic in readable and not is_answer:
                    continue
            if (topic, nugget) not in ids:
                match = by_text.find(topic, nugget.text, nugget.again, nugget.group)
                if match is None:
                    hint = by_text.hint(topic, nugget.text)
                    what = f"nugget {number} ({quote(nugget.text)}) is not a nugget of topic {topic}{hint}"
                    remedy = "give as topics the nuggets that were assigned, on all their levels"
                    raise format_error(where, what, ASSIGNMENTS, remedy)
                ids[topic, nugget] = match
            rows.append(Judgment(where, topic, *ids[topic, nugget], doc, GRADES.get(assignment, 0)))
    if no_labels:
        _warn_of_labels(source, no_labels, sum(len(line.nuggets) for line in lines), bool(runs))
    _warn_of_other_nuggets(source, lines)
    return replace(nuggets.columns(bank._replace(judgments=tuple(rows))), own_runs=runs)


def run(file: InputFile) -> RunColumns:
    """Read a pool of documents as a run, in the order of the candidates; its tag is the file's name.

    Raises DivmetricsError, naming the line, if the file is invalid or holds judgments.
    """
    topics, docs = [], []
    for record in _records(file.contents, POOL):
        if not record.has("candidates"):
            what = "assigns nuggets, which are judgments" if record.has("nuggets") else "has no candidates"
            remedy = "give it as judgments; a file of answers needs no further run"
            raise record.error(what, remedy)
        query = record.record(record.fields.get("query"), "query")
        for candidate in record.records("candidates", "candidate"):
            topics.append(query.id(*TOPIC))
            docs.append(candidate.id("docid"))
    return ranked_columns(file.contents.source, topics, docs)


def _warn_of_labels(source: str, labels: Counter[str], total: int, answers: bool) -> None:
    effect = "support nothing" if answers else "are left out, as if not judged"
    warnings.warn(
        f"{source}: {labels.total()} of {total} assignment(s) failed or are no label "
        f"({nuggets.count_labels(labels)}) and {effect}",
        DivmetricsWarning,
        stacklevel=3,
    )


def _warn_of_other_nuggets(source: str, lines: Iterable[_Line]) -> None:
    """Warn if answers to one topic were assigned other nuggets, or nuggets of another importance."""
    sets: dict[str, set[frozenset[_Nugget]]] = {}
    for line in lines:
        if line.is_answer:
            sets.setdefault(line.topic, set()).add(frozenset(line.nuggets))
    if uneven := [topic for topic, own in sets.items() if len(own) > 1]:
        warnings.warn(
            f"{source}: the runs were assigned different nuggets for {len(uneven)} topic(s) "
            f"({some(uneven)}); every run is scored on all nuggets of the topic, with the importance that "
            "stands first; in a file of its own, a run is scored on its own nuggets",
            DivmetricsWarning,
            stacklevel=3,
        )


def _records(contents: Contents, expected: str) -> Iterator[Record]:
    """Yield the objects of a file, taken out of envelopes."""
    for record in records(contents, expected):
        if not record.has("artifacts"):
            yield record
            continue
        for artifact in record.records("artifacts", "artifact"):
            held = artifact.fields.get("data", artifact.fields.get("value"))
            for number, inner in enumerate(held if isinstance(held, list) else [held], 1):
                yield artifact.record(inner, f"entry {number}")


def _lines(contents: Contents, expected: str, judged: bool) -> Iterator[_Line]:
    shared: dict[_Nugget, _Nugget] = {}  # every document has the nuggets of its topic
    for record in _records(contents, expected):
        if record.has("candidates"):
            what = "holds documents to which no nuggets are assigned yet"
            raise record.error(what, "run nuggetizer on it, and give what it writes; or give it as a run")
        is_answer = not record.has("docid") and (record.has("answer_text") or record.has("run_id"))
        if judged and not record.has("docid") and not is_answer:
            remedy = "give nuggets assigned to documents as judgments, and this file as topics"
            raise record.error("has nuggets but no docid: no document is judged", remedy)
        members = list(record.records("nuggets", "nugget"))
        doc = record.id("docid") if record.has("docid") else ""
        if is_answer:
            doc = record.id("run_id") if record.has("run_id") else file_stem(contents.source)
        yield _Line(
            record.where,
            record.id(*TOPIC),
            record.first_text("query", "text"),
            doc,
            tuple(shared.setdefault(nugget, nugget) for nugget in _nuggets(record, members)),
            tuple(map(_label, members)) if judged else (),
            is_answer,
        )


def _label(nugget: Record) -> str:
    """Return the assignment of a nugget, `null` if it is that."""
    if nugget.fields.get("assignment", "") is None:
        return "null"
    return nugget.text("assignment", empty=True)


def _nuggets(record: Record, members: Sequence[Record]) -> Iterator[_Nugget]:
    counts: Counter[tuple[str, str]] = Counter()
    grouped = [member.has("mapped_sub_narrative") for member in members]
    if any(grouped) and not all(grouped):
        what = "has no mapped_sub_narrative, but others of its topic do"
        raise members[grouped.index(False)].error(what, "give every nugget of the topic one, or none")
    for member in members:
        text = member.text("text")
        group = _without_quotes(member.text("mapped_sub_narrative")) if grouped[0] else ""
        importance = ""
        if member.has("importance"):
            importance = member.text("importance", empty=True)
            importance = importance if importance.strip() else UNKNOWN
        yield _Nugget(text, group, importance, counts[group, text])
        counts[group, text] += 1


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
    own = tuple(_topic(first, members.values()) for first, members in topics.values())
    return NuggetFile(source, own, allows_none=True)


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
