"""w(k): what a rank counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part, set_formula
from divmetrics.core.parts.setting import Beta, Phi


class Discount(Part):
    """A number for each rank, which hangs on nothing else."""

    ignores_nonrelevant: ClassVar[bool] = True


class ContinuationDiscount(Discount):
    """The share of readers who have gone on to the rank, whatever they have found."""

    def __call__(self, view: Batch) -> np.ndarray:
        return self.examination_probability(view)


@set_formula("1/k", r"\frac{1}{k}")
@dataclass(frozen=True)
class Reciprocal(Discount):
    """1/k: a half at rank 2, a third at rank 3."""

    user_model: ClassVar[str] = "what they find at rank k is worth 1/k: a half at rank 2, a third at rank 3"

    def __call__(self, view: Batch) -> np.ndarray:
        return 1 / view.ranks


@set_formula("1/log2(k+1)", r"\frac{1}{\log_2(k+1)}")
@dataclass(frozen=True)
class Log2(Discount):
    """1/log2(k+1): falls slowly, to a half at rank 3 and a third at rank 7."""

    user_model: ClassVar[str] = (
        "what they find at rank k is worth 1/log2(k+1): a half at rank 3, a third at rank 7"
    )

    def __call__(self, view: Batch) -> np.ndarray:
        return 1 / np.log2(view.ranks + 1)


@set_formula("beta^{k-1}", r"\beta^{k-1}")
@dataclass(frozen=True)
class Persistence(ContinuationDiscount):
    """beta^(k-1): the reader goes on from each rank with probability beta (NRBP)."""

    beta: Beta = 0.5

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return f"after each rank they go on with probability {self.beta:g}"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.beta ** (view.ranks - 1.0)


@set_formula("(1 - phi) phi^{k-1}", r"(1-\phi)\,\phi^{k-1}")
@dataclass(frozen=True)
class RankBiased(ContinuationDiscount):
    """(1-phi) phi^(k-1): the reader goes on with probability phi; all ranks sum to 1 (RBP)."""

    phi: Phi = 0.99

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return f"after each rank they go on with probability {self.phi:g}"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.phi ** (view.ranks - 1.0)

    def __call__(self, view: Batch) -> np.ndarray:
        return (1 - self.phi) * self.examination_probability(view)


@set_formula("phi^k", r"\phi^{k}")
@dataclass(frozen=True)
class Patience(ContinuationDiscount):
    """phi^k: the reader goes on to each rank, even the first, with probability phi (iRBU, RBU)."""

    phi: Phi = 0.99

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return f"they go on to each rank, even the first, with probability {self.phi:g}"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.phi ** (view.ranks * 1.0)
