"""Means of runs over topics with intervals, for all topics or by type of topic."""

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
    """Compute each run's mean score over topics with Student's t interval and rank.

    The interval mean +- t s / sqrt(n), with the standard deviation s over n topics, covers the mean over the
    population of topics. It covers the mean over n other topics less often (with 32 topics and 95 %, in five
    of six cases), and does not tell whether two runs differ (see `tukey_hsd`).

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    confidence : float
        Confidence of the intervals, between 0 and 1.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric and run, in their order in the table. Columns metric, run, topics (their number),
        mean, low, high (the interval of the mean, nan for a single topic), rank (1 for the highest mean of
        the metric; tied runs share the smaller rank).

    Raises
    ------
    DivmetricsError
        If the scores cannot be used (as in `score_table`), or `confidence` is not between 0 and 1.

    Examples
    --------
    >>> import divmetrics as dm
    >>> means(dm.datasets.imine_scores(), "ERR-IA@10").round(3).head(2)
          metric           run  topics   mean    low   high  rank
    0  ERR-IA@10  Sem13-D-E-1A      32  0.288  0.239  0.336     5
    1  ERR-IA@10  Sem13-D-E-2A      32  0.255  0.203  0.308     7
    """
    stats = import_optional("scipy.stats", "the interval of a mean")

    check_strict_fraction("confidence", confidence)
    table = score_table(scores, metrics, missing=missing, least_runs=1)
    n, mean = len(table.topics), table.values.mean(axis=1)
    half = np.full(mean.shape, np.nan)
    if n > 1:
        half = stats.t.ppf((1 + confidence) / 2, n - 1) * table.values.std(axis=1, ddof=1) / np.sqrt(n)
    levels = np.array([dense_ranks(values) for values in mean])
    return pd.DataFrame(
        {
            "metric": np.repeat(table.metrics, len(table.runs)),
            "run": np.tile(table.runs, len(table.metrics)),
            "topics": n,
            "mean": mean.ravel(),
            "low": (mean - half).ravel(),
            "high": (mean + half).ravel(),
            "rank": (1 + (levels[:, :, None] < levels[:, None, :]).sum(axis=2)).ravel(),
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
    """Compute `means` for each type of topic separately.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    types : dict or Collection
        Type of each topic, such as {"83": "ambiguous"}, or a collection whose topics have types.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    confidence : float
        Confidence of the intervals, between 0 and 1.
    missing : {"fail", "drop"}
        Whether to raise if a run has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        Columns type, and those of `means` over the topics of that type (the rank, too, is within the type);
        types in the order of the topics.

    Raises
    ------
    DivmetricsError
        If a topic has no type, the scores cannot be used (as in `score_table`), or `confidence` is not
        between 0 and 1.

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = means_by_type(dm.datasets.imine_scores(), dm.datasets.imine_types(), "ERR-IA@10")
    >>> table[table["rank"] == 1][["type", "run", "topics", "mean"]].round(3)
             type          run  topics   mean
    7   ambiguous  UM13-D-E-1A      16  0.256
    25      broad  udel-D-E-1A      16  0.382
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
    """Return the type of each topic, in their order; raises DivmetricsError if a topic has none."""
    if isinstance(types, Collection):
        type_of = {
            name: judgments.topic.type for name, judgments in types.pools.items() if judgments.topic.type
        }
    elif isinstance(types, Mapping):
        type_of = {str(topic): kind for topic, kind in types.items()}
    else:
        raise DivmetricsError(
            f"the types of topics are of type {type(types).__name__}, expected a Collection, or a dict such "
            "as {'83': 'ambiguous'}"
        )
    kinds = topics.astype(str).map(type_of)
    unknown = topics[kinds.isna()].unique()
    if len(unknown):
        raise DivmetricsError(
            f"topic '{unknown[0]}' has no type ({len(unknown)} topics have none); give the type of every "
            "topic"
        )
    return kinds
