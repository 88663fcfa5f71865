"""Options of comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from divmetrics.research.meta.resampling import matching_level

Test = Literal["tukey", "bootstrap"]


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of `compare`; its docstring documents them."""

    convention: str = "paper"
    test: Test = "tukey"
    trials: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    condensed: bool = False
    headroom: bool = False

    @property
    def level(self) -> float:
        """The significance level: runs differ significantly if the p-value is below it."""
        return matching_level(self.confidence)
