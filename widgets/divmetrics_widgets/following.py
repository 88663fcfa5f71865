"""What a lab says of every order of its lists, as tables that a browser reads without Python.

The numbers are those of `divmetrics.explanations.reorderings`; what no order changes is worked out once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric
from divmetrics.core.ties import DIGITS
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.reorderings import Automaton, reorderings
from divmetrics.names.parse import metric as metric_named
from divmetrics_widgets.factors import lines_needed
from divmetrics_widgets.measuring import Measure


def tables(measure: Measure, lists: Mapping[str, Sequence[str]], metrics: Sequence[str]) -> dict[str, Any]:
    """For each metric its automata and what no order changes; or, where there are none, why.

    `values` are all numbers that occur; an automaton holds their places.
    """
    palette = _Palette()
    found = {name: _of_metric(metric_named(name), measure, lists, palette) for name in metrics}
    docs = list(dict.fromkeys(doc for listed in lists.values() for doc in listed))
    return {"docs": docs, "metrics": found, "values": palette.values, "digits": DIGITS}


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
    metric: BaseMetric, measure: Measure, lists: Mapping[str, Sequence[str]], palette: _Palette
) -> dict[str, Any]:
    try:
        found = reorderings(metric, measure.pool, list(lists.values()))
    except DivmetricsError as error:
        return {"problem": str(error)}
    if found is None:
        return {"problem": f"what {metric} makes of another order is worked out in Python alone"}
    return {
        "most": measure.most(metric),
        "lines": lines_needed(metric, measure.pool.topic),
        "best": _best(metric, measure, max(map(len, lists.values()))),
        "parts": [[_plain(automaton, palette) for automaton in part] for part in found.parts],
        "below": {side: below.tolist() for side, below in zip(lists, found.below, strict=True)},
    }


def _best(metric: BaseMetric, measure: Measure, longest: int) -> dict[str, Any]:
    best = measure.best(metric, metric.cutoff or longest)
    return {"docs": best, "score": f"{measure.earned(metric, {'best': best})['best'].score:.4f}"}


def _plain(automaton: Automaton, palette: _Palette) -> dict[str, Any]:
    return {
        "kinds": automaton.kinds.tolist(),
        "looks": automaton.looks.tolist(),
        "next": automaton.next.tolist(),
        "values": [palette.places(row) for row in automaton.values],
        "depth": automaton.depth,
        "whole": automaton.whole,
    }
