"""Enumerate, draw and score lists of one topic's judged documents, many at once.

Documents with the same grades are interchangeable to every metric; they form one *kind*. A list is the kinds
at its ranks, and many lists of one length are an array (list, rank).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList

CELLS = 1_000_000  # size of the array (list, intent, rank) scored at once; bounds the memory


@dataclass(frozen=True, eq=False)
class Orderings:
    """The lists of `length` judged documents of a topic.

    `members` holds the positions in `judgments.docs` of the documents of each kind; `every` is a batch of one
    list of all judged documents; `leaves` says whether second-level grades distinguish kinds.
    """

    judgments: Judgments
    length: int
    members: tuple[np.ndarray, ...]
    every: Batch
    leaves: bool

    @classmethod
    def of(cls, judgments: Judgments, length: int, leaves: bool) -> Orderings:
        """Group the judged documents into kinds, in the order of their first documents.

        `length` is the number of documents of a list; `leaves` is whether second-level grades, if the
        judgments have any, distinguish kinds.
        """
        grades = (
            [judgments.grades]
            if judgments.subtopic_grades is None or not leaves
            else [judgments.grades, judgments.subtopic_grades]
        )
        _, kind = np.unique(np.concatenate(grades).T, axis=0, return_inverse=True)
        members = [np.flatnonzero(kind == c) for c in range(kind.max() + 1)]
        every = batch_lists([RankedList(judgments.topic, judgments.docs, judgments)])
        return cls(
            judgments, length, tuple(sorted(members, key=lambda positions: int(positions[0]))), every, leaves
        )

    @property
    def copies(self) -> np.ndarray:
        """The largest number of documents of each kind in a list, (kind,)."""
        return np.array([min(len(positions), self.length) for positions in self.members])

    def count(self) -> int:
        """Return the number of distinct lists of kinds."""
        ways = [1] + [0] * self.length  # ways[k]: lists with k documents of the kinds processed so far
        for copies in self.copies.tolist():
            ways = [
                sum(math.comb(k, j) * ways[k - j] for j in range(min(copies, k) + 1))
                for k in range(self.length + 1)
            ]
        return ways[-1]

    def all(self) -> np.ndarray:
        """Return every distinct list of kinds, (list, rank), in lexicographic order."""
        lists = np.zeros((1, 0), dtype=np.int64)
        used = np.zeros((1, len(self.members)), dtype=np.int16)
        for _ in range(self.length):
            row, kind = np.nonzero(used < self.copies)
            lists, used = np.column_stack([lists[row], kind]), used[row]
            used[np.arange(len(row)), kind] += 1
        return lists

    def draw(self, random: np.random.Generator, lists: int) -> np.ndarray:
        """Draw `lists` lists of kinds, (list, rank); a kind's probability is proportional to its copies."""
        slots = np.repeat(np.arange(len(self.members)), self.copies)
        return slots[np.argsort(random.random((lists, len(slots))), axis=1)[:, : self.length]]

    def seed_lists(self) -> np.ndarray:
        """Return a list of kinds by falling grade for each intent, and one by falling sum, (list, rank)."""
        grades = np.array([self.judgments.grades[:, positions[0]] for positions in self.members]).T
        total = grades.sum(axis=0)
        slots = np.repeat(np.arange(len(self.members)), self.copies)
        order = [np.lexsort((-total[slots], -own[slots])) for own in (*grades, total)]
        return slots[np.array(order)[:, : self.length]]

    def neighbours(self, kinds: np.ndarray, random: np.random.Generator, most: int) -> np.ndarray:
        """Return up to `most` random lists one edit away from `kinds`, the kind at each rank; (list, rank).

        An edit swaps two documents of different kinds, or replaces one by an unlisted document of another
        kind.
        """
        upper, lower = np.triu_indices(self.length, k=1)
        differ = kinds[upper] != kinds[lower]
        upper, lower = upper[differ], lower[differ]
        free = np.bincount(kinds, minlength=len(self.members)) < self.copies
        rank, kind = np.nonzero(free & (np.arange(len(free)) != kinds[:, None]))
        edits = random.permutation(len(upper) + len(rank))[:most]
        neighbours = np.tile(kinds, (len(edits), 1))
        row = np.flatnonzero(edits < len(upper))
        swap = edits[row]
        neighbours[row, upper[swap]], neighbours[row, lower[swap]] = kinds[lower[swap]], kinds[upper[swap]]
        row = np.flatnonzero(edits >= len(upper))
        replaced = edits[row] - len(upper)
        neighbours[row, rank[replaced]] = kind[replaced]
        return neighbours

    def scores(self, metric: BaseMetric, lists: np.ndarray) -> np.ndarray:
        """Return the score of each of the lists of kinds (list, rank), as an array (list,)."""
        children = (
            max((len(t.children) for t in self.judgments.topic.intents), default=0) if self.leaves else 0
        )
        wide = len(self.judgments.topic.intents) * max(children, 1)
        step = max(1, CELLS // (max(wide, 1) * max(self.length, metric.cutoff or 0)))
        first = np.array([positions[0] for positions in self.members])
        blocks = [lists[start : start + step] for start in range(0, len(lists), step)]
        return np.concatenate([metric.scores(self._batch(first[block]))[0] for block in blocks])

    def _batch(self, positions: np.ndarray) -> Batch:
        """Return the batch of lists of positions in `judgments.docs`, (list, rank), with all judgments."""
        leaves = self.every.leaves
        if leaves is not None:
            leaves = replace(leaves.take(positions[None]), pool=leaves.pool) if self.leaves else None
        return replace(self.every.take(positions[None]), pool=self.every.pool, leaves=leaves)

    def documents(self, a: np.ndarray, b: np.ndarray, labels: tuple[int, ...]) -> tuple[list[str], list[str]]:
        """Return the documents of two lists of kinds, A and B; B reuses documents of A wherever it can.

        `labels` has a label per rank: ranks with the same label hold the same kinds in both lists; the
        documents at ranks with label 0 are replaced (see `best_pairs.fewest_edits`).
        """
        unused = [list(positions) for positions in self.members]
        in_a = [unused[kind].pop(0) for kind in a.tolist()]
        in_b = list(in_a)
        for label in set(labels):
            ranks = [k for k, other in enumerate(labels) if other == label]
            free: dict[int, list[int]] = {kind: [] for kind in b.tolist()}
            for k in ranks:
                free.setdefault(int(a[k]), []).append(in_a[k])
            for k in ranks:
                in_b[k] = (free[int(b[k])] or unused[b[k]]).pop(0)
        return [self.judgments.docs[doc] for doc in in_a], [self.judgments.docs[doc] for doc in in_b]
