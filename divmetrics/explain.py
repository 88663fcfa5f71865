"""Where a score comes from: its contributions as a tidy table, and in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.collection import RankedList
from divmetrics.formula import formula
from divmetrics.merging import per_group
from divmetrics.metric import BaseMetric, IntentSquare
from divmetrics.products import Product, Term, named, terms
from divmetrics.registry import metric as metric_named
from divmetrics.view import view_lists

if TYPE_CHECKING:
    import pandas as pd


def explain(metric: str | BaseMetric, ranked_list: RankedList) -> pd.DataFrame:
    """What each intent earned at each rank, as a table whose contributions sum to the score.

    Returns a DataFrame with one row per rank and intent: intent, rank (from 1), doc, contribution, grade (0
    where not relevant or not judged). For an intent-square metric also subtopic: one row per rank and
    second-level subtopic. A cost that is charged where the list has ended has doc "".
    """
    import pandas as pd

    chosen = metric_named(metric)
    view = view_lists([ranked_list])
    chosen.scores(view)  # refuses contributions that sum to no number
    intents = ranked_list.topic.intents
    rows: list[tuple[str, str, int, str, float, int]] = []
    if isinstance(chosen, IntentSquare):
        earned = chosen.leaf_contributions(view)[0, 0]
        grades = per_group(view, chosen.leaf).linear[:, 0]
        for i, intent in enumerate(intents):
            for e, child in enumerate(intent.children or (intent,)):
                rows += _cells(intent.id, child.id, earned[i, e], grades[i, e], ranked_list.docs)
    else:
        earned = chosen.contributions(view)[0, 0]
        for i, intent in enumerate(intents):
            rows += _cells(intent.id, "", earned[i], view.linear[0, 0, i], ranked_list.docs)
    frame = pd.DataFrame(rows, columns=["intent", "subtopic", "rank", "doc", "contribution", "grade"])
    frame = frame.sort_values("rank", kind="stable").reset_index(drop=True)
    last = ["subtopic"] if isinstance(chosen, IntentSquare) else []
    return frame[["intent", "rank", "doc", "contribution", "grade", *last]]


def _cells(
    intent: str, child: str, earned: np.ndarray, grades: np.ndarray, docs: Sequence[str]
) -> Iterator[tuple[str, str, int, str, float, int]]:
    for k, value in enumerate(earned):
        if k < len(docs):
            yield intent, child, k + 1, docs[k], float(value), int(grades[k])
        elif value:
            yield intent, child, k + 1, "", float(value), 0


def explain_in_words(metric: str | BaseMetric, ranked_list: RankedList) -> str:
    """The same, told rank by rank: every contribution as the product it is, ending in the score."""
    chosen = metric_named(metric)
    view = view_lists([ranked_list])
    topic = ranked_list.topic
    title = f" ({topic.title})" if topic.title else ""
    names = [named(intent) for intent in topic.intents]
    lines = [
        f"{chosen} of list {ranked_list.run} for topic {topic.id}{title} = {chosen.score(ranked_list):.4f}",
        f"  {formula(chosen)}",
        "",
    ]
    lines += _told(ranked_list, terms(chosen, view, topic.intents))
    earned = chosen.contributions(view)[0, 0].sum(axis=1)
    lines += ["", "By intent:", *(f"  {v:.4f}  {name}" for name, v in zip(names, earned, strict=True))]
    return "\n".join(lines)


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
    told: dict[int, list[Product]] = {}
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
