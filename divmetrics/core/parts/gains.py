"""Grade maps: from a grade to a gain, or to the probability that a reader is satisfied and stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part, set_formula
from divmetrics.core.parts.setting import Setting


class Gain(Part):
    """A map from grades to gains."""

    parameter: ClassVar[str] = "gain"
    choice: ClassVar[Setting] = Setting(
        "what a grade g earns: g, or 2^g - 1", words=("linear", "exponential")
    )

    def __call__(self, view: Batch) -> np.ndarray:
        raise NotImplementedError

    def top(self, scale: int | np.ndarray) -> int | np.ndarray:
        """The gain of the top grade."""
        raise NotImplementedError


@set_formula("g", "g_i^k")
@dataclass(frozen=True)
class Linear(Gain):
    """V(g) = g."""

    word: ClassVar[str] = "linear"

    def __call__(self, view: Batch) -> np.ndarray:
        return view.linear

    def top(self, scale: int | np.ndarray) -> int | np.ndarray:
        return scale


@set_formula("(2^g - 1)", "(2^{g_i^k}-1)")
@dataclass(frozen=True)
class Exponential(Gain):
    """X(g) = 2^g - 1."""

    word: ClassVar[str] = "exponential"

    def __call__(self, view: Batch) -> np.ndarray:
        return view.exponential

    def top(self, scale: int | np.ndarray) -> np.ndarray:
        return np.exp2(scale) - 1


# The gain maps that a name may choose, by word.
GAINS: Mapping[str, Gain] = {gain.word: gain for gain in (Linear(), Exponential())}


Over = Annotated[Literal["2^Y", "2^Y-1"], Setting("what R(g) divides 2^g - 1 by")]
TopOf = Annotated[Literal["collection", "intent"], Setting("whose highest grade is Y")]


@dataclass(frozen=True)
class Satisfaction(Part):
    """R(g): the probability that a document of grade g satisfies the reader (Chapelle et al. 2009, Eq. 4).

    over="2^Y" gives (2^g - 1)/2^Y; over="2^Y-1" what Yu et al. (2017) print, though their Table 4 needs 2^Y.
    top="intent" takes for Y each intent's own highest judged grade (as the program of Amigo et al. does).
    """

    over: Over = "2^Y"
    top: TopOf = "collection"

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"(2^g - 1)/{'2^Y' if self.over == '2^Y' else '(2^Y - 1)'}"

    latex: ClassVar[str] = r"R(g_i^k)"

    def __call__(self, view: Batch) -> np.ndarray:
        top: int | np.ndarray = view.scale
        if self.top == "intent":
            top = np.maximum(view.judged.linear.max(axis=-1, keepdims=True, initial=0), 1)
        return view.exponential / (np.exp2(top) - (self.over == "2^Y-1"))


@dataclass(frozen=True)
class GainRatio(Part):
    """g/(h+1), h the largest gain in that ideal list, per intent or of the global gain (NTCIREVAL)."""

    gain: Gain = Linear()

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.gain.text}/(h + 1)"

    latex: ClassVar[str] = r"\frac{g_i^k}{h_i+1}"

    def __call__(self, view: Batch) -> np.ndarray:
        most = self.gain(view.judged).max(axis=-1, keepdims=True, initial=0)
        return self.gain(view) / (most + 1)


def largest_gain(view: Batch, gain: Gain) -> np.ndarray:
    """h: the largest gain in the ideal list, (topic, 1, intent, 1); 1 where there is none to divide by."""
    most = gain(view.judged).max(axis=-1, keepdims=True, initial=0)
    return np.where(most > 0, most, 1.0)
