"""Edits of a page (two lists A and B of one topic): move a document, or change a grade.

A move takes a document out of its list and inserts it at another rank; the documents between shift by one
rank. Its size in steps is the number of ranks moved. A regrade changes the grade of one document for one
intent, in both lists and in the judgments from which ideal lists are built; its size is the difference of the
grades.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Literal, TypeVar

import numpy as np

from divmetrics.core.judgments import Judgments

T = TypeVar("T")
Side = Literal["A", "B"]


@dataclass(frozen=True)
class Move:
    """A move of one document of list A or B to another rank.

    Parameters
    ----------
    side : "A" or "B"
        The list.
    doc : str
        The document.
    start, end : int
        Its rank before and after the move, counted from 1.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Move
    >>> print(Move("A", "d7", start=3, end=1))
    move d7 in A up from rank 3 to rank 1
    """

    side: Side
    doc: str
    start: int
    end: int

    def __str__(self) -> str:
        way = "up" if self.end < self.start else "down"
        return f"move {self.doc} in {self.side} {way} from rank {self.start} to rank {self.end}"


@dataclass(frozen=True)
class Regrade:
    """A change of the grade of one document for one intent.

    Parameters
    ----------
    doc : str
        The document.
    intent : str
        The first-level intent.
    old, new : int
        The grade before and after the change.

    Examples
    --------
    >>> from divmetrics.research.counterfactual import Regrade
    >>> print(Regrade("d7", "film", old=1, new=2))
    grade d7 2 instead of 1 for film
    """

    doc: str
    intent: str
    old: int
    new: int

    def __str__(self) -> str:
        return f"grade {self.doc} {self.new} instead of {self.old} for {self.intent}"


Edit = Move | Regrade


@dataclass(frozen=True)
class Reordering:
    """A permutation of a list: the old position at each rank, and the moves (old, new) that make it."""

    positions: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    steps: int


def orders(length: int, moves: int, most: int) -> tuple[list[Reordering], bool]:
    """Return the orders of a list that take exactly `moves` moves, smallest first, and whether these are all.

    If there are more than `most` orders, only orders that move documents by few ranks are tried.
    """
    start = Reordering(tuple(range(length)), (), 0)
    visited, current = {start.positions}, [start]
    complete = True
    for _ in range(moves):
        reached: dict[tuple[int, ...], Reordering] = {}
        for before in current:
            for source, target in _all_moves(length):
                if len(reached) > 2 * most:
                    complete = False
                    break
                positions = _move_item(before.positions, source, target)
                steps = before.steps + abs(source - target)
                if positions not in visited and (
                    positions not in reached or steps < reached[positions].steps
                ):
                    reached[positions] = Reordering(positions, (*before.moves, (source, target)), steps)
        current = sorted(reached.values(), key=lambda order: order.steps)
        complete = complete and len(current) <= most
        current = current[:most]
        visited |= reached.keys()
    return current, complete


def _all_moves(length: int) -> Iterator[tuple[int, int]]:
    """Yield all moves (old, new position) in a list of `length`, the shortest first; a swap only once."""
    for step in range(1, length):
        for upper in range(length - step):
            yield upper + step, upper
            if step > 1:
                yield upper, upper + step


def _move_item(docs: Sequence[T], source: int, target: int) -> tuple[T, ...]:
    """Return the sequence with the item at position `source` moved to position `target` (both from 0)."""
    rest = [*docs[:source], *docs[source + 1 :]]
    return (*rest[:target], docs[source], *rest[target:])


def moves_between(side: Side, docs: Sequence[str], order: Reordering) -> list[Move]:
    """Return the moves, applied one after the other, that bring list A or B (`side`) into an order."""
    moves = []
    for source, target in order.moves:
        moves.append(Move(side, docs[source], source + 1, target + 1))
        docs = _move_item(docs, source, target)
    return moves


def fewest_moves(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the smallest number of moves that turn one order of documents into another order of the same.

    The documents of a longest increasing subsequence stay; every other document is moved once.
    """
    rank = {doc: k for k, doc in enumerate(old)}
    ends: list[int] = []  # the lowest rank at which an increasing subsequence of each length can end
    for k in (rank[doc] for doc in new):
        position = bisect_left(ends, k)
        ends[position : position + 1] = [k]
    return len(old) - len(ends)


def regrades(
    judgments: Judgments, docs: Iterable[str], count: int, most: int
) -> tuple[list[tuple[Regrade, ...]], bool]:
    """Return at most `most` sets of `count` new grades of the documents, and whether these are all.

    A set has one new grade, from 0 to the top of the scale, for each of `count` pairs of a document and an
    intent. Sets with the smallest changes come first; without new grades (`count` 0) there is one empty set.
    """
    single = sorted(
        (
            Regrade(doc, intent.id, old, new)
            for doc in docs
            for intent in judgments.topic.intents
            for old in [judgments.labels(doc).get(intent.id, 0)]
            for new in range(judgments.scale + 1)
            if new != old
        ),
        key=lambda change: total_grade_change([change]),
    )
    distinct = (
        changes
        for changes in combinations(single, count)
        if len({(change.doc, change.intent) for change in changes}) == count
    )
    sets = list(islice(distinct, most + 1))
    return sorted(sets[:most], key=total_grade_change), len(sets) <= most


def total_grade_change(changes: Iterable[Regrade]) -> int:
    """Return the sum of the absolute differences of grades."""
    return sum(abs(change.new - change.old) for change in changes)


def apply_regrades(judgments: Judgments, changes: Iterable[Regrade]) -> Judgments:
    """Return the judgments with changed grades, on the same scale; unjudged documents become judged."""
    new = {(change.doc, change.intent): change.new for change in changes}
    if not new:
        return judgments
    docs = tuple(sorted({*judgments.docs, *(doc for doc, _ in new)}))
    column = {doc: position for position, doc in enumerate(docs)}
    grades = np.zeros((len(judgments.topic.intents), len(docs)), dtype=np.int64)
    grades[:, [column[doc] for doc in judgments.docs]] = judgments.grades
    row = {intent.id: position for position, intent in enumerate(judgments.topic.intents)}
    for (doc, intent), grade in new.items():
        grades[row[intent], column[doc]] = grade
    changed = replace(judgments, docs=docs, grades=grades)
    return changed.with_scale(judgments.scale, max(judgments.adhoc_scale, changed.top_adhoc_grade))
