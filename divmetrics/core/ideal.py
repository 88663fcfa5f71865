"""Ideal lists: the judged documents in the best order, as a one-run View under the same formula.

They depend on the judgments only, so each is worked out once per pool and remembered there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from divmetrics.core.row import Row
from divmetrics.core.ties import TIE, levels_of_sums
from divmetrics.core.views import View
from divmetrics.errors import DivmetricsError, DivmetricsWarning

Ties = Literal["ascending", "descending"]


def sorted_per_intent(pool: View, depth: int) -> View:
    """Every intent's own documents in decreasing gain: a list per intent, cut or padded to `depth`."""

    def decreasing(x: np.ndarray) -> np.ndarray:
        return np.sort(x, axis=-1)[..., ::-1]

    def best() -> View:
        return pool.changed(decreasing, pool=pool, leaves=None)

    return pool.once("sorted per intent", best).cut(depth)


def sorted_order(
    pool: View, value: Callable[[View], np.ndarray], weight: Callable[[View], np.ndarray]
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
        first = np.where(exists, [-levels_of_sums(of_topic) for of_topic in total], np.inf)
        order = np.argsort(first, axis=-1, kind="stable")
        history = np.flatnonzero((alone != together).any(axis=(1, 2, 3)))
        if history.size:
            given = pool.linear, pool.given_exponential, pool.given_relevant
            gains = np.concatenate([gain for gain in given if gain is not None], axis=2)[history, 0]
            ties = -gains.transpose(1, 0, 2)[::-1]  # the last key counts most
            order[history] = np.lexsort([*ties, first[history]], axis=-1)
        return np.where(np.take_along_axis(exists, order, axis=-1), order, -1)

    return pool.once(("sorted order", value, weight), decreasing)


def alone_and_together(pool: View, value: Callable[[View], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """What every document is worth on a list of its own, and in the list of all by id.

    (topic, 1, intent, document) each; the same where a value does not depend on what stands above.
    """
    def down(x: np.ndarray) -> np.ndarray:
        return x.transpose(0, 3, 2, 1)  # every document a run of one rank

    lists_of_one = pool.moved(down, length=pool.listed[:, 0, 0].astype(np.int64), pool=pool, leaves=None)
    alone = down(np.broadcast_to(value(lists_of_one), lists_of_one.linear.shape))
    together = value(replace(pool, pool=pool, leaves=None))
    return np.ascontiguousarray(alone), np.broadcast_to(together, alone.shape)


def greedy_order(pool: View, row: Row, ties: Ties, cutoff: int | None) -> np.ndarray:
    """Positions of the documents that a greedy search picks under the row's own f, w and M.

    (topic, rank), -1 where the pool is used up. A list for a smaller cutoff is the start of this one.
    """
    key = ("greedy order", row.f, row.w, row.M, ties)
    depth = pool.depth if cutoff is None else min(cutoff, pool.depth)
    known: np.ndarray | None = pool.cache.get(key)
    if known is None or known.shape[1] < depth:
        known = pool.cache[key] = _greedy_order(pool, row, ties, depth)
    return known[:, :depth]


def exact_value(pool: View, row: Row, time_limit: float) -> np.ndarray:
    """The largest sum that any list of judged documents has under an alpha-DCG row, (topic, 1, 1, 1)."""
    from divmetrics.core.exact import best_list

    alpha = getattr(row.M, "alpha", None)
    if row.M.reads != ("relevant",) or alpha is None:
        raise DivmetricsError(
            f"{row.name}: ideal=exact is only known for alpha-nDCG (M=Novelty); use ideal=greedy"
        )
    depth = pool.depth if row.cutoff is None else min(row.cutoff, pool.depth)
    shape = (len(pool.topics), pool.linear.shape[2], 1)
    discount = np.broadcast_to(row.w(pool.cut(depth)), (depth,))
    weight = np.broadcast_to(row.f(pool)[:, 0], shape)[..., 0]
    values = np.zeros((len(pool.topics), 1, 1, 1))
    for t, topic in enumerate(pool.topics):
        if depth and pool.length[t, 0]:
            found = best_list(
                pool.relevant[t, 0], discount, alpha, weight[t], time_limit, every_cutoff=False
            )
            values[t] = found.value_at[-1]
            if not found.proved[-1]:
                warnings.warn(
                    f"topic {topic}: the ideal list of {row} is not proved best within {time_limit:g} s; "
                    f"another could be better by at most {found.gap[-1] / found.value_at[-1]:.2%}",
                    DivmetricsWarning,
                    stacklevel=2,
                )
    return values


def in_order(pool: View, order: np.ndarray) -> View:
    """The judged documents in this order, as a one-run View."""
    return pool.take(order[:, None, :])


def _greedy_order(pool: View, row: Row, ties: Ties, depth: int) -> np.ndarray:
    queues = [_interchangeable(pool, t, ties, row.M.reads) for t in range(len(pool.topics))]
    kinds = max((len(q) for q in queues), default=0)
    used = np.zeros((len(queues), kinds), dtype=np.int64)
    order = np.full((len(queues), depth), -1, dtype=np.int64)
    # candidate[t, c]: the next document of kind c, -1 when there is none left.
    candidate = np.full((len(queues), kinds), -1, dtype=np.int64)
    for t, queue in enumerate(queues):
        candidate[t, : len(queue)] = [q[0] for q in queue]
    most = np.zeros((len(queues), 1))  # the largest term of a sum so far: the size that ties are relative to
    active, part = np.arange(len(queues)), pool
    earned_by = _earned_by_relevance if row.M.by_intent and row.M.reads == ("relevant",) else _earned_by_all
    for k in range(depth):
        left = active[(candidate[active] >= 0).any(axis=1)]
        if len(left) < len(active):
            active, part = left, pool.pick(left)
        next_up = candidate[active]
        earned = earned_by(part, row, order[active, :k], next_up)
        gain = np.where(next_up >= 0, earned.sum(axis=(2, 3)), -np.inf)
        best = gain.max(axis=1, keepdims=True)
        most[active] = np.maximum(most[active], np.abs(earned).max(axis=(1, 2))[:, :1])
        tied = (gain >= best - TIE * most[active]) & (next_up >= 0)
        id_order = np.where(tied, next_up if ties == "ascending" else -next_up, np.iinfo(np.int64).max)
        for t, c in zip(active.tolist(), id_order.argmin(axis=1).tolist(), strict=True):
            order[t, k] = candidate[t, c]
            used[t, c] += 1
            queue = queues[t][c]
            candidate[t, c] = queue[used[t, c]] if used[t, c] < len(queue) else -1
    return order


def _earned_by_all(part: View, row: Row, above: np.ndarray, next_up: np.ndarray) -> np.ndarray:
    """What each candidate would earn below the documents `above`, (topic, candidate, intent, 1)."""
    lists = np.broadcast_to(above[:, None], (*next_up.shape, above.shape[1]))
    return _last(row, part.take(np.concatenate([lists, next_up[:, :, None]], axis=2)))


def _earned_by_relevance(part: View, row: Row, above: np.ndarray, next_up: np.ndarray) -> np.ndarray:
    """The same, where an intent's value hangs on what is relevant to it, and on nothing else.

    So two documents are tried instead of all: one that is relevant to every intent, and one to none.
    """
    listed = part.take(np.concatenate([above, np.zeros((len(above), 1), dtype=np.int64)], axis=1)[:, None])
    two = np.repeat(listed.relevant, 2, axis=1)
    two[..., -1] = np.array([True, False])[:, None]
    length = np.repeat(listed.length, 2, axis=1)
    tried = listed.with_gains(two.astype(np.float64), None, None, length=length)
    if_relevant, if_not = np.split(np.broadcast_to(_last(row, tried), (*two.shape[:3], 1)), 2, axis=1)
    relevant = np.take_along_axis(part.relevant, next_up[:, None, None], axis=-1)[:, 0].swapaxes(1, 2)
    return np.where(relevant[..., None] & (next_up >= 0)[..., None, None], if_relevant, if_not)


def _last(row: Row, tried: View) -> np.ndarray:
    return row.w(tried)[..., -1:] * row.f(tried) * row.M(tried)[..., -1:]


def _interchangeable(pool: View, topic: int, ties: Ties, reads: tuple[str, ...]) -> list[np.ndarray]:
    """Positions of documents that are the same to M, one array per kind, each in the order of the ties."""
    count = int(pool.length[topic, 0])
    # 2^g - 1 tells apart what g does.
    plain = ("linear" if pool.given_exponential is None and read == "exponential" else read for read in reads)
    gains = np.concatenate([getattr(pool, read)[topic, 0, :, :count] for read in plain])
    _, kind = np.unique(gains.T, axis=0, return_inverse=True)
    positions = [np.flatnonzero(kind == c) for c in range(kind.max(initial=-1) + 1)]
    return positions if ties == "ascending" else [p[::-1] for p in positions]
