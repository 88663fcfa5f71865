"""Parts for pages of blocks: what a vertical is wanted for, who reads on, and gain for effort.

A page is a View whose intents are verticals and whose ranks are blocks (`divmetrics.research.aggregated`). The formulas of
Zhou et al. (2013) are lost in the copy that we have; these parts are our reading of the paper's words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.ideal import in_order, sorted_order
from divmetrics.core.parts.gains import Gain, Linear, Satisfaction
from divmetrics.core.parts.part import Part, set_formula
from divmetrics.core.parts.setting import Setting
from divmetrics.core.parts.utility import Utility
from divmetrics.core.prefix_sums import exclusive_cumprod
from divmetrics.core.protocols import MetricRow
from divmetrics.errors import DivmetricsError

__all__ = ["BlockContinuation", "GainPerEffort", "IdealRate", "Orientation"]

OrientationPower = Annotated[float, Setting("how strongly an orientation pulls; 0 switches it off", 0)]


@set_formula("orient(v,q)^a", r"\mathrm{orient}(v,q)^a")
@dataclass(frozen=True)
class Orientation(Part):
    """orient(v, q)^a: the share of readers who want the vertical; `a` tunes its pull, 0 switches it off."""

    a: OrientationPower = 1.0

    user_model: ClassVar[str] = "a vertical counts for the readers who want it"

    def __call__(self, view: Batch) -> np.ndarray:
        return view.probability[:, None, :, None] ** self.a


@set_formula("prod_{j<b} (1 - stop(B_j))", r"\prod_{j<b}\big(1-\mathrm{stop}(B_j)\big)")
@dataclass(frozen=True)
class BlockContinuation(Utility):
    """prod_{j<b} (1 - stop(B_j)): the readers whom no block above has satisfied.

    stop(B) = orient(v,q)^a (1 - prod over its items (1 - R(g))): the reader wants the vertical, and some item
    satisfies.
    """

    a: OrientationPower = 1.0

    reads: ClassVar[tuple[str, ...]] = ("exponential",)
    picture: ClassVar[str] = "leave"
    user_model: ClassVar[str] = "readers leave once a block satisfies them"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.factors(view)["readers still unsatisfied"]

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        stop = np.sum(Orientation(self.a)(view) * Satisfaction()(view), axis=2, keepdims=True)
        return {"readers still unsatisfied": exclusive_cumprod(1 - stop)}


@set_formula("gain(B) / effort(B)", r"\frac{\mathrm{gain}(B)}{\mathrm{effort}(B)}")
@dataclass(frozen=True)
class GainPerEffort(Utility):
    """gain(B) / effort(B): what a block gives for each unit of effort; the order of the ideal page."""

    gain: Gain = Linear()

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        effort = effort_of(view)
        return {"gain per effort": self.gain(view) / np.where(effort > 0, effort, 1.0)}


@set_formula("effort(P) * gain(P*) / effort(P*)", r"E(P)\,\frac{G(P^*)}{E(P^*)}")
@dataclass(frozen=True)
class IdealRate(Part):
    """The page's effort times what the ideal page gains per unit of effort.

    Dividing a page's gain by it compares its gain per unit of effort with the ideal page's. Effort is
    discounted as gain is: by w and, where a reader may stop, by `examined`. The ideal page is the View's pool
    of perfectly chosen blocks by decreasing gain per effort: a greedy choice, which another page may exceed.
    """

    examined: Utility | None = None
    gain: Gain = Linear()

    user_model: ClassVar[str] = (
        "what a page gives for the effort of reading is compared with the ideal page's"
    )

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        order = sorted_order(view.judged, GainPerEffort(self.gain), row.f)
        best = in_order(view.judged, order if row.cutoff is None else order[:, : row.cutoff])
        gained = np.sum(row.f(best) * row.w(best) * row.M(best), axis=(2, 3), keepdims=True)
        effort = self.effort(best, row).sum(axis=-1, keepdims=True)
        rate = np.divide(gained, effort, out=np.zeros(gained.shape), where=effort > 0)
        return self.effort(view, row).sum(axis=-1, keepdims=True) * rate

    def effort(self, view: Batch, row: MetricRow) -> np.ndarray:
        """What each block costs the readers who get to it, (topic, run, 1, block)."""
        weight = row.w(view) if self.examined is None else row.w(view) * self.examined(view)
        return weight * effort_of(view)


def effort_of(view: Batch) -> np.ndarray:
    """What reading each block costs, (topic, run, 1, block); an error for ranked lists, which do not say."""
    if view.effort is None:
        raise DivmetricsError(
            "gain is weighed against effort here, but these are ranked lists, which do not say what reading "
            "costs; give pages of blocks (divmetrics.research.aggregated.score_pages), or take another metric"
        )
    return view.effort
