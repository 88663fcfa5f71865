"""Judgments read once and runs scored against them, as pytrec_eval and pyndeval are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from divmetrics.conventions.convention import convention
from divmetrics.core.calls import public
from divmetrics.core.checks import quote
from divmetrics.core.collection import Collection, Run
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import Scores, resolve_metrics, score_runs
from divmetrics.formats import NDEVAL_COLUMNS
from divmetrics.io import wrap_judgments
from divmetrics.io.loading import load_collection, load_runs
from divmetrics.registry.parse import metric as metric_named

BASE = re.compile(r"[^(@]*")


@public
class RelevanceEvaluator:
    """Judgments read once, runs scored one after another: called as pytrec_eval and pyndeval are.

        evaluator = dm.RelevanceEvaluator(qrels, {"alpha-nDCG@20", "strec@10", "D#-nDCG@10"})
        evaluator.evaluate({"topic": {"document": 2.5}})    # {"topic": {"alpha-nDCG@20": ...}}

    qrels, topics, scale: what `load_collection` takes. measures: names or Metric objects, in a set, too; by
    default the columns of ndeval. A name of ndeval's (`divmetrics conventions` lists them) means the number
    of ndeval, with any cutoff; every other name means what it does in `evaluate` ("paper:ERR-IA@20" asks for
    the paper's row). relevance_level: lower grades count as 0. alpha, beta: for every measure that has them
    and whose name does not set them. judged_docs_only_flag: leave documents without a judgment out of the
    lists.

    Where numbers are not pyndeval's: ERR-IA@1 and alpha-DCG@1 are divided like those of other cutoffs, nNRBP
    is 0 and not nan where nothing is relevant, a run's rows may come in any order of topics, and equal scores
    are ordered by document id descending (trec_eval), not ascending.

    Raises DivmetricsError for input that cannot be used; DivmetricsWarning counts what was assumed.
    """

    def __init__(
        self,
        qrels: Any,
        measures: Any = None,
        relevance_level: int = 1,
        *,
        alpha: float | None = None,
        beta: float | None = None,
        topics: Any = None,
        scale: int | None = None,
        judged_docs_only_flag: bool = False,
    ) -> None:
        asked = _several(NDEVAL_COLUMNS if measures is None else measures)
        self.measures = tuple(map(str, asked))
        _, metrics = resolve_metrics(map(_meant, asked), "paper", {"alpha": alpha, "beta": beta})
        held = None if isinstance(qrels, (str, Path, Collection)) else wrap_judgments(qrels)
        self._judged_only = judged_docs_only_flag
        # Does TREC's subtopic 0 count as an intent? A reading of its own for each answer that is asked for.
        self._readings: list[tuple[Collection, list[str], list[BaseMetric]]] = []
        counts = [convention(metric.convention).whole_topic_counts for metric in metrics]
        for whole_topic_counts in dict.fromkeys(counts):
            collection = load_collection(
                held or qrels,
                topics,
                scale=scale,
                relevance_level=relevance_level,
                whole_topic_counts=whole_topic_counts,
            )
            own = [i for i, each in enumerate(counts) if each is whole_topic_counts]
            self._readings.append((collection, [self.measures[i] for i in own], [metrics[i] for i in own]))
        self._given = {} if held is None else held.topics()

    def evaluate(self, run: Any) -> dict[Any, dict[str, float]]:
        """{topic: {measure: score}} of a run, for each judged topic that it answers.

        run: {topic: {document: score}}, tuples (topic, document, score), or whatever else `load_runs` takes
        for one run. The order of its documents is that of the scores; ranks are not looked at.
        """
        found: dict[Any, dict[str, float]] = {}
        for topic, measure, value, answered in self.scores(run, answered_only=True):
            if answered:
                found.setdefault(topic, {})[measure] = value
        return {topic: {m: values[m] for m in self.measures} for topic, values in found.items()}

    def scores(self, run: Any, answered_only: bool = False) -> Iterator[tuple[Any, str, float, bool]]:
        """Each topic as the judgments call it, measure, score, and whether the run answers the topic."""
        loaded = load_runs(run, "score")
        if len(loaded) != 1:
            raise DivmetricsError(f"{len(loaded)} runs were given; give one at a time")
        for collection, labels, metrics in self._readings:
            (listed,) = [_judged(collection, each) if self._judged_only else each for each in loaded]
            answered = [topic for topic in collection.pools if topic in listed.spans]
            if answered_only and answered:  # where there is none, this is told
                collection = collection.select(answered)
            scores = score_runs(collection.with_runs([listed]), None, metrics)
            yield from self._rows(scores, labels)

    def _rows(self, scores: Scores, labels: list[str]) -> Iterator[tuple[Any, str, float, bool]]:
        for t, topic in enumerate(scores.topics):
            given = self._given.get(topic, topic)
            for label, value in zip(labels, scores.values[0, t].tolist(), strict=True):
                yield given, label, value, bool(scores.given[0, t])


def _several(measures: Any) -> list[str | BaseMetric]:
    if isinstance(measures, (str, BaseMetric)):
        return [measures]
    if not isinstance(measures, Iterable):
        raise DivmetricsError(f"measures is {quote(measures)}, expected names such as {{'alpha-nDCG@20'}}")
    return sorted(measures, key=str) if isinstance(measures, (set, frozenset)) else list(measures)


def _meant(measure: str | BaseMetric) -> BaseMetric:
    """The metric of a name: ndeval's where ndeval has it, else as everywhere."""
    known = convention("ndeval").rows
    base = BASE.match(measure.strip()) if isinstance(measure, str) else None
    return metric_named(measure, "ndeval" if base and base[0].strip() in known else "paper")


def _judged(collection: Collection, run: Run) -> Run:
    """The run without the documents that nobody judged for the topic."""
    known = {topic: collection.pools[topic].position for topic in run.spans if topic in collection.pools}
    lists = {topic: [doc for doc in run.list(topic) if doc in place] for topic, place in known.items()}
    return replace(Run.of(run.name, lists), ties=run.ties)
