"""Unanimity: the agreement of a metric with all other metrics at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.score_table import Missing, score_table


@public
def unanimity(
    scores: pd.DataFrame, metrics: Sequence[str] | None = None, *, missing: Missing = "fail"
) -> pd.DataFrame:
    """Compute the unanimity of every metric with respect to all metrics.

    Of all N triplets of a topic and two lists, U(S) holds those on which every metric of S makes the same
    decision: the first list is better, worse, or equal; a triplet with equal lists counts as 0.5. Unanimity
    is the pointwise mutual information log2( |U({M}) & U(others)|/N / (|U({M})|/N * |U(others)|/N) ). It
    depends on the set of metrics.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : list of str, optional
        Metrics to use, at least two; by default, all in the table.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric M. Columns metric, unanimity, agreed (|U({M}) & U(others)|), decided (|U({M})|),
        others (|U(others)|), triplets (N, an int; the other counts are floats, since equal lists count 0.5).
        Unanimity is -inf if the metric contradicts the others on every triplet on which the others agree, and
        nan if the others never agree.

    Raises
    ------
    DivmetricsError
        If there are fewer than two metrics, or the scores cannot be used (as in `score_table`).

    References
    ----------
    amigo2018; sakaizeng2019, Eq. 10

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = unanimity(dm.datasets.imine_scores(), ["ERR-IA@10", "D#-nDCG@10", "S-recall@10"])
    >>> table[["metric", "unanimity"]].round(3)
            metric  unanimity
    0    ERR-IA@10     -0.135
    1   D#-nDCG@10      0.006
    2  S-recall@10     -0.295
    """
    table = score_table(scores, metrics, missing=missing)
    if len(table.metrics) < 2:
        raise DivmetricsError(
            f"unanimity compares a metric with others, and {table.metrics[0]!r} is the only one; score at "
            "least two"
        )
    decided = table.decisions.reshape(len(table.metrics), -1)
    weight = np.where(decided == 0, 0.5, 1.0)
    triplets = decided.shape[1]
    rows = []
    for m, metric in enumerate(table.metrics):
        others = np.delete(decided, m, axis=0)
        agree = (others == others[0]).all(axis=0)
        same = agree & (others[0] == decided[m])
        others_weight = np.where(others[0] == 0, 0.5, 1.0)
        agreed, own, all_others = weight[m, same].sum(), weight[m].sum(), others_weight[agree].sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            score = np.log2(agreed * triplets / (own * all_others))
        rows.append((metric, score, agreed, own, all_others, triplets))
    return pd.DataFrame(rows, columns=["metric", "unanimity", "agreed", "decided", "others", "triplets"])
