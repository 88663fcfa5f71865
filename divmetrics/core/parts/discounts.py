"""w(k): what a rank counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Patient, Persisting
from divmetrics.core.views import View


@dataclass(frozen=True)
class Reciprocal(Part):
    """1/k: a half at rank 2, a third at rank 3."""

    text: ClassVar[str] = "1/k"
    latex: ClassVar[str] = r"\frac{1}{k}"

    def __call__(self, view: View) -> np.ndarray:
        return 1 / view.ranks


@dataclass(frozen=True)
class Log2(Part):
    """1/log2(k+1): falls slowly, to a half at rank 3 and a third at rank 7."""

    text: ClassVar[str] = "1/log2(k+1)"
    latex: ClassVar[str] = r"\frac{1}{\log_2(k+1)}"

    def __call__(self, view: View) -> np.ndarray:
        return 1 / np.log2(view.ranks + 1)


@dataclass(frozen=True)
class Persistence(Part):
    """beta^(k-1): the reader goes on from each rank with probability beta (NRBP)."""

    beta: Persisting = 0.5

    text: ClassVar[str] = "beta^{k-1}"
    latex: ClassVar[str] = r"\beta^{k-1}"

    def __call__(self, view: View) -> np.ndarray:
        return self.beta ** (view.ranks - 1.0)


@dataclass(frozen=True)
class RankBiased(Part):
    """(1-phi) phi^(k-1): the reader goes on with probability phi; all ranks sum to 1 (RBP)."""

    phi: Patient = 0.99

    text: ClassVar[str] = "(1 - phi) phi^{k-1}"
    latex: ClassVar[str] = r"(1-\phi)\,\phi^{k-1}"

    def __call__(self, view: View) -> np.ndarray:
        return (1 - self.phi) * self.phi ** (view.ranks - 1.0)


@dataclass(frozen=True)
class Patience(Part):
    """phi^k: the reader goes on to each rank, also the first, with probability phi (iRBU, RBU)."""

    phi: Patient = 0.99

    text: ClassVar[str] = "phi^k"
    latex: ClassVar[str] = r"\phi^{k}"

    def __call__(self, view: View) -> np.ndarray:
        return self.phi ** (view.ranks * 1.0)
