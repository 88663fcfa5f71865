"""Topic by topic: where two runs differ, and where metrics prefer different runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.research.meta.means import topic_types
from divmetrics.research.meta.score_table import Missing, check_score_frame, score_table


@public
def compare_runs(
    scores: pd.DataFrame,
    run_a: str | int,
    run_b: str | int,
    metrics: str | Sequence[str] | None = None,
    *,
    types: Mapping[str, str] | Collection | None = None,
    missing: Missing = "fail",
) -> pd.DataFrame:
    """Compare two runs topic by topic.

    Parameters
    ----------
    scores : DataFrame
        Columns run, topic, metric, score, as `divmetrics.evaluate` returns.
    run_a, run_b : str or int
        Names of the runs.
    metrics : str or list of str, optional
        Metrics to use; by default, all in the table.
    types : dict or Collection, optional
        Type of each topic, such as {"83": "ambiguous"}, or a collection whose topics have types; by default
        there is no column type.
    missing : {"fail", "drop"}
        Whether to raise if one of the two runs has no score on a topic, or to drop the topic with a warning.

    Returns
    -------
    DataFrame
        One row per metric and topic. Columns metric, topic, type (if `types` is passed), score_a, score_b
        (the scores of run_a and run_b), difference (score_a minus score_b), better (the name of the run with
        the higher score, "" for a tie).

    Raises
    ------
    DivmetricsError
        If a run has no scores, both are the same, a topic has no type, or the scores cannot be used (as in
        `score_table`).

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = compare_runs(dm.datasets.imine_scores(), "UM13-D-E-1A", "UM13-D-E-2A", "ERR-IA@10")
    >>> table.round(3).head(2)
          metric topic  score_a  score_b  difference       better
    0  ERR-IA@10  0051    0.518    0.443       0.075  UM13-D-E-1A
    1  ERR-IA@10  0052    0.462    0.637      -0.175  UM13-D-E-2A
    """
    check_score_frame(scores)
    runs, run_a, run_b = scores["run"].astype(str), str(run_a), str(run_b)
    for run in (run_a, run_b):
        if run not in set(runs):
            raise DivmetricsError(
                f"run {run!r} is not in the score table{did_you_mean(run, runs.unique())}; name one that is"
            )
    if run_a == run_b:
        raise DivmetricsError(f"run {run_a!r} is compared with itself; name two runs")
    table = score_table(scores[runs.isin([run_a, run_b])], metrics, missing=missing)
    a, b = (table.values[:, :, table.runs.index(run)] for run in (run_a, run_b))
    rows = pd.DataFrame(
        {
            "metric": np.repeat(table.metrics, len(table.topics)),
            "topic": np.tile(table.topics, len(table.metrics)),
            "score_a": a.ravel(),
            "score_b": b.ravel(),
            "difference": (a - b).ravel(),
        }
    )
    decisions = table.decisions.ravel()
    rows["better"] = np.select([decisions == 0, decisions > 0], ["", table.runs[0]], table.runs[1])
    if types is not None:
        rows.insert(2, "type", topic_types(rows["topic"], types))
    return rows


@public
def wins(comparison: pd.DataFrame) -> pd.DataFrame:
    """Count the topics on which each of two runs is better, per metric and type of topic.

    Parameters
    ----------
    comparison : DataFrame
        Table that `compare_runs` returns.

    Returns
    -------
    DataFrame
        One row per metric and, if `comparison` has the column, type. Columns metric, type, topics (their
        number), wins_a, ties, wins_b (numbers of topics on which run_a, neither, and run_b is better),
        difference (mean of score_a minus score_b).

    Raises
    ------
    DivmetricsError
        If a column is missing.

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = compare_runs(dm.datasets.imine_scores(), "UM13-D-E-1A", "UM13-D-E-2A", "ERR-IA@10")
    >>> wins(table).round(3)
          metric  topics  wins_a  ties  wins_b  difference
    0  ERR-IA@10      32      18     4      10      -0.003
    """
    missing = [column for column in ("metric", "better", "difference") if column not in comparison.columns]
    if missing:
        raise DivmetricsError(
            f"the compared topics have no column {', '.join(missing)}; expected the table that compare_runs "
            "returns"
        )
    by = [column for column in ("metric", "type") if column in comparison.columns]
    side = np.sign(comparison["difference"].where(comparison["better"] != "", 0.0))
    counted = comparison[by].assign(
        topics=1,
        wins_a=(side > 0).astype(int),
        ties=(side == 0).astype(int),
        wins_b=(side < 0).astype(int),
        difference=comparison["difference"],
    )
    groups = counted.groupby(by, sort=False, as_index=False, dropna=False)
    counts = groups[["topics", "wins_a", "ties", "wins_b"]].sum()
    return counts.merge(groups[["difference"]].mean(), on=by, how="left")


@public
def disagreements(
    scores: pd.DataFrame, metrics: Sequence[str] | None = None, *, missing: Missing = "fail"
) -> pd.DataFrame:
    """List the topics and pairs of runs on which metrics prefer different runs, the clearest cases first.

    The clarity of a case is the smaller of the two metrics' differences, each divided by the root mean square
    of that metric's differences over all topics and pairs of runs. With more than two metrics, a case
    compares the metric that favours one run most with the metric that favours the other most.

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
        One row per case, none if the metrics never disagree. Columns topic, run_a, run_b, metric_a (prefers
        run_a), difference_a (score of run_a minus that of run_b under metric_a, above 0), metric_b (prefers
        run_b), difference_b (the same under metric_b, below 0), clarity (above 0).

    Raises
    ------
    DivmetricsError
        If there are fewer than two metrics, or the scores cannot be used (as in `score_table`).

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = disagreements(dm.datasets.imine_scores(), ["ERR-IA@10", "D#-nDCG@10"])
    >>> table[["topic", "run_a", "run_b", "difference_a", "difference_b", "clarity"]].round(3).head(1)
      topic         run_a         run_b  difference_a  difference_b  clarity
    0  0067  Sem13-D-E-2A  TUTA1-D-E-1B          0.15        -0.201    0.606
    """
    table = score_table(scores, metrics, missing=missing)
    if len(table.metrics) < 2:
        raise DivmetricsError(
            f"{table.metrics[0]!r} is the only metric, and it takes two to disagree; score at least two"
        )
    first, second = table.pairs
    difference = table.values[:, :, first] - table.values[:, :, second]
    difference[np.abs(difference) <= table.tie[:, None, None]] = 0
    unit = np.sqrt(np.mean(difference**2, axis=(1, 2), keepdims=True))
    scaled = np.divide(difference, unit, out=np.zeros_like(difference), where=unit > 0)
    likes, dislikes = scaled.argmax(axis=0), scaled.argmin(axis=0)
    clarity = np.minimum(scaled.max(axis=0), -scaled.min(axis=0))
    topic, pair = np.nonzero(clarity > 0)
    run_a, run_b = table.pair_names
    names = np.array(table.metrics, dtype=object)
    rows = pd.DataFrame(
        {
            "topic": np.array(table.topics, dtype=object)[topic],
            "run_a": run_a[pair],
            "run_b": run_b[pair],
            "metric_a": names[likes[topic, pair]],
            "difference_a": difference[likes[topic, pair], topic, pair],
            "metric_b": names[dislikes[topic, pair]],
            "difference_b": difference[dislikes[topic, pair], topic, pair],
            "clarity": clarity[topic, pair],
        }
    )
    return rows.sort_values("clarity", ascending=False, kind="stable", ignore_index=True)
