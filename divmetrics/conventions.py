"""The same name, other numbers: a convention is a table of rows, and what it assumes about files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.metric import BaseMetric

Order = Literal["score", "rank", "file"]
MeanOver = Literal["judged", "both"]


@dataclass(frozen=True)
class Convention:
    """A table of rows with the defaults that go with it.

    order: how a run's list is ordered: by score with ties by document id descending, by the rank column, or
    as the file has it. mean_over: the topics that are scored: all in the judgments (a missing list scores
    0), or those that both the judgments and the run have.
    """

    name: str
    rows: Mapping[str, BaseMetric]
    order: Order
    mean_over: MeanOver
    about: str


@cache
def conventions() -> Mapping[str, Convention]:
    """Every convention, by name."""
    from divmetrics.tables import adhoc, paper

    rows = {row.name: row for row in (*paper.ROWS, *adhoc.ROWS)}
    known = (
        Convention(
            "paper",
            rows,
            order="score",
            mean_over="judged",
            about="the metrics as their papers define them; grades kept, every intent of the topic counted",
        ),
    )
    return {convention.name: convention for convention in known}


def convention(name: str) -> Convention:
    """One convention; an unknown name is an error that lists the known ones."""
    known = conventions()
    if name not in known:
        raise DivmetricsError(
            f"there is no convention {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}"
        )
    return known[name]
