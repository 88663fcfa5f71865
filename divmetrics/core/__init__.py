"""The framework: collections, batches, parts, metrics and ideal lists. It imports numpy and `errors` only."""

from __future__ import annotations

from divmetrics.core.batch import Batch, batch_lists, is_first_relevant, make_batch
from divmetrics.core.collection import Collection
from divmetrics.core.ideal import greedy_order
from divmetrics.core.judgments import Judgments
from divmetrics.core.merging import global_gain, split_by_intent
from divmetrics.core.metric import BaseMetric, IntentSquare, Metric
from divmetrics.core.prefix_sums import exclusive_cumprod, exclusive_cumsum
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import Intent, Topic

__all__ = [
    "BaseMetric",
    "Batch",
    "Collection",
    "Intent",
    "IntentSquare",
    "Judgments",
    "Metric",
    "RankedList",
    "Run",
    "Topic",
    "batch_lists",
    "exclusive_cumprod",
    "exclusive_cumsum",
    "global_gain",
    "greedy_order",
    "is_first_relevant",
    "make_batch",
    "split_by_intent",
]  # fmt: skip
