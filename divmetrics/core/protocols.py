"""The attributes of a metric's row that its ideal lists, normalisers and formula parts read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from divmetrics.core.batch import Batch


@runtime_checkable
class UtilityLike(Protocol):
    """M of a row: a function of a batch that declares which arrays of the batch it reads."""

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the arrays of a batch that M reads."""

    @property
    def by_intent(self) -> bool:
        """Whether an intent's value depends on that intent's grades alone."""

    @property
    def zero_if_nonrelevant(self) -> bool:
        """Whether M is 0 for every document that is relevant to no intent."""

    def __call__(self, batch: Batch) -> np.ndarray:
        """Compute what each document adds, broadcasting to (topic, run, intent, rank)."""


@runtime_checkable
class MetricRow(Protocol):
    """A Metric, limited to the attributes that its own parts read."""

    @property
    def name(self) -> str:
        """The metric's name."""

    @property
    def cutoff(self) -> int | None:
        """The last rank that counts, or None for the whole list."""

    @property
    def f(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each intent."""

    @property
    def w(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each rank."""

    @property
    def M(self) -> UtilityLike:
        """The utility of each document."""
