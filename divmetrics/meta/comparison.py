"""Runs side by side, in words and numbers: what `divmetrics compare` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from divmetrics.meta.means import means
from divmetrics.meta.per_topic import disagreements
from divmetrics.meta.score_table import Missing, score_table
from divmetrics.meta.trials import check_share
from divmetrics.meta.tukey import tukey_hsd

PAIRS = 45  # of runs listed per metric: all of ten runs
TOPICS = 10  # listed on which metrics disagree
LEAST_P = 1e-4  # told by its digits; of a smaller one it is said that it is smaller


def comparison(
    scores: pd.DataFrame,
    *,
    trials: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    missing: Missing = "fail",
    progress: bool = False,
) -> str:
    """Means with intervals, Tukey HSD for every pair of runs, and where the metrics disagree, as plain text.

    scores: columns run, topic, metric, score, as `divmetrics.evaluate` returns. Pairs of runs with a p-value
    below 1 - confidence are marked. Raises DivmetricsError as `tukey_hsd` does.
    """
    level = round(1 - check_share("confidence", confidence), 12)  # 1 - 0.95 is above 0.05 by rounding
    table = score_table(scores, missing=missing, least_topics=2)
    # What is left out is said once, above.
    scores = scores[scores["topic"].astype(str).isin(table.topics)]
    averages = means(scores, confidence=confidence)
    pairs = tukey_hsd(scores, trials=trials, seed=seed, progress=progress)
    lines = [
        f"{len(table.runs)} runs, {len(table.topics)} topics.",
        f"Means with {confidence:.6g} intervals (Student's t over topics).",
        f"p-values by randomised Tukey HSD ({trials} trials, seed {seed}); * below {level:.6g}.",
    ]
    for metric in table.metrics:
        lines += ["", metric]
        lines += _means(averages[averages["metric"] == metric])
        lines += _pairs(pairs[pairs["metric"] == metric], level, trials)
    if len(table.metrics) > 1:
        lines += ["", *_disagreements(scores, len(table.pairs[0]) * len(table.topics))]
    return "\n".join(lines)


def _means(averages: pd.DataFrame) -> Iterator[str]:
    width = max(map(len, averages["run"]))
    for row in _rows(averages.sort_values("rank", kind="stable")):
        yield f"  {row.rank:>3}. {row.run:{width}}  {row.mean:.4f}  [{row.low:.4f}, {row.high:.4f}]"


def _pairs(pairs: pd.DataFrame, level: float, trials: int) -> Iterator[str]:
    significant = int((pairs["asl"] < level).sum())
    order = pairs["difference"].abs().sort_values(ascending=False, kind="stable").index
    shown = pairs.loc[order].head(PAIRS)
    said = (
        f"  {significant} of {len(pairs)} pair{'' if len(pairs) == 1 else 's'} of runs differ significantly"
    )
    yield said + (f"; the {PAIRS} largest differences:" if len(shown) < len(pairs) else ":")
    width = max(len(f"{row.run_a} {row.run_b}") for row in _rows(shown)) + 2
    for row in _rows(shown):
        better, worse = (row.run_a, row.run_b) if row.difference >= 0 else (row.run_b, row.run_a)
        p = f"p = {row.asl:.4f}" if row.asl >= LEAST_P else f"p < {max(LEAST_P, 1 / trials):.2g}"
        star = " *" if row.asl < level else ""
        yield f"    {f'{better} > {worse}':{width}} by {abs(row.difference):.4f}  {p}{star}"


def _disagreements(scores: pd.DataFrame, lists: int) -> Iterator[str]:
    found = disagreements(scores)
    yield f"The metrics disagree on {len(found)} of {lists} pairs of lists (a topic and two runs)."
    if not len(found):
        return
    counts = found["topic"].value_counts()
    clearest = found.drop_duplicates("topic").head(TOPICS)
    yield "The topics on which they disagree most, each with its clearest pair of runs:"
    for row in _rows(clearest):
        n = counts[row.topic]
        yield (
            f"  topic {row.topic} ({n} pair{'' if n == 1 else 's'}): {row.run_a} by {row.difference_a:.4f} "
            f"under {row.metric_a}; {row.run_b} by {-row.difference_b:.4f} under {row.metric_b}"
        )


def _rows(table: pd.DataFrame) -> Iterator[Any]:
    """Rows with the columns as attributes, of whatever type they are."""
    yield from table.itertuples()
