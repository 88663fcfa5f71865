"""Nugget banks of TREC AutoJudge, RAGTIME and Auto-ARGUE.

Read as the package autojudge-base 1.0.0 has them. A bank for each topic, in a line, a file or a file of a
folder: `{"query_id" (or "metadata": {"topic_id"}), "title_query", "nugget_bank": questions, "claim_bank":
claims}`, where questions and claims are a list or an object by text; a question has "answers" (a list or an
object, too) with "references" to documents, a claim "references"; both may have "sub_nuggets", the second
level. And what the package writes for Auto-ARGUE, `nuggets_<topic>.json`: `{question: ["OR" or "AND",
{answer: [document]}]}`.

A document is relevant (grade 1) to a nugget that refers to it, whichever of its answers does, also where all
of them together are asked for (AND); no other document is judged. Nuggets count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from divmetrics.io import json_records
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.json_records import Record
from divmetrics.io.nuggets import Judgment, Nugget, NuggetFile, NuggetTopic

BANK = "a nugget bank (query_id, nugget_bank of questions with answers that refer to documents)"
OLDER = 'a nugget bank ({question: ["OR" or "AND", {answer: [document, ...]}]} in nuggets_<topic>.json)'
FILE_NAME = re.compile(r"nuggets_(.+?)\.json(?:\.gz)?")


def is_bank(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object is a nugget bank."""
    return bool({"nugget_bank", "claim_bank"} & set(first))


def is_legacy_bank(first: Mapping[str, Any]) -> bool:
    """Whether the object is one of pairs, as in `nuggets_<topic>.json`."""
    return bool(first) and all(
        isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], dict) for pair in first.values()
    )


def parse_banks(contents: Contents, judged: bool) -> NuggetFile:
    """Topics and judgments of banks; judged: a bank that refers to no document is refused."""
    topics, judgments = [], []
    for record in json_records.records(contents, BANK):
        own = record
        if not record.has("query_id") and record.has("metadata"):
            own = record.record(record.fields["metadata"], "metadata")
        topic = own.id("query_id" if own is record else "topic_id")
        nuggets = []
        listed = (member for key in ("nugget_bank", "claim_bank") for member in _members(record, key))
        for number, nugget in enumerate(listed, 1):
            children = []
            judgments += [_judged(nugget, topic, str(number), "", doc) for doc in _documents(nugget)]
            for count, child in enumerate(_members(nugget, "sub_nuggets"), 1):
                if child.has("sub_nuggets") and child.fields["sub_nuggets"]:
                    raise child.refusal(
                        "has sub_nuggets of its own, a third level", "leave out the third level"
                    )
                children.append(Nugget(str(count), _text(child), _importance(child)))
                judgments += [
                    _judged(child, topic, str(number), str(count), doc) for doc in _documents(child)
                ]
            nuggets.append(Nugget(str(number), _text(nugget), _importance(nugget), tuple(children)))
        title = record.fields.get("title_query")
        title = title if isinstance(title, str) else ""
        topics.append(NuggetTopic(record.where, topic, title, tuple(nuggets)))
    return require_judgments(NuggetFile(contents.source, tuple(topics), tuple(judgments)), judged)


def parse_legacy_bank(contents: Contents, judged: bool) -> NuggetFile:
    """The one topic of `nuggets_<topic>.json`, which its name says."""
    named = FILE_NAME.fullmatch(Path(contents.source).name)
    if named is None:
        what = "does not say in its name which topic it is for"
        raise format_error(contents.source, what, OLDER, "call it nuggets_<topic>.json")
    topic, nuggets, judgments = named.group(1), [], []
    record, *others = json_records.records(contents, OLDER)
    if others:
        raise format_error(others[0].where, "is a second object", OLDER, "give one file for each topic")
    for number, (question, pair) in enumerate(record.fields.items(), 1):
        nuggets.append(Nugget(str(number), question))
        whole = isinstance(pair, list) and len(pair) == 2
        answers = record.record(pair[1] if whole else pair, f"nugget {number}")
        docs = dict.fromkeys(doc for answer in answers.fields for doc in answers.ids(answer))
        judgments += [_judged(answers, topic, str(number), "", doc) for doc in docs]
    found = NuggetTopic(record.where, topic, "", tuple(nuggets))
    return require_judgments(NuggetFile(contents.source, (found,), tuple(judgments)), judged)


def require_judgments(file: NuggetFile, judged: bool) -> NuggetFile:
    """The same; refused where documents should be judged and none is."""
    if judged and not file.judgments:
        what = "has nuggets that refer to no document"
        remedy = "give judgments of documents for these nuggets, and this file as topics"
        raise format_error(file.source, what, BANK, remedy)
    return file


def _judged(nugget: Record, topic: str, number: str, child: str, doc: str) -> Judgment:
    return Judgment(nugget.where, topic, number, child, doc, 1)


def _members(record: Record, key: str) -> Iterator[Record]:
    """The objects of a list, or of an object that has them by text."""
    if not record.has(key):
        return
    value = record.fields[key]
    if isinstance(value, dict):
        for number, member in enumerate(value.values(), 1):
            yield record.record(member, f"{key} {number}")
    else:
        yield from record.records(key, key)


def _documents(nugget: Record) -> dict[str, None]:
    """The documents that a nugget or one of its answers refers to, each once, in order."""
    found: dict[str, None] = {}
    for holder in (nugget, *_members(nugget, "answers")):
        if not holder.has("references"):
            continue
        for number, reference in enumerate(holder.values("references"), 1):
            if isinstance(reference, dict):
                found[holder.record(reference, f"reference {number}").id("doc_id")] = None
            else:
                plain = {f"reference {number}": reference}
                found[Record(holder.where, plain, holder.expected, holder.name).id(f"reference {number}")] = (
                    None
                )
    return found


def _text(nugget: Record) -> str:
    return nugget.text("claim" if nugget.has("claim") else "question")


def _importance(nugget: Record) -> str:
    return nugget.id("importance") if nugget.has("importance") else ""
