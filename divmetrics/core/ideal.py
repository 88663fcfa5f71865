"""Ideal lists: the judged documents in the best order, as a one-run View under the same formula.

They depend on the judgments only, so each is worked out once per pool and remembered there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.protocols import MetricRow
from divmetrics.core.tolerances import TIE_TOLERANCE, dense_ranks_of_sums

Ties = Literal["ascending", "descending"]
# What every document would earn below those above, of those left: (topic, document), and the largest term of
# these sums, (topic,).
Tried = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
MOST_GRADES = 16  # tried one by one; each takes the memory of a pool


def sorted_per_intent(pool: Batch, depth: int) -> Batch:
    """Every intent's own documents in decreasing gain: a list per intent, cut or padded to `depth`."""

    def decreasing(x: np.ndarray) -> np.ndarray:
        return np.sort(x, axis=-1)[..., ::-1]

    def best() -> Batch:
        return pool.changed(decreasing, pool=pool, leaves=None)

    return pool.memoize("sorted per intent", best).cut(depth)


def sorted_order(
    pool: Batch, value: Callable[[Batch], np.ndarray], weight: Callable[[Batch], np.ndarray]
) -> np.ndarray:
    """Positions of the topic's documents by decreasing sum_i f(t_i) value_i, each on a list of its own.

    Ties go by id ascending. Where a value depends on what stands above, tied documents may earn differently
    below others, so the larger gain for the first intent that tells them apart goes first: a name decides
    nothing. (topic, document); -1 where a topic has fewer documents than another.
    """

    def decreasing() -> np.ndarray:
        alone, together = alone_and_together(pool, value)
        total = np.sum(weight(pool) * alone, axis=2)[:, 0]
        exists = pool.listed[:, 0, 0]
        first = np.where(exists, [-dense_ranks_of_sums(of_topic) for of_topic in total], np.inf)
        order = np.argsort(first, axis=-1, kind="stable")
        history = np.flatnonzero((alone != together).any(axis=(1, 2, 3)))
        if history.size:
            given = pool.linear, pool.given_exponential, pool.given_relevant
            gains = np.concatenate([gain for gain in given if gain is not None], axis=2)[history, 0]
            ties = -gains.transpose(1, 0, 2)[::-1]  # the last key counts most
            order[history] = np.lexsort([*ties, first[history]], axis=-1)
        return np.where(np.take_along_axis(exists, order, axis=-1), order, -1)

    return pool.memoize(("sorted order", value, weight), decreasing)


def alone_and_together(pool: Batch, value: Callable[[Batch], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """What every document is worth on a list of its own, and in the list of all by id.

    (topic, 1, intent, document) each; the same where a value does not depend on what stands above.
    """
    lists_of_one = pool.as_single_docs()
    alone = np.broadcast_to(value(lists_of_one), lists_of_one.linear.shape).transpose(0, 3, 2, 1)
    together = value(replace(pool, pool=pool, leaves=None))
    return np.ascontiguousarray(alone), np.broadcast_to(together, alone.shape)


def greedy_order(pool: Batch, row: MetricRow, ties: Ties, cutoff: int | None) -> np.ndarray:
    """Positions of the documents that a greedy search picks under the row's own f, w and M.

    (topic, rank), -1 where the pool is used up. A list for a smaller cutoff is the start of this one.
    """
    key = ("greedy order", row.f, row.w, row.M, ties)
    depth = pool.depth if cutoff is None else min(cutoff, pool.depth)
    known: np.ndarray | None = pool.cache.get(key)
    if known is None or known.shape[1] < depth:
        known = pool.cache[key] = _greedy_order(pool, row, ties, depth)
    return known[:, :depth]


def in_order(pool: Batch, order: np.ndarray) -> Batch:
    """The judged documents in this order, as a one-run View."""
    return pool.take(order[:, None, :])


def _greedy_order(pool: Batch, row: MetricRow, ties: Ties, depth: int) -> np.ndarray:
    tried = _tried(pool, row)
    order = np.full((len(pool.topics), depth), -1, dtype=np.int64)
    active = np.arange(len(order))
    left = pool.listed[:, 0, 0].copy()
    most = np.zeros(len(order))  # the largest term of a sum so far: the size that ties are relative to
    for k in range(depth):
        going = left.any(axis=1)
        if 2 * going.sum() <= len(active):  # what the others would cost is not worth a smaller pool sooner
            active, left, most = active[going], left[going], most[going]
            pool = pool.pick(np.flatnonzero(going))
            tried, going = _tried(pool, row), left.any(axis=1)
        gain, largest = tried(order[active, :k], left)
        gain = np.where(left, gain, -np.inf)
        most = np.maximum(most, largest)
        tied = left & (gain >= gain.max(axis=1, keepdims=True) - TIE_TOLERANCE * most[:, None])
        chosen = tied.argmax(axis=1) if ties == "ascending" else pool.depth - 1 - tied[:, ::-1].argmax(axis=1)
        order[active, k] = np.where(going, chosen, -1)
        left[np.arange(len(active)), chosen] = False
    return order


def _tried(pool: Batch, row: MetricRow) -> Tried:
    by_grade = row.M.by_intent and pool.effort is None  # an effort is a document's, not a grade's
    if by_grade and row.M.reads == ("relevant",):
        return _tried_by_grade(pool, row, "relevant", np.array([0.0, 1.0]))
    if by_grade and pool.given_exponential is None and pool.given_relevant is None:
        grades = np.unique(pool.linear)
        if len(grades) <= MOST_GRADES:
            return _tried_by_grade(pool, row, "linear", grades)
    return _tried_by_kind(pool, row)


def _tried_by_kind(pool: Batch, row: MetricRow) -> Tried:
    """A document of each kind is put below the others; documents are of one kind that are the same to M."""
    # 2^g - 1 tells apart what g does.
    plain = {"exponential": "linear"} if pool.given_exponential is None else {}
    reads = [plain.get(read, read) for read in row.M.reads]
    kind = np.zeros(pool.listed[:, 0, 0].shape, dtype=np.int64)
    first = []
    for t, count in enumerate(pool.length[:, 0].tolist()):
        gains = np.concatenate([getattr(pool, read)[t, 0, :, :count] for read in reads])
        _, at, of_document = np.unique(gains.T, axis=0, return_index=True, return_inverse=True)
        kind[t, :count] = of_document.reshape(-1)
        first.append(at)
    each = np.full((len(first), max(map(len, first), default=0)), -1, dtype=np.int64)
    for t, at in enumerate(first):
        each[t, : len(at)] = at

    def tried(above: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        lists = np.broadcast_to(above[:, None], (*each.shape, above.shape[1]))
        earned = _last(row, pool.take(np.concatenate([lists, each[:, :, None]], axis=2)))
        gain, size = earned.sum(axis=2), np.abs(earned).max(axis=2, initial=0)
        of_document = np.take_along_axis(size, kind, axis=1)
        return np.take_along_axis(gain, kind, axis=1), np.where(left, of_document, 0).max(axis=1, initial=0)

    return tried


def _tried_by_grade(pool: Batch, row: MetricRow, seen: str, grades: np.ndarray) -> Tried:
    """The same, where an intent's value hangs on its own grades alone: a document of each grade is tried.

    One for all intents, instead of one for each set of grades that documents have. seen: the array of grades
    that M reads; its others follow from it.
    """
    given = getattr(pool, seen)
    has_grade = [(given[:, 0] == grade).astype(np.float64) for grade in grades]

    def tried(above: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        topics, k = above.shape
        # Where a topic's documents are used up, no document is left to which this could be told.
        lists = np.empty((topics, len(grades), pool.linear.shape[2], k + 1))
        lists[..., :k] = np.take_along_axis(given, above[:, None, None], axis=-1)
        lists[..., k] = grades[:, None]
        length = np.full((topics, len(grades)), k + 1)
        earned = _last(row, pool.with_gains(lists, None, None, length=length, pool=pool, leaves=None))
        gain, largest = np.zeros(left.shape), np.zeros(len(left))
        for of_grade, here in zip(earned.swapaxes(0, 1), has_grade, strict=True):
            if of_grade.any():
                gain += (of_grade[:, None] @ here)[:, 0]
                occurs = (here @ left[:, :, None].astype(float))[..., 0] > 0
                largest = np.maximum(largest, np.where(occurs, np.abs(of_grade), 0).max(axis=1, initial=0))
        return gain, largest

    return tried


def _last(row: MetricRow, tried: Batch) -> np.ndarray:
    earned = row.w(tried)[..., -1:] * row.f(tried) * row.M(tried)[..., -1:]
    return np.broadcast_to(earned, (*tried.linear.shape[:3], 1))[..., 0]
