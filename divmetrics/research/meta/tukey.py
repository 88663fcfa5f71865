"""Randomised Tukey HSD: all pairs of runs at once, with one error rate for the whole family."""

from __future__ import annotations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.tolerances import rounding_error
from divmetrics.research.meta.parallel import in_parallel
from divmetrics.research.meta.resampling import BLOCK, blocks, check_seed, check_trials, permuted_scores
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
    """Randomised Tukey HSD (Carterette 2012; Sakai 2012, Fig. 4; Zhou et al. 2013, Alg. 1).

    If runs did not differ, the scores of a topic could have come in any order. In each of B trials they are
    permuted within every topic; the range of the runs' means, largest minus smallest, is what the largest
    difference looks like by chance. The achieved significance level (ASL, p-value) of a pair is the share of
    trials whose range is at least the pair's difference. At least, not more than, as the papers print: with
    a strict comparison two identical runs whose rivals are identical too would differ significantly.

    Parameters
    ----------
    scores : columns run, topic, metric, score, as `divmetrics.evaluate` returns
    metrics : those wanted; None for all in the table
    trials : B
    seed : a whole number of at least 0; with the same seed the result is the same on any number of workers,
        and does not depend on which other metrics are asked for
    missing : "fail" where a run has no score on a topic, or "drop" the topic
    workers, progress : see `divmetrics.research.meta.parallel.in_parallel`

    Returns metric, run_a, run_b, difference (mean of run_a minus mean of run_b), asl; a row per metric and
    pair of runs. Memory does not grow with the number of trials.

    Raises DivmetricsError for fewer than two runs or topics, a metric under which all scores are equal, and
    whatever `score_table` refuses.
    """
    trials, seed = check_trials(trials), check_seed(seed)
    table = score_table(scores, metrics, missing=missing, least_topics=2)
    check_not_constant(table)
    first, second = table.pairs
    means = table.values.mean(axis=1)
    differences = means[:, first] - means[:, second]
    per_metric = -(-trials // BLOCK)
    tasks = (
        (values, of_metric, seed, block, size)
        for values, of_metric in zip(table.values, differences, strict=True)
        for block, size in blocks(trials)
    )
    total = per_metric * len(table.metrics)
    counts = np.zeros(differences.shape, dtype=np.int64)
    for number, count in enumerate(
        in_parallel(_reached, tasks, total=total, workers=workers, progress=progress)
    ):
        counts[number // per_metric] += count
    return table.by_pair(difference=differences, asl=counts / trials)


def _reached(values: np.ndarray, differences: np.ndarray, seed: int, block: int, size: int) -> np.ndarray:
    """How many of a block's trials have a range of at least the pair's difference, (pair,)."""
    ranges = []
    for permuted in permuted_scores(values, seed, block, size):
        means = permuted.mean(axis=1)
        ranges.append(means.max(axis=1) - means.min(axis=1))
    ascending = np.sort(np.concatenate(ranges))
    return size - np.searchsorted(ascending, np.abs(differences) - rounding_error(values), side="left")
