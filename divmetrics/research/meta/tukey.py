"""Randomised Tukey HSD: a test of all pairs of runs with one family-wise error rate."""

from __future__ import annotations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.tolerances import rounding_error
from divmetrics.research.meta.parallel import in_parallel
from divmetrics.research.meta.resampling import BLOCK, block_sizes, check_seed, check_trials, permuted_scores
from divmetrics.research.meta.score_table import Missing, check_not_constant, score_table


@public
def tukey_hsd(
    scores: pd.DataFrame,
    metrics: str | list[str] | None = None,
    *,
    trials: int = 10_000,
    seed: int = 0,
    missing: Missing = "fail",
    workers: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Test all pairs of runs with the randomised Tukey HSD test.

    If runs did not differ, the scores of a topic could have come in any order. Each of B trials permutes them
    within every topic; the range of the runs' means, largest minus smallest, is the largest difference by
    chance. The achieved significance level (ASL, p-value) of a pair is the share of trials whose range is at
    least the pair's difference. The papers print a strict comparison; with it, two identical runs whose
    rivals are identical too would differ significantly.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    trials : int
        Number of trials B; memory does not depend on it.
    seed : int
        Seed of the random numbers, at least 0. The result depends neither on the number of workers nor on the
        other metrics.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.
    workers : int, optional
        Number of threads; None for the number that an active `joblib.parallel_config` sets, else all cores.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    DataFrame
        One row per metric and pair of runs. Columns metric, run_a, run_b, difference (mean of run_a minus
        mean of run_b), asl (from 0 to 1, corrected for the number of runs).

    Raises
    ------
    DivmetricsError
        If the scores cannot be used (as in `score_table`), there are fewer than two runs or topics, all
        scores under a metric are equal, or trials or seed is out of range.

    References
    ----------
    carterette2012; sakai2012, Fig. 4; zhou2013, Alg. 1

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith("UM13")]
    >>> tukey_hsd(scores, "ERR-IA@10", trials=200).round(3)
          metric        run_a        run_b  difference   asl
    0  ERR-IA@10  UM13-D-E-1A  UM13-D-E-2A      -0.003  0.98
    1  ERR-IA@10  UM13-D-E-1A  UM13-D-E-3A       0.110  0.00
    2  ERR-IA@10  UM13-D-E-2A  UM13-D-E-3A       0.112  0.00
    """
    trials, seed = check_trials(trials), check_seed(seed)
    table = score_table(scores, metrics, missing=missing, least_topics=2)
    check_not_constant(table)
    first, second = table.pairs
    means = table.values.mean(axis=1)
    differences = means[:, first] - means[:, second]
    per_metric = -(-trials // BLOCK)
    tasks = (
        (values, difference, seed, block, size)
        for values, difference in zip(table.values, differences, strict=True)
        for block, size in block_sizes(trials)
    )
    total = per_metric * len(table.metrics)
    counts = np.zeros(differences.shape, dtype=np.int64)
    for task, count in enumerate(
        in_parallel(_reached, tasks, total=total, workers=workers, progress=progress)
    ):
        counts[task // per_metric] += count
    return table.by_pair(difference=differences, asl=counts / trials)


def _reached(values: np.ndarray, differences: np.ndarray, seed: int, block: int, size: int) -> np.ndarray:
    """Count for each pair the trials of a block whose range is at least the pair's difference, (pair,).

    `values` is (topic, run), `differences` (pair,); the block at index `block` has `size` trials.
    """
    ranges = []
    for permuted in permuted_scores(values, seed, block, size):
        means = permuted.mean(axis=1)
        ranges.append(means.max(axis=1) - means.min(axis=1))
    ascending = np.sort(np.concatenate(ranges))
    return size - np.searchsorted(ascending, np.abs(differences) - rounding_error(values), side="left")
