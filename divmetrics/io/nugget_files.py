"""Which nugget file this is: told by the first object in it, not by the file's name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from divmetrics.core.collection import Topic
from divmetrics.io import freshstack, json_records, nugget_bank, nuggetizer
from divmetrics.io.columns import RunColumns
from divmetrics.io.file_contents import Contents, format_error, open_contents
from divmetrics.io.nuggets import NuggetFile

EXPECTED = (
    "nuggets with the documents judged for them (nuggetizer's assignments, FreshStack's or a nugget bank)"
)


ENDINGS = (".json", ".json.gz", ".jsonl", ".jsonl.gz")


def in_folder(path: str | os.PathLike[str], judged: bool) -> NuggetFile | None:
    """The nugget banks of a folder, a file for each topic; None where this is no folder with such files."""
    if not isinstance(path, (str, os.PathLike)):
        return None
    try:
        names = sorted(name for name in os.listdir(path) if name.endswith(ENDINGS))
    except (OSError, ValueError):
        return None
    if not names:
        return None
    banks = []
    for name in names:
        contents = open_contents(Path(path) / name, nugget_bank.BANK)
        first = json_records.first_object(contents)
        if nugget_bank.is_bank(first):
            banks.append(nugget_bank.parse_banks(contents, judged=False))
        elif nugget_bank.is_legacy_bank(first):
            banks.append(nugget_bank.parse_legacy_bank(contents, judged=False))
        else:
            what = "is not a nugget bank, but is in the folder of nugget banks"
            raise format_error(
                contents.source, what, nugget_bank.BANK, "give the file itself, or remove it from there"
            )
    together = NuggetFile(
        os.fspath(path),
        tuple(topic for bank in banks for topic in bank.topics),
        tuple(judgment for bank in banks for judgment in bank.judgments),
    )
    return nugget_bank.require_judgments(together, judged)


def judgments(contents: Contents, described: Sequence[Topic] | None) -> NuggetFile:
    """What a JSON file judges; described: the topics given, which it may need to know its nuggets."""
    first = json_records.first_object(contents)
    if freshstack.has_rows(first):
        return freshstack.rows(contents)
    if nuggetizer.is_nuggetizer(first):
        return nuggetizer.judgments(contents, described)
    if nugget_bank.is_bank(first):
        return nugget_bank.parse_banks(contents, judged=True)
    if nugget_bank.is_legacy_bank(first):
        return nugget_bank.parse_legacy_bank(contents, judged=True)
    if freshstack.is_qrels_nuggets(first):
        return freshstack.qrels_nuggets(contents, described)
    if freshstack.is_query_to_nuggets(first):
        remedy = "give qrels_nuggets here, and this file as topics"
        raise format_error(contents.source, "has the nuggets of queries, but no judgments", EXPECTED, remedy)
    if "fls" in first:
        raise format_error(
            contents.source, "holds topics, not judgments", EXPECTED, "give it as the topics file"
        )
    raise _unknown(contents, EXPECTED)


def topics(contents: Contents) -> NuggetFile | None:
    """The topics of a JSON file of nuggets; None for one that is none."""
    first = json_records.first_object(contents)
    if freshstack.has_rows(first):
        return freshstack.rows(contents)
    if nuggetizer.is_nuggetizer(first):
        return nuggetizer.bank(contents)
    if nugget_bank.is_bank(first):
        return nugget_bank.parse_banks(contents, judged=False)
    if nugget_bank.is_legacy_bank(first):
        return nugget_bank.parse_legacy_bank(contents, judged=False)
    if freshstack.is_query_to_nuggets(first):
        return freshstack.query_to_nuggets(contents)
    return freshstack.qrels_nuggets(contents, None) if freshstack.is_qrels_nuggets(first) else None


def run(contents: Contents, expected: str) -> RunColumns:
    """A run in a JSON file."""
    if freshstack.is_qrels_nuggets(json_records.first_object(contents)):
        return freshstack.run(contents)
    raise _unknown(contents, f"{expected}, or {freshstack.RESULTS}")


def _unknown(contents: Contents, expected: str) -> Exception:
    for _ in json_records.records(contents, expected):  # what is no JSON at all is told first, with its line
        break
    what = "is JSON of a form that is not known here"
    return format_error(contents.source, what, expected, "check that it is the file meant, or convert it")
