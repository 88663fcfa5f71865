"""Runs side by side, for a paper: means, intervals, letters, what was judged, and all that a caption says."""

from __future__ import annotations

from divmetrics.research.report.comparing import compare
from divmetrics.research.report.comparison import Comparison

__all__ = ["Comparison", "compare"]
