"""Edits of a page, which is two lists A and B of one topic: a document is moved, or a grade is changed.

A move takes a document out of its list and puts it back at another rank; those between close up. Its steps
are the ranks it goes. A regrade gives one document another grade for one intent, in both lists and in the
judgments that ideal lists are made of; its steps are the difference of the grades.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Literal, TypeVar

import numpy as np

from divmetrics.core.collection import Judgments

T = TypeVar("T")
Side = Literal["A", "B"]


@dataclass(frozen=True)
class Move:
    """A document of list A or B goes from one rank to another (counted from 1)."""

    side: Side
    doc: str
    start: int
    end: int

    def __str__(self) -> str:
        way = "up" if self.end < self.start else "down"
        return f"move {self.doc} in {self.side} {way} from rank {self.start} to rank {self.end}"


@dataclass(frozen=True)
class Regrade:
    """A document gets another grade for an intent."""

    doc: str
    intent: str
    old: int
    new: int

    def __str__(self) -> str:
        return f"grade {self.doc} {self.new} instead of {self.old} for {self.intent}"


Edit = Move | Regrade


@dataclass(frozen=True)
class Reordering:
    """An order of a list of which `places` are the old ones, and the moves (old rank, new rank) to it."""

    places: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    steps: int


def orders(length: int, moves: int, most: int) -> tuple[list[Reordering], bool]:
    """The orders of a list that take so many moves and no fewer, shortest moves first; and are these all?

    most: where there are more, only moves of few steps are looked at.
    """
    start = Reordering(tuple(range(length)), (), 0)
    known, found = {start.places}, [start]
    every = True
    for _ in range(moves):
        reached: dict[tuple[int, ...], Reordering] = {}
        for before in found:
            for source, target in _ways(length):
                if len(reached) > 2 * most:
                    every = False
                    break
                places = moved(before.places, source, target)
                steps = before.steps + abs(source - target)
                if places not in known and (places not in reached or steps < reached[places].steps):
                    reached[places] = Reordering(places, (*before.moves, (source, target)), steps)
        found = sorted(reached.values(), key=lambda order: order.steps)
        every = every and len(found) <= most
        found = found[:most]
        known |= reached.keys()
    return found, every


def _ways(length: int) -> Iterator[tuple[int, int]]:
    """(old rank, new rank) from 0, shortest first, upper first; to swap two neighbours counts once."""
    for step in range(1, length):
        for upper in range(length - step):
            yield upper + step, upper
            if step > 1:
                yield upper, upper + step


def moved(docs: Sequence[T], source: int, target: int) -> tuple[T, ...]:
    """The same with one thing taken from one rank to another (from 0)."""
    left = [*docs[:source], *docs[source + 1 :]]
    return (*left[:target], docs[source], *left[target:])


def moves_between(side: Side, docs: Sequence[str], order: Reordering) -> list[Move]:
    """The moves that bring a list's documents into an order, one after the other."""
    found = []
    for source, target in order.moves:
        found.append(Move(side, docs[source], source + 1, target + 1))
        docs = moved(docs, source, target)
    return found


def fewest_moves(old: Sequence[str], new: Sequence[str]) -> int:
    """The fewest moves that turn one order of these documents into the other.

    All documents of the longest part that is in order already can stay, and every other one is moved once.
    """
    rank = {doc: k for k, doc in enumerate(old)}
    ends: list[int] = []  # the least rank at which a part in order of each length can end
    for k in (rank[doc] for doc in new):
        at = bisect_left(ends, k)
        ends[at : at + 1] = [k]
    return len(old) - len(ends)


def regrades(
    pool: Judgments, docs: Iterable[str], count: int, most: int
) -> tuple[list[tuple[Regrade, ...]], bool]:
    """So many grades of these documents changed, small changes first; and are these all?"""
    one = sorted(
        (
            Regrade(doc, intent.id, old, new)
            for doc in docs
            for intent in pool.topic.intents
            for old in [pool.labels(doc).get(intent.id, 0)]
            for new in range(pool.scale + 1)
            if new != old
        ),
        key=lambda change: total_grade_change([change]),
    )
    different = (
        chosen
        for chosen in combinations(one, count)
        if len({(change.doc, change.intent) for change in chosen}) == count
    )
    found = list(islice(different, most + 1))
    return sorted(found[:most], key=total_grade_change), len(found) <= most


def total_grade_change(changes: Iterable[Regrade]) -> int:
    """By how much the grades change, all together."""
    return sum(abs(change.new - change.old) for change in changes)


def apply_regrades(pool: Judgments, changes: Iterable[Regrade]) -> Judgments:
    """The judgments with these grades, on the same scale; a document that was never judged becomes judged."""
    new = {(change.doc, change.intent): change.new for change in changes}
    if not new:
        return pool
    docs = tuple(sorted({*pool.docs, *(doc for doc, _ in new)}))
    column = {doc: place for place, doc in enumerate(docs)}
    grades = np.zeros((len(pool.topic.intents), len(docs)), dtype=np.int64)
    grades[:, [column[doc] for doc in pool.docs]] = pool.grades
    row = {intent.id: place for place, intent in enumerate(pool.topic.intents)}
    for (doc, intent), grade in new.items():
        grades[row[intent], column[doc]] = grade
    found = replace(pool, docs=docs, grades=grades)
    return found.with_scale(pool.scale, max(pool.adhoc_scale, found.top_adhoc_grade))
