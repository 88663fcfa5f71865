"""Rank correlation of metrics: Kendall's tau with its interval, and tables of coefficients.

Higher scores are better. Scores that differ by at most `tie` are tied; by default, `tie` is the largest
difference that rounding alone can cause.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import Any, Literal, get_args, overload

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_number, check_whole, quote
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.optional import import_optional
from divmetrics.research.meta.ap_correlation import Ties, symmetric_tau_ap, tau_ap
from divmetrics.research.meta.parallel import in_parallel
from divmetrics.research.meta.resampling import check_strict_fraction
from divmetrics.research.meta.score_table import Missing, ScoreTable, score_table
from divmetrics.research.meta.score_vectors import paired_levels

Kendall = Literal["tau-b", "tau"]
Method = Literal["tau-b", "tau", "tau_ap", "symmetric tau_ap"]


@overload
def kendall(
    scores: pd.DataFrame,
    a: str,
    b: str,
    *,
    method: Kendall = ...,
    tie: float | None = ...,
    missing: Missing = ...,
) -> float: ...


@overload
def kendall(
    scores: Sequence[float] | np.ndarray,
    a: Sequence[float] | np.ndarray,
    *,
    method: Kendall = ...,
    tie: float | None = ...,
) -> float: ...


@public
def kendall(
    scores: Any,
    a: Any,
    b: Any = None,
    *,
    method: Kendall = "tau-b",
    tie: float | None = None,
    missing: Missing = "fail",
) -> float:
    """Compute Kendall's rank correlation of two metrics, or of two lists of scores.

    Call `kendall(scores, a, b)` for two metrics of a score table, or `kendall(x, y)` for two lists. With C
    concordant and D discordant of P = n(n-1)/2 pairs, "tau" is (C - D) / P; "tau-b" (SciPy's) is
    (C - D) / sqrt((P - tied in a) (P - tied in b)) and not defined if all scores of a list are tied.

    Parameters
    ----------
    scores : DataFrame or sequence of float
        The score table (run, topic, metric, score), as `divmetrics.evaluate` returns, whose runs are ranked
        by their means over topics; or the first list of scores.
    a : str or sequence of float
        The name of the first metric; or the second list, scores of the same runs in the same order.
    b : str, optional
        The name of the second metric, with a score table only.
    method : {"tau-b", "tau"}
        The coefficient.
    tie : float, optional
        Largest difference of tied scores, or means; by default, what rounding alone can cause.
    missing : {"fail", "drop"}
        With a score table: whether to raise if a run has no score on a topic, or to drop the topic with a
        warning. Ignored for lists.

    Returns
    -------
    float
        The coefficient, from -1 to 1.

    Raises
    ------
    DivmetricsError
        If a metric is not in the table, both metrics are the same, or the table cannot be used (as in
        `score_table`); if the lists differ in length, are shorter than 2 or have a score that is not finite;
        or if tau-b is not defined or an option is out of range.

    See Also
    --------
    rank_correlation : Every pair of metrics, with intervals, or topic by topic.

    Examples
    --------
    >>> import divmetrics as dm
    >>> dm.meta.kendall([0.1, 0.2, 0.3], [0.5, 0.9, 0.7], method="tau")
    0.3333333333333333
    >>> scores = dm.evaluate(dm.datasets.harry_potter(), None, ["ERR-IA@5", "D#-nDCG@5"])
    >>> round(dm.meta.kendall(scores, "ERR-IA@5", "D#-nDCG@5"), 4)
    0.3333
    """
    check_choice("method", method, get_args(Kendall))
    if isinstance(scores, pd.DataFrame):
        return _kendall_of_metrics(scores, a, b, method, tie, missing)
    if b is not None:
        raise DivmetricsError(
            f"kendall of two lists takes no third ({quote(b)}); give kendall(x, y, method=...), or a score "
            "table and two metrics' names"
        )
    first, second = paired_levels(scores, a, tie)
    if method == "tau":
        i, j = np.triu_indices(len(first), 1)
        return float(np.mean(np.sign(first[i] - first[j]) * np.sign(second[i] - second[j])))
    for name, level in (("first", first), ("second", second)):
        if not level.any():
            raise DivmetricsError(
                f"all {len(level)} scores of the {name} list are equal, so it ranks nothing and tau-b is not "
                'defined; leave it out, or take method="tau"'
            )
    stats = import_optional("scipy.stats", "tau-b")

    # The p-value is not used; the asymptotic one divides by n - 2, and the exact one takes long.
    p_value = "asymptotic" if len(first) > 2 else "exact"
    return float(stats.kendalltau(first, second, method=p_value, variant="b").statistic)


def _kendall_of_metrics(
    scores: pd.DataFrame, a: Any, b: Any, method: Kendall, tie: float | None, missing: Missing
) -> float:
    """Compute Kendall's tau of two metrics of a score table, over the runs' means.

    Raises DivmetricsError unless `a` and `b` are names of metrics in the table.
    """
    for metric in (a, b):
        if not isinstance(metric, str):
            raise DivmetricsError(
                f"kendall of a score table takes two metrics' names, as in kendall(scores, 'ERR-IA@20', "
                f"'D#-nDCG@20'), got {quote(metric)}"
            )
    rows = rank_correlation(scores, [b], truth=a, method=method, tie=tie, missing=missing)
    return float(rows["tau"].item())


@public
def kendall_interval(
    tau: float, n: float, confidence: float = 0.95, *, decimals: int | None = None
) -> tuple[float, float]:
    """Return the confidence interval tanh(atanh(tau) +- z sqrt(0.437 / (n - 4))) of Kendall's tau.

    z is the quantile of the normal distribution for the confidence: 1.96 for 0.95.

    Parameters
    ----------
    tau : float
        Coefficient from -1 to 1.
    n : float
        Number of ranked items, above 4; need not be an integer, see `preference_tau`.
    confidence : float
        Confidence of the interval, between 0 and 1.
    decimals : int, optional
        Decimals to which tau is rounded first, as Sakai and Zeng do (3); by default it is not rounded.

    Returns
    -------
    tuple of float
        low, high; both are tau if it is -1 or 1.

    Raises
    ------
    DivmetricsError
        If tau is not between -1 and 1, n is not above 4, `confidence` is not between 0 and 1, or `decimals`
        is no whole number of at least 0.

    References
    ----------
    fieller1957; long1997; sakaizeng2019, section 5.1

    Examples
    --------
    >>> [round(value, 3) for value in kendall_interval(0.8, 15)]
    [0.609, 0.903]
    """
    stats = import_optional("scipy.stats", "the interval of tau")

    confidence = check_strict_fraction("confidence", confidence)
    check_number("tau", tau, -1, 1)
    if not n > 4:
        raise DivmetricsError(
            f"n is {n:g}, and the interval of tau needs more than 4 ranked items; rank more runs"
        )
    tau = round_tau(tau, decimals)
    return _fisher_interval(tau, stats.norm.ppf((1 + confidence) / 2) * math.sqrt(0.437 / (n - 4)))


@public
def pearson_interval(r: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval tanh(atanh(r) +- z / sqrt(n - 3)) of Pearson's correlation.

    z is the quantile of the normal distribution for the confidence: 1.96 for 0.95. Only the coefficient is
    needed; from the data, `scipy.stats.pearsonr(...).confidence_interval()` computes the same interval.

    Parameters
    ----------
    r : float
        Coefficient from -1 to 1.
    n : int
        Number of pairs of values, above 3.
    confidence : float
        Confidence of the interval, between 0 and 1.

    Returns
    -------
    tuple of float
        low, high; both are r if it is -1 or 1.

    Raises
    ------
    DivmetricsError
        If r is not between -1 and 1, n is not an integer above 3, or `confidence` is not between 0 and 1.

    Examples
    --------
    >>> [round(value, 3) for value in pearson_interval(0.898, 1127)]
    [0.886, 0.909]
    """
    stats = import_optional("scipy.stats", "the interval of a correlation")

    confidence = check_strict_fraction("confidence", confidence)
    check_number("r", r, -1, 1)
    check_whole("n", n, 4, "a number of pairs of values above 3")
    return _fisher_interval(r, stats.norm.ppf((1 + confidence) / 2) / math.sqrt(n - 3))


@public
def rank_correlation(
    scores: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    truth: str | None = None,
    method: Method = "tau-b",
    per: Literal["mean", "topic"] = "mean",
    ties: Ties = "stable",
    order: Sequence[str] | None = None,
    samples: int = 1_000,
    seed: int = 0,
    tie: float | None = None,
    confidence: float = 0.95,
    decimals: int | None = None,
    missing: Missing = "fail",
    workers: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute the rank correlation of the runs under every two metrics, or under `truth` and each other one.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    truth : str, optional
        Metric to compare the others with; by default, every two metrics are compared (for tau_ap, each of
        them is the truth once).
    method : {"tau-b", "tau", "tau_ap", "symmetric tau_ap"}
        Coefficient, see `kendall` and `tau_ap`.
    per : {"mean", "topic"}
        Whether to rank the runs by their mean over topics, or on each topic.
    ties : {"stable", "averaged", "sampled", "independent"}
        How tau_ap breaks ties, see `tau_ap`; without effect on "tau-b" and "tau".
    order : list of str, optional
        Runs in the order in which "stable" keeps tied runs; by default, their order in the table. Names that
        are not in the table are ignored.
    samples, seed : int
        Number of random orders and seed, for "sampled"; else ignored.
    tie : float, optional
        Largest difference of tied scores, or means; by default, what rounding alone can cause.
    confidence : float
        Confidence of the intervals of "tau-b" and "tau", between 0 and 1.
    decimals : int, optional
        Decimals to which tau is rounded before the interval is computed, see `kendall_interval`.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.
    workers : int, optional
        Number of threads; None for the number that an active `joblib.parallel_config` sets, else all cores.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    DataFrame
        One row per pair of metrics or, with per="topic", per pair and topic. Columns truth (the first
        metric), metric (the second, evaluated one), topic (only with per="topic"), runs (their number), tau
        (the coefficient, whatever the method) and, for "tau-b" and "tau", low and high (its interval, nan for
        4 runs or fewer). tau-b is nan, with a warning, on a topic on which all runs are tied under one of the
        metrics.

    Raises
    ------
    DivmetricsError
        If there is one metric only, all means under a metric are tied (tau-b), `order` lacks a run, an option
        that the method uses is out of range, or the scores cannot be used (as in `score_table`).

    References
    ----------
    long1997; yilmaz2008

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> rank_correlation(scores, ["ERR-IA@10", "D#-nDCG@10", "S-recall@10"], truth="ERR-IA@10").round(3)
           truth       metric  runs    tau    low   high
    0  ERR-IA@10   D#-nDCG@10    15  0.790  0.593  0.898
    1  ERR-IA@10  S-recall@10    15  0.695  0.436  0.848
    """
    check_choice("method", method, get_args(Method))
    if per not in ("mean", "topic"):
        raise DivmetricsError(f"per is {per!r}, expected mean or topic")
    chosen = None if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
    if chosen is not None and truth is not None and truth not in chosen:
        chosen = [truth, *chosen]
    table = score_table(scores, chosen, missing=missing)
    if truth is not None and truth not in table.metrics:
        score_table(scores, truth)  # raises, since the table lacks it
    pairs = (permutations if method == "tau_ap" else combinations)(table.metrics, 2)
    compared = list(pairs) if truth is None else [(truth, m) for m in table.metrics if m != truth]
    if not compared:
        raise DivmetricsError(f"there is one metric, {table.metrics[0]!r}, to compare; score at least two")
    positions = _positions(order, table.runs)
    rankings = table.values.mean(axis=1, keepdims=True) if per == "mean" else table.values
    if per == "mean":
        _check_ranks(table, rankings, method, tie)
    coefficient: Callable[[np.ndarray, np.ndarray], float]
    if method == "tau" or method == "tau-b":
        coefficient = partial(_kendall_where_defined, method=method, tie=tie)
    else:
        kind = tau_ap if method == "tau_ap" else symmetric_tau_ap
        coefficient = partial(kind, ties=ties, order=positions, samples=samples, seed=seed, tie=tie)
    tasks = ((coefficient, rankings[table.position(a)], rankings[table.position(b)]) for a, b in compared)
    coefficients = in_parallel(
        _row_by_row, tasks, total=len(compared), workers=workers, progress=progress, unit="pair"
    )
    rows = pd.DataFrame(
        {
            "truth": np.repeat([a for a, _ in compared], rankings.shape[1]),
            "metric": np.repeat([b for _, b in compared], rankings.shape[1]),
            **({"topic": np.tile(table.topics, len(compared))} if per == "topic" else {}),
            "runs": len(table.runs),
            "tau": np.concatenate(list(coefficients)),
        }
    )
    if method in get_args(Kendall):
        rows[["low", "high"]] = [_interval(tau, len(table.runs), confidence, decimals) for tau in rows["tau"]]
    undefined = rows["tau"].isna()
    if undefined.any():
        worst = rows[undefined].iloc[0]
        warnings.warn(
            f"{undefined.sum()} of {len(rows)} coefficients are not defined, since all runs are tied under "
            f"one of the metrics; the first is that of {worst['truth']} and {worst['metric']} on topic "
            f"{worst['topic']}",
            DivmetricsWarning,
            stacklevel=2,
        )
    return rows


def _fisher_interval(coefficient: float, half: float) -> tuple[float, float]:
    """Return the ends of an interval that extends `half` to both sides on the scale of atanh."""
    if abs(coefficient) == 1:
        return float(coefficient), float(coefficient)
    centre = math.atanh(coefficient)
    return math.tanh(centre - half), math.tanh(centre + half)


def _row_by_row(
    coefficient: Callable[[np.ndarray, np.ndarray], float], truth: np.ndarray, candidate: np.ndarray
) -> np.ndarray:
    """Compute the coefficient of each row of two arrays (row, run), as an array (row,)."""
    return np.array([coefficient(a, b) for a, b in zip(truth, candidate, strict=True)])


def _kendall_where_defined(a: np.ndarray, b: np.ndarray, method: Kendall, tie: float | None) -> float:
    """Compute Kendall's tau; nan if tau-b is not defined."""
    defined = method == "tau" or (dense_ranks(a, tie).any() and dense_ranks(b, tie).any())
    return kendall(a, b, method=method, tie=tie) if defined else math.nan


def round_tau(tau: float, decimals: int | None) -> float:
    """Return tau with so many decimals, or unchanged for None; raises DivmetricsError below 0."""
    return tau if decimals is None else round(float(tau), check_whole("decimals", decimals, 0))


def _interval(tau: float, n: int, confidence: float, decimals: int | None) -> tuple[float, float]:
    """Return the interval of tau, or nan for 4 runs or fewer and for an undefined tau."""
    check_strict_fraction("confidence", confidence)
    rounded = round_tau(tau, decimals)
    defined = n > 4 and not np.isnan(tau)
    return kendall_interval(rounded, n, confidence) if defined else (np.nan, np.nan)


def _positions(order: Sequence[str] | None, runs: tuple[str, ...]) -> list[int] | None:
    """Return the runs' indices in the order of `order`, or None if `order` is None.

    Raises DivmetricsError if `order` lacks a run.
    """
    if order is None:
        return None
    absent = [run for run in runs if run not in order]
    if absent:
        raise DivmetricsError(
            f"the order of the runs does not hold run {absent[0]!r} ({len(absent)} of {len(runs)} are not in "
            "it); give an order of all runs"
        )
    return [runs.index(run) for run in dict.fromkeys(order) if run in runs]


def _check_ranks(table: ScoreTable, rankings: np.ndarray, method: Method, tie: float | None) -> None:
    """Raise DivmetricsError if tau-b is not defined for a metric's means, `rankings`, (metric, 1, run)."""
    if method != "tau-b":
        return
    for metric, (means,) in zip(table.metrics, rankings, strict=True):
        if not dense_ranks(means, tie).any():
            raise DivmetricsError(
                f"all {len(means)} runs have the same mean under {metric!r} ({means[0]:g}), so it ranks "
                "nothing and tau-b is not defined; leave that metric out"
            )
