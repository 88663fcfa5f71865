"""What ideal lists, normalisers and written parts may ask of the row that they stand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from divmetrics.core.batch import Batch


class UtilityLike(Protocol):
    """M: what a document adds, which arrays of a View it reads, and whether other intents matter to it."""

    @property
    def reads(self) -> tuple[str, ...]: ...

    @property
    def by_intent(self) -> bool: ...

    def __call__(self, view: Batch) -> np.ndarray: ...


class MetricRow(Protocol):
    """A Metric, as far as its own parts know it."""

    @property
    def name(self) -> str: ...

    @property
    def cutoff(self) -> int | None: ...

    @property
    def f(self) -> Callable[[Batch], np.ndarray]: ...

    @property
    def w(self) -> Callable[[Batch], np.ndarray]: ...

    @property
    def M(self) -> UtilityLike: ...
