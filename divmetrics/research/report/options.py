"""How runs are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from divmetrics.research.meta.resampling import matching_level

Test = Literal["tukey", "bootstrap"]


@dataclass(frozen=True)
class ComparisonOptions:
    """How runs are compared: the keywords of `compare`, which says what each means."""

    convention: str = "paper"
    test: Test = "tukey"
    trials: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    condensed: bool = False
    headroom: bool = False

    @property
    def level(self) -> float:
        """At a p-value below it, two runs differ significantly."""
        return matching_level(self.confidence)
