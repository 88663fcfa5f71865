"""Compute a comparison from judgments and runs."""

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
from divmetrics.core.checks import check_choice, check_flag
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
    runs: Any = None,
    metrics: str | BaseMetric | Iterable[str | BaseMetric] = (),
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
    """Compare runs by means with intervals, letters of significant differences, and judged documents.

    Parameters
    ----------
    qrels, runs, metrics, topics, convention : object
        As in `divmetrics.evaluate`; at least two runs and one metric. `runs` may be None if `qrels` is a
        Collection with runs.
    order, mean_over, scale, gain, alpha, beta, gamma, relevance_level : optional
        As in `divmetrics.evaluate`.
    condensed : bool
        Whether to remove unjudged documents from every list (condensed lists); otherwise they are not
        relevant.
    headroom : bool
        Whether to add a score that the runs' documents allow (see `Comparison.allowed`): on each topic the
        best run's score, or the score of a list built greedily from the documents of all runs if it is
        higher. Takes seconds for 50 topics.
    test : {"tukey", "bootstrap"}
        `divmetrics.research.meta.tukey_hsd`, or `divmetrics.research.meta.paired_bootstrap` of every pair of
        runs with p-values corrected by `divmetrics.research.meta.holm`. A family is the pairs under one
        metric.
    trials, seed : int
        Number of trials of the test, at least 1, and seed of its random numbers, at least 0.
    confidence : float
        Confidence of Student's t intervals over topics, between 0 and 1; runs differ significantly if p is
        below 1 - confidence.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    Comparison
        Report as `text`, `markdown`, `latex`, `html` and `csv`, from the DataFrames `scores`, `table` (means,
        runs by metrics), `means` (with intervals and letters), `pairs` (p-values), `judged` (shares of judged
        documents) and, with headroom, `allowed`. `notes` warn of unevenly judged runs.

    Raises
    ------
    DivmetricsError
        If the input cannot be used (as in `divmetrics.evaluate`), there are fewer than two runs or topics, a
        run file is passed twice, a score is missing ("fail"), all scores under a metric are equal, an option
        is out of range, or, for "bootstrap", trials * (1 - confidence) is below 1.

    Warns
    -----
    DivmetricsWarning
        As in `divmetrics.evaluate`, or if "drop" drops topics.

    References
    ----------
    carterette2012; sakai2006; sakai2007; holm1979; piepho2004

    Examples
    --------
    >>> import divmetrics as dm
    >>> comparison = compare(dm.datasets.sakai2010(), None, "ERR-IA@10", trials=100)
    >>> comparison.means[["run", "mean", "letters"]].round(3)
            run   mean letters
    0    MSDiv2  0.170       a
    1  MSRAACSF  0.099       a
    """
    for name, flag in (("condensed", condensed), ("headroom", headroom)):
        check_flag(name, flag)
    options = Options(order, mean_over, scale, gain, alpha, beta, gamma, relevance_level, False, progress)
    conditions = ComparisonOptions(convention, test, trials, seed, confidence, condensed, headroom)
    return compare_with_options(qrels, runs, metrics, topics, options, conditions, missing)


def compare_with_options(
    qrels: Any,
    runs: Any,
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    topics: Any,
    options: Options,
    conditions: ComparisonOptions,
    missing: Missing = "fail",
) -> Comparison:
    """Compute the comparison that `compare` returns, from options as objects; raises as `compare` does.

    `options` are those of `divmetrics.evaluate`, `conditions` those that only `compare` has.
    """
    check_choice("test", conditions.test, get_args(Test))
    check_choice("missing", missing, get_args(Missing))
    check_trials(conditions.trials)
    check_seed(conditions.seed)
    matching_level(conditions.confidence)
    _check_files(runs)
    metrics = [metrics] if isinstance(metrics, (str, BaseMetric)) else list(metrics)
    collection = load_for_convention(
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
    if len(collection.runs) == 1:
        raise DivmetricsError(
            f"runs are compared with each other, but there is one, {next(iter(collection.runs))!r}; give more"
        )
    scored = without_unjudged(collection) if conditions.condensed else collection
    loaded = replace(options, order=None, scale=None, relevance_level=1)
    scores = score_runs(scored, None, metrics, None, conditions.convention, loaded).frame()
    table = score_table(scores, missing=missing, least_topics=0)
    if len(table.topics) < 2:
        number = f"one, {table.topics[0]!r}" if table.topics else "none"
        raise DivmetricsError(
            f"runs are compared over two or more topics on which all are scored, but there is {number}; "
            "give judgments and runs of more topics (evaluate scores a single one)"
        )
    scores = scores[scores["topic"].isin(table.topics)]  # score_table warned of the dropped topics
    named = {str(m): metric_named(m, conditions.convention) for m in metrics}
    cutoffs = {label: m.cutoff for label, m in named.items()}
    allowed = None
    if conditions.headroom:
        explicit = {name: value for name, value in options.parameters.items() if value is not None}
        full = {label: with_defaults(m, explicit) for label, m in named.items()}
        best = headroom(scored, table.topics, full, scores, options.progress)
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
        judged=judged_shares(collection, table.topics, depths),
        allowed=allowed,
        cutoffs=cutoffs,
        options=options,
        conditions=conditions,
    )


def _pairs(scores: pd.DataFrame, conditions: ComparisonOptions, progress: bool) -> pd.DataFrame:
    """Return metric, run_a, run_b, difference, p (corrected for the pairs of its metric)."""
    trials, seed = conditions.trials, conditions.seed
    if conditions.test == "tukey":
        tested = tukey_hsd(scores, trials=trials, seed=seed, progress=progress)
        return tested.rename(columns={"asl": "p"})
    tested = paired_bootstrap(scores, trials=trials, seed=seed, level=conditions.level, progress=progress)
    corrected = [holm(group["asl"].to_numpy()) for _, group in tested.groupby("metric", sort=False)]
    return tested[["metric", "run_a", "run_b", "difference"]].assign(p=np.concatenate(corrected))


def _check_files(runs: Any) -> None:
    """Raise DivmetricsError if a run file is passed twice, under any name or link."""
    several = runs if isinstance(runs, Sequence) and not isinstance(runs, (str, bytes)) else [runs]
    path_of: dict[str, Any] = {}
    for path in (run for run in several if isinstance(run, (str, Path))):
        place = os.path.realpath(path)
        if place in path_of:
            raise DivmetricsError(
                f"{os.fspath(path)}: this run is given twice (before as {os.fspath(path_of[place])}), and a "
                "run does not differ from itself; give it once"
            )
        path_of[place] = path
