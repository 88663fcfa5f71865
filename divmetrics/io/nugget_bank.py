"""Read nugget banks of TREC AutoJudge, RAGTIME and Auto-ARGUE.

The formats are those of the package autojudge-base 1.0.0. A bank for each topic, in a line, a file or a file
of a folder: `{"query_id" (or "metadata": {"topic_id"}), "title_query", "nugget_bank": questions,
"claim_bank": claims}`, where questions and claims are a list or an object by text; a question has "answers"
(a list or an object, too) with "references" to documents, a claim "references"; both may have "sub_nuggets",
the second level. And `nuggets_<topic>.json`, which the package writes for Auto-ARGUE: `{question: ["OR" or
"AND", {answer: [document]}]}`.

A document has grade 1 for a nugget if the nugget or any of its answers refers to it, also where a question
needs all its answers (AND), which a warning counts; no other document is judged. Nuggets are numbered from 1.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divmetrics.core.topics import Topic
from divmetrics.errors import DivmetricsWarning
from divmetrics.io import nuggets
from divmetrics.io.columns import JudgmentColumns
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.formats import InputFile, is_legacy_bank, is_nugget_bank
from divmetrics.io.json_records import Record, records
from divmetrics.io.nuggets import Judgment, Nugget, NuggetFile, NuggetTopic

if TYPE_CHECKING:
    from divmetrics.io.formats import CallersTopics

BANK = "a nugget bank (query_id, nugget_bank of questions with answers that refer to documents)"
LEGACY_BANK = 'a nugget bank ({question: ["OR" or "AND", {answer: [document, ...]}]} in nuggets_<topic>.json)'
FILE_NAME = re.compile(r"nuggets_(.+?)\.json(?:\.gz)?")


def topics(file: InputFile, probabilities: str | None) -> tuple[Topic, ...]:
    """Read the topics of a bank, or of a folder of banks, their nuggets as intents, numbered from 1.

    probabilities: as in `read_topics`. Raises DivmetricsError, naming the line, if a bank is invalid.
    """
    return nuggets.topics(_parse(file), probabilities)


def judgments(file: InputFile, _callers_topics: CallersTopics) -> JudgmentColumns:
    """Read the judgments of a bank, or of a folder of banks: grade 1 for each document of a nugget.

    Warns of nuggets that need several answers together. Raises DivmetricsError, naming the line, if a bank is
    invalid or its nuggets refer to no document.
    """
    bank = _parse(file)
    if not bank.judgments:
        what = "has nuggets that refer to no document"
        remedy = "give judgments of documents for these nuggets, and this file as topics"
        raise format_error(bank.source, what, BANK, remedy)
    if bank.conjunctions:
        warnings.warn(
            f"{bank.source}: {bank.conjunctions} nugget(s) need all of their answers (AND), but a document "
            "that gives one of them counts as relevant",
            DivmetricsWarning,
            stacklevel=2,
        )
    return nuggets.columns(bank)


def _parse(file: InputFile) -> NuggetFile:
    if not file.json_members:
        return _parse_file(file)
    banks = [_parse_file(InputFile(path, BANK)) for path in file.json_members]
    topics = [topic for bank in banks for topic in bank.topics]
    judgments = [row for bank in banks for row in bank.judgments]
    conjunctions = sum(bank.conjunctions for bank in banks)
    return NuggetFile(os.fspath(file.path), topics, judgments, conjunctions=conjunctions)


def _parse_file(file: InputFile) -> NuggetFile:
    if is_nugget_bank(file):
        return _banks(file.contents)
    if is_legacy_bank(file):
        return _legacy_bank(file.contents)
    what = "is not a nugget bank, but is in the folder of nugget banks"
    raise format_error(file.contents.source, what, BANK, "give the file itself, or remove it from there")


def _banks(contents: Contents) -> NuggetFile:
    topics: list[NuggetTopic] = []
    judgments: list[Judgment] = []
    conjunctions = 0
    for record in records(contents, BANK):
        if record.has("query_id") or not record.has("metadata"):
            topic = record.id("query_id")
        else:
            topic = record.record(record.fields["metadata"], "metadata").id("topic_id")
        members = (member for key in ("nugget_bank", "claim_bank") for member in _members(record, key))
        own = []
        for number, nugget in enumerate(members, 1):
            judgments += _judgments(nugget, topic, str(number), "")
            conjunctions += _needs_all(nugget.fields.get("aggregator_type"), [*_members(nugget, "answers")])
            children = []
            for count, child in enumerate(_members(nugget, "sub_nuggets"), 1):
                if child.has("sub_nuggets") and child.fields["sub_nuggets"]:
                    raise child.error(
                        "has sub_nuggets of its own, a third level", "leave out the third level"
                    )
                children.append(_nugget(child, count))
                judgments += _judgments(child, topic, str(number), str(count))
            own.append(_nugget(nugget, number, tuple(children)))
        topics.append(NuggetTopic(record.where, topic, record.first_text("title_query"), tuple(own)))
    return NuggetFile(contents.source, topics, judgments, conjunctions=conjunctions)


def _legacy_bank(contents: Contents) -> NuggetFile:
    """Parse the one topic of `nuggets_<topic>.json`."""
    name = FILE_NAME.fullmatch(Path(contents.source).name)
    if name is None:
        what = "does not say in its name which topic it is for"
        raise format_error(contents.source, what, LEGACY_BANK, "call it nuggets_<topic>.json")
    record, *others = records(contents, LEGACY_BANK)
    if others:
        raise format_error(others[0].where, "is a second object", LEGACY_BANK, "give one file for each topic")
    judgments, conjunctions = [], 0
    for number, pair in enumerate(record.fields.values(), 1):
        has_mode = isinstance(pair, list) and len(pair) == 2
        answers = record.record(pair[1] if has_mode else pair, f"nugget {number}")
        conjunctions += _needs_all(pair[0] if has_mode else "", answers.fields)
        docs = dict.fromkeys(doc for answer in answers.fields for doc in answers.ids(answer))
        judgments += [Judgment(answers.where, name[1], str(number), "", doc, 1) for doc in docs]
    questions = tuple(Nugget(str(number), question) for number, question in enumerate(record.fields, 1))
    topic = NuggetTopic(record.where, name[1], "", questions)
    return NuggetFile(contents.source, [topic], judgments, conjunctions=conjunctions)


def _needs_all(mode: Any, answers: Sized) -> bool:
    """Return whether a nugget needs several answers together."""
    return mode == "AND" and len(answers) > 1


def _members(record: Record, key: str) -> Iterator[Record]:
    """Yield the objects in the field `key`: a list, or an object whose keys are their texts."""
    value = record.fields.get(key)
    if isinstance(value, dict):
        for number, member in enumerate(value.values(), 1):
            yield record.record(member, f"{key} {number}")
    elif value is not None:
        yield from record.records(key, key)


def _judgments(nugget: Record, topic: str, number: str, child: str) -> list[Judgment]:
    """Return a judgment for each document to which a nugget or one of its answers refers, in order.

    number: the id of the nugget, or of its parent; child: its id as a sub-nugget, else "".
    """
    docs: dict[str, Any] = {}
    for holder in (nugget, *_members(nugget, "answers")):
        references = holder.values("references") if holder.has("references") else []
        for count, reference in enumerate(references, 1):
            name = f"reference {count}"
            if isinstance(reference, dict):
                docs[holder.record(reference, name).id("doc_id")] = None
            else:
                docs[holder.check_id(reference, name)] = None
    return [Judgment(nugget.where, topic, number, child, doc, 1) for doc in docs]


def _nugget(record: Record, number: int, children: tuple[Nugget, ...] = ()) -> Nugget:
    text = record.text("claim" if record.has("claim") else "question")
    return Nugget(str(number), text, record.id("importance") if record.has("importance") else "", children)
