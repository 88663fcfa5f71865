"""AP correlation: a rank correlation like Kendall's tau with more weight on the top ranks.

Higher scores are better. Scores that differ by at most `tie` are tied, by default by what rounding alone can
do. A tie of 0 compares scores exactly: some printed coefficients depend on how a program rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_ordered
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.resampling import check_seed, check_trials
from divmetrics.research.meta.score_vectors import paired_levels

Ties = Literal["stable", "averaged", "sampled", "independent"]


@public
def tau_ap(
    truth: Sequence[float] | np.ndarray,
    candidate: Sequence[float] | np.ndarray,
    ties: Ties = "stable",
    *,
    order: Sequence[int] | None = None,
    samples: int = 1_000,
    seed: int = 0,
    tie: float | None = None,
) -> float:
    """Compute the AP correlation tau_ap = 2/(n-1) sum_{i=2..n} C(i)/(i-1) - 1.

    n runs are ranked by `candidate` and by `truth`, the highest score first. C(i) is the number of runs above
    rank i of the candidate's ranking that the true ranking also has above the run at rank i. tau_ap is not
    symmetric; see `symmetric_tau_ap`.

    Parameters
    ----------
    truth, candidate : sequence of float
        Scores of the same runs in the same order, at least 2: under the metric that ranks them truly, and
        under the metric that is evaluated.
    ties : {"stable", "averaged", "sampled", "independent"}
        How ties are broken. "stable": both lists are stable sorts of the runs in `order`. "averaged": the
        mean of "stable" over all orders, in closed form. "sampled": its estimate from `samples` random
        orders. "independent": the mean if each list breaks its ties at random by itself, in closed form; the
        coefficient of a list with ties and itself is then below 1.
    order : sequence of int, optional
        For "stable": permutation of the runs' indices 0..n-1; by default, their order in the lists.
    samples, seed : int
        Number of random orders, at least 1, and seed, at least 0, for "sampled"; else ignored.
    tie : float, optional
        Largest difference of tied scores; by default, what rounding alone can cause. 0 compares exactly.

    Returns
    -------
    float
        Coefficient from -1 (reversed) to 1 (the same order).

    Raises
    ------
    DivmetricsError
        If the lists differ in length, have fewer than 2 scores or one that is not finite, `order` is no
        permutation or used without "stable", or another option is out of range.

    References
    ----------
    yilmaz2008

    Examples
    --------
    An exchange at the bottom costs less than one at the top:

    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 3), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 3)
    (0.778, 0.333)
    """
    goal, level = paired_levels(truth, candidate, tie)
    check_choice("ties", ties, get_args(Ties))
    if ties == "stable":
        return float(
            tau_ap_of_orders(truth, candidate, [range(len(goal)) if order is None else order], tie=tie)[0]
        )
    if order is not None:
        raise DivmetricsError(
            f'an order of the runs was given, which ties="{ties}" does not use; leave it out'
        )
    if ties == "sampled":
        random = np.random.default_rng(check_seed(seed))
        orders = random.permuted(np.tile(np.arange(len(goal)), (check_trials(samples), 1)), axis=1)
        return float(tau_ap_of_orders(truth, candidate, orders, tie=tie).mean())
    return _expected_tau_ap(goal, level, alike=ties == "averaged")


@public
def symmetric_tau_ap(
    a: Sequence[float] | np.ndarray,
    b: Sequence[float] | np.ndarray,
    ties: Ties = "stable",
    *,
    order: Sequence[int] | None = None,
    samples: int = 1_000,
    seed: int = 0,
    tie: float | None = None,
) -> float:
    """Compute the mean of tau_ap(a, b) and tau_ap(b, a).

    Parameters
    ----------
    a, b : sequence of float
        Scores of the same runs in the same order; at least 2.
    ties, order, samples, seed, tie : optional
        As in `tau_ap`.

    Returns
    -------
    float
        Coefficient from -1 (reversed) to 1 (the same order).

    Raises
    ------
    DivmetricsError
        As in `tau_ap`.

    References
    ----------
    yilmaz2008

    Examples
    --------
    >>> round(symmetric_tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 3)
    0.333
    """
    there = tau_ap(a, b, ties, order=order, samples=samples, seed=seed, tie=tie)
    back = tau_ap(b, a, ties, order=order, samples=samples, seed=seed, tie=tie)
    return (there + back) / 2


@public
def tau_ap_of_orders(
    truth: Sequence[float] | np.ndarray,
    candidate: Sequence[float] | np.ndarray,
    orders: Sequence[Sequence[int]] | np.ndarray,
    *,
    tie: float | None = None,
) -> np.ndarray:
    """Compute the AP correlation tau_ap (see `tau_ap`) once for each order in which ties may be broken.

    Of runs that are tied under `truth` or `candidate`, the run that comes first in the order ranks first.

    Parameters
    ----------
    truth, candidate : sequence of float
        Scores of the same runs in the same order, at least 2: under the metric that ranks them truly, and
        under the metric that is evaluated.
    orders : array of int of shape (order, run)
        Permutations of the runs' indices 0..n-1.
    tie : float, optional
        Largest difference of tied scores; by default, what rounding alone can cause.

    Returns
    -------
    array of shape (order,)
        Coefficients from -1 to 1, none without orders; their range shows how much they depend on ties.

    Raises
    ------
    DivmetricsError
        If an order is not a permutation of 0..n-1, the lists differ in length, have fewer than 2 scores or
        one that is not finite, or `tie` is below 0.

    References
    ----------
    yilmaz2008

    Examples
    --------
    >>> tau_ap_of_orders([3, 2, 1], [1, 1, 0], [[0, 1, 2], [1, 0, 2]]).tolist()
    [1.0, 0.0]
    """
    check_ordered("orders", orders)
    goal, level = paired_levels(truth, candidate, tie)
    n = len(goal)
    placed = np.array([list(order) for order in orders if len(order) == n]).reshape(-1, n)
    if len(placed) < len(orders) or (np.sort(placed, axis=1) != np.arange(n)).any():
        raise DivmetricsError(
            f"an order of the runs does not hold every position from 0 to {n - 1} once; "
            "give a permutation of the runs"
        )
    out = np.empty(len(placed))
    step = max(1, 2**20 // n**2)
    for start in range(0, len(placed), step):
        part = placed[start : start + step]
        # met: the rank in the truth's list of the run at each rank of the candidate's list.
        walk = np.argsort(-level[part], axis=1, kind="stable")
        place = np.argsort(np.argsort(-goal[part], axis=1, kind="stable"), axis=1)
        met = np.take_along_axis(place, walk, axis=1)
        correct = np.tril(met[:, None, :] < met[:, :, None], -1).sum(axis=2)
        out[start : start + step] = 2 * np.mean(correct[:, 1:] / np.arange(1, n), axis=1) - 1
    return out


def _expected_tau_ap(goal: np.ndarray, level: np.ndarray, alike: bool) -> float:
    """Return tau_ap of levels `goal` (truth) and `level`, (run,) each, averaged over all ways to break ties.

    A run x shares its level with t - 1 others, below s better runs. It is the j-th of these t with equal
    probability for every j, at rank s + j, and each of the others is above it with probability (j - 1)/(t -
    1). If the truth breaks ties by itself, it puts a run that it ties with x above x with probability 1/2. If
    `alike`, both lists are sorted from the same random order: a tied run above x in one list is above it in
    the other; and a better run that the truth ties with x falls into each of the t + 1 gaps of the group with
    equal probability, so it is above x in the truth with probability j/(t + 1).
    """
    order = np.argsort(level)
    starts = np.flatnonzero(np.diff(level[order], prepend=-np.inf))  # of the groups, the worst first
    sizes = np.diff(starts, append=len(level))
    placed = goal[order]
    # The pairs (y, x) by the groups of y and x: does the truth put y above x, or tie them?
    above, tied = (
        np.add.reduceat(np.add.reduceat(pairs.astype(int), starts, axis=0), starts, axis=1)
        for pairs in (placed[:, None] > placed, placed[:, None] == placed)
    )
    total = 0.0
    for group, (start, t) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        s = len(level) - start - t
        j = np.arange(1, t + 1)
        among, among_tied = above[group, group] / t, (tied[group, group] - t) / t
        over, over_tied = above[group + 1 :, group].sum() / t, tied[group + 1 :, group].sum() / t
        chance = over_tied * (j / (t + 1) if alike else 0.5)
        fellows = (among + among_tied * (1 if alike else 0.5)) * (j - 1) / max(1, t - 1)
        correct = over + chance + fellows
        total += float(np.sum(correct[s + j > 1] / (s + j - 1)[s + j > 1]))
    return 2 * total / (len(goal) - 1) - 1
