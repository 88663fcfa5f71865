"""The scores of every order of a HierarchyLab's list, as tables that a browser evaluates without Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.notebook.offline.permutation_tables import ListPermutations, reorderings
from divmetrics_widgets.following import ORDER, Palette, contribution_tables, plain
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.telling import isolated_lists
from divmetrics_widgets.two_levels import FORMS, gift_phrase

Lists = Mapping[str, Sequence[str]]


def tables(flat: BaseMetric, square: BaseMetric, scorer: ListScorer, lists: Lists) -> dict[str, Any]:
    """Return the tables of both forms, by intent and by subtopic, with their sentences.

    lists: one list by its side. If a table would be too large the result is a `problem`, a sentence, instead.
    """
    palette, orders = Palette(), ListPermutations(scorer.judgments, list(lists.values()))
    forms = []
    for metric in (flat, square):
        permutations, gifts = reorderings(metric, orders, metric.two_levels), _gifts(metric, scorer, orders)
        if permutations is None or gifts is None:
            return {"problem": ORDER.format(metric=metric)}
        ranks = metric.contributions(scorer.batch(lists)).shape[-1]
        of_form = {
            "name": str(metric),
            "ranks": ranks,
            "gifts": gifts,
            **contribution_tables(permutations, lists, palette),
        }
        forms.append(of_form)
    return {
        "docs": orders.docs,
        "values": palette.values,
        "tie": TIE_TOLERANCE,
        "flat": forms[0],
        "square": forms[1],
        "most": scorer.largest_contribution(flat),
        "depth": min(orders.longest, flat.cutoff or orders.longest),
        "forms": FORMS,
    }


def _gifts(metric: BaseMetric, scorer: ListScorer, orders: ListPermutations) -> dict[str, Any] | None:
    """Return automata of the contributions in words; their values are indices into `texts`."""
    texts: dict[str, int] = {}
    bare = _bare(metric, scorer, orders)

    def measured(lists: Sequence[tuple[int, ...]]) -> np.ndarray:
        earned = orders.measure(metric)(lists)
        places = np.zeros(earned.shape)
        for number, i, k in np.ndindex(earned.shape):
            if k < len(lists[number]):
                text = gift_phrase(float(earned[number, i, k]), float(bare[lists[number][k], i, k]))
                places[number, i, k] = texts.setdefault(text, len(texts))
        return places

    automata = orders.automata(measured, metric.cutoff)
    if automata is None:
        return None
    return {"parts": [plain(automaton, None) for automaton in automata], "texts": list(texts)}


def _bare(metric: BaseMetric, scorer: ListScorer, orders: ListPermutations) -> np.ndarray:
    """Return each document's contribution with nothing relevant above it, (document, intent, rank)."""
    longest = orders.longest
    contributions = np.zeros((longest, len(scorer.judgments.topic.intents), longest))
    for turn in range(longest):
        order = np.roll(np.arange(longest), -turn).tolist()
        ranked = scorer.ranked("turned", [orders.docs[place] for place in order])
        earned = scorer.contributions(metric, isolated_lists(ranked, longest))
        for k, place in enumerate(order):
            by_intent = earned[f"bare {k}"].by_intent
            if k < by_intent.shape[1]:
                contributions[place, :, k] = by_intent[:, k]
    return contributions
