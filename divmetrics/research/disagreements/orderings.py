"""The lists that can be made of one topic's judged documents, many at once, and what metrics say of them.

Documents with the same grades are interchangeable to every metric; they are one *kind*. A list is written as
the kinds at its ranks, and many lists of one length as an array (list, rank).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.collection import Judgments, RankedList
from divmetrics.core.metric import BaseMetric

CELLS = 1_000_000  # of (list, intent, rank) that are scored at once; bounds the memory


@dataclass(frozen=True, eq=False)
class Orderings:
    """Lists of `length` of the pool's documents.

    members: for each kind the positions of its documents in `pool.docs`. every: all judged documents as one
    list. leaves: are second-level grades part of what makes a kind?
    """

    pool: Judgments
    length: int
    members: tuple[np.ndarray, ...]
    every: Batch
    leaves: bool

    @classmethod
    def of(cls, pool: Judgments, length: int, leaves: bool) -> Orderings:
        """Kinds in the order of their first documents."""
        seen = (
            [pool.grades]
            if pool.subtopic_grades is None or not leaves
            else [pool.grades, pool.subtopic_grades]
        )
        _, kind = np.unique(np.concatenate(seen).T, axis=0, return_inverse=True)
        members = [np.flatnonzero(kind == c) for c in range(kind.max() + 1)]
        every = batch_lists([RankedList(pool.topic, pool.docs, pool)])
        return cls(pool, length, tuple(sorted(members, key=lambda places: int(places[0]))), every, leaves)

    @property
    def copies(self) -> np.ndarray:
        """How often each kind can stand in a list, (kind,)."""
        return np.array([min(len(places), self.length) for places in self.members])

    def count(self) -> int:
        """How many lists there are: ways[k] counts those of k documents of the kinds so far."""
        ways = [1] + [0] * self.length
        for copies in self.copies.tolist():
            ways = [
                sum(math.comb(k, j) * ways[k - j] for j in range(min(copies, k) + 1))
                for k in range(self.length + 1)
            ]
        return ways[-1]

    def all(self) -> np.ndarray:
        """Every list once, in lexicographic order of the kinds."""
        lists = np.zeros((1, 0), dtype=np.int64)
        used = np.zeros((1, len(self.members)), dtype=np.int16)
        for _ in range(self.length):
            row, kind = np.nonzero(used < self.copies)
            lists, used = np.column_stack([lists[row], kind]), used[row]
            used[np.arange(len(row)), kind] += 1
        return lists

    def draw(self, random: np.random.Generator, lists: int) -> np.ndarray:
        """Random lists; a kind is as likely as it has copies."""
        slots = np.repeat(np.arange(len(self.members)), self.copies)
        return slots[np.argsort(random.random((lists, len(slots))), axis=1)[:, : self.length]]

    def seed_lists(self) -> np.ndarray:
        """For each intent the list that serves it first, and the list that serves everybody."""
        grades = np.array([self.pool.grades[:, places[0]] for places in self.members]).T
        of_all = grades.sum(axis=0)
        slots = np.repeat(np.arange(len(self.members)), self.copies)
        order = [np.lexsort((-of_all[slots], -own[slots])) for own in (*grades, of_all)]
        return slots[np.array(order)[:, : self.length]]

    def neighbours(self, chosen: np.ndarray, random: np.random.Generator, most: int) -> np.ndarray:
        """Lists one edit away: two documents swapped, or one replaced by a document that is not in the list.

        Every one of them, in random order, or as many as asked for.
        """
        upper, lower = np.triu_indices(self.length, k=1)
        differ = chosen[upper] != chosen[lower]
        upper, lower = upper[differ], lower[differ]
        free = np.bincount(chosen, minlength=len(self.members)) < self.copies
        rank, kind = np.nonzero(free & (np.arange(len(free)) != chosen[:, None]))
        picked = random.permutation(len(upper) + len(rank))[:most]
        out = np.tile(chosen, (len(picked), 1))
        row = np.flatnonzero(picked < len(upper))
        swap = picked[row]
        out[row, upper[swap]], out[row, lower[swap]] = chosen[lower[swap]], chosen[upper[swap]]
        row = np.flatnonzero(picked >= len(upper))
        replaced = picked[row] - len(upper)
        out[row, rank[replaced]] = kind[replaced]
        return out

    def scores(self, metric: BaseMetric, lists: np.ndarray) -> np.ndarray:
        """The score of each list, (list,)."""
        children = max((len(t.children) for t in self.pool.topic.intents), default=0) if self.leaves else 0
        wide = len(self.pool.topic.intents) * max(children, 1)
        step = max(1, CELLS // (max(wide, 1) * max(self.length, metric.cutoff or 0)))
        first = np.array([places[0] for places in self.members])
        blocks = [lists[start : start + step] for start in range(0, len(lists), step)]
        return np.concatenate([metric.scores(self._view(first[block]))[0] for block in blocks])

    def _view(self, places: np.ndarray) -> Batch:
        """Lists as positions in `pool.docs`, (list, rank), as a View whose ideal lists are the topic's."""
        below = self.every.leaves
        if below is not None:
            below = replace(below.take(places[None]), pool=below.pool) if self.leaves else None
        return replace(self.every.take(places[None]), pool=self.every.pool, leaves=below)

    def documents(self, a: np.ndarray, b: np.ndarray, labels: tuple[int, ...]) -> tuple[list[str], list[str]]:
        """Two lists as documents, so that B is made of A's wherever it can be.

        labels: ranks with the same label hold the same kinds in both lists; label 0 is for ranks whose
        documents are replaced (see `pairs.regroupings`).
        """
        unused = [list(places) for places in self.members]
        in_a = [unused[kind].pop(0) for kind in a.tolist()]
        in_b = list(in_a)
        for label in set(labels):
            ranks = [k for k, other in enumerate(labels) if other == label]
            left: dict[int, list[int]] = {kind: [] for kind in b.tolist()}
            for k in ranks:
                left.setdefault(int(a[k]), []).append(in_a[k])
            for k in ranks:
                in_b[k] = (left[int(b[k])] or unused[b[k]]).pop(0)
        return [self.pool.docs[doc] for doc in in_a], [self.pool.docs[doc] for doc in in_b]
