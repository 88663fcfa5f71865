"""Score runs against judgments that are read once, with the interface of pytrec_eval and pyndeval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from divmetrics.conventions.convention import convention
from divmetrics.core.calls import public
from divmetrics.core.checks import quote
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import Run
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import resolve_metrics, score_runs
from divmetrics.formats import NDEVAL_COLUMNS
from divmetrics.io import wrap_judgments
from divmetrics.io.loading import load_collection
from divmetrics.io.run_loading import load_runs
from divmetrics.registry.parse import metric as metric_named

BASE = re.compile(r"[^(@]*")


@public
class RelevanceEvaluator:
    """Judgments read once, against which runs are scored one after another, as in pytrec_eval and pyndeval.

    Differences from pyndeval: ERR-IA@1 and alpha-DCG@1 are normalised as at every other cutoff, nNRBP is 0
    instead of nan if nothing is relevant, the rows of a run may be in any order of topics, and equal scores
    are ordered by document id descending (trec_eval), not ascending.

    Parameters
    ----------
    qrels : path, DataFrame, mapping, tuples or Collection
        The judgments, as in `load_collection`.
    measures : str, Metric or several, optional
        One metric or several (a set is allowed); by default the columns of ndeval, such as ERR-IA@5 and
        strec@10. A name that ndeval has (`divmetrics conventions` lists them), at any cutoff, is computed as
        ndeval does; every other name as in `evaluate` ("paper:ERR-IA@20" is the papers' metric).
    relevance_level : int
        Lower grades count as 0; 1 by default.
    alpha, beta : float, optional
        Value for every metric that has this parameter, unless its name sets it; by default the metric's own.
    topics : path, DataFrame, Topics or mapping, optional
        The intents with their probabilities, as in `load_collection`; by default the judged intents, equally
        probable.
    scale : int, optional
        The top grade; by default the highest grade in the judgments.
    judged_docs_only_flag : bool
        Whether to leave documents without a judgment out of the lists; by default they are not relevant.

    Raises
    ------
    DivmetricsError
        If the judgments or topics cannot be read, a metric is unknown, or a parameter is out of range.

    Warns
    -----
    DivmetricsWarning
        With counts, if the input can be used with an assumption only; or if no metric has the parameter
        `alpha` or `beta`.

    Examples
    --------
    >>> import divmetrics as dm
    >>> qrels = {"q": {"d1": {"film": 1}, "d2": {"book": 1}}}
    >>> evaluator = dm.RelevanceEvaluator(qrels, {"alpha-nDCG@20", "strec@10"})
    >>> evaluator.evaluate({"q": {"d1": 2.5, "d2": 1.5}})
    {'q': {'alpha-nDCG@20': 1.0, 'strec@10': 1.0}}
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
        requested = _several(NDEVAL_COLUMNS if measures is None else measures)
        self.measures = tuple(map(str, requested))
        parameters = {"alpha": alpha, "beta": beta}
        _, self._metrics = resolve_metrics(map(_metric_of, requested), "paper", parameters)
        held = None if isinstance(qrels, (str, Path, Collection)) else wrap_judgments(qrels)
        self._judged_only = judged_docs_only_flag
        self._collection = load_collection(
            held or qrels, topics, scale=scale, relevance_level=relevance_level
        )
        self._original_ids = {} if held is None else held.topics()

    def evaluate(self, run: Any) -> dict[Any, dict[str, float]]:
        """Score a run on each judged topic that it answers.

        Parameters
        ----------
        run : path, DataFrame, mapping, tuples or Run
            One run, as in `load_runs`. Its documents are ordered by score; printed ranks are ignored.

        Returns
        -------
        dict
            {topic: {measure: score}}. Topics are spelled as in the judgments, measures as they were given.
            Judged topics without a list in the run, and topics without judgments, are left out.

        Raises
        ------
        DivmetricsError
            If the run cannot be read, there are several runs, none of the judged topics is answered, or a
            metric needs a cutoff or second-level subtopics and has none.
        """
        by_topic: dict[Any, dict[str, float]] = {}
        for topic, measure, value, answered in self.scores(run, answered_only=True):
            if answered:
                by_topic.setdefault(topic, {})[measure] = value
        return by_topic

    def scores(self, run: Any, answered_only: bool = False) -> Iterator[tuple[Any, str, float, bool]]:
        """Yield the scores of a run on every judged topic, topic by topic.

        Parameters
        ----------
        run : path, DataFrame, mapping, tuples or Run
            One run, as in `evaluate`.
        answered_only : bool
            Whether to leave out judged topics without a list in the run; by default they score 0.

        Yields
        ------
        tuple of (topic, measure, score, answered)
            The topic is spelled as in the judgments, the measure as it was given; `answered` is whether the
            run has a list for the topic.

        Raises
        ------
        DivmetricsError
            In the cases of `evaluate`.
        """
        loaded = load_runs(run, "score")
        if len(loaded) != 1:
            raise DivmetricsError(f"{len(loaded)} runs were given; give one at a time")
        collection = self._collection
        (listed,) = [_judged(collection, each) if self._judged_only else each for each in loaded]
        answered = [topic for topic in collection.pools if topic in listed.spans]
        if answered_only and answered:  # if there is none, `score_runs` raises
            collection = collection.select(answered)
        scores = score_runs(collection.with_runs([listed]), None, self._metrics)
        for t, topic in enumerate(scores.topics):
            original = self._original_ids.get(topic, topic)
            for measure, value in zip(self.measures, scores.values[0, t].tolist(), strict=True):
                yield original, measure, value, bool(scores.answered[0, t])


def _several(measures: Any) -> list[str | BaseMetric]:
    if isinstance(measures, (str, BaseMetric)):
        return [measures]
    if not isinstance(measures, Iterable):
        raise DivmetricsError(f"measures is {quote(measures)}, expected names such as {{'alpha-nDCG@20'}}")
    return sorted(measures, key=str) if isinstance(measures, (set, frozenset)) else list(measures)


def _metric_of(measure: str | BaseMetric) -> BaseMetric:
    """Return ndeval's metric of a name if ndeval has the name, else the metric as in `evaluate`."""
    rows = convention("ndeval").rows
    base = BASE.match(measure.strip()) if isinstance(measure, str) else None
    return metric_named(measure, "ndeval" if base and base[0].strip() in rows else "paper")


def _judged(collection: Collection, run: Run) -> Run:
    """Return the run without the documents that were not judged for their topic."""
    positions = {topic: collection.pools[topic].position for topic in run.spans if topic in collection.pools}
    lists = {topic: [doc for doc in run.list(topic) if doc in place] for topic, place in positions.items()}
    return replace(Run.of(run.name, lists), ties=run.ties, contradictions=run.contradictions)
