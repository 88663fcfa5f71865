"""Ideal lists: the judged documents in the best order, as a one-run batch under the same formula.

Ideal lists depend on the judgments only, so each is computed once per pool and cached in the pool.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_whole
from divmetrics.core.protocols import MetricRow, UtilityLike
from divmetrics.core.tolerances import TIE_TOLERANCE, dense_ranks_of_sums
from divmetrics.errors import DivmetricsError

Ties = Literal["ascending", "descending"]
# Maps the positions of the chosen documents, (topic, rank), and a mask of the others, (topic, document), to
# the gain of adding each document, (topic, document), and the largest term of these sums, (topic,).
AddedGains = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
# Of the largest weight: a sum of 53 bits does not notice a million documents that earn a million times more.
NEGLIGIBLE = 2.0**-100
MOST_GRADES = 16  # the most grades to add one by one; each needs the memory of a pool


class _Terms(NamedTuple):
    """The columns whose product a greedy search adds up; w is None if it decides nothing."""

    w: Callable[[Batch], np.ndarray] | None
    f: Callable[[Batch], np.ndarray]
    M: UtilityLike


def sorted_per_intent(pool: Batch, depth: int) -> Batch:
    """Return the ideal list of each intent: its gains in `pool` in decreasing order, as a batch with one run.

    `pool` is a `Batch.pool`. The result is cut or padded to `depth` ranks, and its pool is `pool`. At one
    rank different intents may have different documents.
    """

    def decreasing(x: np.ndarray) -> np.ndarray:
        return np.sort(x, axis=-1)[..., ::-1]

    def best() -> Batch:
        return pool.map_gains(decreasing, pool=pool, leaves=None)

    return pool.memoize("sorted per intent", best).cut(depth)


def sorted_order(
    pool: Batch, value: Callable[[Batch], np.ndarray], weight: Callable[[Batch], np.ndarray]
) -> np.ndarray:
    """Return the documents of a pool in the order of decreasing sum_i f(t_i) value_i.

    Parameters
    ----------
    pool : Batch
        The documents to be sorted, as one run (`Batch.pool`).
    value : callable
        Computes value_i of a batch. It is called with each document in a list of its own.
    weight : callable
        Computes f of a batch.

    Returns
    -------
    numpy.ndarray
        Positions in `pool` from 0, (topic, rank); -1 at the end if a topic has fewer documents than another.
        Tied documents go by ascending id, or, if values depend on the documents above, by decreasing gain
        for the first intent that differs, so that ids decide nothing.
    """

    def decreasing() -> np.ndarray:
        alone, together = values_alone_and_together(pool, value)
        total = np.sum(weight(pool) * alone, axis=2)[:, 0]
        exists = pool.listed[:, 0, 0]
        first = np.where(exists, [-dense_ranks_of_sums(of_topic) for of_topic in total], np.inf)
        order = np.argsort(first, axis=-1, kind="stable")
        history = np.flatnonzero((alone != together).any(axis=(1, 2, 3)))
        if history.size:
            explicit = pool.linear, pool.explicit_exponential, pool.explicit_relevant
            gains = np.concatenate([gain for gain in explicit if gain is not None], axis=2)[history, 0]
            ties = -gains.transpose(1, 0, 2)[::-1]  # the last key counts most
            order[history] = np.lexsort([*ties, first[history]], axis=-1)
        return np.where(np.take_along_axis(exists, order, axis=-1), order, -1)

    return pool.memoize(("sorted order", value, weight), decreasing)


def values_alone_and_together(
    pool: Batch, value: Callable[[Batch], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return each document's value in a list of its own, and its value in the list of all documents by id.

    `pool` is a `Batch.pool`, and `value` a function that computes values of a batch. Both arrays are (topic,
    1, intent, document). They are equal if values do not depend on the documents above.
    """
    lists_of_one = pool.as_single_docs()
    alone = np.broadcast_to(value(lists_of_one), lists_of_one.linear.shape).transpose(0, 3, 2, 1)
    together = value(replace(pool, pool=pool, leaves=None))
    return np.ascontiguousarray(alone), np.broadcast_to(together, alone.shape)


@public
def greedy_order(pool: Batch, row: MetricRow, ties: Ties, cutoff: int | None) -> np.ndarray:
    """Build a list greedily: at each rank, the document that adds most to the sum of f w M.

    Parameters
    ----------
    pool : Batch
        The documents to choose from, as one run: the relevant judged ones (`Batch.judged`).
    row : MetricRow
        The metric, a `Metric`, whose f, w and M are summed. Its N and its cutoff are ignored.
    ties : {"ascending", "descending"}
        Of documents that add equally much, the first ("ascending") or the last one by id is chosen.
    cutoff : int or None
        The largest number of ranks, at least 0; None for all documents.

    Returns
    -------
    numpy.ndarray
        The positions in `pool`, from 0, of the chosen documents, best first, (topic, rank); -1 after a
        topic's last document. A list for a smaller cutoff is the start of a list for a larger one.

    Raises
    ------
    DivmetricsError
        If `row` is no row of parts with f, w and M (a sum of metrics is none), `ties` is neither word,
        `cutoff` is no whole number of at least 0, or `pool` has several runs.

    References
    ----------
    clarke2008.

    Examples
    --------
    >>> import divmetrics as dm
    >>> topic = dm.Topic("7", (dm.Intent("film", 0.5), dm.Intent("book", 0.5)))
    >>> judgments = {"d1": {"film": 1}, "d2": {"film": 1, "book": 1}}
    >>> batch = dm.core.batch_lists([dm.RankedList(topic, ["d1"], judgments)])
    >>> greedy_order(batch.judged, dm.metric("alpha-nDCG"), "ascending", None).tolist()
    [[1, 0]]
    """
    check_choice("ties", ties, get_args(Ties))
    if pool.linear.shape[1] != 1:
        raise DivmetricsError(f"the pool has {pool.linear.shape[1]} runs, expected one, as Batch.judged has")
    if cutoff is not None:
        check_whole("cutoff", cutoff, 0)
    depth = pool.depth if cutoff is None else min(cutoff, pool.depth)
    # A weight of the rank decides nothing between documents, and metrics that differ in it share a list.
    terms = _Terms(None if _weights_decide_nothing(pool, row, depth) else row.w, row.f, row.M)
    key = ("greedy order", terms, ties)
    order: np.ndarray | None = pool.cache.get(key)
    if order is None or order.shape[1] < depth:
        order = pool.cache[key] = _greedy_order(pool, terms, ties, depth)
    return order[:, :depth]


def ranks_that_count(pool: Batch, row: MetricRow) -> int | None:
    """Return the number of ranks of an ideal list below which no document can change the row's sum.

    That is the row's cutoff if it has one. Else it is where weights w by rank become negligible (2^-100 of
    the largest), and None, for all ranks, if w does not depend on the rank alone or all weights are 0.
    """
    if row.cutoff is not None or not getattr(row.w, "by_rank", False):
        return row.cutoff
    weights = np.broadcast_to(np.abs(row.w(pool)).ravel(), (pool.depth,))
    counted = np.flatnonzero(weights > NEGLIGIBLE * weights.max(initial=0))
    return int(counted[-1]) + 1 if counted.size else None


def _weights_decide_nothing(pool: Batch, row: MetricRow, depth: int) -> bool:
    """Return whether the weights of the first ranks are above 0, and depend on nothing but the rank."""
    return getattr(row.w, "by_rank", False) and bool((row.w(pool)[..., :depth] > 0).all())


def take_in_order(pool: Batch, order: np.ndarray) -> Batch:
    """Return the documents of a pool at the positions `order`, (topic, rank), as a batch with one run."""
    return pool.take(order[:, None, :])


def _greedy_order(pool: Batch, terms: _Terms, ties: Ties, depth: int) -> np.ndarray:
    """Compute `greedy_order` without the cache."""
    read = _grades_that_count(pool, terms)
    if read and depth < pool.depth:
        candidates = _enough_of_each_kind(pool, *read, ties, depth)
        if 2 * candidates.shape[1] <= pool.depth:
            order = _greedy_order(take_in_order(pool, candidates), terms, ties, depth)
            return np.where(order < 0, -1, np.take_along_axis(candidates, order, axis=1))
    added_gains = _added_gains(pool, terms, read)
    order = np.full((len(pool.topics), depth), -1, dtype=np.int64)
    active = np.arange(len(order))
    left = pool.listed[:, 0, 0].copy()
    most = np.zeros(len(order))  # the largest term of a sum so far: the size that ties are relative to
    for k in range(depth):
        going = left.any(axis=1)
        if 2 * going.sum() <= len(active):  # a smaller pool costs a copy, so not for every topic that ends
            active, left, most = active[going], left[going], most[going]
            pool = pool.pick(np.flatnonzero(going))
            added_gains, going = _added_gains(pool, terms, read), left.any(axis=1)
        gain, largest = added_gains(order[active, :k], left)
        gain = np.where(left, gain, -np.inf)
        most = np.maximum(most, largest)
        tied = left & (gain >= gain.max(axis=1, keepdims=True) - TIE_TOLERANCE * most[:, None])
        chosen = tied.argmax(axis=1) if ties == "ascending" else pool.depth - 1 - tied[:, ::-1].argmax(axis=1)
        order[active, k] = np.where(going, chosen, -1)
        left[np.arange(len(active)), chosen] = False
    return order


def _added_gains(pool: Batch, terms: _Terms, read: tuple[str, np.ndarray] | None) -> AddedGains:
    """Return the cheapest function that computes the gain of adding each document to a list.

    read: the result of `_grades_that_count`.
    """
    return _gains_by_grade(pool, terms, *read) if read else _gains_by_kind(pool, terms)


def _grades_that_count(pool: Batch, terms: _Terms) -> tuple[str, np.ndarray] | None:
    """Return the array that M reads, by name, with its values, if M reads each intent's grades only.

    None if M reads more than that, or if there are more than MOST_GRADES values.
    """
    by_grade = terms.M.by_intent and pool.effort is None  # effort depends on the document, not on its grade
    if by_grade and terms.M.reads == ("relevant",):
        return "relevant", np.array([0.0, 1.0])
    if by_grade and pool.explicit_exponential is None and pool.explicit_relevant is None:
        # Without counts, numpy would import numpy.ma, which takes 5 ms.
        grades, _ = np.unique(pool.linear, return_counts=True)
        if len(grades) <= MOST_GRADES:
            return "linear", grades
    return None


def _enough_of_each_kind(pool: Batch, gains: str, grades: np.ndarray, ties: Ties, depth: int) -> np.ndarray:
    """Return the positions, (topic, document), of the documents that a list of `depth` ranks can hold.

    Of documents with the same grades, a greedy search takes the first ones by id (the last ones, if ties go
    by descending id). Positions ascend, and are -1 at the end if a topic has fewer documents than another.
    """
    positions = []
    for values, count in zip(getattr(pool, gains)[:, 0], pool.length[:, 0].tolist(), strict=True):
        kind, kinds = np.zeros(count, dtype=np.int64), 1
        for of_intent in values[:, :count]:
            if kinds * len(grades) >= 2**63:
                distinct, kind = np.unique(kind, return_inverse=True)
                kinds = len(distinct)
            kind, kinds = kind * len(grades) + np.searchsorted(grades, of_intent), kinds * len(grades)
        first = np.arange(count) if ties == "ascending" else np.arange(count)[::-1]
        order = first[np.argsort(kind[first], kind="stable")]
        starts = np.maximum.accumulate(np.where(np.diff(kind[order], prepend=-1) != 0, np.arange(count), 0))
        positions.append(np.sort(order[np.arange(count) - starts < depth]))
    table = np.full((len(positions), max(map(len, positions), default=0)), -1, dtype=np.int64)
    for t, of_topic in enumerate(positions):
        table[t, : len(of_topic)] = of_topic
    return table


def _gains_by_kind(pool: Batch, terms: _Terms) -> AddedGains:
    """Return a function that adds one document of each kind; M cannot distinguish documents of a kind."""
    # 2^g - 1 distinguishes the same documents as g.
    plain = {"exponential": "linear"} if pool.explicit_exponential is None else {}
    reads = [plain.get(read, read) for read in terms.M.reads]
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

    def added(above: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        lists = np.broadcast_to(above[:, None], (*each.shape, above.shape[1]))
        earned = _last(terms, pool.take(np.concatenate([lists, each[:, :, None]], axis=2)))
        gain, size = earned.sum(axis=2), np.abs(earned).max(axis=2, initial=0)
        of_document = np.take_along_axis(size, kind, axis=1)
        return np.take_along_axis(gain, kind, axis=1), np.where(left, of_document, 0).max(axis=1, initial=0)

    return added


def _gains_by_grade(pool: Batch, terms: _Terms, gains: str, grades: np.ndarray) -> AddedGains:
    """Return a function that adds one document of each of `grades`, if M reads each intent's grades only.

    A document with this grade for all intents replaces one document per combination of grades. `gains` names
    the array that M reads, from which the others follow.
    """
    values, judged = getattr(pool, gains), pool.pool or pool  # judged documents may have been left out
    if terms.M.zero_if_nonrelevant:
        grades = grades[grades > 0]
    has_grade = [(values[:, 0] == grade).astype(np.float64) for grade in grades]

    def added(above: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        topics, k = above.shape
        # Topics without documents left also get values, but no document refers to them.
        lists = np.empty((topics, len(grades), pool.linear.shape[2], k + 1))
        lists[..., :k] = np.take_along_axis(values, above[:, None, None], axis=-1)
        lists[..., k] = grades[:, None]
        length = np.full((topics, len(grades)), k + 1)
        earned = _last(terms, pool.with_gains(lists, None, None, length=length, pool=judged, leaves=None))
        gain, largest = np.zeros(left.shape), np.zeros(len(left))
        for of_grade, here in zip(earned.swapaxes(0, 1), has_grade, strict=True):
            if of_grade.any():
                gain += (of_grade[:, None] @ here)[:, 0]
                occurs = (here @ left[:, :, None].astype(float))[..., 0] > 0
                largest = np.maximum(largest, np.where(occurs, np.abs(of_grade), 0).max(axis=1, initial=0))
        return gain, largest

    return added


def _last(terms: _Terms, lists: Batch) -> np.ndarray:
    """Return the contribution of the last rank of each list, (topic, run, intent)."""
    earned = terms.f(lists) * terms.M(lists)[..., -1:]
    if terms.w is not None:
        earned = terms.w(lists)[..., -1:] * earned
    return np.broadcast_to(earned, (*lists.linear.shape[:3], 1))[..., 0]
