"""The paired bootstrap test of each pair of runs."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.core.tolerances import STATISTIC_TOLERANCE, TIE_TOLERANCE
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.parallel import in_parallel
from divmetrics.research.meta.resampling import check_seed, check_strict_fraction, check_trials, topic_counts
from divmetrics.research.meta.score_table import Missing, check_not_constant, score_table

ZeroVariance = Literal["limit", "skip"]

CELLS = 2**20  # statistics (trial, pair) in memory of a worker
PAIRS = 256  # most pairs of runs in one task
# A variance that is a smaller share of the mean square is rounding error: the sample has no variance.
NO_VARIANCE = TIE_TOLERANCE


@public
def paired_bootstrap(
    scores: pd.DataFrame,
    metrics: str | list[str] | None = None,
    *,
    trials: int = 1_000,
    level: float = 0.05,
    zero_variance: ZeroVariance = "limit",
    seed: int = 0,
    missing: Missing = "fail",
    workers: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every pair of runs with the two-sided paired bootstrap test and a studentised statistic.

    z holds a pair's differences topic by topic; w = z - mean(z) obeys the hypothesis that the runs do not
    differ. Each of B trials draws N topics with replacement from the N topics; w* are their values of w. The
    achieved significance level (ASL) is the share of trials with |t(w*)| >= |t(z)|, t = mean / (standard
    deviation / sqrt(N)). Pairs are tested one by one: over many pairs, the probability of some significant
    difference between equal runs is far above `level` (see `tukey_hsd`).

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    trials : int
        Number of trials B, at least 1.
    level : float
        Significance level at which the column borderline is computed, between 0 and 1.
    zero_variance : {"limit", "skip"}
        t of a sample without variance. "limit": the limit of t, infinite for a mean other than 0, else 0.
        "skip": the trial does not count as reaching t(z) and is left out of the borderline; t(z) itself is
        the limit.
    seed : int
        Seed of the random numbers, at least 0.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.
    workers : int, optional
        Number of threads; None for the number that an active `joblib.parallel_config` sets, else all cores.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    DataFrame
        One row per metric and pair of runs. Columns metric, run_a, run_b; difference (mean of z, the scores
        of run_a minus those of run_b), t (of z), asl, level (the argument), borderline (|mean(w*)| of the
        trial with the (B * level)-th largest |t(w*)|, of several such trials the largest |mean(w*)|; nan if
        "skip" leaves too few trials).

    Raises
    ------
    DivmetricsError
        If the scores cannot be used (as in `score_table`), there are fewer than two runs or topics, all
        scores under a metric are equal, the product of trials and level is below 1, or an option is out of
        range.

    References
    ----------
    sakai2006; sakai2012, Fig. 2 and 3

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].isin(["udel-D-E-1A", "UM13-D-E-1A"])]
    >>> paired_bootstrap(scores, "ERR-IA@10", trials=200)[["difference", "asl"]].round(3)
       difference    asl
    0      -0.004  0.835
    """
    trials, seed, level = check_trials(trials), check_seed(seed), check_strict_fraction("level", level)
    check_choice("zero_variance", zero_variance, get_args(ZeroVariance))
    rank = int(trials * level + 1e-9)
    if rank < 1:
        raise DivmetricsError(
            f"{trials} trials have no trial at level {level}; "
            f"ask for at least {int(np.ceil(1 / level))} trials"
        )
    table = score_table(scores, metrics, missing=missing, least_topics=2)
    check_not_constant(table)
    first, second = table.pairs
    differences = table.values[:, :, first] - table.values[:, :, second]
    z = without_rounding(differences, table.tie[:, None, None])
    width = min(PAIRS, max(1, CELLS // trials))
    chunks = range(0, len(first), width)
    tasks = (
        (of_metric[:, start : start + width], tie, trials, rank, zero_variance, seed)
        for of_metric, tie in zip(z, table.tie, strict=True)
        for start in chunks
    )
    total = len(chunks) * len(table.metrics)
    results = list(in_parallel(_test, tasks, total=total, workers=workers, progress=progress, unit="pairs"))
    t, asl, borderline = (
        np.concatenate([result[i] for result in results]).reshape(len(table.metrics), -1) for i in range(3)
    )
    rows = table.by_pair(difference=z.mean(axis=1), t=t, asl=asl, borderline=borderline)
    rows.insert(6, "level", level)
    return rows


def _test(
    z: np.ndarray, tie: float, trials: int, rank: int, zero_variance: ZeroVariance, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return t(z), ASL and borderline difference, (pair,) each, from the differences `z`, (topic, pair).

    Means within `tie` are 0; the borderline is at the `rank`-th largest |t| of the trials.
    """
    once = np.ones((1, len(z)))
    mean, t_of_z, _ = (part[0] for part in _statistics(once, z, tie))
    w = without_rounding(z - mean, tie)
    size = np.empty((trials, z.shape[1]))
    means = np.empty_like(size)
    start = 0
    for drawn in topic_counts(len(z), trials, seed):
        here = slice(start, start + len(drawn))
        means[here], t, flat = _statistics(drawn, w, tie)
        size[here] = np.abs(t)
        if zero_variance == "skip":
            size[here][flat] = -1  # below every |t|
        start = here.stop
    asl = np.count_nonzero(size >= np.abs(t_of_z) * (1 - STATISTIC_TOLERANCE), axis=0) / trials
    borderline = np.partition(size, trials - rank, axis=0)[trials - rank]
    tied = (size >= borderline * (1 - STATISTIC_TOLERANCE)) & (size <= borderline * (1 + STATISTIC_TOLERANCE))
    at_it = np.where(tied, np.abs(means), 0).max(axis=0)
    return t_of_z, asl, np.where(borderline < 0, np.nan, at_it)


def without_rounding(differences: np.ndarray, tie: float | np.ndarray) -> np.ndarray:
    """Set differences within rounding error to 0, so that they add no variance."""
    return np.where(np.abs(differences) <= tie, 0, differences)


def _statistics(drawn: np.ndarray, w: np.ndarray, tie: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, t and whether the variance is 0, (trial, pair) each, of the samples of the trials.

    `drawn` is how often each topic is drawn, (trial, topic); `w` are the differences, (topic, pair).
    """
    topics = len(w)
    mean = without_rounding(drawn @ w / topics, tie)
    square = drawn @ w**2 / topics
    variance = square - mean**2
    flat = variance <= NO_VARIANCE * square
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean * np.sqrt((topics - 1) / np.where(flat, 0, variance))
    return mean, np.where(flat & (mean == 0), 0, t), flat
