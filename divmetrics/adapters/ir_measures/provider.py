"""Provide the scores of our measures to ir_measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import ir_measures.providers

from divmetrics.adapters.ir_measures.measures import Measure
from divmetrics.adapters.relevance_evaluator import RelevanceEvaluator
from divmetrics.core.calls import public
from divmetrics.core.metric import is_ad_hoc
from divmetrics.core.topics import Topic
from divmetrics.io import wrap_judgments
from divmetrics.io.loading import topics_by_id
from divmetrics.io.run_loading import load_runs

TOPICS: ContextVar[dict[str, Topic] | None] = ContextVar("topics", default=None)


@public
@contextmanager
def with_topics(topics: Any) -> Iterator[None]:
    """Use the intent probabilities and kinds (informational, navigational) of these topics in a `with` block.

    Outside such a block, the intents in the judgments are equally probable and informational. An
    `ir_measures.evaluator` keeps the topics with which it was made.

    Parameters
    ----------
    topics : path, DataFrame, Topics or mapping, or None
        The topics, as in `divmetrics.evaluate`; None as outside such a block.

    Yields
    ------
    None
        Nothing; the topics apply until the block ends.

    Raises
    ------
    DivmetricsError
        When the block is entered, if the topics cannot be read; when measures are computed in it, if they
        lack a judged topic or intent.

    Examples
    --------
    >>> import ir_measures
    >>> from divmetrics.adapters.ir_measures import ERR_IA, with_topics
    >>> qrels = [ir_measures.Qrel("q", "d1", 1, "film"), ir_measures.Qrel("q", "d2", 1, "book")]
    >>> run = [ir_measures.ScoredDoc("q", "d1", 2.5)]
    >>> with with_topics({"q": {"film": 0.7, "book": 0.3}}):
    ...     scores = ir_measures.calc_aggregate([ERR_IA @ 5], qrels, run)
    >>> round(scores[ERR_IA @ 5], 6)
    0.35
    """
    before = TOPICS.set(topics_by_id(topics))
    try:
        yield
    finally:
        TOPICS.reset(before)


class _Evaluator(ir_measures.providers.Evaluator):
    """Judgments, loaded once for each combination of rel, judged_only and scale; runs scored against them."""

    def __init__(self, measures: Iterable[Measure], qrels: Any, described: dict[str, Topic] | None) -> None:
        distinct = list(dict.fromkeys(measures))
        held = wrap_judgments(qrels, ad_hoc=all(is_ad_hoc(measure.metric) for measure in distinct))
        self._evaluators: list[tuple[RelevanceEvaluator, dict[str, Measure]]] = []
        super().__init__(distinct, () if held.frame.empty else tuple(held.topics().values()))
        if held.frame.empty:  # a batch of PyTerrier without judged topics
            return
        judged = None if described is None else [described[t] for t in held.topics() if t in described]
        readings: dict[tuple[int, bool, int | None], list[Measure]] = {}
        for measure in distinct:
            readings.setdefault((measure.rel, measure.judged_only, measure.scale), []).append(measure)
        for (rel, judged_only, scale), measures in readings.items():
            evaluator = RelevanceEvaluator(
                held,
                [measure.metric for measure in measures],
                rel,
                topics=described and (judged or list(described.values())),
                scale=scale,
                judged_docs_only_flag=judged_only,
            )
            by_name = dict(zip(evaluator.measures, measures, strict=True))
            self._evaluators.append((evaluator, by_name))

    def _iter_calc(self, run: Any) -> Iterator[ir_measures.Metric]:
        if not self._evaluators:
            return
        run = _reusable(run)
        if len(run) == 0:  # an empty run: ir_measures gives every topic the score 0
            return
        loaded = load_runs(run, "score")
        for evaluator, measure_of in self._evaluators:
            for topic, name, value, _ in evaluator.scores(loaded):
                yield ir_measures.Metric(query_id=topic, measure=measure_of[name], value=value)


class _Provider(ir_measures.providers.Provider):
    """The provider `divmetrics`, which computes the measures of `divmetrics.adapters.ir_measures`.

    Its methods are those of ir_measures: `calc_aggregate`, `iter_calc`, `calc` and `evaluator`. A judged
    topic that the run does not answer scores 0, with a DivmetricsWarning; without judgments, means are nan.
    """

    NAME = "divmetrics"

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Return whether a measure is a `Measure` of this package."""
        return isinstance(measure, Measure)

    def qrel_inputs(self, measures: Iterable[ir_measures.Measure]) -> list[str]:
        """Return the columns that the judgments must have."""
        return ["query_id", "doc_id", "relevance", "iteration"]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> _Evaluator:
        return _Evaluator(measures, qrels, TOPICS.get())


def _reusable(run: Any) -> Any:
    """Return the run, converted to a list if it is an iterator, so that it can be read again."""
    return list(run) if isinstance(run, Iterator) else run


def _registered() -> _Provider:
    made = ir_measures.providers.register(_Provider())
    ir_measures.DefaultPipeline.providers.append(made)
    return made


# The provider, for calls such as provider.calc_aggregate(measures, qrels, run); ir_measures has it, too.
provider = _registered()
