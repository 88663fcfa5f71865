"""Check the arguments of flips, goals and mixes: metrics, and two lists with the same judgments."""

from __future__ import annotations

from collections.abc import Iterable

from divmetrics.core.judgments import equal_judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.registry.parse import metric as metric_named

ListPair = tuple[RankedList, RankedList]


def resolve_goal_metrics(
    flip: str | BaseMetric, keep: str | BaseMetric | Iterable[str | BaseMetric]
) -> tuple[BaseMetric, ...]:
    """Return the metric to flip, then the metrics to keep.

    Raises DivmetricsError if a metric is unknown, or is both to flip and to keep.
    """
    to_flip = metric_named(flip)
    to_keep = tuple(map(metric_named, [keep] if isinstance(keep, (str, BaseMetric)) else keep))
    if to_flip in to_keep:
        raise DivmetricsError(f"{to_flip} cannot both flip and stay; leave it out of keep")
    return to_flip, *to_keep


def no_preference_error(metric: BaseMetric) -> DivmetricsError:
    """Return the error for a metric that prefers neither list."""
    return DivmetricsError(
        f"{metric} prefers neither of the two lists, so there is nothing to flip; give two lists whose "
        "scores differ"
    )


def check_lists(a: RankedList, b: RankedList) -> None:
    """Raise DivmetricsError unless both lists have the same judgments, on both levels."""
    if not equal_judgments(a.judgments, b.judgments):
        raise DivmetricsError(
            f"lists {a.run} and {b.run} have different judgments; make both from one Collection, or the "
            "second with first.reordered(documents)"
        )
