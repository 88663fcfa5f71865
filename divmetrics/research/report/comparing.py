"""From judgments and runs to a comparison."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from divmetrics.conventions.convention import MeanOver, RunOrder
from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import Options, score_runs
from divmetrics.io.loading import load_for_convention
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import with_defaults
from divmetrics.research.meta.agreement_by_topic import holm
from divmetrics.research.meta.bootstrap import paired_bootstrap
from divmetrics.research.meta.letter_display import letter_display
from divmetrics.research.meta.means import means
from divmetrics.research.meta.resampling import check_seed, check_trials, matching_level
from divmetrics.research.meta.score_table import Missing, score_table
from divmetrics.research.meta.tukey import tukey_hsd
from divmetrics.research.report.comparison import Comparison
from divmetrics.research.report.headroom import headroom
from divmetrics.research.report.judged_shares import condensed as without_unjudged
from divmetrics.research.report.judged_shares import judged_shares
from divmetrics.research.report.options import ComparisonOptions, Test


@public
def compare(
    qrels: Any,
    runs: Any,
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    topics: Any = None,
    convention: str = "paper",
    *,
    order: RunOrder | None = None,
    mean_over: MeanOver | None = None,
    scale: int | None = None,
    gain: str | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    relevance_level: int = 1,
    condensed: bool = False,
    headroom: bool = False,
    test: Test = "tukey",
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    missing: Missing = "fail",
    progress: bool = False,
) -> Comparison:
    """Runs side by side: means with intervals, letters for what differs, and how much was judged.

    Parameters
    ----------
    qrels, runs, metrics, topics, convention : as in `divmetrics.evaluate`; two runs or more
    order, mean_over, scale, gain, alpha, beta, gamma, relevance_level, progress : as there
    condensed : leave documents that were never judged out of every list (condensed lists; Sakai 2007);
        otherwise they count as not relevant
    headroom : add what the runs' documents allow: for each topic and metric the best list found among theirs
        and one made greedily of all the documents that any of them lists. Takes seconds for 50 topics
    test : "tukey" (`divmetrics.research.meta.tukey_hsd`), or "bootstrap": every pair of runs by itself
        (`divmetrics.research.meta.paired_bootstrap`), its p-values corrected for all pairs (`divmetrics.research.meta.holm`).
        A family is one metric's pairs
    trials, seed : of the test
    confidence : of the intervals (Student's t over topics); runs differ significantly where p is below
        1 - confidence
    missing : "fail" where a run has no score on a topic, or "drop" the topic

    Returns
    -------
    Comparison
        shown as a table, written by its `text`, `markdown`, `latex`, `html` and `csv`. It holds DataFrames:
        `scores` (run, topic, metric, score), `table` (the means, runs by metrics), `means` with intervals and
        letters, `pairs` (metric, run_a, run_b, difference, p), `judged` (for each run the shares of its first
        documents that were judged, such as "judged@10") and, with headroom, `allowed`. `notes` warn of runs
        that were judged unevenly.

    Raises
    ------
    DivmetricsError
        for a run file that is given twice, and as `evaluate` and the test do.
    """
    options = Options(order, mean_over, scale, gain, alpha, beta, gamma, relevance_level, False, progress)
    conditions = ComparisonOptions(convention, test, trials, seed, confidence, condensed, headroom)
    return compared(qrels, runs, metrics, topics, options, conditions, missing)


def compared(
    qrels: Any,
    runs: Any,
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    topics: Any,
    options: Options,
    conditions: ComparisonOptions,
    missing: Missing = "fail",
) -> Comparison:
    """The same as `compare`."""
    check_choice("test", conditions.test, get_args(Test))
    check_choice("missing", missing, get_args(Missing))
    check_trials(conditions.trials)
    check_seed(conditions.seed)
    matching_level(conditions.confidence)
    _check_files(runs)
    metrics = [metrics] if isinstance(metrics, (str, BaseMetric)) else list(metrics)
    whole = load_for_convention(
        convention_named(conditions.convention),
        qrels,
        runs,
        topics,
        order=options.order,
        scale=options.scale,
        relevance_level=options.relevance_level,
        for_display=False,
        progress=options.progress,
    )
    if len(whole.runs) == 1:
        raise DivmetricsError(
            f"runs are compared with each other, but there is one, {next(iter(whole.runs))!r}; give more"
        )
    read = without_unjudged(whole) if conditions.condensed else whole
    loaded = replace(options, order=None, scale=None, relevance_level=1)
    scores = score_runs(read, None, metrics, None, conditions.convention, loaded).frame()
    table = score_table(scores, missing=missing, least_topics=0)
    if len(table.topics) < 2:
        number = f"one, {table.topics[0]!r}" if table.topics else "none"
        raise DivmetricsError(
            f"runs are compared over two or more topics on which all are scored, but there is {number}; "
            "give judgments and runs of more topics (evaluate scores a single one)"
        )
    scores = scores[scores["topic"].isin(table.topics)]  # what is left out has been said
    named = {str(m): metric_named(m, conditions.convention) for m in metrics}
    cutoffs = {label: m.cutoff for label, m in named.items()}
    allowed = None
    if conditions.headroom:
        given = {name: value for name, value in options.parameters.items() if value is not None}
        full = {label: with_defaults(m, given) for label, m in named.items()}
        best = headroom(read, table.topics, full, scores, options.progress)
        allowed = means(best, confidence=conditions.confidence)
    pairs = _pairs(scores, conditions, options.progress)
    averages = means(scores, confidence=conditions.confidence)
    display = letter_display(pairs, conditions.level, p="p")
    averages = averages.merge(display, on=["metric", "run"], how="left", validate="one_to_one")
    depths = sorted(set(cutoffs.values()), key=lambda cutoff: (cutoff is None, cutoff))
    return Comparison(
        scores=scores,
        means=averages,
        pairs=pairs,
        judged=judged_shares(whole, table.topics, depths),
        allowed=allowed,
        cutoffs=cutoffs,
        options=options,
        conditions=conditions,
    )


def _pairs(scores: pd.DataFrame, conditions: ComparisonOptions, progress: bool) -> pd.DataFrame:
    """metric, run_a, run_b, difference, p (corrected for the pairs of its metric)."""
    trials, seed = conditions.trials, conditions.seed
    if conditions.test == "tukey":
        found = tukey_hsd(scores, trials=trials, seed=seed, progress=progress)
        return found.rename(columns={"asl": "p"})
    found = paired_bootstrap(scores, trials=trials, seed=seed, level=conditions.level, progress=progress)
    corrected = [holm(of_metric["asl"].to_numpy()) for _, of_metric in found.groupby("metric", sort=False)]
    return found[["metric", "run_a", "run_b", "difference"]].assign(p=np.concatenate(corrected))


def _check_files(runs: Any) -> None:
    """Refuse a file that is given twice, by whatever name or link."""
    several = runs if isinstance(runs, Sequence) and not isinstance(runs, (str, bytes)) else [runs]
    known: dict[str, Any] = {}
    for path in (run for run in several if isinstance(run, (str, Path))):
        place = os.path.realpath(path)
        if place in known:
            raise DivmetricsError(
                f"{os.fspath(path)}: this run is given twice (before as {os.fspath(known[place])}), and a "
                "run does not differ from itself; give it once"
            )
        known[place] = path
