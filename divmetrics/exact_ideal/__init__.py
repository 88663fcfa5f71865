"""Ideal lists whose search is NP-hard: that of alpha-nDCG (`ideal=exact`), and those of S-precision."""

from __future__ import annotations

from divmetrics.exact_ideal.exact_ideal import ExactIdeal
from divmetrics.exact_ideal.smallest_cover import MinimalRank, SmallestCover

__all__ = ["ExactIdeal", "MinimalRank", "SmallestCover"]
