"""The framework: collections, views, parts, metrics and ideal lists. It leans on `errors` alone."""

from __future__ import annotations

from divmetrics.core.batch import View, first_cover, view, view_lists
from divmetrics.core.collection import Collection, Intent, Pool, RankedList, Run, Topic
from divmetrics.core.ideal import greedy_order
from divmetrics.core.merging import global_gain, per_group
from divmetrics.core.metric import BaseMetric, IntentSquare, Metric
from divmetrics.core.prefix_sums import before_product, before_sum
from divmetrics.core.rules import check

__all__ = [
    "BaseMetric", "Collection", "Intent", "IntentSquare", "Metric", "Pool", "RankedList", "Run", "Topic",
    "View", "before_product", "before_sum", "check", "first_cover", "global_gain", "greedy_order",
    "per_group", "view", "view_lists",
]  # fmt: skip
