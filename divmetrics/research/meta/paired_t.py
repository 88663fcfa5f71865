"""Student's paired t-test of each pair of runs, corrected for the number of pairs."""

from __future__ import annotations

import warnings
from typing import Literal, get_args

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.optional import import_optional
from divmetrics.research.meta.agreement_by_topic import holm
from divmetrics.research.meta.bootstrap import NO_VARIANCE, without_rounding
from divmetrics.research.meta.resampling import check_strict_fraction
from divmetrics.research.meta.score_table import Missing, check_not_constant, score_table

Correction = Literal["none", "bonferroni", "holm"]


@public
def paired_t_test(
    scores: pd.DataFrame,
    metrics: str | list[str] | None = None,
    *,
    correction: Correction = "holm",
    confidence: float = 0.95,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Test every pair of runs with Student's two-sided paired t-test, corrected for the number of pairs.

    With Bonferroni's or Holm's correction, the probability of any significant difference between equal runs
    is at most the significance level, whatever the variances of the runs are, if the t-test of a single pair
    keeps this level; with few topics and skewed differences it does so only roughly. Holm's correction finds
    every pair that Bonferroni's finds.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    correction : {"none", "bonferroni", "holm"}
        Correction of the p-values of each metric's pairs.
    confidence : float
        Confidence of the intervals, between 0 and 1. Each is the interval of one pair, without correction.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric and pair of runs. Columns metric, run_a, run_b, difference (mean of run_a minus
        mean of run_b), low, high (its interval), t (infinite for a difference that never varies, 0 for one
        that is always 0), p_value, asl (the corrected p-value).

    Raises
    ------
    DivmetricsError
        If the scores cannot be used (as in `score_table`), there are fewer than two runs or topics, all
        scores under a metric are equal, or `correction` or `confidence` is out of range.

    See Also
    --------
    tukey_hsd : A test of all pairs with one yardstick, the largest difference.

    References
    ----------
    holm1979

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith("UM13")]
    >>> paired_t_test(scores, "ERR-IA@10")[["difference", "low", "high", "asl"]].round(3)
       difference    low   high    asl
    0      -0.003 -0.019  0.014  0.740
    1       0.110  0.052  0.167  0.001
    2       0.112  0.056  0.168  0.001
    """
    stats = import_optional("scipy.stats", "the paired t-test")

    check_choice("correction", correction, get_args(Correction))
    check_strict_fraction("confidence", confidence)
    table = score_table(scores, metrics, missing=missing, least_topics=2)
    check_not_constant(table)
    first, second = table.pairs
    z = without_rounding(table.values[:, :, first] - table.values[:, :, second], table.tie[:, None, None])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of differences without variance, see below
        result = stats.ttest_1samp(z, 0, axis=1)
        interval = result.confidence_interval(confidence)
    mean = z.mean(axis=1)
    constant = z.var(axis=1) <= NO_VARIANCE * (z**2).mean(axis=1)
    limit = np.where(mean == 0, 0, np.copysign(np.inf, mean))
    p_value = np.where(constant, np.where(mean == 0, 1.0, 0.0), result.pvalue)
    return table.by_pair(
        difference=mean,
        low=np.where(constant, mean, interval.low),
        high=np.where(constant, mean, interval.high),
        t=np.where(constant, limit, result.statistic),
        p_value=p_value,
        asl=np.array([_corrected(p, correction) for p in p_value]),
    )


def _corrected(p: np.ndarray, correction: Correction) -> np.ndarray:
    """Return the p-values of one family, corrected."""
    if correction == "holm":
        return holm(p)
    return np.minimum(1, p * len(p)) if correction == "bonferroni" else p
