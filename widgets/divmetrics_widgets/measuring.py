"""Scores and contributions of the lists on a page, fast enough to follow the hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.collection import Collection, Judgments, RankedList, Run
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import compare_scores, is_best
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.registry.parse import metric as metric_named


@dataclass
class ListScorer:
    """Measures lists of one topic; what depends on the judgments alone is worked out once."""

    pool: Judgments
    _judged: Batch | None = field(default=None, repr=False)
    _last: tuple[dict[str, tuple[str, ...]], Batch] | None = field(default=None, repr=False)
    _earned: dict[BaseMetric, list[Contributions]] = field(default_factory=dict, repr=False)  # on that View
    _most: dict[BaseMetric, float] = field(default_factory=dict, repr=False)

    def collection(self, lists: Mapping[str, Sequence[str]]) -> Collection:
        """The topic with the lists as runs."""
        topic = self.pool.topic.id
        runs = [Run.of(name, {topic: tuple(docs)}) for name, docs in lists.items()]
        return Collection({topic: self.pool}).with_runs(runs)

    def ranked(self, side: str, docs: Sequence[str]) -> RankedList:
        """These documents as a list that is judged."""
        return RankedList(self.pool.topic, docs, self.pool, side)

    def view(self, lists: Mapping[str, Sequence[str]]) -> Batch:
        """The lists as the runs of a View; the last is kept, for scores and contributions alike."""
        asked = {name: tuple(docs) for name, docs in lists.items()}
        if self._last is None or self._last[0] != asked or list(self._last[0]) != list(asked):
            found = make_batch(self.collection(lists), leaves=True, pool=self._judged)
            self._judged = found.pool
            self._last = asked, found
            self._earned = {}
        return self._last[1]

    def rows(self, lists: Mapping[str, Sequence[str]], metrics: Iterable[str]) -> list[dict[str, Any]]:
        """A row for each metric: the score of each list as text and, of two lists, which is preferred."""
        seen = self.view(lists)
        return [self._row(seen, list(lists), name) for name in metrics]

    def _row(self, seen: Batch, sides: Sequence[str], name: str) -> dict[str, Any]:
        try:
            scores = metric_named(name).scores(seen)[0].tolist()
        except DivmetricsError as error:
            return {"metric": name, "problem": str(error)}
        row: dict[str, Any] = {"metric": name, "scores": [f"{score:.4f}" for score in scores]}
        if len(scores) == 2:
            better = compare_scores(*scores)
            row["prefers"] = {1: sides[0], 0: "", -1: sides[1]}[better]
            row["difference"] = _signed(scores[0] - scores[1]) if better else "0.0000"
        return row

    def earned(self, metric: BaseMetric, lists: Mapping[str, Sequence[str]]) -> dict[str, Contributions]:
        """For each list where its score comes from."""
        seen = self.view(lists)
        if metric not in self._earned:
            self._earned[metric] = Contributions.of(metric, seen, self.pool.topic, list(lists.values()))
        return dict(zip(lists, self._earned[metric], strict=True))

    def most(self, metric: BaseMetric) -> float:
        """The most that a judged document earns for one intent when it stands alone at the top."""
        if metric not in self._most:
            judged = self.view({}).judged if self._judged is None else self._judged
            self._most[metric] = float(np.abs(metric.contributions(judged.as_single_docs())).max(initial=0))
        return self._most[metric]

    def best(self, metric: BaseMetric, depth: int) -> list[str]:
        """A list built from the top: at each rank the document that raises the score most; ties by id.

        It ends at `depth`, or where nothing raises the score any more.
        """
        chosen: list[str] = []
        left = [self.pool.docs[place] for place in self.pool.relevant.tolist()]
        reached = 0.0
        while left and len(chosen) < depth:
            scores = metric.scores(self.view({doc: [*chosen, doc] for doc in left}))[0]
            if compare_scores(scores.max(), reached) < 1:
                break
            reached = scores.max()
            chosen.append(left.pop(int(np.argmax(is_best(scores)))))
        return chosen


def plain(earned: Contributions) -> dict[str, Any]:
    """As a browser reads them: intent x rank, their sum as text, and `leaves`, a row for each subtopic."""
    found = {"cells": earned.by_intent.tolist(), "score": f"{earned.score:.4f}"}
    return {**found, "leaves": earned.values.tolist()} if earned.two_levels else found


def _signed(difference: float) -> str:
    """Four decimals; what is not a tie does not look like one."""
    return f"{difference:+.4f}" if abs(difference) >= 0.00005 else f"{difference:+.0e}"
