"""Section 6.1: the pairs of lists that were shown to people, those that differ in Prec and in I-rec."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.core.tolerances import score_preferences
from divmetrics.research.meta.agreement import PAIR_COLUMNS
from divmetrics.research.papers.sakaizeng2019.measures import I_REC, PREC, at_cutoff

ABOVE = 0.1


def all_pairs(scores: pd.DataFrame) -> pd.DataFrame:
    """Return every topic with every two runs: the columns topic, left, right."""
    runs = list(combinations(scores["run"].unique(), 2))
    rows = [(topic, *pair) for topic in scores["topic"].unique() for pair in runs]
    return pd.DataFrame(rows, columns=PAIR_COLUMNS)


def differing_pairs(scores: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `pairs` whose two lists differ by more than 0.1 in Prec and in I-rec.

    `pairs` has the columns topic, left, right. A difference of 0.1 that floating-point arithmetic makes a
    little larger is not more than 0.1.
    """
    keep = np.ones(len(pairs), dtype=bool)
    for name in at_cutoff((PREC, I_REC)):
        score = scores[scores["metric"] == name].set_index(["topic", "run"])["score"]
        left, right = (
            score.loc[pd.MultiIndex.from_frame(pairs[["topic", side]])].to_numpy()
            for side in ("left", "right")
        )
        keep &= score_preferences(np.abs(left - right), np.array(ABOVE)) > 0
    return pairs[keep]
