"""The same name, other numbers: a convention is a table of rows, and what it assumes about files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError, did_you_mean

RunOrder = Literal["score", "rank", "file"]
MeanOver = Literal["judged", "both"]


@dataclass(frozen=True)
class Convention:
    """A table of rows with the defaults that go with it.

    order: how a run's list is ordered: by score with ties by document id descending, by the rank column, or
    as the file has it. mean_over: the topics that are scored: all in the judgments (a missing list scores
    0), or those that both the judgments and the run have. whole_topic_counts: is TREC's subtopic 0 an intent
    where a topic has others too?
    """

    name: str
    rows: Mapping[str, BaseMetric]
    order: RunOrder
    mean_over: MeanOver
    whole_topic_counts: bool
    about: str


@cache
def conventions() -> Mapping[str, Convention]:
    """Every convention, by name."""
    from divmetrics.conventions import adhoc, ndeval, ntcireval, paper

    # fmt: off
    known = (
        Convention("paper", _by_name((*paper.ROWS, *adhoc.ROWS)), "score", "judged", whole_topic_counts=False,
        about="the metrics as their papers define them; grades kept, every intent of the topic counted"),
        Convention("ndeval", _by_name(ndeval.ROWS), "rank", "both", whole_topic_counts=True,
        about="the TREC Web track's program; binary grades, intents with a relevant document, all alike"),
        Convention("ntcireval", _by_name(ntcireval.ROWS), "file", "judged", whole_topic_counts=False,
        about="NTCIREVAL; graded gains, stopping with g/(h+1), intents with a relevant document in I-rec"),
    )
    # fmt: on
    return {convention.name: convention for convention in known}


def _by_name(rows: Iterable[BaseMetric]) -> dict[str, BaseMetric]:
    return {row.name: row for row in rows}


def convention(name: str) -> Convention:
    """One convention; an unknown name is an error that lists the known ones."""
    known = conventions()
    if name not in known:
        raise DivmetricsError(
            f"there is no convention {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}"
        )
    return known[name]
