"""The alphabet of metrics: every part, and the parts that users write themselves.

Parts are the arguments N, f, w, M and stop of `divmetrics.Metric`. Each part is called with a Batch and
returns an array that broadcasts to (topic, run, intent, rank).
"""

from __future__ import annotations

from divmetrics.conventions import page_parts
from divmetrics.conventions.page_parts import *  # noqa: F403
from divmetrics.core import parts
from divmetrics.core.parts import *  # noqa: F403
from divmetrics.exact_ideal import ExactIdeal, MinimalRank, SmallestCover
from divmetrics.notebook.expressions.expression_parts import (
    ExpressionError,
    WrittenDiscount,
    WrittenNormaliser,
    WrittenUtility,
    WrittenWeight,
)

__all__ = [
    *parts.__all__,
    *page_parts.__all__,
    "ExactIdeal", "MinimalRank", "SmallestCover",
    "WrittenUtility", "WrittenDiscount", "ExpressionError", "WrittenNormaliser", "WrittenWeight",
]  # fmt: skip
