"""Compared runs as plain text, which `divmetrics compare` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from divmetrics.research.meta.per_topic import disagreements
from divmetrics.research.report.judged_shares import judged_column
from divmetrics.research.report.options import ComparisonOptions
from divmetrics.research.report.table_layout import share_text

PAIRS = 45  # pairs of runs listed per metric: all of ten runs
TOPICS = 10  # topics listed on which metrics disagree
LEAST_P = 1e-4  # a smaller p-value is printed as "p < ..."


def render_text(
    scores: pd.DataFrame,
    means: pd.DataFrame,
    pairs: pd.DataFrame,
    judged: pd.DataFrame,
    allowed: pd.DataFrame | None,
    cutoffs: Mapping[str, int | None],
    how: ComparisonOptions,
    notes: Sequence[str],
) -> str:
    """Return means with intervals, a test of every pair of runs, and topics on which the metrics disagree.

    The parameters are the fields of `Comparison`.
    """
    runs, topics = len(judged), scores["topic"].nunique()
    tests = {"tukey": "randomised Tukey HSD", "bootstrap": "paired bootstrap with Holm's correction"}
    lines = [
        f"{runs} runs, {topics} topics.",
        f"Means with {100 * how.confidence:.6g}% intervals (Student's t over topics).",
        f"p-values by {tests[how.test]} ({how.trials} trials, seed {how.seed}); * below {how.level:.6g}.",
        "Runs that share no letter differ significantly.",
    ]
    if how.condensed:
        lines.append("Documents never judged are left out of all lists (condensed lists).")
    lines += notes
    for metric, cutoff in cutoffs.items():
        share = judged_column(cutoff)
        tested = pairs[pairs["metric"] == metric]
        lines += ["", metric, *_means(means[means["metric"] == metric], share, judged[share])]
        if allowed is not None:
            lines += _allowed(allowed[allowed["metric"] == metric])
        corrected = len(tested) if how.test == "bootstrap" else 1
        lines += _pairs(tested, how.level, corrected / how.trials)
    if len(cutoffs) > 1:
        lines += ["", *_disagreements(scores, len(tested) * topics)]
    return "\n".join(lines)


def _means(averages: pd.DataFrame, judged: str, shares: pd.Series) -> Iterator[str]:
    width, letters = (max(map(len, averages[column])) for column in ("run", "letters"))
    for row in _rows(averages.sort_values("rank", kind="stable")):
        yield (
            f"  {row.rank:>3}. {row.run:{width}}  {row.mean:.4f}  [{row.low:.4f}, {row.high:.4f}]  "
            f"{row.letters:{letters}}  {judged} {share_text(shares[row.run])}"
        )


def _allowed(averages: pd.DataFrame) -> Iterator[str]:
    for row in _rows(averages):
        yield f"  {row.run}: {row.mean:.4f}  [{row.low:.4f}, {row.high:.4f}]"


def _pairs(pairs: pd.DataFrame, level: float, least: float) -> Iterator[str]:
    significant = int((pairs["p"] < level).sum())
    order = pairs["difference"].abs().sort_values(ascending=False, kind="stable").index
    largest = pairs.loc[order].head(PAIRS)
    summary = (
        f"  {significant} of {len(pairs)} pair{'' if len(pairs) == 1 else 's'} of runs differ significantly"
    )
    yield summary + (f"; the {PAIRS} largest differences:" if len(largest) < len(pairs) else ":")
    width = max(len(f"{row.run_a} {row.run_b}") for row in _rows(largest)) + 2
    for row in _rows(largest):
        better, worse = (row.run_a, row.run_b) if row.difference >= 0 else (row.run_b, row.run_a)
        p = f"p = {row.p:.4f}" if row.p >= LEAST_P else f"p < {max(LEAST_P, least):.2g}"
        star = " *" if row.p < level else ""
        yield f"    {f'{better} > {worse}':{width}} by {abs(row.difference):.4f}  {p}{star}"


def _disagreements(scores: pd.DataFrame, lists: int) -> Iterator[str]:
    cases = disagreements(scores)
    yield f"The metrics disagree on {len(cases)} of {lists} pairs of lists (a topic and two runs)."
    if not len(cases):
        return
    counts = cases["topic"].value_counts()
    clearest = cases.drop_duplicates("topic").head(TOPICS)
    yield "The topics on which they disagree most, each with its clearest pair of runs:"
    for row in _rows(clearest):
        n = counts[row.topic]
        yield (
            f"  topic {row.topic} ({n} pair{'' if n == 1 else 's'}): {row.run_a} by {row.difference_a:.4f} "
            f"under {row.metric_a}; {row.run_b} by {-row.difference_b:.4f} under {row.metric_b}"
        )


def _rows(table: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows with the columns as attributes."""
    yield from table.itertuples()
