"""Where a score comes from: its contributions as a tidy table, and in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from divmetrics.core.batch import batch_lists
from divmetrics.core.calls import public
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.formulas import formula
from divmetrics.explanations.terms import FactoredContribution, Term, intent_caption, terms
from divmetrics.explanations.user_model import Walk
from divmetrics.registry.parse import metric as metric_named

if TYPE_CHECKING:
    import pandas as pd


@public
def explain(metric: str | BaseMetric, ranked_list: RankedList, *, factors: bool = False) -> pd.DataFrame:
    """What each intent earned at each rank, as a table whose contributions sum to the score.

    Returns a DataFrame with one row per rank and intent: intent, rank (from 1), doc, contribution, grade (0
    where not relevant or not judged). For an intent-square metric also subtopic: one row per rank and
    second-level subtopic. A cost that is charged where the list has ended has doc "".

    factors: for each term of the metric a row per rank and intent. The columns between doc and contribution
    are the factors by their names, and their product is the contribution; among them are "weight of the
    term", such as gamma, and "1/N" (0 where N is 0). A factor that is always 1 has no column, and one that a
    term does not have is missing in its rows. After the contribution come three shares of all readers, which
    are no factors: "share of readers" who want the intent (all alike where f is 1), "still reading" whom the
    document finds interested, and those of them that are "satisfied" by it and are so no more below.
    A term that merges several intents has the intent "all intents".
    """
    if factors:
        return Walk.of(metric_named(metric), ranked_list).frame()
    return Contributions.of_list(metric_named(metric), ranked_list).frame()


@public
def explain_in_words(metric: str | BaseMetric, ranked_list: RankedList) -> str:
    """Every contribution, rank by rank, as the product of its factors, ending in the score."""
    chosen = metric_named(metric)
    return render_words(chosen, ranked_list, Contributions.of_list(chosen, ranked_list))


def render_words(metric: BaseMetric, ranked: RankedList, earned: Contributions) -> str:
    """What `explain_in_words` says of a list whose contributions are known."""
    topic = ranked.topic
    title = f" ({topic.title})" if topic.title else ""
    by_intent = earned.by_intent.sum(axis=1).tolist()
    fold = None if earned.two_levels else earned.fold  # a row is an intent, or below one
    shown = [t for t in range(len(topic.intents)) if not fold or t not in fold.places]
    return "\n".join(
        [
            f"{metric} of list {ranked.run} for topic {topic.id}{title} = {earned.score:.4f}",
            f"  {formula(metric)}",
            "",
            *_told(ranked, terms(metric, batch_lists([ranked]), topic.intents)),
            "",
            "By intent:",
            *(f"  {by_intent[t]:.4f}  {intent_caption(topic.intents[t])}" for t in shown),
            *([f"  {fold.values.sum():.4f}  {fold.name}", "", fold.words] if fold else []),
        ]
    )


def _told(ranked: RankedList, found: Iterable[Term]) -> list[str]:
    """The terms of a metric, each below its headings."""
    lines: list[str] = []
    above: tuple[str, ...] = ()
    for term in found:
        for deep, heading in enumerate(term.headings):
            if above[: deep + 1] != term.headings[: deep + 1]:
                lines.append("  " * deep + heading)
        above = term.headings
        lines += ["  " * len(above) + line for line in _ranks(ranked, term)]
    return lines


def _ranks(ranked: RankedList, term: Term) -> list[str]:
    """A line per rank, and below it one per product."""
    told: dict[int, list[FactoredContribution]] = {}
    for product in term.products():
        told.setdefault(product.rank, []).append(product)
    lines: list[str] = []
    quiet: list[int] = []
    for k in range(min(term.depth, max(len(ranked), max(told, default=-1) + 1))):
        if k not in told:
            quiet.append(k)
            continue
        lines += _quiet(ranked, quiet)
        quiet = []
        doc = ranked.docs[k] if k < len(ranked) else "(no document)"
        earned = sum(product.value for product in told[k])
        lines.append(f"rank {k + 1}  {doc}  earns {earned:.4f}")
        for product in told[k]:
            name = f"{term.names[product.place]}, {term.measure} {product.gain:.4g}"
            lines.append(f"    {name}: {product.value:.4f} = {product}")
    return lines + _quiet(ranked, quiet)


def _quiet(ranked: RankedList, ranks: Sequence[int]) -> list[str]:
    """Ranks that earn nothing, with how many of them nobody ever judged."""
    if not ranks:
        return []
    unjudged = sum(ranked.docs[k] not in ranked.judgments.position for k in ranks)
    if len(ranks) == 1:
        why = " (never judged)" if unjudged else ""
        return [f"rank {ranks[0] + 1}  {ranked.docs[ranks[0]]}  earns nothing{why}"]
    why = f" ({unjudged} of {len(ranks)} never judged)" if unjudged else ""
    return [f"ranks {ranks[0] + 1}-{ranks[-1] + 1}  earn nothing{why}"]
