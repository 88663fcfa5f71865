"""Runs side by side, for a paper: means, intervals, letters, what was judged, and all that a caption says."""

from __future__ import annotations

from divmetrics.comparison.report import Comparison
from divmetrics.comparison.scored import compare

__all__ = ["Comparison", "compare"]
