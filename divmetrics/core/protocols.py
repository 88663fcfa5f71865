"""What ideal lists, normalisers and written parts read of the row that they stand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from divmetrics.core.batch import Batch


class UtilityLike(Protocol):
    """M of a row: a function of a batch that declares which arrays of the batch it reads."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the arrays of a batch that M reads."""

    @property
    def by_intent(self) -> bool:
        """Whether an intent's value depends on that intent's grades alone."""

    def __call__(self, batch: Batch) -> np.ndarray:
        """Compute what each document adds, broadcasting to (topic, run, intent, rank)."""


class MetricRow(Protocol):
    """A Metric, as far as its own parts read it."""

    @property
    def name(self) -> str:
        """The metric's name."""

    @property
    def cutoff(self) -> int | None:
        """The last rank that counts, or None."""

    @property
    def f(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each intent."""

    @property
    def w(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each rank."""

    @property
    def M(self) -> UtilityLike:
        """The utility of each document."""
