"""What a lab says of every order of its lists, as tables that a browser reads without Python.

The numbers are those of `divmetrics.notebook.offline.permutation_tables`; what no order changes is worked out once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.offline.intent_weights import IdealList, IntentMixtures
from divmetrics.notebook.offline.permutation_tables import (
    Automaton,
    ListPermutations,
    Reorderings,
    reorderings,
    weighted_terms,
)
from divmetrics.notebook.textformat.lab_state import SIDES
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual import Goal, Progress
from divmetrics.research.counterfactual.user_mix import with_intent_share
from divmetrics_widgets.factors import CELL, EARNS, earns, factors, lines_needed
from divmetrics_widgets.flipping import reached
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.mixing import searches, straight_line_texts
from divmetrics_widgets.moved import IDEAL, TOLD
from divmetrics_widgets.parting import BECAUSE_TEMPLATES
from divmetrics_widgets.ranks_ahead import RANKS, WORDS
from divmetrics_widgets.telling import document_standing
from divmetrics_widgets.walking import walk_to_json

# What is worked out in Python alone.
ORDER = "what {metric} makes of another order is worked out in Python alone"
NO_MIX = "what {metric} makes of another mix of readers is worked out in Python alone"
BEST = "The best list for another mix of readers is worked out in Python alone."
FACTORS = "What is multiplied for it in another mix of readers is worked out in Python alone."
LINES = "What {metric} makes of every share of these readers is worked out in Python alone."
WALK = (
    "A walk down another list than the page came with, or by readers who are mixed otherwise, is worked out "
    "in Python alone; reset brings back what the page came with."
)

MOST = 600  # lists whose factors are told for a metric: more would take too long


Aim = tuple[Goal, tuple[RankedList, RankedList]]


def tables(
    measure: ListScorer,
    lists: Mapping[str, Sequence[str]],
    metrics: Sequence[str],
    about: Mapping[str, str],
    aim: Aim | None,
) -> dict[str, Any]:
    """For each metric its automata and what no order changes; or, where there are none, why.

    `values` are all numbers that occur; an automaton holds their places. about: {document: a few words about
    it}, for the walks down the lists as they are. aim: a goal with its first page.
    """
    palette, orders = Palette(), ListPermutations(measure.pool, list(lists.values()))
    mixes = IntentMixtures.of(measure.pool, list(lists.values()))
    named = {name: metric_named(name) for name in metrics}
    wanted = {} if aim is None else {str(metric): metric for metric in aim[0].metrics}
    found = {
        name: _of_metric(metric, measure, lists, orders, palette, mixes)
        for name, metric in {**wanted, **named}.items()
    }
    return {
        "docs": orders.docs,
        "metrics": found,
        "walks": {name: _walks(metric, measure, lists, about) for name, metric in named.items()},
        "values": palette.values,
        "tie": TIE_TOLERANCE,
        "goal": None if aim is None else _goal(*aim),
        "standing": _standing(measure, orders),
        "words": {
            "because": BECAUSE_TEMPLATES,
            "at": WORDS,
            "ranks": RANKS,
            "cell": CELL,
            "earns": EARNS,
            "lines": straight_line_texts(),
            "ideal": IDEAL,
            "documents": TOLD,
            "beyond": {"mix": NO_MIX, "best": BEST, "factors": FACTORS, "walk": WALK, "lines": LINES},
        },
    }


class Palette:
    """Numbers that occur often, by their places."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self._places: dict[float, int] = {}

    def places(self, numbers: np.ndarray) -> list[int]:
        return [self._place(number) for number in numbers.ravel().tolist()]

    def _place(self, number: float) -> int:
        if number not in self._places:
            self._places[number] = len(self.values)
            self.values.append(number)
        return self._places[number]


def _of_metric(
    metric: BaseMetric,
    measure: ListScorer,
    lists: Mapping[str, Sequence[str]],
    orders: ListPermutations,
    palette: Palette,
    mixes: IntentMixtures | None,
) -> dict[str, Any]:
    try:
        found = reorderings(metric, orders)
    except DivmetricsError as error:
        return {"problem": str(error)}
    if found is None:
        return {"problem": ORDER.format(metric=metric)}
    followed = mixes and not searches(metric) and mixes.followed(metric)
    if followed and len(followed) > 1 and any(below.size for below in found.below):
        followed = None  # what is charged below the end is known of all terms together
    return {
        "alone": _alone(metric, measure),
        "mixed": [_shown(how) for how in followed] if followed else None,
        "ranks": metric.contributions(measure.view(lists)).shape[-1],
        "lines": lines_needed(metric, measure.pool.topic),
        "best": _best(metric, measure, max(map(len, lists.values()))),
        "told": _told(metric, measure, orders),
        **contribution_tables(found, lists, palette),
    }


def contribution_tables(found: Reorderings, lists: Iterable[str], palette: Palette) -> dict[str, Any]:
    """What every row earns from each of these lists, in every order."""
    return {
        "parts": [[plain(automaton, palette) for automaton in part] for part in found.parts],
        "below": {side: below.tolist() for side, below in zip(lists, found.below, strict=True)},
    }


def _walks(
    metric: BaseMetric, measure: ListScorer, lists: Mapping[str, Sequence[str]], about: Mapping[str, str]
) -> dict[str, Any]:
    """By list; none where the metric has no score for one."""
    try:
        return {side: walk_to_json(metric, measure.ranked(side, docs), about) for side, docs in lists.items()}
    except DivmetricsError:  # said in the table of scores
        return {}


def _shown(how: bool | IdealList) -> Any:
    return {"docs": how.docs, "worth": how.worth.tolist()} if isinstance(how, IdealList) else how


def _alone(metric: BaseMetric, measure: ListScorer) -> list[list[list[float]]]:
    """What every document that is judged earns alone at the top: by term, by intent, and each number once."""
    alone = measure.view({}).judged.as_single_docs()
    terms = (weight * term.contributions(alone)[0, :, :, 0] for weight, term in weighted_terms(metric))
    earned = np.stack(list(terms))  # (term, document, intent)
    return np.unique(earned, axis=1).swapaxes(1, 2).tolist()


def _best(metric: BaseMetric, measure: ListScorer, longest: int) -> dict[str, Any]:
    best = measure.best(metric, metric.cutoff or longest)
    return {"docs": best, "score": f"{measure.earned(metric, {'best': best})['best'].score:.4f}"}


def _standing(measure: ListScorer, orders: ListPermutations) -> list[list[list[str]]]:
    """For each intent and document how it stands in a list: with 0, 1, 2, ... relevant documents above it.

    One sentence alone for a document that is not relevant.
    """
    pool = measure.pool
    found = []
    for i, intent in enumerate(pool.topic.intents):
        of_intent = []
        for doc in orders.docs:
            grade = int(pool.grades[i, pool.position[doc]]) if doc in pool.position else 0
            above = range(orders.longest if grade else 1)
            told = [document_standing(doc, pool, intent.id, [*[1] * n, grade]) for n in above]
            of_intent.append([words.removesuffix(".") for words in told])
        found.append(of_intent)
    return found


def _told(metric: BaseMetric, measure: ListScorer, orders: ListPermutations) -> dict[str, Any] | None:
    """What is told of a cell: with all that is multiplied there, where that can be told in good time."""
    return _texts(metric, measure, orders, lines=True) or _texts(metric, measure, orders, lines=False)


def _texts(
    metric: BaseMetric, measure: ListScorer, orders: ListPermutations, lines: bool
) -> dict[str, Any] | None:
    """Automata whose values are the places of `texts`.

    A text is what the document does and, if asked for, the lines of `divmetrics_widgets.factors`.
    """
    texts: dict[str, int] = {}
    forms: list[Any] = []

    def measured(lists: Sequence[tuple[int, ...]]) -> np.ndarray:
        found = np.zeros((len(lists), len(measure.pool.topic.intents), orders.longest))
        for number, (order, earned) in enumerate(zip(lists, orders.measure(metric)(lists), strict=True)):
            listed = [orders.docs[place] for place in order]
            told = factors(metric, measure, {"list": listed}) if lines else {"forms": [], "lists": {}}
            forms[:] = told["forms"]
            for i, k in np.ndindex(len(earned), min(len(listed), earned.shape[1])):
                beside = told["lists"]["list"][listed[k]][i][1:] if lines else []
                text = json.dumps([earns(float(earned[i, k])), *beside])
                found[number, i, k] = texts.setdefault(text, len(texts))
        return found

    found = orders.automata(measured, metric.cutoff, MOST if lines else math.inf)
    if found is None:
        return None
    parts = [plain(automaton, None) for automaton in found]
    return {"parts": parts, "texts": [json.loads(text) for text in texts], "forms": forms}


def _goal(goal: Goal, start: tuple[RankedList, RankedList]) -> dict[str, Any]:
    """Every sentence on its progress; `no` and `yes` in this order."""
    kept = [str(metric) for metric in goal.metrics[1:]]

    def marks(moves: int, done: bool) -> list[str]:
        return [words for _, words in Progress(goal, moves, 0, done, dict.fromkeys(kept, done)).marks]

    no, yes = marks(0, False), marks(0, True)
    lists = {side: list(ranked.docs) for side, ranked in zip(SIDES, start, strict=True)}
    names = [str(metric) for metric in goal.metrics]
    return {
        "metrics": names,
        "start": lists,
        "mixed": reached(goal, start, _mixed(start)).get("problem", ""),
        "before": [row["prefers"] for row in ListScorer(start[0].judgments).rows(lists, names)],
        "most": goal.edits,
        "turned": [no[0], yes[0]],
        "kept": [list(words) for words in zip(no[1:-1], yes[1:-1], strict=True)],
        "edits": [marks(moves, True)[-1] for moves in range(sum(map(len, start)))],
    }


def _mixed(lists: tuple[RankedList, RankedList]) -> tuple[RankedList, RankedList]:
    """The same lists for other readers, where there is another mix of them."""
    pool = lists[0].judgments
    first, *others = pool.topic.intents
    share = 0.0 if first.probability else 1.0
    topic = with_intent_share(pool.topic, first.id, share) if others else pool.topic
    a, b = (RankedList(topic, listed.docs, replace(pool, topic=topic), listed.run) for listed in lists)
    return a, b


def plain(automaton: Automaton, palette: Palette | None) -> dict[str, Any]:
    """As a browser reads it; its values by their places in the palette, or else as whole numbers."""
    return {
        "kinds": automaton.kinds.tolist(),
        "looks": automaton.looks.tolist(),
        "next": automaton.next.tolist(),
        "values": automaton.values.astype(int).tolist()
        if palette is None
        else [palette.places(row) for row in automaton.values],
        "depth": automaton.depth,
        "whole": automaton.whole,
    }
