"""Concordance with a gold standard: which of two disagreeing metrics is right more often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.optional import import_optional
from divmetrics.research.meta.score_table import Missing, gold_names, score_table, unique_names


@public
def concordance(
    scores: pd.DataFrame,
    gold: str | Sequence[str],
    metrics: Sequence[str] | None = None,
    *,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Count, for every two metrics that disagree, how often each of them agrees with a gold standard.

    A pair of lists of one topic counts only if the two metrics prefer different lists. A metric is right if
    no gold standard prefers the other list; if all gold standards are tied, both metrics are right. The
    papers call the share of right decisions intuitiveness.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, including the scores of the gold standards.
    gold : str or list of str
        Metrics that measure one property each, such as "I-rec@10".
    metrics : list of str, optional
        Metrics to compare; by default, all but the gold standards.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        Columns metric_a, metric_b, gold (names joined by " and "); disagreements (number of pairs of lists);
        correct_a, correct_b (numbers of disagreements on which the metric is right) and concordance_a,
        concordance_b (their shares, nan without disagreements); only_a, only_b (numbers of disagreements on
        which only this metric is right); p_value of the two-sided sign test of only_a against only_b.

    Raises
    ------
    DivmetricsError
        If fewer than two metrics remain, the scores cannot be used (as in `score_table`), or a gold standard
        is missing in them.

    References
    ----------
    sakai2012, Fig. 6; zhou2013, Alg. 3

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = concordance(dm.datasets.imine_scores(), "I-rec@10", ["ERR-IA@10", "D#-nDCG@10"])
    >>> table[["disagreements", "concordance_a", "concordance_b"]].round(2)
       disagreements  concordance_a  concordance_b
    0            431            0.5           0.96
    """
    golds = gold_names(gold, scores)
    compared = [
        metric
        for metric in (scores["metric"].unique() if metrics is None else unique_names("metrics", metrics))
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
            int(pairs.sum()) for pairs in (differ, a_right & ~b_right, b_right & ~a_right)
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
    """Return the p-value of the two-sided exact sign test of two counts; 1 if both are 0."""
    stats = import_optional("scipy.stats", "the sign test")

    return float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
