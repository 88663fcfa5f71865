"""Agreement with people for pairs of lists that share topics: intervals and tests that resample topics.

Pairs of lists of one topic are not independent: unusual judgments or judges of a topic affect all of its
pairs. So topics are drawn, or change signs, with all their pairs. The functions take outcomes as
`agreement_outcomes` returns them: a row per pair of lists, with the index topic, left, right; a column per
metric; 1 agrees with people, -1 disagrees, 0 is tied.
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
from divmetrics.research.meta.score_vectors import float_array

MOST_SUMS = 10**9  # largest product of the sum of the differences and their number; takes seconds


@public
def agreement_by_topic(
    outcomes: pd.DataFrame, *, confidence: float = 0.95, trials: int = 10_000, seed: int = 0
) -> pd.DataFrame:
    """Compute how often each metric agrees with people, with a cluster bootstrap interval over topics.

    tau = (agree - disagree) / pairs. Each trial draws topics with replacement, as many as there are, each
    with all its pairs; low and high are percentiles of tau over the trials. With few topics the interval is a
    little too narrow: with 30 topics, a 95 % interval covers the true tau about 93 % of the time.

    Parameters
    ----------
    outcomes : DataFrame
        Outcomes as `agreement_outcomes` returns them: 1, -1 or 0 per pair of lists (the index topic, left,
        right) and metric (the columns).
    confidence : float
        Confidence of the intervals, between 0 and 1.
    trials : int
        Number of bootstrap trials.
    seed : int
        Seed of the random numbers, at least 0.

    Returns
    -------
    DataFrame
        One row per metric. Columns metric; agree, disagree, ties (numbers of pairs of lists with the outcome
        1, -1 and 0); pairs (their sum); tau; low, high (its interval).

    Raises
    ------
    DivmetricsError
        If there are fewer than two topics, the outcomes have no index `topic` or another value than 1, -1 and
        0, or confidence, trials or seed is out of range.

    Examples
    --------
    >>> names = ["topic", "left", "right"]
    >>> pairs = pd.MultiIndex.from_product([["1", "2"], ["A"], ["B", "C"]], names=names)
    >>> outcomes = pd.DataFrame({"ERR-IA": [1, 1, -1, 1], "D#-nDCG": [1, 1, 1, 0]}, pairs)
    >>> agreement_by_topic(outcomes, trials=100)
        metric  agree  disagree  ties  pairs   tau  low  high
    0   ERR-IA      3         1     0      4  0.50  0.0   1.0
    1  D#-nDCG      3         0     1      4  0.75  0.5   1.0
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
    metric_pairs: Iterable[tuple[str, str]],
    *,
    confidence: float = 0.95,
    power: float = 0.8,
    trials: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Test whether the two metrics of a pair agree with people equally often (two-sided).

    Parameters
    ----------
    outcomes : DataFrame
        Outcomes as `agreement_outcomes` returns them: 1, -1 or 0 per pair of lists (the index topic, left,
        right) and metric (the columns).
    metric_pairs : iterable of (str, str)
        Pairs of metrics (a, b), which `holm` corrects as one family of tests.
    confidence : float
        Confidence of the intervals, between 0 and 1.
    power : float
        Power for the column `detectable`, between 0 and 1.
    trials : int
        Number of bootstrap trials for the intervals.
    seed : int
        Seed of the random numbers, at least 0.

    Returns
    -------
    DataFrame
        One row per pair of metrics. Columns metric_a, metric_b; pairs (number of pairs of lists); only_a,
        only_b (pairs on which only that metric agrees); p_pairs (p-value of the sign test on these two, as if
        pairs were independent); difference (tau of b minus tau of a, as in `agreement_by_topic`), low, high
        (its bootstrap interval over topics); p_topics (`sign_flip_test` of the topics' differences); holm
        (p_topics corrected by `holm`); detectable (the difference that these topics and pairs would detect
        with the power `power` at the level of Holm's first step; a normal approximation: with 30 topics, a
        nominal power of 0.8 is in fact nearer to 0.7).

    Raises
    ------
    DivmetricsError
        If a metric has no outcomes, there is no pair of metrics, one is not a pair, there are fewer than two
        topics, the outcomes have no index `topic` or another value than 1, -1 and 0, or confidence, power,
        trials or seed is out of range.

    Examples
    --------
    >>> names = ["topic", "left", "right"]
    >>> pairs = pd.MultiIndex.from_product([["1", "2"], ["A"], ["B", "C"]], names=names)
    >>> outcomes = pd.DataFrame({"ERR-IA": [1, 1, -1, 1], "D#-nDCG": [1, 1, 1, 0]}, pairs)
    >>> tests = agreement_tests(outcomes, [("ERR-IA", "D#-nDCG")], trials=100)
    >>> tests[["only_a", "only_b", "difference", "p_topics", "holm"]]
       only_a  only_b  difference  p_topics  holm
    0       1       1        0.25       1.0   1.0
    """
    metric_pairs = list(metric_pairs)
    if not metric_pairs:
        raise DivmetricsError("no pair of metrics was given; give at least one, such as ('ERR-IA', 'ERR-IS')")
    metrics, sums, pairs = _by_topic(outcomes)
    wrong = next((pair for pair in metric_pairs if isinstance(pair, str) or len(pair) != 2), None)
    if wrong is not None:
        raise DivmetricsError(
            f"{wrong!r} is not a pair of metrics, expected two names, such as ('ERR-IA', 'ERR-IS')"
        )
    for name in (name for pair in metric_pairs for name in pair):
        if name not in metrics:
            raise DivmetricsError(
                f"metric {name!r} is not among the outcomes{did_you_mean(name, metrics)}; score it with the "
                "others, or leave it out"
            )
    first, second = (np.array([metrics.index(pair[side]) for pair in metric_pairs]) for side in (0, 1))
    differences = sums[:, second] - sums[:, first]
    low, high, error = _resampled(differences, pairs, confidence, trials, seed)
    agrees = outcomes.to_numpy() == 1
    only_a = (agrees[:, first] & ~agrees[:, second]).sum(axis=0)
    only_b = (agrees[:, second] & ~agrees[:, first]).sum(axis=0)
    p_topics = [sign_flip_test(column) for column in differences.T]
    return pd.DataFrame(
        {
            "metric_a": [a for a, _ in metric_pairs],
            "metric_b": [b for _, b in metric_pairs],
            "pairs": len(outcomes),
            "only_a": only_a,
            "only_b": only_b,
            "p_pairs": [sign_test(int(a), int(b)) for a, b in zip(only_a, only_b, strict=True)],
            "difference": differences.sum(axis=0) / len(outcomes),
            "low": low,
            "high": high,
            "p_topics": p_topics,
            "holm": holm(p_topics),
            "detectable": detectable(error, (1 - confidence) / len(metric_pairs), power),
        }
    )


@public
def sign_flip_test(differences: Sequence[int] | np.ndarray) -> float:
    """Return the two-sided p-value of the exact sign-flip randomisation test of integers.

    It is the share of the 2^n assignments of signs with a sum at least as far from 0 as the observed one. The
    distribution of the sum is convolved number by number, so n may be large.

    Parameters
    ----------
    differences : sequence of int
        One difference of counts per topic; 2.0 counts as the integer 2.

    Returns
    -------
    float
        p-value; 1 for no differences, or if all are 0.

    Raises
    ------
    DivmetricsError
        If a difference is not an integer, or the differences are too large for an exact test: the product of
        their number and the sum of their sizes exceeds 10^9.

    Examples
    --------
    >>> sign_flip_test([3, 1, 2, -1])
    0.375
    """
    sizes = np.abs(float_array("the differences", differences))
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
    """Return the p-values of one family of tests with Holm's step-down correction, in their order.

    Rejecting the corrected p-values below a level bounds the probability of any false rejection in the family
    by that level, however the tests depend on each other.

    Parameters
    ----------
    p_values : sequence of float
        p-values from 0 to 1.

    Returns
    -------
    array of shape (test,)
        Corrected p-values from 0 to 1.

    Raises
    ------
    DivmetricsError
        If a p-value is not a number from 0 to 1.

    References
    ----------
    holm1979

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = float_array("the p-values", p_values)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise DivmetricsError(f"the p-values are {quote(p_values)}, expected a list of numbers from 0 to 1")
    ascending = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[ascending] = np.minimum(1, np.maximum.accumulate(p[ascending] * np.arange(len(p), 0, -1)))
    return corrected


@public
def detectable(error: float | np.ndarray, level: float = 0.05, power: float = 0.8) -> float | np.ndarray:
    """Return the smallest difference that a two-sided test detects with power `power` (normal approximation).

    Parameters
    ----------
    error : float or array
        Standard error of the difference, at least 0; several as an array, not a list.
    level : float
        Significance level, between 0 and 1.
    power : float
        Probability of a significant result, between 0 and 1.

    Returns
    -------
    float or array
        Difference in the unit of `error`, of the shape of `error`; below 0 for a power below level / 2.

    Raises
    ------
    DivmetricsError
        If an argument is out of its range.

    Examples
    --------
    >>> round(float(detectable(0.05)), 3)
    0.14
    """
    stats = import_optional("scipy.stats", "the difference that a test shows")

    level, power = check_strict_fraction("level", level), check_strict_fraction("power", power)
    if not np.isfinite(float_array("the standard errors", error)).all() or np.any(np.asarray(error) < 0):
        raise DivmetricsError(f"the standard error is {quote(error)}, expected a finite number of at least 0")
    return error * (stats.norm.isf(level / 2) + stats.norm.ppf(power))


def _by_topic(outcomes: pd.DataFrame) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return the metrics, the sums of their outcomes (topic, metric), and the numbers of pairs (topic,).

    Raises DivmetricsError if the outcomes have no index `topic`, another value than 1, -1 and 0, or fewer
    than two topics.
    """
    if not isinstance(outcomes, pd.DataFrame) or "topic" not in outcomes.index.names:
        raise DivmetricsError(
            "the outcomes have no index 'topic', expected topic, left, right as agreement_outcomes returns "
            "them; call it first"
        )
    if not outcomes.isin([-1, 0, 1]).to_numpy().all():
        raise DivmetricsError(
            "an outcome is not 1, -1 or 0; give outcomes as agreement_outcomes returns them"
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
    """Return low, high (percentiles) and standard deviation of sum / pairs over the trials, (column,) each.

    `sums` is (topic, column), `pairs` (topic,). Raises DivmetricsError if an argument is out of range.
    """
    tail = (1 - check_strict_fraction("confidence", confidence)) / 2
    drawn = topic_counts(len(pairs), check_trials(trials), check_seed(seed))
    taus = np.concatenate([draws @ sums / (draws @ pairs)[:, None] for draws in drawn])
    low, high = np.quantile(taus, [tail, 1 - tail], axis=0)
    return low, high, taus.std(axis=0)
