"""The attributes of a metric's row that its ideal lists, normalisers and formula parts read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from divmetrics.core.batch import Batch


@runtime_checkable
class UtilityLike(Protocol):
    """The utility M of a metric, as ideal lists use it; `divmetrics.parts.Utility` has these attributes."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the arrays of gains that M reads: of "linear", "exponential" and "relevant"."""

    @property
    def by_intent(self) -> bool:
        """Whether the utility of a document for an intent depends on the grades for this intent alone."""

    @property
    def zero_if_nonrelevant(self) -> bool:
        """Whether the utility of every document that is relevant to no intent is 0."""

    def __call__(self, batch: Batch) -> np.ndarray:
        """Compute what each document adds; the result broadcasts to (topic, run, intent, rank)."""


@runtime_checkable
class MetricRow(Protocol):
    """A row: a `Metric`, limited to the attributes that its own parts read."""

    @property
    def name(self) -> str:
        """The metric's name, without parameters and cutoff."""

    @property
    def cutoff(self) -> int | None:
        """The last rank that counts, or None for the whole list."""

    @property
    def f(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each intent: a function whose result broadcasts to (topic, run, intent, rank)."""

    @property
    def w(self) -> Callable[[Batch], np.ndarray]:
        """The weight of each rank: a function whose result broadcasts to (topic, run, intent, rank)."""

    @property
    def M(self) -> UtilityLike:
        """The utility of each document, for each intent and given the documents above it."""
