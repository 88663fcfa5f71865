"""Which nugget file this is: told by the first object in it, not by the file's name."""

from __future__ import annotations

from collections.abc import Sequence

from divmetrics.core.collection import Topic
from divmetrics.readers import freshstack, json_entries, nugget_bank, nuggetizer
from divmetrics.readers.columns import RunColumns
from divmetrics.readers.nuggets import NuggetFile
from divmetrics.readers.opening import Contents, refusal

EXPECTED = (
    "nuggets with the documents judged for them (nuggetizer's assignments, FreshStack's or a nugget bank)"
)


def judgments(contents: Contents, described: Sequence[Topic] | None) -> NuggetFile:
    """What a JSON file judges; described: the topics given, which it may need to know its nuggets."""
    first = json_entries.first_object(contents)
    if freshstack.has_rows(first):
        return freshstack.rows(contents)
    if nuggetizer.recognised(first):
        return nuggetizer.judgments(contents, described)
    if nugget_bank.recognised(first):
        return nugget_bank.banks(contents, judged=True)
    if nugget_bank.recognised_older(first):
        return nugget_bank.older(contents, judged=True)
    if freshstack.is_qrels_nuggets(first):
        return freshstack.qrels_nuggets(contents, described)
    if freshstack.is_query_to_nuggets(first):
        remedy = "give qrels_nuggets here, and this file as topics"
        raise refusal(contents.source, "has the nuggets of queries, but no judgments", EXPECTED, remedy)
    if "fls" in first:
        raise refusal(contents.source, "holds topics, not judgments", EXPECTED, "give it as the topics file")
    raise _unknown(contents, EXPECTED)


def topics(contents: Contents) -> NuggetFile | None:
    """The topics of a JSON file of nuggets; None for one that is none."""
    first = json_entries.first_object(contents)
    if freshstack.has_rows(first):
        return freshstack.rows(contents)
    if nuggetizer.recognised(first):
        return nuggetizer.bank(contents)
    if nugget_bank.recognised(first):
        return nugget_bank.banks(contents, judged=False)
    if nugget_bank.recognised_older(first):
        return nugget_bank.older(contents, judged=False)
    if freshstack.is_query_to_nuggets(first):
        return freshstack.query_to_nuggets(contents)
    return freshstack.qrels_nuggets(contents, None) if freshstack.is_qrels_nuggets(first) else None


def run(contents: Contents, expected: str) -> RunColumns:
    """A run in a JSON file."""
    if freshstack.is_qrels_nuggets(json_entries.first_object(contents)):
        return freshstack.run(contents)
    raise _unknown(contents, f"{expected}, or {freshstack.RESULTS}")


def _unknown(contents: Contents, expected: str) -> Exception:
    for _ in json_entries.records(contents, expected):  # what is no JSON at all is told first, with its line
        break
    what = "is JSON of a form that is not known here"
    return refusal(contents.source, what, expected, "check that it is the file meant, or convert it")
