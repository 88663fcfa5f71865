"""Why two metrics prefer different lists: the intents from which each metric's preferred list earns more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from divmetrics.core.tolerances import compare_scores, dense_ranks
from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import intent_words

# One template per number of named intents; a page without a kernel fills them, too.
BECAUSE_TEMPLATES = (
    "{metric} prefers {winner} because {first} earns {there} there and {here} in {loser}.",
    "{metric} prefers {winner} because {first} and {second} together earn {there} there and {here} "
    "in {loser}.",
)


def explain_metric_conflict(
    rows: Sequence[Mapping[str, Any]], selected: str, scorer: ListScorer, lists: Mapping[str, Sequence[str]]
) -> str:
    """Explain the preferences of the metric `selected` and of the first that disagrees; "" if none does.

    rows: the scores of the lists, from `ListScorer.rows`. A score is the sum of its contributions, so a
    metric prefers a list for the intents from which it earns more there. The sentence names the fewest
    intents that make up half of this advantage, at most two, with the earnings of both lists from them.
    """
    decided = sorted((row for row in rows if row.get("prefers")), key=lambda row: row["metric"] != selected)
    others = [row for row in decided if row["prefers"] != decided[0]["prefers"]]
    if not others:
        return ""
    return " ".join(_because(row["metric"], row["prefers"], scorer, lists) for row in (decided[0], others[0]))


def _because(name: str, winner: str, scorer: ListScorer, lists: Mapping[str, Sequence[str]]) -> str:
    (loser,) = set(lists) - {winner}
    earned = scorer.contributions(metric_named(name), lists)
    more, less = (earned[side].by_intent.sum(axis=1) for side in (winner, loser))
    ahead = more - less
    level = dense_ranks(ahead)
    in_favour = sorted((place for place, by in enumerate(ahead) if by > 0), key=lambda place: -level[place])
    half = sum(ahead[place] for place in in_favour) / 2
    named = in_favour[: 1 if compare_scores(ahead[in_favour[0]], half) >= 0 else len(BECAUSE_TEMPLATES)]
    there, here = _distinct(more[named].sum(), less[named].sum())
    words = [intent_words(scorer.judgments.topic.intents[place].id) for place in named]
    return BECAUSE_TEMPLATES[len(named) - 1].format(
        metric=name, winner=winner, loser=loser, first=words[0], second=words[-1], there=there, here=here
    )


def _distinct(one: float, other: float) -> tuple[str, str]:
    """Format two numbers with the fewest decimals, at least four, at which they differ."""
    for decimals in range(4, 17):
        texts = f"{one:.{decimals}f}", f"{other:.{decimals}f}"
        if texts[0] != texts[1]:
            break
    return texts
