"""Topic by topic: where two runs differ, and where metrics do not agree which one is better."""

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
    """Two runs, topic by topic.

    run_a, run_b: their names, or numbers where the table has these. types: the type of each topic, or a
    Collection whose topics know theirs. Returns metric, topic, type (with types), score_a, score_b,
    difference (a minus b), better: the run with the higher score, "" where they tie.
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
    first = table.decisions.ravel()
    rows["better"] = np.select([first == 0, first > 0], ["", table.runs[0]], table.runs[1])
    if types is not None:
        rows.insert(2, "type", topic_types(rows["topic"], types))
    return rows


@public
def wins(compared: pd.DataFrame) -> pd.DataFrame:
    """On how many topics each of two runs is better, per metric and, where known, type of topic.

    compared: as `compare_runs` returns. Returns metric, type (where it has one), topics, wins_a, ties,
    wins_b, difference (the mean).
    """
    missing = [column for column in ("metric", "better", "difference") if column not in compared.columns]
    if missing:
        raise DivmetricsError(
            f"the compared topics have no column {', '.join(missing)}; expected the table that compare_runs "
            "returns"
        )
    by = [column for column in ("metric", "type") if column in compared.columns]
    side = np.sign(compared["difference"].where(compared["better"] != "", 0.0))
    counted = compared[by].assign(
        topics=1,
        wins_a=(side > 0).astype(int),
        ties=(side == 0).astype(int),
        wins_b=(side < 0).astype(int),
        difference=compared["difference"],
    )
    groups = counted.groupby(by, sort=False, as_index=False, dropna=False)
    counts = groups[["topics", "wins_a", "ties", "wins_b"]].sum()
    return counts.merge(groups[["difference"]].mean(), on=by, how="left")


@public
def disagreements(
    scores: pd.DataFrame, metrics: Sequence[str] | None = None, *, missing: Missing = "fail"
) -> pd.DataFrame:
    """Where metrics disagree which of two runs is better, the clearest cases first.

    Differences are measured in units of what is usual: the root mean square of the metric's differences over
    all topics and pairs of runs. A case is as clear as the less decided of the two metrics makes it; of more
    than two, the one that favours each run most counts.

    Returns topic, run_a, run_b, metric_a (the metric that prefers run_a), difference_a (its difference, run_a
    minus run_b, above 0), metric_b, difference_b (below 0), clarity. A row per topic and pair of runs on
    which some metrics disagree.
    """
    table = score_table(scores, metrics, missing=missing)
    if len(table.metrics) < 2:
        raise DivmetricsError(
            f"{table.metrics[0]!r} is the only metric, and it takes two to disagree; score at least two"
        )
    first, second = table.pairs
    difference = table.values[:, :, first] - table.values[:, :, second]
    difference[np.abs(difference) <= table.tie[:, None, None]] = 0
    usual = np.sqrt(np.mean(difference**2, axis=(1, 2), keepdims=True))
    scaled = np.divide(difference, usual, out=np.zeros_like(difference), where=usual > 0)
    likes, dislikes = scaled.argmax(axis=0), scaled.argmin(axis=0)
    clarity = np.minimum(scaled.max(axis=0), -scaled.min(axis=0))
    topic, pair = np.nonzero(clarity > 0)
    run_a, run_b = table.pair_names
    names = np.array(table.metrics, dtype=object)
    found = pd.DataFrame(
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
    return found.sort_values("clarity", ascending=False, kind="stable", ignore_index=True)
