"""What a HierarchyLab says of every order of its list, as tables that a browser reads without Python."""

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


def tables(flat: BaseMetric, square: BaseMetric, measure: ListScorer, lists: Lists) -> dict[str, Any]:
    """Both forms, by intent and by what is below it, with what is told of them.

    lists: one list by its side. Where a table would be too large there is a `problem` instead, in a sentence.
    """
    palette, orders = Palette(), ListPermutations(measure.pool, list(lists.values()))
    forms = []
    for metric in (flat, square):
        found, gifts = reorderings(metric, orders, metric.two_levels), _gifts(metric, measure, orders)
        if found is None or gifts is None:
            return {"problem": ORDER.format(metric=metric)}
        ranks = metric.contributions(measure.view(lists)).shape[-1]
        of_form = {
            "name": str(metric),
            "ranks": ranks,
            "gifts": gifts,
            **contribution_tables(found, lists, palette),
        }
        forms.append(of_form)
    return {
        "docs": orders.docs,
        "values": palette.values,
        "tie": TIE_TOLERANCE,
        "flat": forms[0],
        "square": forms[1],
        "most": measure.most(flat),
        "depth": min(orders.longest, flat.cutoff or orders.longest),
        "forms": FORMS,
    }


def _gifts(metric: BaseMetric, measure: ListScorer, orders: ListPermutations) -> dict[str, Any] | None:
    """What a document gives an intent, in words: automata whose values are places of `texts`."""
    texts: dict[str, int] = {}
    bare = _bare(metric, measure, orders)

    def measured(lists: Sequence[tuple[int, ...]]) -> np.ndarray:
        earned = orders.measure(metric)(lists)
        found = np.zeros(earned.shape)
        for number, i, k in np.ndindex(earned.shape):
            if k < len(lists[number]):
                text = gift_phrase(float(earned[number, i, k]), float(bare[lists[number][k], i, k]))
                found[number, i, k] = texts.setdefault(text, len(texts))
        return found

    found = orders.automata(measured, metric.cutoff)
    if found is None:
        return None
    return {"parts": [plain(automaton, None) for automaton in found], "texts": list(texts)}


def _bare(metric: BaseMetric, measure: ListScorer, orders: ListPermutations) -> np.ndarray:
    """What each document gives at each rank with nothing relevant above it, (document, intent, rank)."""
    longest = orders.longest
    found = np.zeros((longest, len(measure.pool.topic.intents), longest))
    for turn in range(longest):
        order = np.roll(np.arange(longest), -turn).tolist()
        ranked = measure.ranked("turned", [orders.docs[place] for place in order])
        earned = measure.earned(metric, isolated_lists(ranked, longest))
        for k, place in enumerate(order):
            of_list = earned[f"bare {k}"].by_intent
            if k < of_list.shape[1]:
                found[place, :, k] = of_list[:, k]
    return found
