"""What flips, goals and mixes are asked: two lists over one topic's judgments, and metrics."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from divmetrics.core.collection import Judgments, RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.registry.parse import metric as metric_named

Page = tuple[RankedList, RankedList]


def resolve_goal_metrics(
    flip: str | BaseMetric, keep: str | BaseMetric | Iterable[str | BaseMetric]
) -> tuple[BaseMetric, ...]:
    """The metric that is to flip, and those that are to stay; DivmetricsError for one that is to do both."""
    flipped = metric_named(flip)
    kept = tuple(map(metric_named, [keep] if isinstance(keep, (str, BaseMetric)) else keep))
    if flipped in kept:
        raise DivmetricsError(f"{flipped} cannot both flip and stay; leave it out of keep")
    return flipped, *kept


def no_preference_error(metric: BaseMetric) -> DivmetricsError:
    """The sentence where a metric prefers neither list."""
    return DivmetricsError(
        f"{metric} prefers neither of the two lists, so there is nothing to flip; give two lists whose "
        "scores differ"
    )


def check_lists(a: RankedList, b: RankedList) -> None:
    """DivmetricsError for two lists that are not over the same judgments."""
    if a.judgments is not b.judgments and not _equal(a.judgments, b.judgments):
        raise DivmetricsError(
            f"lists {a.run} and {b.run} have different judgments; make both from one Collection, or the "
            "second with first.reordered(documents)"
        )


def _equal(one: Judgments, other: Judgments) -> bool:
    same = one.topic == other.topic and one.docs == other.docs and one.scale == other.scale
    return same and np.array_equal(one.grades, other.grades)
