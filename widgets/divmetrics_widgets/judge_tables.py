"""What a PreferenceJudge says of a metric, and the tables for a page without a kernel, which say the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from divmetrics_widgets.judge_words import describe_agreement

if TYPE_CHECKING:
    import pandas as pd


def describe_outcome(metric: str, agree: int, disagree: int, ties: int, confidence: float) -> dict[str, Any]:
    """Describe how often a metric chose as the reader: as cells of a table, in words, and as an interval.

    agree, disagree, ties: counts of pairs of lists, with a sum of at least 1. The cells are the counts, tau,
    and its interval, which is empty for few pairs and where all agree.
    """
    from divmetrics.research.meta.agreement import preference_tau

    tau, low, high = preference_tau(agree, disagree, ties, confidence)
    wide = not math.isnan(low) and low < high
    interval = f"{low:+.2f} to {high:+.2f}" if wide else ""
    return {
        "cells": [agree, disagree, ties, f"{tau:+.2f}", interval],
        **describe_agreement(metric, agree, disagree, ties, confidence),
    }


def agreement_tables(
    scores: pd.DataFrame, pairs: int, sides: tuple[str, str], confidence: float
) -> dict[str, Any]:
    """Tabulate what can be said of each metric, whatever the reader answers.

    scores: a row per side and pair, with the sides as runs and the numbers of the pairs as topics.

    Returns the metrics, for each the side that it prefers on each pair (1 for the first, -1 for the second, 0
    for neither), and the outcomes by the counts "agree disagree ties", which name the metric `{metric}`.
    """
    import pandas as pd

    from divmetrics.research.meta.agreement import agreement_outcomes

    first, second = sides
    asked = pd.DataFrame({"topic": range(1, pairs + 1), "left": first, "right": second, "preference": 1})
    preferred = agreement_outcomes(scores, asked)
    chosen = {str(metric): signs.astype(int).tolist() for metric, signs in preferred.items()}
    return {
        "metrics": [*chosen],
        "chosen": [*chosen.values()],
        "outcomes": {
            " ".join(map(str, counts)): describe_outcome("{metric}", *counts, confidence)
            for counts in _counts([*chosen.values()])
        },
    }


def _counts(chosen: list[list[int]]) -> Iterator[tuple[int, int, int]]:
    """Yield all counts (agree, disagree, ties) that some answers lead to."""
    most_ties = max(signs.count(0) for signs in chosen)
    most_sides = max(len(signs) - signs.count(0) for signs in chosen)
    for ties in range(most_ties + 1):
        for agree in range(most_sides + 1):
            for disagree in range(most_sides + 1 - agree):
                if agree + disagree + ties:
                    yield agree, disagree, ties
