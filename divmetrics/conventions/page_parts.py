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
    """orient(v, q)^a: the weight f of a vertical v, by the share of users who want it for the query q.

    A vertical is a kind of results, such as images: an intent of the batch. The weights are (topic, 1,
    vertical, 1), powers of `Batch.probability`.

    Parameters
    ----------
    a : float
        How strongly the orientation counts, at least 0; with 0 all verticals count alike.

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
    The shares are (topic, run, 1, block), one page of blocks per run.

    Parameters
    ----------
    a : float
        How strongly the orientation counts, at least 0; with 0 all verticals count alike.

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
        """Compute the share itself, (topic, run, 1, block)."""
        return self.factors(batch)["readers still unsatisfied"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"readers still unsatisfied": the share, (topic, run, 1, block)}."""
        stop = np.sum(Orientation(self.a)(batch) * Satisfaction()(batch), axis=2, keepdims=True)
        return {"readers still unsatisfied": exclusive_cumprod(1 - stop)}


@dataclass(frozen=True)
class GainPerEffort(Utility):
    """gain(B) / effort(B): a block's gain per unit of effort, by which the ideal page is sorted.

    The values are (topic, run, vertical, block). An effort of 0 counts as 1. Scoring lists without
    `Batch.effort` raises DivmetricsError.

    Parameters
    ----------
    gain : Gain
        The map from grades to gains: Linear() or Exponential().

    Raises
    ------
    DivmetricsError
        If `gain` is no part or other function.

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
        """Return {"gain per effort": the utility, (topic, run, vertical, block)}."""
        effort = effort_of(batch)
        return {"gain per effort": self.gain(batch) / np.where(effort > 0, effort, 1.0)}


@dataclass(frozen=True)
class IdealRate(Part):
    """effort(P) gain(P*) / effort(P*): what the page P would gain at the rate of the ideal page P*.

    With this normaliser a score is the ratio of two rates, the gains per unit of effort of P and of P*.
    Effort is discounted like gain. P* has the judged blocks by decreasing gain per effort, a greedy choice
    that another page may exceed. The values are (topic, run, 1, 1), and 0 if P* takes no effort. Scoring
    lists without `Batch.effort` or without pool raises DivmetricsError.

    Parameters
    ----------
    examined : Utility or None
        The share of users who reach each block, if users may stop; None if all reach every block.
    gain : Gain
        The map from grades to gains, by which P* is sorted: Linear() or Exponential().

    Raises
    ------
    DivmetricsError
        If `gain`, or `examined` unless it is None, is no part or other function.

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
        """Compute the effort of each block, times its discount and the share of users who reach it.

        Parameters
        ----------
        batch : Batch
            The pages.
        row : MetricRow
            The metric of which this is the normaliser; its w is the discount.

        Returns
        -------
        numpy.ndarray
            The effort, (topic, run, 1, block).

        Raises
        ------
        DivmetricsError
            If these are ranked lists, without `Batch.effort`.
        """
        weight = row.w(batch) if self.examined is None else row.w(batch) * self.examined(batch)
        return weight * effort_of(batch)


def effort_of(batch: Batch) -> np.ndarray:
    """Return `Batch.effort`, (topic, run, 1, block); raise DivmetricsError if it is None."""
    if batch.effort is None:
        raise DivmetricsError(
            "gain is weighed against effort here, but these are ranked lists, which do not say what reading "
            "costs; give pages of blocks (divmetrics.aggregated.score_pages), or take another metric"
        )
    return batch.effort
