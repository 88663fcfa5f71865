"""Scores and contributions of the lists on a page, fast enough to follow edits by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.tolerances import compare_scores, is_best
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.registry.parse import metric as metric_named


@dataclass
class ListScorer:
    """Scores lists of one topic; computes only once whatever depends on the judgments alone."""

    judgments: Judgments
    _judged: Batch | None = field(default=None, repr=False)
    _last: tuple[dict[str, tuple[str, ...]], Batch] | None = field(default=None, repr=False)
    _earned: dict[BaseMetric, list[Contributions]] = field(default_factory=dict, repr=False)
    _most: dict[BaseMetric, float] = field(default_factory=dict, repr=False)

    def collection(self, lists: Mapping[str, Sequence[str]]) -> Collection:
        """Return the topic as a collection with the lists as runs."""
        topic = self.judgments.topic.id
        runs = [Run.of(name, {topic: tuple(docs)}) for name, docs in lists.items()]
        return Collection({topic: self.judgments}).with_runs(runs)

    def ranked(self, side: str, docs: Sequence[str]) -> RankedList:
        """Return these documents as a RankedList with the judgments."""
        return RankedList(self.judgments.topic, docs, self.judgments, side)

    def batch(self, lists: Mapping[str, Sequence[str]]) -> Batch:
        """Return the lists as the runs of a Batch; the last Batch is cached."""
        wanted = {name: tuple(docs) for name, docs in lists.items()}
        if self._last is None or self._last[0] != wanted or list(self._last[0]) != list(wanted):
            batch = make_batch(self.collection(lists), leaves=True, pool=self._judged)
            self._judged = batch.pool
            self._last = wanted, batch
            self._earned = {}
        return self._last[1]

    def rows(self, lists: Mapping[str, Sequence[str]], metrics: Iterable[str]) -> list[dict[str, Any]]:
        """Return one row per metric for the browser: scores as text and, of two lists, the preferred one."""
        batch = self.batch(lists)
        return [self._row(batch, list(lists), name) for name in metrics]

    def _row(self, batch: Batch, sides: Sequence[str], name: str) -> dict[str, Any]:
        try:
            scores = metric_named(name).scores(batch)[0].tolist()
        except DivmetricsError as error:
            return {"metric": name, "problem": str(error)}
        row: dict[str, Any] = {"metric": name, "scores": [f"{score:.4f}" for score in scores]}
        if len(scores) == 2:
            better = compare_scores(*scores)
            row["prefers"] = {1: sides[0], 0: "", -1: sides[1]}[better]
            row["difference"] = _signed(scores[0] - scores[1]) if better else "0.0000"
        return row

    def contributions(
        self, metric: BaseMetric, lists: Mapping[str, Sequence[str]]
    ) -> dict[str, Contributions]:
        """Return {name of a list: its contributions}."""
        batch = self.batch(lists)
        if metric not in self._earned:
            self._earned[metric] = Contributions.of(metric, batch, self.judgments.topic, list(lists.values()))
        return dict(zip(lists, self._earned[metric], strict=True))

    def largest_contribution(self, metric: BaseMetric) -> float:
        """Return the largest absolute contribution of a judged document alone at rank 1."""
        if metric not in self._most:
            judged = self.batch({}).judged if self._judged is None else self._judged
            self._most[metric] = float(np.abs(metric.contributions(judged.as_single_docs())).max(initial=0))
        return self._most[metric]

    def best(self, metric: BaseMetric, depth: int) -> list[str]:
        """Build a list greedily: at each rank the document that raises the score most; ties by id.

        The list ends at `depth`, or where no document raises the score.
        """
        chosen: list[str] = []
        remaining = [self.judgments.docs[place] for place in self.judgments.relevant.tolist()]
        score = 0.0
        while remaining and len(chosen) < depth:
            scores = metric.scores(self.batch({doc: [*chosen, doc] for doc in remaining}))[0]
            if compare_scores(scores.max(), score) < 1:
                break
            score = scores.max()
            chosen.append(remaining.pop(int(np.argmax(is_best(scores)))))
        return chosen


def plain(earned: Contributions) -> dict[str, Any]:
    """Convert contributions for the browser: cells by intent and rank, the score, cells by subtopic."""
    values = {"cells": earned.by_intent.tolist(), "score": f"{earned.score:.4f}"}
    return {**values, "leaves": earned.values.tolist()} if earned.two_levels else values


def _signed(difference: float) -> str:
    """Format a difference with four decimals, or in scientific notation if it would round to 0."""
    return f"{difference:+.4f}" if abs(difference) >= 0.00005 else f"{difference:+.0e}"
