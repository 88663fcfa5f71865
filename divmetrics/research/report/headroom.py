"""Headroom: a score that the documents of the compared runs allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from divmetrics._progress import track_progress
from divmetrics.core.batch import make_batch
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import Run
from divmetrics.core.tolerances import compare_scores

HEADROOM_RUN = "best of these documents"


def headroom(
    collection: Collection,
    topics: Sequence[str],
    metrics: Mapping[str, BaseMetric],
    scores: pd.DataFrame,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a score on each topic that a list of the runs' documents reaches and that no run exceeds.

    It is the higher of the best run's score and that of a greedy list, which takes at each rank, down to the
    cutoff, the document with which the list scores highest under the metric. The optimal list may score more.
    `metrics` is {name: metric}; `scores` are those of the runs under these names. Returns one row per topic
    and metric with the columns run (`HEADROOM_RUN`), topic, metric (its name), score.
    """
    best = scores.groupby(["topic", "metric"])["score"].max()
    rows = []
    for topic in track_progress(topics, len(topics), "topic", progress):
        judgments = collection.pools[topic]
        (positions,) = collection.positions(list(collection.runs.values()), [topic])
        relevant = np.intersect1d(np.concatenate(positions), judgments.relevant)
        for label, metric in metrics.items():
            greedy = max(_greedy(judgments, relevant, metric), default=-np.inf)
            rows.append((HEADROOM_RUN, topic, label, max(greedy, float(best[topic, label]))))
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


def _greedy(judgments: Judgments, positions: np.ndarray, metric: BaseMetric) -> Iterator[float]:
    """Yield the scores of greedily growing lists of the documents at `positions`; the lower id wins ties."""
    topic = judgments.topic.id
    one = Collection({topic: judgments})
    grades = judgments.grades
    if judgments.subtopic_grades is not None:
        grades = np.concatenate([grades, judgments.subtopic_grades])
    left: dict[bytes, list[str]] = {}  # documents with the same grades, in reverse order
    for position in positions[::-1].tolist():
        left.setdefault(grades[:, position].tobytes(), []).append(judgments.docs[position])
    docs: list[str] = []
    ideal_pool = None
    score = -np.inf
    while left and (metric.cutoff is None or len(docs) < metric.cutoff):
        kinds = sorted(left, key=lambda kind: left[kind][-1])
        runs = [Run.of(f"{at}", {topic: [*docs, left[kind][-1]]}) for at, kind in enumerate(kinds)]
        lists = make_batch(one.with_runs(runs), depth=metric.cutoff, leaves=True, pool=ideal_pool)
        ideal_pool = lists.pool
        values = metric.scores(lists)[0]
        chosen = int(values.argmax())
        if metric.cutoff is None and docs and compare_scores(values[chosen], score) <= 0:
            return
        score = float(values[chosen])
        yield score
        docs.append(left[kinds[chosen]].pop())
        if not left[kinds[chosen]]:
            del left[kinds[chosen]]
