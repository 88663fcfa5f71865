"""The scores of a lab's two lists over the share of the readers with one intent, for the browser.

A page without a kernel draws straight lines itself and takes the sentences from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.exact_ideal import ExactIdeal
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual import ReaderMix, reader_mix
from divmetrics.research.counterfactual.user_mix_result import SIDES, Span, describe_mix, percent

POINTS = 51
STEP = 0.004  # smallest difference of shares that is visible


def lines(name: str, a: RankedList, b: RankedList, intent: str) -> dict[str, Any]:
    """Return points (share, score of A, score of B), the ends and crossings as text, and `words`.

    Raises DivmetricsError if the lines cannot be drawn.
    """
    metric = metric_named(name)
    if has_exact_ideal(metric):
        raise DivmetricsError(f"{name} is not drawn: finding the best list at every share takes too long")
    mix = reader_mix(metric, a, b, intent, points=POINTS)
    ends = {side: [f"{scores[0]:.4f}", f"{scores[-1]:.4f}"] for side, scores in (("A", mix.a), ("B", mix.b))}
    return {
        "words": mix.words,
        "points": list(_points(mix)),
        "ends": ends,
        "now": [mix.now, mix.format_share(mix.now)],
        "crossings": [[crossing.share, mix.format_share(crossing.share)] for crossing in mix.crossings],
    }


def straight_line_texts() -> dict[str, str]:
    """Return the sentences on two straight lines, with placeholders for the intent and the crossing's share.

    The key is the preferred list at share 0 and at share 1, such as "A B", with "-" for neither; prefixed
    with "flat" for lines on which no score changes.
    """
    sentences = {}
    for low in SIDES.values():
        for high in SIDES.values():
            spans, points = [Span(0, 1, low or high)], []
            if low and high and low != high:
                spans = [Span(0, 0.5, low), Span(0.5, 1, high)]
            elif low != high:
                points = [(0.0 if high else 1.0, SIDES[0])]
            case = f"{low or '-'} {high or '-'}"
            sentences[case] = describe_mix("{intent}", spans, points, (), False, _share)
            if low == high:
                sentences[f"flat {case}"] = describe_mix("{intent}", spans, points, (), True, _share)
    return sentences


def _share(share: float) -> str:
    return percent(share, 1) if share in (0, 1) else "{share}"


def has_exact_ideal(metric: BaseMetric) -> bool:
    """Return whether the metric searches for a list that is truly best."""
    return any(isinstance(m, Metric) and isinstance(m.N, ExactIdeal) for m in metric.metrics())


def _points(mix: ReaderMix) -> Iterator[list[float]]:
    """Yield the points to draw, including both sides of each crossing, so that a jump is vertical."""
    crossings = np.searchsorted(mix.shares, [crossing.share for crossing in mix.crossings])
    beside = {*crossings.tolist(), *(crossings - 1).tolist()}
    last = -1.0
    for place, point in enumerate(zip(mix.shares.tolist(), mix.a.tolist(), mix.b.tolist(), strict=True)):
        share = point[0]
        if share - last >= STEP or share == 1 or place in beside:
            yield list(point)
            last = share
