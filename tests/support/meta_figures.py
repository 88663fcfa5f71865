"""Pictures of meta-evaluation with few and many metrics, runs and topics, and long names."""

from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
import pandas as pd

from divmetrics import charts, meta

FIRST = "ERR-IA@20"
NAMES = [FIRST, "alpha-nDCG@20", "D#-nDCG@20", "ERR-IS@20", "S-recall-IS@20", "I-rec@20"]
LONG = "a-run-with-quite-a-long-name-THU-D-E-"


@functools.cache
def scores(metrics=3, runs=5, topics=12, named="run"):
    """Scores of runs that differ a little, under metrics that mostly agree; I-rec has few values."""
    random = np.random.default_rng(metrics * 100 + runs)
    quality, ease = random.normal(0, 0.1, runs), random.normal(0.5, 0.15, (topics, 1))
    rows = []
    for m in range(metrics):
        values = np.clip(ease + quality + random.normal(0, 0.12, (topics, runs)), 0, 1)
        name = NAMES[m] if m < len(NAMES) else f"ntcireval:nDCG-IA@{m}(p=0.5)"
        if name.startswith("I-rec"):
            values = np.round(values * 4) / 4
        rows += [
            (f"{named}{r + 1}", f"{t + 1:04d}", name, values[t, r])
            for t in range(topics)
            for r in range(runs)
        ]
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


@functools.cache
def pairs(metrics=3, runs=5, topics=12):
    """Of Tukey HSD."""
    return meta.tukey_hsd(scores(metrics, runs, topics), trials=200)


def preferences(table):
    """Somebody prefers one of every two neighbouring runs on every topic."""
    random = np.random.default_rng(3)
    names = list(table["run"].unique())
    rows = [
        (topic, left, right, random.choice([-1, 1]))
        for topic in table["topic"].unique()
        for left, right in pairwise(names)
    ]
    return pd.DataFrame(rows, columns=["topic", "left", "right", "preference"])


def per_topic(metrics, runs, topics, method="tau_ap"):
    """Rank correlations with the first metric on every topic."""
    return meta.rank_correlation(scores(metrics, runs, topics), truth=FIRST, method=method, per="topic")


def by_cutoff(metrics):
    """Rank correlations per topic at three cutoffs, of other scores each."""
    tables = [per_topic(metrics, 5, 10 + at).assign(cutoff=at) for at in (5, 10, 20)]
    return pd.concat(tables, ignore_index=True)


def curves(runs, named="run"):
    rows = [
        ("ERR-IA", f"{named}{r}", cutoff, round(0.2 + 0.02 * r + 0.01 * cutoff * (1 + r % 3), 4))
        for r in range(runs)
        for cutoff in (1, 2, 5, 10, 20)
    ]
    return pd.DataFrame(rows, columns=["metric", "run", "cutoff", "mean"])


def concordances(metrics=None):
    """With I-rec."""
    return meta.concordance(scores(31, 8), "I-rec@20", metrics)


def agreements(metrics, runs):
    """Of metrics with the somebody above."""
    table = scores(metrics, runs)
    return meta.agreement(table, preferences(table))


def compared(metrics, topics, named="run"):
    """The first two runs, topic by topic."""
    return meta.compare_runs(scores(metrics, 5, topics, named), f"{named}1", f"{named}2")


def named_at_length():
    """Means under metrics that have long names."""
    table = meta.means(scores(3, 4))
    return table.assign(metric=table["metric"] + " of a colleague, with all its parameters" * 4)


FIGURES = {
    "ASL of two metrics and three runs": lambda: charts.asl_curves(pairs(2, 3)),
    "ASL of many metrics and runs": lambda: charts.asl_curves(pairs(9, 12)),
    "runs under two metrics": lambda: charts.run_rankings(meta.means(scores(2, 3)), FIRST),
    "many runs with long names": lambda: charts.run_rankings(meta.means(scores(2, 48, 12, LONG)), FIRST),
    "metrics with long names": lambda: charts.run_rankings(named_at_length(), named_at_length()["metric"][0]),
    "many topics": lambda: charts.topic_rankings(scores(5, 5, 60), "run1", FIRST),
    "tau_ap by topic": lambda: charts.tau_per_topic(per_topic(5, 15, 32)),
    "tau_ap by cutoff of many metrics": lambda: charts.variation(by_cutoff(9), "cutoff", called="tau_ap"),
    "curves of five runs": lambda: charts.cutoff_curves(curves(5)),
    "curves of many runs": lambda: charts.cutoff_curves(curves(12, LONG)),
    "two runs": lambda: charts.topic_differences(compared(2, 12)),
    "two runs under five metrics": lambda: charts.topic_differences(compared(5, 32)),
    "two runs under many metrics": lambda: charts.topic_differences(compared(8, 50, LONG)),
    "concordance of two metrics": lambda: charts.concordance_map(concordances(NAMES[:2])),
    "concordance of many metrics": lambda: charts.concordance_map(concordances()),
    "agreement of two metrics": lambda: charts.forest(agreements(2, 5)),
    "agreement of many metrics": lambda: charts.forest(agreements(30, 15)),
    "means of many runs": lambda: charts.forest(
        meta.means(scores(2, 48, 12, LONG), FIRST), "mean", name="run", reference=None
    ),
}
