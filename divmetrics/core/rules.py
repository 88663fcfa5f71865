"""Does a metric keep the rules of the framework? Each broken rule is said in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.calls import public
from divmetrics.core.collection import RankedList
from divmetrics.core.ideal import alone_and_together
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import Difference, Effort, SortedIdeal
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, sums_to_one
from divmetrics.errors import DivmetricsError

MOST_RANKS = 500  # of a list below which M is tried with other documents; spread over a longer list
NUMBERS = "every contribution is a finite number"
WEIGHTS = "weights are at least 0, and only M reads grades"
CAUSAL = "M does not look ahead"
IDEAL = "N divides by what a list can earn"


@public
def check(metric: BaseMetric, lists: Batch | RankedList, seed: int = 0) -> list[str]:
    """What is wrong with a metric on these lists, one sentence each; empty if nothing is wrong.

    Contributions must be finite and have the View's axes. M must not look ahead: what a list earns down to
    rank k may not change when everything below k is replaced (by other documents of the list, or by nothing)
    or when the list ends at k. Only M may read grades; weights f and w must be at least 0, and f sum to 1
    where M charges an effort; N must not be 0 where something was earned, nor sort the topic's ideal list by
    an M that depends on the documents above.
    """
    return [sentence for found in broken_rules(metric, lists, seed).values() for sentence in found]


def broken_rules(metric: BaseMetric, lists: Batch | RankedList, seed: int = 0) -> dict[str, list[str]]:
    """The same by rule; one that holds has no sentences. Where there are no numbers, nothing else is said."""
    view = batch_lists([lists]) if isinstance(lists, RankedList) else lists
    try:
        contributions = metric.contributions(view)
    except DivmetricsError as error:
        return {NUMBERS: [str(error)]}
    found = _shape_and_values(metric, view, contributions)
    if found:
        return {NUMBERS: found}
    rows = list(metric.rows(view))
    by_rule = {
        NUMBERS: [],
        WEIGHTS: [sentence for row, read in rows for sentence in _columns(row, read)],
        CAUSAL: [sentence for row, read in rows for sentence in _look_ahead(row, read, seed)],
        IDEAL: [sentence for row, read in rows for sentence in _sorted_ideal(row, read)],
    }
    return {rule: list(dict.fromkeys(sentences)) for rule, sentences in by_rule.items()}


def _shape_and_values(metric: BaseMetric, view: Batch, contributions: np.ndarray) -> list[str]:
    axes = view.linear.shape[:3]
    if contributions.shape[:3] != axes:
        return [
            f"{metric}: contributions have shape {contributions.shape}, expected {axes} and then the ranks "
            "(topic, run, intent, rank)"
        ]
    if not np.isfinite(contributions).all():
        topic, run, intent, rank = (int(x[0]) for x in np.nonzero(~np.isfinite(contributions)))
        return [
            f"{metric}: the contribution of intent {intent + 1} at rank {rank + 1} is "
            f"{contributions[topic, run, intent, rank]}, expected a finite number"
        ]
    return []


def _columns(row: Metric, view: Batch) -> list[str]:
    view = row.truncate(view)
    column = row.columns(view)
    found = []
    nothing = np.zeros(view.linear.shape)
    empty = view.with_gains(nothing, nothing, nothing > 0)
    for name, part in (("f", row.f), ("w", row.w)):
        without = np.broadcast_to(part(empty), view.linear.shape)
        if not np.array_equal(without, np.broadcast_to(column[name], view.linear.shape)):
            found.append(
                f"{row}: {name} reads the list's grades; only M may, so grades outside of M are refused"
            )
    weights = np.broadcast_to(column["f"], view.linear.shape) * view.present[:, None, :, None]
    if (weights < 0).any():
        found.append(f"{row}: f gives a negative weight ({weights.min():.4g}), expected at least 0")
    if (np.asarray(column["w"]) < 0).any():
        found.append(f"{row}: w gives a negative weight ({np.min(column['w']):.4g}), expected at least 0")
    total = weights.sum(axis=2)[view.present.any(axis=1)]
    charged = isinstance(row.M, Difference) and isinstance(row.M.second, Effort)
    if charged and not sums_to_one(total).all():
        found.append(
            f"{row}: M charges the effort for every intent, and the weights f sum to {total.max():.4g}, so a "
            "rank does not cost one effort; take weights that sum to 1, such as Probability()"
        )
    earned = column["f"] * column["w"] * column["M"]
    if ((column["N"] == 0) & (np.abs(earned) > CROSS_CHECK_TOLERANCE)).any():
        found.append(f"{row}: the normaliser N is 0 where something was earned, so the score would be lost")
    return found


def _look_ahead(row: Metric, view: Batch, seed: int) -> list[str]:
    view = row.truncate(view)
    # Where every list has ended there is nothing to look at, however far down an effort is charged.
    view = view.cut(min(view.depth, int(view.length.max(initial=0)) + 2))
    whole = np.asarray(row.M(view), dtype=float)
    for k in range(1, view.depth, max(1, view.depth // MOST_RANKS)):
        for other in _other_tails(view, k, np.random.default_rng((seed, k))):
            try:
                again = np.asarray(row.M(other), dtype=float)[..., :k]
            except DivmetricsError as error:
                return [f"{row}: M looks ahead: with others below rank {k} it gives no number ({error})"]
            different = np.abs(again - whole[..., :k]) > CROSS_CHECK_TOLERANCE
            if different.any():
                rank = int(np.nonzero(different)[-1].min()) + 1
                return [
                    f"{row}: M looks ahead: its value at rank {rank} changes when only the documents below "
                    f"rank {k} are changed"
                ]
    return []


def _other_tails(view: Batch, k: int, random: np.random.Generator) -> Iterator[Batch]:
    """The lists ended at rank k; with nothing relevant below; with documents from below, some repeated."""
    yield view.cut(k)
    for tail in (np.full(view.depth - k, -1, dtype=np.int64), random.integers(k, view.depth, view.depth - k)):
        yield _with_tail(view, np.concatenate([np.arange(k), tail]))


def _with_tail(view: Batch, index: np.ndarray) -> Batch:
    return view.changed(lambda gain: gain[..., index] * (index >= 0))


def _sorted_ideal(row: Metric, view: Batch) -> list[str]:
    """What each judged document earns on a list of its own and below the others, where N sorts by it."""
    if not (isinstance(row.N, SortedIdeal) and row.N.per == "topic"):
        return []
    pool, utility = view.judged, row.N.M or row.M
    alone, together = alone_and_together(pool, utility)
    if np.abs(alone - together).max(initial=0) <= CROSS_CHECK_TOLERANCE:
        return []
    return [
        f"{row}: N sorts the ideal list by what each document earns on its own, but M depends on the "
        "documents above, so another list may earn more than this ideal; take GreedyIdeal() for N"
    ]
