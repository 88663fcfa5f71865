"""AP correlation: Kendall's tau that looks at the top of the ranking more closely (Yilmaz et al. 2008).

Higher scores are better. `tie`: scores that differ by at most so much are tied, by default what rounding
alone does. 0 takes them as they are: a printed coefficient may hang on how some program rounded.
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
    walked: Sequence[float] | np.ndarray,
    ties: Ties = "stable",
    *,
    order: Sequence[int] | None = None,
    samples: int = 1_000,
    seed: int = 0,
    tie: float | None = None,
) -> float:
    """AP correlation (Yilmaz, Aslam & Robertson 2008): Kendall's tau with more weight on the top.

    tau_ap = 2/(n-1) sum_{i=2..n} C(i)/(i-1) - 1. The list of the evaluated metric, `walked`, is walked from
    rank 2 down; C(i) counts the runs above rank i that the `truth` puts above the run at rank i, too. The
    roles matter: see `symmetric_tau_ap`.

    Parameters
    ----------
    truth, walked : scores of the same runs, in the same order; at least 2
    ties : "stable": both lists are the stable sort, best first, of the runs in the given `order`.
        "averaged": the mean of "stable" over all orders of the runs, in closed form. "sampled": its estimate
        from `samples` random orders. "independent": the mean when each list breaks its ties at random by
        itself, in closed form; a list with ties then falls short of 1 with itself.
    order : positions of the runs, each once; None for the order in which they are given
    samples, seed : for "sampled"
    """
    goal, level = paired_levels(truth, walked, tie)
    check_choice("ties", ties, get_args(Ties))
    if ties == "stable":
        return float(
            tau_ap_of_orders(truth, walked, [range(len(goal)) if order is None else order], tie=tie)[0]
        )
    if order is not None:
        raise DivmetricsError(
            f'an order of the runs was given, which ties="{ties}" does not use; leave it out'
        )
    if ties == "sampled":
        random = np.random.default_rng(check_seed(seed))
        orders = random.permuted(np.tile(np.arange(len(goal)), (check_trials(samples), 1)), axis=1)
        return float(tau_ap_of_orders(truth, walked, orders, tie=tie).mean())
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
    """The mean of tau_ap in the two directions (Yilmaz et al. 2008); parameters as there."""
    there = tau_ap(a, b, ties, order=order, samples=samples, seed=seed, tie=tie)
    back = tau_ap(b, a, ties, order=order, samples=samples, seed=seed, tie=tie)
    return (there + back) / 2


@public
def tau_ap_of_orders(
    truth: Sequence[float] | np.ndarray,
    walked: Sequence[float] | np.ndarray,
    orders: Sequence[Sequence[int]] | np.ndarray,
    *,
    tie: float | None = None,
) -> np.ndarray:
    """tau_ap with ties in each of several orders of the runs, (order,): how far do ties alone move it?

    orders: positions of the runs, each once per order, (order, run).
    """
    check_ordered("orders", orders)
    goal, level = paired_levels(truth, walked, tie)
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
        # met: the place in the truth's list of what stands at each rank of the walked one.
        walk = np.argsort(-level[part], axis=1, kind="stable")
        place = np.argsort(np.argsort(-goal[part], axis=1, kind="stable"), axis=1)
        met = np.take_along_axis(place, walk, axis=1)
        correct = np.tril(met[:, None, :] < met[:, :, None], -1).sum(axis=2)
        out[start : start + step] = 2 * np.mean(correct[:, 1:] / np.arange(1, n), axis=1) - 1
    return out


def _expected_tau_ap(goal: np.ndarray, level: np.ndarray, alike: bool) -> float:
    """tau_ap averaged over all ways to break ties: by one random order for both lists, or by one for each.

    A run x shares its level with t - 1 fellows, below s better runs. It is the j-th of these t in as many
    cases for every j, at rank s + j, and each fellow is then above it with probability (j - 1)/(t - 1). If
    the truth breaks ties by itself, it puts what it ties with x above x with probability 1/2. If both lists
    are sorted from the same order, a tied fellow above x in one is so in the other; and a better run that
    the truth ties with x falls into any of the t + 1 gaps of the group alike, so it is above x in the truth
    with probability j/(t + 1).
    """
    above = goal[:, None] > goal[None, :]  # (y, x): does the truth put y above x?
    tied = goal[:, None] == goal[None, :]
    total = 0.0
    for group in np.unique(level):
        members, better = level == group, level > group
        t, s = int(members.sum()), int(better.sum())
        j = np.arange(1, t + 1)
        among = above[np.ix_(members, members)].sum() / t
        among_tied = (tied[np.ix_(members, members)].sum() - t) / t
        over = above[np.ix_(better, members)].sum() / t
        over_tied = tied[np.ix_(better, members)].sum() / t
        chance = over_tied * (j / (t + 1) if alike else 0.5)
        fellows = (among + among_tied * (1 if alike else 0.5)) * (j - 1) / max(1, t - 1)
        correct = over + chance + fellows
        total += float(np.sum(correct[s + j > 1] / (s + j - 1)[s + j > 1]))
    return 2 * total / (len(goal) - 1) - 1
