"""Means of runs over topics, with intervals, for all topics or by type of topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError
from divmetrics.optional import import_optional
from divmetrics.research.meta.resampling import check_strict_fraction
from divmetrics.research.meta.score_table import Missing, check_score_frame, score_table


@public
def means(
    scores: pd.DataFrame,
    metrics: str | Sequence[str] | None = None,
    *,
    confidence: float = 0.95,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Every run's mean score over topics, with Student's t interval and its rank.

    Returns metric, run, topics, mean, low, high, rank; runs as in the table. The interval is mean -+ t s /
    sqrt(n), t of n - 1 degrees of freedom, s the standard deviation over the run's topics: it says where the
    mean over all topics of this kind may lie. The mean over n other topics leaves it more often (with 32
    topics and 95 %, in one case of six); whether two runs differ is another question (see `tukey_hsd`). It is
    nan with a single topic. Rank 1 is the best; tied runs share the smaller number.
    """
    stats = import_optional("scipy.stats", "the interval of a mean")

    check_strict_fraction("confidence", confidence)
    table = score_table(scores, metrics, missing=missing, least_runs=1)
    n, mean = len(table.topics), table.values.mean(axis=1)
    half = np.full(mean.shape, np.nan)
    if n > 1:
        half = stats.t.ppf((1 + confidence) / 2, n - 1) * table.values.std(axis=1, ddof=1) / np.sqrt(n)
    level = np.array([dense_ranks(of_metric) for of_metric in mean])
    return pd.DataFrame(
        {
            "metric": np.repeat(table.metrics, len(table.runs)),
            "run": np.tile(table.runs, len(table.metrics)),
            "topics": n,
            "mean": mean.ravel(),
            "low": (mean - half).ravel(),
            "high": (mean + half).ravel(),
            "rank": (1 + (level[:, :, None] < level[:, None, :]).sum(axis=2)).ravel(),
        }
    )


@public
def means_by_type(
    scores: pd.DataFrame,
    types: Mapping[str, str] | Collection,
    metrics: str | Sequence[str] | None = None,
    *,
    confidence: float = 0.95,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """`means` for each type of topic separately.

    types: the type of each topic, such as {"83": "ambiguous"}, or a Collection, whose topics know theirs.
    Returns the columns of `means` with type in front; types in the order of the topics.
    """
    check_score_frame(scores)
    kinds = topic_types(scores["topic"], types)
    parts = []
    for kind in kinds.unique():
        part = means(scores[kinds == kind], metrics, confidence=confidence, missing=missing)
        part.insert(0, "type", kind)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def topic_types(topics: pd.Series, types: Mapping[str, str] | Collection) -> pd.Series:
    """The type of each of these topics, of which each must have one."""
    if isinstance(types, Collection):
        known = {id_: pool.topic.type for id_, pool in types.pools.items() if pool.topic.type}
    elif isinstance(types, Mapping):
        known = {str(topic): kind for topic, kind in types.items()}
    else:
        raise DivmetricsError(
            f"the types of topics are of type {type(types).__name__}, expected a Collection, or a dict such "
            "as {'83': 'ambiguous'}"
        )
    found = topics.astype(str).map(known)
    unknown = topics[found.isna()].unique()
    if len(unknown):
        raise DivmetricsError(
            f"topic '{unknown[0]}' has no type ({len(unknown)} topics have none); give the type of every "
            "topic"
        )
    return found
