"""Which two of many lists do two metrics disagree on most, and which two with the fewest edits?

One metric prefers A to B by first_A - first_B, the other B to A by second_B - second_A; both want to be
large. Turned so that both count upwards, A lies above and to the right of B, and the smaller margin is the
side of the largest square between them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from divmetrics.core.collection import RankedList

REGROUPING = 500  # lists that could be regrouped in the time that a regrouping takes by itself


@dataclass(frozen=True, eq=False)
class ScoredLists:
    """Lists and their scores under two metrics, (list,), sorted by the first (ties: the second falling).

    place: where each list stands in the order of the caller. height and crossing: the order, as whole numbers
    from 0, of the second score and of the sum of both.
    """

    first: np.ndarray
    second: np.ndarray
    place: np.ndarray
    height: np.ndarray
    crossing: np.ndarray

    @classmethod
    def of(cls, first: np.ndarray, second: np.ndarray) -> ScoredLists:
        """From the scores of all lists under each metric."""
        place = np.lexsort((-second, first))
        first, second = first[place], second[place]
        height, crossing = (np.unique(x, return_inverse=True)[1] for x in (second, first + second))
        return cls(first, second, place, height, crossing)

    def pairs(self, key: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each list A, the B with the same key and the largest smaller margin.

        key: whole numbers, in the order of the caller; without it, any two lists may make a pair. Returns the
        places of A and of B, and that smaller margin, (list,) each; a list with nobody to disagree on has a
        margin of 0 or less. Takes O(n log n): B can always be taken from the *corners*, below and to the
        left of which there is no other list. Along these one margin of A rises and the other falls, and the
        best corner is where they cross, which is where the sum of the scores is that of A.
        """
        order = np.arange(len(self.first))
        keys = np.zeros_like(order)
        if key is not None:
            keys = key[self.place]
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
        group = np.cumsum(np.append(False, keys[1:] != keys[:-1]))
        # Groups follow each other upwards, so that a running maximum starts anew with each of them.
        height, crossing = (group * len(order) + x[order] for x in (self.height, self.crossing))
        highest = np.maximum.accumulate(height)
        corners = np.flatnonzero(np.append(True, height[1:] > highest[:-1]))
        after = np.searchsorted(crossing[corners], crossing)
        tried = corners[np.clip([after - 1, after], 0, len(corners) - 1)]
        first, second = self.first[order], self.second[order]
        margins = np.minimum(first - first[tried], second[tried] - second)
        margins[group[tried] != group] = -np.inf
        chosen = np.where(margins[1] > margins[0], tried[1], tried[0])
        return self.place[order], self.place[order[chosen]], margins.max(axis=0)


def fewest_edits(
    lists: np.ndarray, first: np.ndarray, second: np.ndarray, margin: float, work: float = math.inf
) -> tuple[int, int, tuple[int, ...]] | None:
    """Of the pairs with both margins at least `margin`, one with the fewest edits; then the largest margin.

    lists: (list, rank), whole numbers. An edit swaps the documents at two ranks, or replaces one by a
    document that is not in the list. Returns the places of A and B and what the edits do to the ranks
    (`regroupings`); None where there is no such pair, or more than `work` lists would have to be regrouped.
    """
    length = lists.shape[1]
    preferences = ScoredLists.of(first, second)
    base = int(lists.max(initial=0)) + 2  # 0 is for a replaced rank
    powers = np.array([pow(base | 1, k, 2**63) for k in range(length)], dtype=np.int64)
    done = 0
    for edits in range(1, length + 1 if len(lists) else 0):
        best: tuple[float, int, int, tuple[int, ...]] | None = None
        for labels in regroupings(length, edits):
            done += len(lists) + REGROUPING
            if done > work:
                return None
            a, b, margins = preferences.pairs(_regrouped(lists, labels) @ powers)
            top = margins.argmax()
            if margins[top] >= margin and (best is None or margins[top] > best[0]):
                best = float(margins[top]), int(a[top]), int(b[top]), labels
        if best is not None:
            return best[1:]
    return None


def max_lists(length: int, work: int) -> int:
    """How many lists can be regrouped in all length (length + 1) / 2 ways to make one edit."""
    return max(2 * work // (length * (length + 1)) - REGROUPING, 0)


def regroupings(length: int, edits: int) -> Iterator[tuple[int, ...]]:
    """Every way in which so many edits can change a list, as a label for each rank.

    Ranks labelled 0 are replaced, one edit each. Ranks with the same other label exchange their documents
    among themselves, one edit less than there are of them; alone, a rank stays as it is. If 0 is counted
    even where no rank has it, these are the partitions of length + 1 things into length + 1 - edits blocks.
    """

    def extend(labels: tuple[int, ...], highest: int) -> Iterator[tuple[int, ...]]:
        left, missing = length - len(labels), length - edits - highest
        if not left:
            yield labels
        if left > missing:
            for label in range(highest + 1):
                yield from extend((*labels, label), highest)
        if missing:
            yield from extend((*labels, highest + 1), highest + 1)

    yield from extend((), 0)


def _regrouped(lists: np.ndarray, labels: tuple[int, ...]) -> np.ndarray:
    """Lists that become equal are those which the edits can turn into each other."""
    out = lists + 1
    for label, count in Counter(labels).items():
        if label == 0 or count > 1:
            ranks = [k for k, other in enumerate(labels) if other == label]
            out[:, ranks] = 0 if label == 0 else np.sort(out[:, ranks], axis=1)
    return out


def count_edits(a: RankedList, b: RankedList) -> int:
    """The fewest edits that turn list a into list b, of the same length and over the same judgments.

    A rank that changes costs one edit; a round of documents that take each other's places costs one less.
    """
    becomes = {old: new for old, new in zip(a.docs, b.docs, strict=True) if old != new}
    edits = len(becomes)
    while becomes:
        start, doc = becomes.popitem()
        while doc in becomes:
            doc = becomes.pop(doc)
        edits -= doc == start
    return edits
