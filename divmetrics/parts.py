"""The alphabet of metrics, as its users import it: every part, and the written ones of one's own."""

from __future__ import annotations

from divmetrics.core import parts
from divmetrics.core.parts import *  # noqa: F403
from divmetrics.written.parts import Written, WrittenDiscount, WrittenError, WrittenNormaliser, WrittenWeight

__all__ = [
    *parts.__all__,
    "Written", "WrittenDiscount", "WrittenError", "WrittenNormaliser", "WrittenWeight",
]  # fmt: skip
