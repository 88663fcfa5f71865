"""For a browser: the scores of a lab's two lists over the share of the readers who have one intent.

A page without a kernel draws them itself where they are straight, and says it in the sentences from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.errors import DivmetricsError
from divmetrics.exact_ideal import ExactIdeal
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual import ReaderMix, reader_mix
from divmetrics.research.counterfactual.user_mix_result import SIDES, Span, describe_mix, percent

POINTS = 51
STEP = 0.004  # of shares that a picture tells apart


def lines(name: str, a: RankedList, b: RankedList, intent: str) -> dict[str, Any]:
    """Return points (share, score of A, score of B), the ends and crossings as text, and `words`.

    Raises DivmetricsError where nothing can be drawn.
    """
    metric = metric_named(name)
    if searches(metric):
        raise DivmetricsError(f"{name} is not drawn: finding the best list at every share takes too long")
    mix = reader_mix(metric, a, b, intent, points=POINTS)
    ends = {side: [f"{scores[0]:.4f}", f"{scores[-1]:.4f}"] for side, scores in (("A", mix.a), ("B", mix.b))}
    return {
        "words": mix.words,
        "points": list(_drawn(mix)),
        "ends": ends,
        "now": [mix.now, mix.format_share(mix.now)],
        "crossings": [[crossing.share, mix.format_share(crossing.share)] for crossing in mix.crossings],
    }


def straight_line_texts() -> dict[str, str]:
    """What is said of two straight lines, with places for the intent and the share at which they cross.

    By what is preferred at share 0 and at share 1, "A B"; "-" is for neither. After "flat", of lines on which
    no score changes.
    """
    said = {}
    for low in SIDES.values():
        for high in SIDES.values():
            spans, points = [Span(0, 1, low or high)], []
            if low and high and low != high:
                spans = [Span(0, 0.5, low), Span(0.5, 1, high)]
            elif low != high:
                points = [(0.0 if high else 1.0, SIDES[0])]
            case = f"{low or '-'} {high or '-'}"
            said[case] = describe_mix("{intent}", spans, points, (), False, _share)
            if low == high:
                said[f"flat {case}"] = describe_mix("{intent}", spans, points, (), True, _share)
    return said


def _share(share: float) -> str:
    return percent(share, 1) if share in (0, 1) else "{share}"


def searches(metric: BaseMetric) -> bool:
    """Is a list that is truly best looked for?"""
    return any(isinstance(m, Metric) and isinstance(m.N, ExactIdeal) for m in metric.metrics())


def _drawn(mix: ReaderMix) -> Iterator[list[float]]:
    """The points that a picture needs: on both sides of a crossing, too, so that a jump is upright."""
    crossings = np.searchsorted(mix.shares, [crossing.share for crossing in mix.crossings])
    beside = {*crossings.tolist(), *(crossings - 1).tolist()}
    last = -1.0
    for place, point in enumerate(zip(mix.shares.tolist(), mix.a.tolist(), mix.b.tolist(), strict=True)):
        share = point[0]
        if share - last >= STEP or share == 1 or place in beside:
            yield list(point)
            last = share
