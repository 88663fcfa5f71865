"""Runs side by side, for a paper: means, intervals, letters, what was judged, and all that a caption says."""

from __future__ import annotations

from divmetrics.research.report.comparison import Comparison
from divmetrics.research.report.scored import compare

__all__ = ["Comparison", "compare"]
