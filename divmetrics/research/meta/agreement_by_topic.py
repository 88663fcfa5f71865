"""Agreement with people where pairs of lists share topics: intervals and tests that take topics as the unit.

Several pairs of lists of one topic say less than as many of different topics: a topic whose judgments or
judges are odd is odd for all of them. So topics are drawn, or change sides, whole, with all their pairs. The
functions take outcomes as `agreement_outcomes` returns them: a row per pair of lists, with the index topic,
left, right; a column per metric; 1 agrees with people, -1 disagrees, 0 is tied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.optional import import_optional
from divmetrics.research.meta.concordance import sign_test
from divmetrics.research.meta.resampling import check_seed, check_strict_fraction, check_trials, topic_counts
from divmetrics.research.meta.score_vectors import numbers

MOST_SUMS = 10**9  # sums of an exact test times its differences: seconds


@public
def agreement_by_topic(
    outcomes: pd.DataFrame, *, confidence: float = 0.95, trials: int = 10_000, seed: int = 0
) -> pd.DataFrame:
    """How often each metric agrees with people, with an interval from resampled topics.

    tau = (agree - disagree) / pairs. In each of so many trials as many topics as there are get drawn with
    replacement, each with all its pairs; low and high are percentiles of tau (cluster bootstrap). With few
    topics they are a little too close: of 95% intervals from 30 topics about 93% hold. Returns metric, agree,
    disagree, ties, pairs, tau, low, high. Raises DivmetricsError for fewer than two topics.
    """
    _, sums, pairs = _by_topic(outcomes)
    low, high, _ = _resampled(sums, pairs, confidence, trials, seed)
    counts = {name: (outcomes == sign).sum() for name, sign in (("agree", 1), ("disagree", -1), ("ties", 0))}
    return pd.DataFrame(
        {
            "metric": outcomes.columns,
            **{name: count.to_numpy() for name, count in counts.items()},
            "pairs": len(outcomes),
            "tau": sums.sum(axis=0) / len(outcomes),
            "low": low,
            "high": high,
        }
    )


@public
def agreement_tests(
    outcomes: pd.DataFrame,
    compared: Iterable[tuple[str, str]],
    *,
    confidence: float = 0.95,
    power: float = 0.8,
    trials: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Does the second metric of a pair agree with people more often than the first?

    Parameters
    ----------
    outcomes : see above
    compared : pairs of metrics (a, b). They are one family: `holm` corrects for all of them
    confidence, trials, seed : of the interval, as in `agreement_by_topic`
    power : of `detectable`

    Returns metric_a, metric_b, pairs (of lists), only_a, only_b (pairs on which only that metric agrees with
    people), p_pairs (of the sign test on these two, which takes pairs for independent), difference (tau of b
    minus tau of a), low, high, p_topics (if the metrics did not differ, each topic's difference could as well
    have the other sign: the share of all such assignments of signs whose sum is at least as far from 0,
    computed exactly), holm (p_topics, corrected; see `holm`), detectable: the difference that as many pairs
    in as many topics show with this power, at the level 1 - confidence over the number of tests, Holm's first
    step (a normal approximation: with 30 topics a power of 0.8 is nearer to 0.7).

    Raises DivmetricsError for a metric that is not among the outcomes, no pair of metrics, and fewer than two
    topics.
    """
    compared = list(compared)
    if not compared:
        raise DivmetricsError("no pair of metrics was given; give at least one, such as ('ERR-IA', 'ERR-IS')")
    metrics, sums, pairs = _by_topic(outcomes)
    odd = next((both for both in compared if isinstance(both, str) or len(both) != 2), None)
    if odd is not None:
        raise DivmetricsError(
            f"{odd!r} is not a pair of metrics, expected two names, such as ('ERR-IA', 'ERR-IS')"
        )
    for name in (name for both in compared for name in both):
        if name not in metrics:
            raise DivmetricsError(
                f"metric {name!r} is not among the outcomes{did_you_mean(name, metrics)}; score it with the "
                "others, or leave it out"
            )
    first, second = (np.array([metrics.index(both[side]) for both in compared]) for side in (0, 1))
    differences = sums[:, second] - sums[:, first]
    low, high, error = _resampled(differences, pairs, confidence, trials, seed)
    agrees = outcomes.to_numpy() == 1
    only_a = (agrees[:, first] & ~agrees[:, second]).sum(axis=0)
    only_b = (agrees[:, second] & ~agrees[:, first]).sum(axis=0)
    p_topics = [sign_flip_test(column) for column in differences.T]
    return pd.DataFrame(
        {
            "metric_a": [a for a, _ in compared],
            "metric_b": [b for _, b in compared],
            "pairs": len(outcomes),
            "only_a": only_a,
            "only_b": only_b,
            "p_pairs": [sign_test(int(a), int(b)) for a, b in zip(only_a, only_b, strict=True)],
            "difference": differences.sum(axis=0) / len(outcomes),
            "low": low,
            "high": high,
            "p_topics": p_topics,
            "holm": holm(p_topics),
            "detectable": detectable(error, (1 - confidence) / len(compared), power),
        }
    )


@public
def sign_flip_test(differences: Sequence[int] | np.ndarray) -> float:
    """Two-sided exact randomisation test of whole numbers that could each have had the other sign.

    differences: one per topic. Returns the share of the 2^n assignments of signs whose sum is at least as far
    from 0 as the sum given. The distribution of the sum is built up number by number, so n may be large.
    """
    sizes = np.abs(numbers("the differences", differences))
    if sizes.ndim != 1 or not np.isfinite(sizes).all() or not (sizes == np.floor(sizes)).all():
        raise DivmetricsError("a difference is not a whole number; give counts, as of agreements per topic")
    if sizes.sum() * len(sizes) > MOST_SUMS:
        raise DivmetricsError(
            f"the differences add up to {sizes.sum():g}, too much for an exact test of {len(sizes)} of them: "
            f"the product may be {MOST_SUMS:,} at most; give counts, as of agreements per topic"
        )
    chance = np.ones(1)  # of a sum, from -reach to reach
    for size in sizes.astype(np.int64):
        chance = (np.pad(chance, (2 * size, 0)) + np.pad(chance, (0, 2 * size))) / 2
    reach = int(sizes.sum())
    far = np.abs(np.arange(-reach, reach + 1)) >= abs(int(np.sum(differences)))
    return min(1.0, float(chance[far].sum()))


@public
def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Holm's (1979) step-down correction of the p-values of one family, in their order.

    A p-value, corrected, is below a level where the chance of any wrong rejection in the family stays at that
    level, whatever the tests' dependence.
    """
    p = numbers("the p-values", p_values)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise DivmetricsError(f"the p-values are {quote(p_values)}, expected a list of numbers from 0 to 1")
    ascending = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[ascending] = np.minimum(1, np.maximum.accumulate(p[ascending] * np.arange(len(p), 0, -1)))
    return corrected


@public
def detectable(error: float | np.ndarray, level: float = 0.05, power: float = 0.8) -> float | np.ndarray:
    """The difference that a two-sided test at this level shows with this power (normal approximation).

    error: the standard error of the difference.
    """
    stats = import_optional("scipy.stats", "the difference that a test shows")

    level, power = check_strict_fraction("level", level), check_strict_fraction("power", power)
    if not np.isfinite(numbers("the standard errors", error)).all() or np.any(np.asarray(error) < 0):
        raise DivmetricsError(f"the standard error is {quote(error)}, expected a finite number of at least 0")
    return error * (stats.norm.isf(level / 2) + stats.norm.ppf(power))


def _by_topic(outcomes: pd.DataFrame) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Metrics, sums of the outcomes (topic, metric), numbers of pairs (topic,)."""
    if not isinstance(outcomes, pd.DataFrame) or "topic" not in outcomes.index.names:
        raise DivmetricsError(
            "the outcomes have no index 'topic', expected topic, left, right as agreement_outcomes returns "
            "them; call it first"
        )
    groups = outcomes.astype(np.int64).groupby(level="topic", sort=False)
    sums, pairs = groups.sum().to_numpy(), groups.size().to_numpy()
    if len(pairs) < 2:
        raise DivmetricsError(
            f"the pairs of lists are of {len(pairs)} topic{'' if len(pairs) == 1 else 's'}, and what differs "
            "between topics takes at least two; give more preferences"
        )
    return list(outcomes.columns), sums, pairs


def _resampled(
    sums: np.ndarray, pairs: np.ndarray, confidence: float, trials: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Percentiles and standard deviation over the trials of sum over pairs, (column,) each."""
    tail = (1 - check_strict_fraction("confidence", confidence)) / 2
    drawn = topic_counts(len(pairs), check_trials(trials), check_seed(seed))
    taus = np.concatenate([draws @ sums / (draws @ pairs)[:, None] for draws in drawn])
    low, high = np.quantile(taus, [tail, 1 - tail], axis=0)
    return low, high, taus.std(axis=0)
