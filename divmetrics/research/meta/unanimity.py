"""Unanimity: does a metric say what all the others say?"""

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
    """Unanimity of every metric with respect to all of them (Amigo et al. 2018; Sakai & Zeng 2019, Eq. 10).

    Over all N triplets of a topic and two lists, U(S) holds those on which every metric of S says the same:
    the first is better, worse, or equal; an EQ counts 0.5. Unanimity is the pointwise mutual information
    log2( size[U({M}) & U(others)]/N / (size[U({M})]/N * size[U(others)]/N) ). It depends on which metrics
    there are.

    Returns metric, unanimity, agreed (the size of the intersection), decided (of U({M})), others (of
    U(others)), triplets (N). -inf where M never says what the others agree on; nan where they agree on
    nothing.
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
