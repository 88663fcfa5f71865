"""Concordance with a gold standard: of two metrics that disagree, which one is right?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.optional import import_optional
from divmetrics.research.meta.score_table import Missing, each_once, gold_names, score_table


@public
def concordance(
    scores: pd.DataFrame,
    gold: str | Sequence[str],
    metrics: Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Intuitiveness (Sakai 2012, Fig. 6; Zhou et al. 2013, Alg. 3).

    Every pair of lists of a topic is looked at on which two metrics disagree: one prefers the first list, the
    other the second. A metric is right there if the gold standard does not prefer the other list: where the
    gold standard is tied, both are right. With several gold standards a metric must be right by all of them
    at once.

    Parameters
    ----------
    scores : columns run, topic, metric, score, with the gold standards' scores
    gold : one metric that stands for a single property, such as "I-rec@10", or several
    metrics : those to compare; None for all in the table but the gold standards
    missing : "fail" where a run has no score on a topic, or "drop" the topic

    Returns metric_a, metric_b, gold (joined by " and "), disagreements (pairs of lists), correct_a, correct_b
    (of these), concordance_a, concordance_b (shares; nan without disagreements), only_a, only_b (right where
    the other is wrong), p_value of the two-sided sign test on these two.
    """
    golds = gold_names(gold, scores)
    compared = [
        metric
        for metric in (scores["metric"].unique() if metrics is None else each_once("metrics", metrics))
        if metric not in golds
    ]
    if len(compared) < 2:
        raise DivmetricsError(
            f"there are {len(compared)} metrics to compare besides the gold standards ({', '.join(golds)}); "
            "score at least two"
        )
    table = score_table(scores, [*compared, *golds], missing=missing)
    decided = table.decisions
    by_gold = decided[[table.position(name) for name in golds]]
    right = np.array([(decided[m] * by_gold >= 0).all(axis=0) for m in range(len(compared))])
    rows = []
    for a, b in combinations(range(len(compared)), 2):
        differ = decided[a] * decided[b] < 0
        a_right, b_right = right[a] & differ, right[b] & differ
        disagreements, only_a, only_b = (
            int(found.sum()) for found in (differ, a_right & ~b_right, b_right & ~a_right)
        )
        correct_a, correct_b = int(a_right.sum()), int(b_right.sum())
        rows.append(
            (
                *(compared[a], compared[b], " and ".join(golds), disagreements, correct_a, correct_b),
                *(correct / disagreements if disagreements else np.nan for correct in (correct_a, correct_b)),
                *(only_a, only_b, sign_test(only_a, only_b)),
            )
        )
    return pd.DataFrame(
        rows,
        columns=[
            *("metric_a", "metric_b", "gold", "disagreements", "correct_a", "correct_b"),
            *("concordance_a", "concordance_b", "only_a", "only_b", "p_value"),
        ],
    )


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact sign test: how likely so uneven a split is by chance; 1 without cases."""
    stats = import_optional("scipy.stats", "the sign test")

    return float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
