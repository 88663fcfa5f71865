"""Parts for pages of blocks: orientation towards verticals, stopping at blocks, and gain per effort.

A page is a batch whose intents are verticals and whose ranks are blocks
(`divmetrics.aggregated`). The formulas of zhou2013 are lost in the copy that we have; these parts
are our reading of the paper's words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.ideal import sorted_order, take_in_order
from divmetrics.core.parts.gains import Gain, Linear, Satisfaction
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Setting
from divmetrics.core.parts.utility import Utility
from divmetrics.core.prefix_sums import exclusive_cumprod
from divmetrics.core.protocols import MetricRow
from divmetrics.errors import DivmetricsError

__all__ = ["BlockContinuation", "GainPerEffort", "IdealRate", "Orientation"]

OrientationPower = Annotated[float, Setting("how strongly an orientation pulls; 0 switches it off", 0)]


@dataclass(frozen=True)
class Orientation(Part):
    """orient(v, q)^a: the weight of a vertical v, by the share of users who want it for the query q.

    Parameters
    ----------
    a : float
        How strongly the orientation counts; with 0 all verticals count alike.

    Raises
    ------
    DivmetricsError
        If `a` is negative.

    References
    ----------
    zhou2013

    Examples
    --------
    >>> Orientation()
    Orientation(a=1.0)
    """

    a: OrientationPower = 1.0

    def __call__(self, batch: Batch) -> np.ndarray:
        return batch.probability[:, None, :, None] ** self.a


@dataclass(frozen=True)
class BlockContinuation(Utility):
    """prod_{j<b} (1 - stop(B_j)): the share of users whom no block above has satisfied.

    stop(B) = orient(v, q)^a (1 - prod (1 - R(g))), with the product over the items of the block B, is the
    probability that a user wants the vertical v of the block and that one of the items satisfies this user.

    Parameters
    ----------
    a : float
        How strongly the orientation counts; with 0 all verticals count alike.

    Raises
    ------
    DivmetricsError
        If `a` is negative.

    References
    ----------
    zhou2013

    Examples
    --------
    >>> BlockContinuation()
    BlockContinuation(a=1.0)
    """

    a: OrientationPower = 1.0

    reads: ClassVar[tuple[str, ...]] = ("exponential",)

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return self.factors(batch)["readers still unsatisfied"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        stop = np.sum(Orientation(self.a)(batch) * Satisfaction()(batch), axis=2, keepdims=True)
        return {"readers still unsatisfied": exclusive_cumprod(1 - stop)}


@dataclass(frozen=True)
class GainPerEffort(Utility):
    """gain(B) / effort(B): a block's gain per unit of effort, by which the ideal page is sorted.

    An effort of 0 counts as 1. Scoring lists without effort raises DivmetricsError.

    Parameters
    ----------
    gain : Gain
        Map from grades to gains.

    References
    ----------
    zhou2013

    Examples
    --------
    >>> GainPerEffort()
    GainPerEffort(gain=Linear())
    """

    gain: Gain = Linear()

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        effort = effort_of(batch)
        return {"gain per effort": self.gain(batch) / np.where(effort > 0, effort, 1.0)}


@dataclass(frozen=True)
class IdealRate(Part):
    """effort(P) gain(P*) / effort(P*): what the page P would gain at the rate of the ideal page P*.

    With this normaliser a score is the ratio of two rates, the gains per unit of effort of P and of P*.
    Effort is discounted like gain. P* has the judged blocks by decreasing gain per effort, a greedy choice
    that another page may exceed. Scoring lists without effort raises DivmetricsError.

    Parameters
    ----------
    examined : Utility or None
        Share of users who reach each block, if users may stop; None if all reach every block.
    gain : Gain
        Map from grades to gains.

    References
    ----------
    zhou2013

    Examples
    --------
    >>> IdealRate()
    IdealRate(examined=None, gain=Linear())
    """

    examined: Utility | None = None
    gain: Gain = Linear()

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        order = sorted_order(batch.judged, GainPerEffort(self.gain), row.f)
        best = take_in_order(batch.judged, order if row.cutoff is None else order[:, : row.cutoff])
        gained = np.sum(row.f(best) * row.w(best) * row.M(best), axis=(2, 3), keepdims=True)
        effort = self.effort(best, row).sum(axis=-1, keepdims=True)
        rate = np.divide(gained, effort, out=np.zeros(gained.shape), where=effort > 0)
        return self.effort(batch, row).sum(axis=-1, keepdims=True) * rate

    def effort(self, batch: Batch, row: MetricRow) -> np.ndarray:
        """Compute the discounted effort of each block.

        Parameters
        ----------
        batch : Batch
            The lists.
        row : MetricRow
            The metric of which this is the normaliser.

        Returns
        -------
        numpy.ndarray
            (topic, run, 1, block).
        """
        weight = row.w(batch) if self.examined is None else row.w(batch) * self.examined(batch)
        return weight * effort_of(batch)


def effort_of(batch: Batch) -> np.ndarray:
    """Return the effort of each block, (topic, run, 1, block); raise DivmetricsError if there is none."""
    if batch.effort is None:
        raise DivmetricsError(
            "gain is weighed against effort here, but these are ranked lists, which do not say what reading "
            "costs; give pages of blocks (divmetrics.aggregated.score_pages), or take another metric"
        )
    return batch.effort
