"""Answers to the questions of the wrap-ups, and the small web of pages that most of them are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import divmetrics as dm
from divmetrics.core import BaseMetric

Grades = Mapping[str, Mapping[Any, int]]  # by intent, or by intent and aspect
Answer = tuple[object, str]  # and the reason

PAGES = {
    "f1": {"film": 1},
    "f2": {"film": 1},
    "f3": {"film": 1},
    "b1": {"book": 1},
    "b2": {"book": 1},
    "g1": {"game": 1},
    "fb": {"film": 1, "book": 1},
}
READERS = {"film": 0.5, "book": 0.3, "game": 0.2}


def score(
    metric: str | BaseMetric,
    docs: str,
    readers: Mapping[str, float] = READERS,
    pages: Grades = PAGES,
    navigational: str = "",
) -> float:
    """Score a list of pages, which is written with blanks between the ids.

    navigational: the intent whose readers want one page; the others are informational.
    """
    intents = tuple(
        dm.Intent(name, p, "navigational" if name == navigational else "informational")
        for name, p in readers.items()
    )
    ranked = dm.RankedList(dm.Topic("wizards", intents), docs.split(), pages)
    return (dm.metric(metric) if isinstance(metric, str) else metric).score(ranked)


def preferred(metric: str | BaseMetric, one: str, other: str, **setting: Any) -> str:
    """Return the list with the higher score, or "neither"; setting: what `score` takes beside the list."""
    difference = round(score(metric, one, **setting) - score(metric, other, **setting), 9)
    return one if difference > 0 else other if difference < 0 else "neither"
