"""Compare runs for a paper: means, intervals, letters, shares of judged documents, and a full caption."""

from __future__ import annotations

from divmetrics.research.report.comparing import compare
from divmetrics.research.report.comparison import Comparison

__all__ = ["Comparison", "compare"]
