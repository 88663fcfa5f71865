"""Why two metrics part: from which intents each list earns what lets a metric prefer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from divmetrics.core.tolerances import compare_scores, dense_ranks
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.measuring import ListScorer

# By how many intents are named, of those that speak for a list; a page without a kernel fills them, too.
BECAUSE_TEMPLATES = (
    "{metric} prefers {winner} because {first} earns {there} there and {here} in {loser}.",
    "{metric} prefers {winner} because {first} and {second} together earn {there} there and {here} "
    "in {loser}.",
)


def explain_metric_conflict(
    rows: Sequence[Mapping[str, Any]], chosen: str, measure: ListScorer, lists: Mapping[str, Sequence[str]]
) -> str:
    """A sentence on the chosen metric, and one on the first that prefers the other list; "" where none does.

    rows: of the lists' scores, as Measure gives them. A score is the sum of its contributions, so a metric
    prefers a list for those intents from which it earns more there. The fewest are named that make up half of
    what speaks for the list, at most two, with what both lists earn from them.
    """
    decided = sorted((row for row in rows if row.get("prefers")), key=lambda row: row["metric"] != chosen)
    others = [row for row in decided if row["prefers"] != decided[0]["prefers"]]
    if not others:
        return ""
    return " ".join(
        _because(row["metric"], row["prefers"], measure, lists) for row in (decided[0], others[0])
    )


def _because(name: str, winner: str, measure: ListScorer, lists: Mapping[str, Sequence[str]]) -> str:
    (loser,) = set(lists) - {winner}
    earned = measure.earned(metric_named(name), lists)
    more, less = (earned[side].by_intent.sum(axis=1) for side in (winner, loser))
    ahead = more - less
    level = dense_ranks(ahead)
    speak = sorted((place for place, by in enumerate(ahead) if by > 0), key=lambda place: -level[place])
    half = sum(ahead[place] for place in speak) / 2
    named = speak[: 1 if compare_scores(ahead[speak[0]], half) >= 0 else len(BECAUSE_TEMPLATES)]
    there, here = _apart(more[named].sum(), less[named].sum())
    ids = [measure.pool.topic.intents[place].id for place in named]
    return BECAUSE_TEMPLATES[len(named) - 1].format(
        metric=name, winner=winner, loser=loser, first=ids[0], second=ids[-1], there=there, here=here
    )


def _apart(one: float, other: float) -> tuple[str, str]:
    """Both with so many decimals, four or more, that they are told apart."""
    for decimals in range(4, 17):
        texts = f"{one:.{decimals}f}", f"{other:.{decimals}f}"
        if texts[0] != texts[1]:
            break
    return texts
