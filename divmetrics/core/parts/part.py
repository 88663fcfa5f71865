"""What every part has in common, and the part that fits three columns: 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, get_args

import numpy as np

from divmetrics.core.checks import is_number
from divmetrics.core.row import Row
from divmetrics.core.views import View
from divmetrics.errors import DivmetricsError


class Part:
    """What every part has: plain text and LaTeX for the formula it stands for.

    A part with a `word` is one of several that a name may choose from (`gain=exponential`); `parameter` is
    the name of the choice.
    """

    word: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    text: ClassVar[str] = ""
    latex: ClassVar[str] = ""
    needs_cutoff: ClassVar[bool] = False

    def free(self) -> Mapping[str, float]:
        """Numbers that a metric's name may set and that are no fields of the part (a written one's)."""
        return {}

    def with_free(self, given: Mapping[str, Any]) -> Self:
        """The same part with others of these numbers."""
        raise NotImplementedError

    def _within(
        self, name: str, low: float, high: float, low_open: bool = False, high_open: bool = False
    ) -> None:
        value = getattr(self, name)
        if (
            not is_number(value)
            or not low <= value <= high
            or (low_open and value == low)
            or (high_open and value == high)
        ):
            raise DivmetricsError(
                f"{name} is {value!r}, expected a number in {'(' if low_open else '['}{low:g}, "
                f"{'any' if high == math.inf else f'{high:g}'}{')' if high_open or high == math.inf else ']'}"
            )

    def _one_of(self, name: str, choices: object) -> None:
        value = getattr(self, name)
        if value not in get_args(choices):
            raise DivmetricsError(f"{name} is {value!r}, expected one of {', '.join(get_args(choices))}")


@dataclass(frozen=True)
class One(Part):
    """1, in any of the columns N, f and w."""

    text: ClassVar[str] = "1"
    latex: ClassVar[str] = "1"

    def __call__(self, view: View, row: Row | None = None) -> np.ndarray:
        return np.ones((1, 1, 1, 1))
