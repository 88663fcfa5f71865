"""The scores of every order of a lab's lists, as tables that a browser evaluates without Python.

The numbers are those of `divmetrics.notebook.offline.permutation_tables`; whatever no order changes is
computed once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
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
from divmetrics_widgets.mixing import has_exact_ideal, straight_line_texts
from divmetrics_widgets.parting import BECAUSE_TEMPLATES
from divmetrics_widgets.ranks_ahead import RANKS, WORDS
from divmetrics_widgets.score_changes import IDEAL, NAMED_DOCS
from divmetrics_widgets.telling import document_standing, intent_words
from divmetrics_widgets.walking import walk_to_json

# Sentences on results that a page without a kernel cannot compute.
ORDER = "what {metric} makes of another order is worked out in Python alone"
NO_MIX = "what {metric} makes of another mix of readers is worked out in Python alone"
BEST = "The best list for another mix of readers is worked out in Python alone."
FACTORS = "What is multiplied for it in another mix of readers is worked out in Python alone."
LINES = "What {metric} makes of every share of these readers is worked out in Python alone."
WALK = (
    "A walk down another list than the page came with, or by readers who are mixed otherwise, is worked out "
    "in Python alone; reset brings back what the page came with."
)

MOST = 600  # lists whose factors are computed for a metric: more would take too long

Aim = tuple[Goal, tuple[RankedList, RankedList]]


def tables(
    scorer: ListScorer,
    lists: Mapping[str, Sequence[str]],
    metrics: Sequence[str],
    about: Mapping[str, str],
    aim: Aim | None,
) -> dict[str, Any]:
    """Return for each metric its automata and the parts that no order changes, or a `problem`.

    `values` are all numbers that occur; an automaton holds their indices. about: {document: description}, for
    the walks down the initial lists. aim: a goal with its first page.
    """
    palette, orders = Palette(), ListPermutations(scorer.judgments, list(lists.values()))
    mixes = IntentMixtures.of(scorer.judgments, list(lists.values()))
    named = {name: metric_named(name) for name in metrics}
    wanted = {} if aim is None else {str(metric): metric for metric in aim[0].metrics}
    by_metric = {
        name: _of_metric(metric, scorer, lists, orders, palette, mixes)
        for name, metric in {**wanted, **named}.items()
    }
    return {
        "docs": orders.docs,
        "metrics": by_metric,
        "walks": {name: _walks(metric, scorer, lists, about) for name, metric in named.items()},
        "values": palette.values,
        "tie": TIE_TOLERANCE,
        "goal": None if aim is None else _goal(*aim),
        "standing": _standing(scorer, orders),
        "words": {
            "intents": [intent_words(intent.id) for intent in scorer.judgments.topic.intents],
            "because": BECAUSE_TEMPLATES,
            "at": WORDS,
            "ranks": RANKS,
            "cell": CELL,
            "earns": EARNS,
            "lines": straight_line_texts(),
            "ideal": IDEAL,
            "documents": NAMED_DOCS,
            "beyond": {"mix": NO_MIX, "best": BEST, "factors": FACTORS, "walk": WALK, "lines": LINES},
        },
    }


class Palette:
    """Numbers that occur often, by index."""

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
    scorer: ListScorer,
    lists: Mapping[str, Sequence[str]],
    orders: ListPermutations,
    palette: Palette,
    mixes: IntentMixtures | None,
) -> dict[str, Any]:
    try:
        permutations = reorderings(metric, orders)
    except DivmetricsError as error:
        return {"problem": str(error)}
    if permutations is None:
        return {"problem": ORDER.format(metric=metric)}
    normalisers = mixes and not has_exact_ideal(metric) and mixes.followed(metric)
    if normalisers and len(normalisers) > 1 and any(below.size for below in permutations.below):
        normalisers = None  # costs below the end are known only for all terms together
    return {
        "alone": _top_contributions(metric, scorer),
        "mixed": [_normaliser_to_json(how) for how in normalisers] if normalisers else None,
        "ranks": metric.contributions(scorer.batch(lists)).shape[-1],
        "lines": lines_needed(metric, scorer.judgments.topic),
        "best": _best(metric, scorer, max(map(len, lists.values()))),
        "told": _cell_texts(metric, scorer, orders),
        **contribution_tables(permutations, lists, palette),
    }


def contribution_tables(permutations: Reorderings, lists: Iterable[str], palette: Palette) -> dict[str, Any]:
    """Return the automata of the contributions of every row, for each of these lists in every order."""
    return {
        "parts": [[plain(automaton, palette) for automaton in part] for part in permutations.parts],
        "below": {side: below.tolist() for side, below in zip(lists, permutations.below, strict=True)},
    }


def _walks(
    metric: BaseMetric, scorer: ListScorer, lists: Mapping[str, Sequence[str]], about: Mapping[str, str]
) -> dict[str, Any]:
    """Return the walk down each list; empty if the metric has no score for one."""
    try:
        return {side: walk_to_json(metric, scorer.ranked(side, docs), about) for side, docs in lists.items()}
    except DivmetricsError:  # reported in the table of scores
        return {}


def _normaliser_to_json(how: bool | IdealList) -> Any:
    return {"docs": how.docs, "worth": how.worth.tolist()} if isinstance(how, IdealList) else how


def _top_contributions(metric: BaseMetric, scorer: ListScorer) -> list[list[list[float]]]:
    """Return the contributions of every judged document alone at rank 1, by term and intent, deduplicated."""
    alone = scorer.batch({}).judged.as_single_docs()
    terms = (weight * term.contributions(alone)[0, :, :, 0] for weight, term in weighted_terms(metric))
    earned = np.stack(list(terms))  # (term, document, intent)
    return np.unique(earned, axis=1).swapaxes(1, 2).tolist()


def _best(metric: BaseMetric, scorer: ListScorer, longest: int) -> dict[str, Any]:
    best = scorer.best(metric, metric.cutoff or longest)
    return {"docs": best, "score": f"{scorer.contributions(metric, {'best': best})['best'].score:.4f}"}


def _standing(scorer: ListScorer, orders: ListPermutations) -> list[list[list[str]]]:
    """Return for each intent and document its sentences with 0, 1, 2, ... relevant documents above it.

    A document that is not relevant has one sentence.
    """
    judgments = scorer.judgments
    standing = []
    for i, intent in enumerate(judgments.topic.intents):
        of_intent = []
        for doc in orders.docs:
            grade = int(judgments.grades[i, judgments.position[doc]]) if doc in judgments.position else 0
            above = range(orders.longest if grade else 1)
            sentences = [document_standing(doc, judgments, intent.id, [*[1] * n, grade]) for n in above]
            of_intent.append([words.removesuffix(".") for words in sentences])
        standing.append(of_intent)
    return standing


def _cell_texts(metric: BaseMetric, scorer: ListScorer, orders: ListPermutations) -> dict[str, Any] | None:
    """Return the texts of the cells, with the lines of factors if these can be computed in time."""
    return _texts(metric, scorer, orders, lines=True) or _texts(metric, scorer, orders, lines=False)


def _texts(
    metric: BaseMetric, scorer: ListScorer, orders: ListPermutations, lines: bool
) -> dict[str, Any] | None:
    """Return automata whose values are indices into `texts`.

    A text describes the contribution and, with `lines`, holds the lines of `divmetrics_widgets.factors`.
    """
    texts: dict[str, int] = {}
    forms: list[Any] = []

    def measured(lists: Sequence[tuple[int, ...]]) -> np.ndarray:
        places = np.zeros((len(lists), len(scorer.judgments.topic.intents), orders.longest))
        for number, (order, earned) in enumerate(zip(lists, orders.measure(metric)(lists), strict=True)):
            listed = [orders.docs[place] for place in order]
            cells = factors(metric, scorer, {"list": listed}) if lines else {"forms": [], "lists": {}}
            forms[:] = cells["forms"]
            for i, k in np.ndindex(len(earned), min(len(listed), earned.shape[1])):
                beside = cells["lists"]["list"][listed[k]][i][1:] if lines else []
                text = json.dumps([earns(float(earned[i, k])), *beside])
                places[number, i, k] = texts.setdefault(text, len(texts))
        return places

    automata = orders.automata(measured, metric.cutoff, MOST if lines else math.inf)
    if automata is None:
        return None
    parts = [plain(automaton, None) for automaton in automata]
    return {"parts": parts, "texts": [json.loads(text) for text in texts], "forms": forms}


def _goal(goal: Goal, start: tuple[RankedList, RankedList]) -> dict[str, Any]:
    """Return every sentence on the goal's progress; pairs of sentences are (not done, done)."""
    constraints = [str(metric) for metric in goal.metrics[1:]]

    def marks(moves: int, done: bool) -> list[str]:
        return [words for _, words in Progress(goal, moves, 0, done, dict.fromkeys(constraints, done)).marks]

    no, yes = marks(0, False), marks(0, True)
    lists = {side: list(ranked.docs) for side, ranked in zip(SIDES, start, strict=True)}
    names = [str(metric) for metric in goal.metrics]
    return {
        "metrics": names,
        "start": lists,
        "mixed": reached(goal, start, _with_other_readers(start)).get("problem", ""),
        "before": [row["prefers"] for row in ListScorer(start[0].judgments).rows(lists, names)],
        "most": goal.edits,
        "turned": [no[0], yes[0]],
        "kept": [list(words) for words in zip(no[1:-1], yes[1:-1], strict=True)],
        "edits": [marks(moves, True)[-1] for moves in range(sum(map(len, start)))],
    }


def _with_other_readers(lists: tuple[RankedList, RankedList]) -> tuple[RankedList, RankedList]:
    """Return the same lists for other readers, if the topic has another mix of them."""
    judgments = lists[0].judgments
    first, *others = judgments.topic.intents
    share = 0.0 if first.probability else 1.0
    topic = with_intent_share(judgments.topic, first.id, share) if others else judgments.topic
    a, b = (RankedList(topic, listed.docs, replace(judgments, topic=topic), listed.run) for listed in lists)
    return a, b


def plain(automaton: Automaton, palette: Palette | None) -> dict[str, Any]:
    """Convert to plain values; `values` are indices into the palette or, without one, whole numbers."""
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
