"""What the documents of the compared runs allow: how far all of them are from the best list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from divmetrics._progress import track_progress
from divmetrics.core.batch import make_batch
from divmetrics.core.collection import Collection, Judgments, Run
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import compare_scores

NAME = "best of these documents"


def headroom(
    collection: Collection,
    topics: Sequence[str],
    metrics: Mapping[str, BaseMetric],
    scores: pd.DataFrame,
    progress: bool = False,
) -> pd.DataFrame:
    """A score on each topic that a list of the runs' documents has, and none of the runs exceeds.

    The higher of the best run's, and that of a list made greedily: at each rank, down to the cutoff, the
    document with which the list so far scores highest under this very metric. The best list there is may
    score more. scores: those of the runs. Returns run (NAME), topic, metric, score.
    """
    best = scores.groupby(["topic", "metric"])["score"].max()
    rows = []
    for topic in track_progress(topics, len(topics), "topic", progress):
        pool = collection.pools[topic]
        (places,) = collection.positions(list(collection.runs.values()), [topic])
        found = np.intersect1d(np.concatenate(places), pool.relevant)
        for label, metric in metrics.items():
            made = max(_greedy(pool, found, metric), default=-np.inf)
            rows.append((NAME, topic, label, max(made, float(best[topic, label]))))
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


def _greedy(pool: Judgments, found: np.ndarray, metric: BaseMetric) -> Iterator[float]:
    """The scores of lists that grow by the best document of those at these places; equal ones go by id."""
    one = Collection({pool.topic.id: pool})
    grades = (
        pool.grades if pool.subtopic_grades is None else np.concatenate([pool.grades, pool.subtopic_grades])
    )
    left: dict[bytes, list[str]] = {}  # documents that are the same to any metric, the first last
    for place in found[::-1].tolist():
        left.setdefault(grades[:, place].tobytes(), []).append(pool.docs[place])
    docs: list[str] = []
    judged = None
    score = -np.inf
    while left and (metric.cutoff is None or len(docs) < metric.cutoff):
        kinds = sorted(left, key=lambda kind: left[kind][-1])
        runs = [Run.of(f"{at}", {pool.topic.id: [*docs, left[kind][-1]]}) for at, kind in enumerate(kinds)]
        lists = make_batch(one.with_runs(runs), depth=metric.cutoff, leaves=True, pool=judged)
        judged = lists.pool
        values = metric.scores(lists)[0]
        chosen = int(values.argmax())
        if metric.cutoff is None and docs and compare_scores(values[chosen], score) <= 0:
            return
        score = float(values[chosen])
        yield score
        docs.append(left[kinds[chosen]].pop())
        if not left[kinds[chosen]]:
            del left[kinds[chosen]]
