"""Find the two lists on which two metrics disagree most, or with the fewest edits.

One metric prefers A to B by first_A - first_B, the other B to A by second_B - second_A; both margins should
be large. With the second axis reversed, A lies above and to the right of B, and the smaller margin is the
side of the largest square between them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from divmetrics.core.runs import RankedList

REGROUPING = 500  # fixed cost of a regrouping, in lists regrouped


@dataclass(frozen=True, eq=False)
class ScoredLists:
    """The scores of lists under two metrics, (list,) each, sorted by `first`; ties by `second`, descending.

    `place` is the index of each list in the caller's order; `height` and `crossing` are the dense ranks (from
    0) of the second score and of the sum of both scores.
    """

    first: np.ndarray
    second: np.ndarray
    place: np.ndarray
    height: np.ndarray
    crossing: np.ndarray

    @classmethod
    def of(cls, first: np.ndarray, second: np.ndarray) -> ScoredLists:
        """Sort lists by their scores `first` and `second` under the two metrics, (list,) each."""
        place = np.lexsort((-second, first))
        first, second = first[place], second[place]
        height, crossing = (np.unique(x, return_inverse=True)[1] for x in (second, first + second))
        return cls(first, second, place, height, crossing)

    def pairs(self, key: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return for each list A the list B with the same key that makes the smaller margin largest.

        `key` holds an integer per list in the caller's order; without it any two lists may form a pair.
        Returns the indices of A and of B in the caller's order, and the smaller margin, (list,) each; the
        margin is 0 or less for a list without a disagreement. Takes O(n log n): B can always be one of the
        *corners*, the lists with no other list below and to the left. Along the corners one margin of A rises
        and the other falls; the best corner is where they cross, that is, where the sum of the scores equals
        that of A.
        """
        order = np.arange(len(self.first))
        keys = np.zeros_like(order)
        if key is not None:
            keys = key[self.place]
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
        group = np.cumsum(np.append(False, keys[1:] != keys[:-1]))
        # the offset per group restarts the running maximum in each group
        height, crossing = (group * len(order) + x[order] for x in (self.height, self.crossing))
        highest = np.maximum.accumulate(height)
        corners = np.flatnonzero(np.append(True, height[1:] > highest[:-1]))
        after = np.searchsorted(crossing[corners], crossing)
        candidates = corners[np.clip([after - 1, after], 0, len(corners) - 1)]
        first, second = self.first[order], self.second[order]
        margins = np.minimum(first - first[candidates], second[candidates] - second)
        margins[group[candidates] != group] = -np.inf
        best = np.where(margins[1] > margins[0], candidates[1], candidates[0])
        return self.place[order], self.place[order[best]], margins.max(axis=0)


def fewest_edits(
    lists: np.ndarray, first: np.ndarray, second: np.ndarray, margin: float, work: float = math.inf
) -> tuple[int, int, tuple[int, ...]] | None:
    """Return a pair with both margins at least `margin` and the fewest edits, among these the largest margin.

    `lists`, (list, rank), holds kinds of documents as integers; `first` and `second` are the lists' scores,
    (list,). An edit swaps the documents at two ranks, or replaces one by a document that is not in the list.
    Returns the indices of A and B and the effect of the edits on each rank (see `_regroupings`); None if no
    pair has these margins, or if more than `work` lists would be regrouped.
    """
    length = lists.shape[1]
    preferences = ScoredLists.of(first, second)
    base = int(lists.max(initial=0)) + 2  # 0 marks a replaced rank
    powers = np.array([pow(base | 1, k, 2**63) for k in range(length)], dtype=np.int64)
    done = 0
    for edits in range(1, length + 1 if len(lists) else 0):
        best: tuple[float, int, int, tuple[int, ...]] | None = None
        for labels in _regroupings(length, edits):
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
    """Return the largest number of lists for which `fewest_edits` can try all single edits within `work`.

    A single edit has length (length + 1) / 2 regroupings, each of every list.
    """
    return max(2 * work // (length * (length + 1)) - REGROUPING, 0)


def _regroupings(length: int, edits: int) -> Iterator[tuple[int, ...]]:
    """Yield every way in which `edits` edits can change a list, as a label per rank.

    Ranks with label 0 are replaced, one edit each. Ranks that share another label permute their documents,
    with one edit fewer than ranks; a rank with a label of its own stays. If 0 counts even where no rank has
    it, these are the partitions of length + 1 things into length + 1 - edits blocks.
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
    """Return lists (list, rank) of which two are equal exactly if edits with these labels link them."""
    regrouped = lists + 1
    for label, count in Counter(labels).items():
        if label == 0 or count > 1:
            ranks = [k for k, other in enumerate(labels) if other == label]
            regrouped[:, ranks] = 0 if label == 0 else np.sort(regrouped[:, ranks], axis=1)
    return regrouped


def count_edits(a: RankedList, b: RankedList) -> int:
    """Return the fewest edits that turn list a into list b, of the same length and with the same judgments.

    A changed rank costs one edit; a cycle of documents that take each other's ranks saves one edit.
    """
    replacement = {old: new for old, new in zip(a.docs, b.docs, strict=True) if old != new}
    edits = len(replacement)
    while replacement:
        start, doc = replacement.popitem()
        while doc in replacement:
            doc = replacement.pop(doc)
        edits -= doc == start
    return edits
