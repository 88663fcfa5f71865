"""f(t_i): what an intent counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part, set_formula
from divmetrics.core.parts.setting import Setting
from divmetrics.core.tolerances import sums_to_one
from divmetrics.errors import DivmetricsError


@set_formula("p(t_i|q)", r"p(t_i\mid q)")
@dataclass(frozen=True)
class Probability(Part):
    """p(t_i|q): an intent counts in proportion to its probability."""

    ignores_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = "each intent is weighted by its probability"

    def __call__(self, view: Batch) -> np.ndarray:
        return view.probability[:, None, :, None]


@dataclass(frozen=True)
class NormalisedProbability(Probability):
    """p(t_i|q), refused where it does not sum to 1: for rows that would charge a cost once per intent."""

    def __call__(self, view: Batch) -> np.ndarray:
        total = view.probability.sum(axis=1)
        off = np.flatnonzero(view.present.any(axis=1) & ~sums_to_one(total))
        if len(off):
            raise DivmetricsError(
                f"topic {view.topics[off[0]]}: weights sum to {total[off[0]]:.6g}, but this metric charges "
                "its effort once and needs weights that sum to 1"
            )
        return super().__call__(view)


IntentsCounted = Literal["all", "relevant"]
IntentsThatCount = Annotated[
    IntentsCounted, Setting("the intents that count: all, or those with a relevant judged document")
]


def count_intents(view: Batch, intents: IntentsCounted) -> np.ndarray:
    """m, (topic, 1, 1, 1): all the topic's intents, or those with a relevant judged document."""
    counted = view.present if intents == "all" else view.covered
    return counted.sum(axis=1)[:, None, None, None]


@set_formula("1/m", r"\frac{1}{m}")
@dataclass(frozen=True)
class Uniform(Part):
    """1/m, where m is the number of the topic's intents (or of those with a relevant judged document)."""

    intents: IntentsThatCount = "all"

    ignores_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = "all intents count equally"

    def __call__(self, view: Batch) -> np.ndarray:
        return 1 / np.maximum(count_intents(view, self.intents), 1)
