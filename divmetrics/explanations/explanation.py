"""Explain a score: its contributions as a tidy table, and in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divmetrics.conventions.convention import ORDERS, RunOrder
from divmetrics.core.batch import batch_lists
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, quote
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Level
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.formulas import formula
from divmetrics.explanations.terms import FactoredContribution, Term, intent_caption, terms
from divmetrics.explanations.user_model import Walk
from divmetrics.io.loading import load_ranked_list
from divmetrics.registry.parse import metric as metric_named

if TYPE_CHECKING:
    import pandas as pd


@public
def explain(
    metric: str | BaseMetric,
    qrels: Any,
    run: Any = None,
    topic: str | int | None = None,
    *,
    topics: Any = None,
    convention: str = "paper",
    order: RunOrder | None = None,
    scale: int | None = None,
    relevance_level: int = 1,
    factors: bool = False,
    level: Level | None = None,
) -> pd.DataFrame:
    """Return the contribution of each intent at each rank; the contributions sum to the score.

    Call `explain(metric, ranked_list)` or `explain(metric, qrels, run, topic)`.

    Parameters
    ----------
    metric : str or Metric
        The metric, such as "ERR-IA@20".
    qrels : RankedList, path, DataFrame, mapping, tuples or Collection
        A ranked list, beside which `run`, `topic`, `topics`, `order`, `scale` and `relevance_level` must be
        left out; or judgments, as in `evaluate`.
    run : path, DataFrame, mapping, tuples or Run, optional
        One run, as in `evaluate`, or the name of one that a Collection holds; by default the only run of the
        Collection or of a file of answers.
    topic : str, optional
        The id of the topic; needed unless `qrels` is a RankedList.
    topics : path, DataFrame, Topics or mapping, optional
        The intents with their probabilities, as in `evaluate`.
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}
        The convention of a name without prefix, and the default of `order`.
    order : {"score", "rank", "file"}, optional
        The order of the run's documents, as in `evaluate`.
    scale : int, optional
        The top grade; by default the highest grade in the judgments.
    relevance_level : int
        Grades below it count as not relevant.
    factors : bool
        Whether to return the factors of each contribution, too.
    level : {1, 2}, optional
        The level of subtopics that are the intents, as in `evaluate`.

    Returns
    -------
    DataFrame
        One row per rank, down to the cutoff or the end of the list, and intent. Columns: intent (its id),
        rank (from 1), doc (its id), contribution, grade (0 if not relevant or not judged). For an
        intent-square metric (X-IS), one row per rank and second-level subtopic, whose id is in a column
        subtopic at the end (of an intent without subtopics, its own id). A cost that a metric charges after
        the end of the list has doc "".

        With `factors`, one row per term of the metric (a summand, such as the two of D#-nDCG), rank and
        intent. Columns: term (its weights and the name of its row, such as "Q-IA" for D-Q), intent, rank,
        doc; then the factors by their names, whose product is the contribution, among them "weight of the
        term", such as gamma, and "1/N" (0 if N is 0); then contribution. A part that is the constant 1 has no
        column, but the weight of merged intents has one, and is 1; a factor that a term does not have is nan
        in its rows. At the end come three shares of the users whom the term is about, which are not factors:
        "share of readers" who want the intent (all equal if f is 1), "still reading" at this rank, and
        "satisfied" by the document, so that they stop. A term for one kind of intents (P+Q) has rows for
        these alone. A term that merges several intents has the intent "all intents". The intent of an
        intent-square metric is "intent/subtopic", "intent/all" if several subtopics are merged, or the intent
        alone if it has no subtopics; there is no column subtopic.

    Raises
    ------
    DivmetricsError
        If the input cannot be used, the topic has no judgments, or the run does not answer it.

    Examples
    --------
    >>> import divmetrics as dm
    >>> qrels = {"q": {"d1": {"film": 1}, "d2": {"book": 1}}}
    >>> run = {"q": ["d1", "d2"]}
    >>> dm.explain("ERR-IA@2", qrels, run, "q")[["intent", "rank", "doc", "contribution"]]
      intent  rank doc  contribution
    0   book     1  d1         0.000
    1   film     1  d1         0.250
    2   book     2  d2         0.125
    3   film     2  d2         0.000
    """
    chosen = metric_named(metric, convention)
    at = chosen.level(level)
    ranked = _ranked_list(qrels, run, topic, topics, convention, order, scale, relevance_level, at)
    if factors:
        return Walk.of(chosen, ranked).frame()
    return Contributions.of_list(chosen, ranked).frame()


@public
def explain_in_words(
    metric: str | BaseMetric,
    qrels: Any,
    run: Any = None,
    topic: str | int | None = None,
    *,
    topics: Any = None,
    convention: str = "paper",
    order: RunOrder | None = None,
    scale: int | None = None,
    relevance_level: int = 1,
    level: Level | None = None,
) -> str:
    """Write the score, each contribution that is not 0 as the product of its factors, and sums by intent.

    Call `explain_in_words(metric, ranked_list)` or `explain_in_words(metric, qrels, run, topic)`.

    Parameters
    ----------
    metric : str or Metric
        The metric, such as "ERR-IA@20".
    qrels : RankedList, path, DataFrame, mapping, tuples or Collection
        A ranked list, beside which `run`, `topic`, `topics`, `order`, `scale` and `relevance_level` must be
        left out; or judgments, as in `evaluate`.
    run : path, DataFrame, mapping, tuples or Run, optional
        One run, as in `evaluate`, or the name of one that a Collection holds; by default the only run of the
        Collection or of a file of answers.
    topic : str, optional
        The id of the topic; needed unless `qrels` is a RankedList.
    topics : path, DataFrame, Topics or mapping, optional
        The intents with their probabilities, as in `evaluate`.
    convention : {"paper", "ndeval", "ntcireval", "nuggetizer", "freshstack", ...}
        The convention of a name without prefix, and the default of `order`.
    order : {"score", "rank", "file"}, optional
        The order of the run's documents, as in `evaluate`.
    scale : int, optional
        The top grade; by default the highest grade in the judgments.
    relevance_level : int
        Grades below it count as not relevant.
    level : {1, 2}, optional
        The level of subtopics that are the intents, as in `evaluate`.

    Returns
    -------
    str
        The text, of several lines.

    Raises
    ------
    DivmetricsError
        If the input cannot be used, the topic has no judgments, or the run does not answer it.

    Examples
    --------
    >>> import divmetrics as dm
    >>> qrels = {"q": {"d1": {"film": 1}, "d2": {"book": 1}}}
    >>> run = {"q": ["d1", "d2"]}
    >>> print(dm.explain_in_words("ERR-IA@2", qrels, run, "q").splitlines()[0])
    ERR-IA@2 of list run for topic q = 0.3750
    """
    chosen = metric_named(metric, convention)
    at = chosen.level(level)
    ranked = _ranked_list(qrels, run, topic, topics, convention, order, scale, relevance_level, at)
    return render_words(chosen, ranked, Contributions.of_list(chosen, ranked))


def _ranked_list(
    qrels: Any,
    run: Any,
    topic: str | int | None,
    topics: Any,
    convention: str,
    order: RunOrder | None,
    scale: int | None,
    relevance_level: int,
    level: Level | None,
) -> RankedList:
    """Return the list to explain, loaded from judgments and a run unless `qrels` is a RankedList.

    Raises DivmetricsError if the arguments name no list, or name the run or topic of a RankedList again.
    """
    if isinstance(qrels, RankedList):
        if any(x is not None for x in (run, topic, topics, order, scale)) or relevance_level != 1:
            raise DivmetricsError(
                "a RankedList already has its run, topic, judgments and scale; leave out run, topic, topics, "
                "order, scale and relevance_level"
            )
        return qrels.on_level(level)
    if topic is None or (run is None and not isinstance(qrels, (Collection, str, Path))):
        raise DivmetricsError(
            f"{quote(qrels)} comes without a run and a topic; give a RankedList, or judgments, a run and a "
            "topic, as in explain(metric, qrels, run, topic)"
        )
    if order is not None:
        check_choice("order", order, ORDERS)
    return load_ranked_list(
        qrels,
        run,
        topic,
        topics,
        convention,
        order=order,
        scale=scale,
        relevance_level=relevance_level,
        level=level,
    )


def render_words(metric: BaseMetric, ranked: RankedList, earned: Contributions) -> str:
    """Return the text of `explain_in_words` for a list with known contributions."""
    topic = ranked.topic
    title = f" ({topic.title})" if topic.title else ""
    by_intent = earned.by_intent.sum(axis=1).tolist()
    fold = None if earned.two_levels else earned.fold  # a row is an intent, or a subtopic if two_levels
    visible = [t for t in range(len(topic.intents)) if not fold or t not in fold.places]
    return "\n".join(
        [
            f"{metric} of list {ranked.run} for topic {topic.id}{title} = {earned.score:.4f}",
            f"  {formula(metric)}",
            "",
            *_term_lines(ranked, terms(metric, batch_lists([ranked]), topic.intents)),
            "",
            "By intent:",
            *(f"  {by_intent[t]:.4f}  {intent_caption(topic.intents[t])}" for t in visible),
            *([f"  {fold.values.sum():.4f}  {fold.name}", "", fold.words] if fold else []),
        ]
    )


def _term_lines(ranked: RankedList, of_metric: Iterable[Term]) -> list[str]:
    """Return the lines of the terms, each term below its headings."""
    lines: list[str] = []
    above: tuple[str, ...] = ()
    for term in of_metric:
        for level, heading in enumerate(term.headings):
            if above[: level + 1] != term.headings[: level + 1]:
                lines.append("  " * level + heading)
        above = term.headings
        lines += ["  " * len(above) + line for line in _rank_lines(ranked, term)]
    return lines


def _rank_lines(ranked: RankedList, term: Term) -> list[str]:
    """Return a line per rank, each followed by one line per product."""
    products: dict[int, list[FactoredContribution]] = {}
    for product in term.factored_contributions():
        products.setdefault(product.rank, []).append(product)
    lines: list[str] = []
    unearning: list[int] = []
    for k in range(min(term.depth, max(len(ranked), max(products, default=-1) + 1))):
        if k not in products:
            unearning.append(k)
            continue
        lines += _unearning_lines(ranked, unearning)
        unearning = []
        doc = ranked.docs[k] if k < len(ranked) else "(no document)"
        earned = sum(product.value for product in products[k])
        lines.append(f"rank {k + 1}  {doc}  earns {earned:.4f}")
        for product in products[k]:
            name = f"{term.names[product.intent_index]}, {term.measure} {product.gain:.4g}"
            lines.append(f"    {name}: {product.value:.4f} = {product}")
    return lines + _unearning_lines(ranked, unearning)


def _unearning_lines(ranked: RankedList, ranks: Sequence[int]) -> list[str]:
    """Return a line for consecutive ranks without contributions, with the count of documents never judged."""
    if not ranks:
        return []
    unjudged = sum(ranked.docs[k] not in ranked.judgments.position for k in ranks)
    if len(ranks) == 1:
        why = " (never judged)" if unjudged else ""
        return [f"rank {ranks[0] + 1}  {ranked.docs[ranks[0]]}  earns nothing{why}"]
    why = f" ({unjudged} of {len(ranks)} never judged)" if unjudged else ""
    return [f"ranks {ranks[0] + 1}-{ranks[-1] + 1}  earn nothing{why}"]
