"""What a lab says of every order of its lists, as tables that a browser reads without Python.

The numbers are those of `divmetrics.explanations.reorderings`; what no order changes is worked out once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.core.ties import TIE
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.reorderings import Automaton, Orders, reorderings
from divmetrics.flips import Goal, Progress
from divmetrics.names.parse import metric as metric_named
from divmetrics.sheet.page import SIDES
from divmetrics_widgets.factors import earns, factors, lines_needed
from divmetrics_widgets.measuring import Measure
from divmetrics_widgets.telling import standing

MOST = 600  # lists whose factors are told for a metric: more would take too long


Aim = tuple[Goal, tuple[RankedList, RankedList]]


def tables(
    measure: Measure, lists: Mapping[str, Sequence[str]], metrics: Sequence[str], aim: Aim | None
) -> dict[str, Any]:
    """For each metric its automata and what no order changes; or, where there are none, why.

    `values` are all numbers that occur; an automaton holds their places. aim: a goal with its first page.
    """
    palette, orders = _Palette(), Orders(measure.pool, list(lists.values()))
    named = {name: metric_named(name) for name in metrics}
    wanted = {} if aim is None else {str(metric): metric for metric in aim[0].metrics}
    found = {
        name: _of_metric(metric, measure, lists, orders, palette)
        for name, metric in {**wanted, **named}.items()
    }
    return {
        "docs": orders.docs,
        "metrics": found,
        "values": palette.values,
        "tie": TIE,
        "goal": None if aim is None else _goal(*aim),
        "standing": _standing(measure, orders),
    }


class _Palette:
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
    measure: Measure,
    lists: Mapping[str, Sequence[str]],
    orders: Orders,
    palette: _Palette,
) -> dict[str, Any]:
    try:
        found = reorderings(metric, orders)
    except DivmetricsError as error:
        return {"problem": str(error)}
    if found is None:
        return {"problem": f"what {metric} makes of another order is worked out in Python alone"}
    return {
        "most": measure.most(metric),
        "ranks": metric.contributions(measure.view(lists)).shape[-1],
        "lines": lines_needed(metric, measure.pool.topic),
        "best": _best(metric, measure, max(map(len, lists.values()))),
        "told": _told(metric, measure, orders),
        "parts": [[_plain(automaton, palette) for automaton in part] for part in found.parts],
        "below": {side: below.tolist() for side, below in zip(lists, found.below, strict=True)},
    }


def _best(metric: BaseMetric, measure: Measure, longest: int) -> dict[str, Any]:
    best = measure.best(metric, metric.cutoff or longest)
    return {"docs": best, "score": f"{measure.earned(metric, {'best': best})['best'].score:.4f}"}


def _standing(measure: Measure, orders: Orders) -> list[list[list[str]]]:
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
            of_intent.append(
                [
                    standing(doc, pool, intent.id, [*[1] * n, grade]).removesuffix(".").replace(doc, "")
                    for n in above
                ]
            )
        found.append(of_intent)
    return found


def _told(metric: BaseMetric, measure: Measure, orders: Orders) -> dict[str, Any] | None:
    """What is told of a cell: with all that is multiplied there, where that can be told in good time."""
    return _texts(metric, measure, orders, lines=True) or _texts(metric, measure, orders, lines=False)


def _texts(metric: BaseMetric, measure: Measure, orders: Orders, lines: bool) -> dict[str, Any] | None:
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
    parts = [_plain(automaton, None) for automaton in found]
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
        "before": [row["prefers"] for row in Measure(start[0].judgments).rows(lists, names)],
        "most": goal.edits,
        "turned": [no[0], yes[0]],
        "kept": [list(words) for words in zip(no[1:-1], yes[1:-1], strict=True)],
        "edits": [marks(moves, True)[-1] for moves in range(sum(map(len, start)))],
    }


def _plain(automaton: Automaton, palette: _Palette | None) -> dict[str, Any]:
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
