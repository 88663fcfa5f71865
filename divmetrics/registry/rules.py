"""Checks of a metric against the rules of the framework, with a sentence for each broken rule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.ideal import values_alone_and_together
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import Difference, Effort, SortedIdeal
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, sums_to_one
from divmetrics.errors import DivmetricsError
from divmetrics.registry.parse import metric as metric_named

MOST_RANKS = 500  # the most ranks to test; in longer lists they are spread evenly
NUMBERS = "every contribution is a finite number"
WEIGHTS = "weights are at least 0, and only M reads grades"
CAUSAL = "M does not look ahead"
IDEAL = "N divides by what a list can earn"


@public
def check(metric: str | BaseMetric, lists: Batch | RankedList, seed: int = 0) -> list[str]:
    """Check a metric against the rules of the framework on some lists.

    The contributions must be finite and have the axes of the batch. M must not look ahead: its values down to
    rank k stay the same if the documents below k are replaced or removed, or if the list ends at k (of 1,000
    ranks or more, not every k is tried). Only M may read grades. f and w must be at least 0, and the weights
    f must sum to 1 if M charges an effort. N must not be 0 if the sum is not 0, and must not sort one ideal
    list for all intents by an M that depends on the documents above.

    Parameters
    ----------
    metric : str or BaseMetric
        The metric, or its name.
    lists : Batch or RankedList
        The lists on which the metric is computed: one, or those of a batch.
    seed : int
        The seed of the random choice of documents that replace others, at least 0.

    Returns
    -------
    list of str
        A sentence for each broken rule, with the place and the number that broke it first; empty if all hold.
        A metric that cannot be computed breaks the rule that contributions are finite.

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, an argument has the wrong type, or `seed` is negative.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.parts import One, Probability, Relevant
    >>> ranked = dm.RankedList(dm.Topic("7", (dm.Intent("film", 1.0),)), ["d1"], {"d1": {"film": 1}})
    >>> dm.check("ERR-IA@5", ranked)
    []
    >>> minus = lambda batch: -1 / batch.ranks
    >>> dm.check(dm.Metric("mine", N=One(), f=Probability(), w=minus, M=Relevant()), ranked)
    ['mine: w gives a negative weight (-1), expected at least 0']
    """
    by_rule = broken_rules(metric_named(metric), lists, check_whole("seed", seed, 0))
    return [sentence for sentences in by_rule.values() for sentence in sentences]


def broken_rules(metric: BaseMetric, lists: Batch | RankedList, seed: int = 0) -> dict[str, list[str]]:
    """Return {rule in words: sentences on how the metric breaks it}, for the arguments of `check`.

    A rule that holds has no sentences. If the contributions are not finite numbers or cannot be computed, the
    dict has this rule only.
    """
    batch = batch_lists([lists]) if isinstance(lists, RankedList) else lists
    try:
        contributions = metric.contributions(batch)
    except DivmetricsError as error:
        return {NUMBERS: [str(error)]}
    problems = _shape_and_values(metric, batch, contributions)
    if problems:
        return {NUMBERS: problems}
    rows = list(metric.rows(batch))
    by_rule = {
        NUMBERS: [],
        WEIGHTS: [sentence for row, read in rows for sentence in _columns(row, read)],
        CAUSAL: [sentence for row, read in rows for sentence in _look_ahead(row, read, seed)],
        IDEAL: [sentence for row, read in rows for sentence in _sorted_ideal(row, read)],
    }
    return {rule: list(dict.fromkeys(sentences)) for rule, sentences in by_rule.items()}


def _shape_and_values(metric: BaseMetric, batch: Batch, contributions: np.ndarray) -> list[str]:
    """Return sentences if contributions lack the batch's axes or are not finite."""
    axes = batch.linear.shape[:3]
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


def _columns(row: Metric, batch: Batch) -> list[str]:
    """Return sentences if f or w reads grades, a weight is invalid, or N is 0 although the sum is not."""
    batch = row.truncate(batch)
    column = row.columns(batch)
    problems = []
    nothing = np.zeros(batch.linear.shape)
    empty = batch.with_gains(nothing, nothing, nothing > 0)
    for name, part in (("f", row.f), ("w", row.w)):
        without = np.broadcast_to(part(empty), batch.linear.shape)
        if not np.array_equal(without, np.broadcast_to(column[name], batch.linear.shape)):
            problems.append(
                f"{row}: {name} reads the list's grades; only M may, so grades outside of M are refused"
            )
    weights = np.broadcast_to(column["f"], batch.linear.shape) * batch.present[:, None, :, None]
    if (weights < 0).any():
        problems.append(f"{row}: f gives a negative weight ({weights.min():.4g}), expected at least 0")
    if (np.asarray(column["w"]) < 0).any():
        problems.append(f"{row}: w gives a negative weight ({np.min(column['w']):.4g}), expected at least 0")
    total = weights.sum(axis=2)[batch.present.any(axis=1)]
    charged = isinstance(row.M, Difference) and isinstance(row.M.second, Effort)
    if charged and not sums_to_one(total).all():
        problems.append(
            f"{row}: M charges the effort for every intent, and the weights f sum to {total.max():.4g}, so a "
            "rank does not cost one effort; take weights that sum to 1, such as Probability()"
        )
    earned = column["f"] * column["w"] * column["M"]
    if ((column["N"] == 0) & (np.abs(earned) > CROSS_CHECK_TOLERANCE)).any():
        problems.append(f"{row}: the normaliser N is 0 where something was earned: the score would be lost")
    return problems


def _look_ahead(row: Metric, batch: Batch, seed: int) -> list[str]:
    """Return sentences if M at rank k depends on the documents below k; `seed` is for random replacements."""
    batch = row.truncate(batch)
    # Nothing is relevant below the end of all lists, however far down an effort is charged.
    batch = batch.cut(min(batch.depth, int(batch.length.max(initial=0)) + 2))
    whole = np.asarray(row.M(batch), dtype=float)
    for k in range(1, batch.depth, max(1, batch.depth // MOST_RANKS)):
        for other in _other_tails(batch, k, np.random.default_rng((seed, k))):
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


def _other_tails(batch: Batch, k: int, random: np.random.Generator) -> Iterator[Batch]:
    """Yield the lists cut at rank k, then with nothing relevant below, then with other documents below."""
    yield batch.cut(k)
    below = batch.depth - k
    for tail in (np.full(below, -1, dtype=np.int64), random.integers(k, batch.depth, below)):
        yield _with_tail(batch, np.concatenate([np.arange(k), tail]))


def _with_tail(batch: Batch, index: np.ndarray) -> Batch:
    """Return the batch with the gains at the ranks `index`, (rank,), from 0; -1 gives a rank without gain."""
    return batch.map_gains(lambda gain: gain[..., index] * (index >= 0))


def _sorted_ideal(row: Metric, batch: Batch) -> list[str]:
    """Return a sentence if N sorts documents by an M that depends on the documents above."""
    if not (isinstance(row.N, SortedIdeal) and row.N.per == "topic"):
        return []
    pool, utility = batch.judged, row.N.M or row.M
    alone, together = values_alone_and_together(pool, utility)
    if np.abs(alone - together).max(initial=0) <= CROSS_CHECK_TOLERANCE:
        return []
    return [
        f"{row}: N sorts the ideal list by what each document earns on its own, but M depends on the "
        "documents above, so another list may earn more than this ideal; take GreedyIdeal() for N"
    ]
