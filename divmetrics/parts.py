"""The alphabet of metrics: every part, and the parts that users write themselves."""

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
