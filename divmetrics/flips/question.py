"""What a flip and a goal are both asked: two lists, a metric that is to turn, metrics that are to stay."""

from __future__ import annotations

from collections.abc import Iterable

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.names.parse import metric as metric_named

Page = tuple[RankedList, RankedList]


def turned_and_kept(
    turn: str | BaseMetric, keep: str | BaseMetric | Iterable[str | BaseMetric]
) -> tuple[BaseMetric, ...]:
    """The metric that is to turn, and those that are to stay; DivmetricsError for one that is to do both."""
    turned = metric_named(turn)
    kept = tuple(map(metric_named, [keep] if isinstance(keep, (str, BaseMetric)) else keep))
    if turned in kept:
        raise DivmetricsError(f"{turned} cannot turn and stay at once; leave it out of keep")
    return turned, *kept


def nothing_to_turn(metric: BaseMetric) -> DivmetricsError:
    """The sentence where a metric prefers neither list."""
    return DivmetricsError(
        f"{metric} prefers neither of the two lists, so there is nothing to turn; give two lists whose "
        "scores differ"
    )
