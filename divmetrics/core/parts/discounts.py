"""w(k): the weight of a rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Beta, Phi


class Discount(Part):
    """The base class of weights that depend on the rank alone: functions of `Batch.ranks`.

    The values are (rank,), or (topic, run, 1, rank) if documents are left out.
    """

    by_rank: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True


class ContinuationDiscount(Discount):
    """The base class of discounts that are the share of users who read a rank, whatever they read above it.

    A subclass defines `examination_probability`, which is also the discount.
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        return self.examination_probability(batch)


@dataclass(frozen=True)
class Reciprocal(Discount):
    """1/k: the discount of rank k, a half at rank 2 and a third at rank 3.

    The discounts have the shape of `Batch.ranks`.

    References
    ----------
    chapelle2009

    Examples
    --------
    >>> Reciprocal()
    Reciprocal()
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        return 1 / batch.ranks


@dataclass(frozen=True)
class Log2(Discount):
    """1/log2(k+1): the discount of rank k, a half at rank 3 and a third at rank 7.

    The discounts have the shape of `Batch.ranks`.

    References
    ----------
    jarvelin2002

    Examples
    --------
    >>> Log2()
    Log2()
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        return 1 / np.log2(batch.ranks + 1)


@dataclass(frozen=True)
class Persistence(ContinuationDiscount):
    """beta^(k-1): the share of users at rank k, if they go on from each rank with probability beta (NRBP).

    The shares have the shape of `Batch.ranks`, and are 1 at rank 1.

    Parameters
    ----------
    beta : float
        Probability in (0, 1) of going on to the next rank.

    Raises
    ------
    DivmetricsError
        If `beta` is not in (0, 1).

    References
    ----------
    clarke2009

    Examples
    --------
    >>> Persistence(0.8)
    Persistence(beta=0.8)
    """

    beta: Beta = 0.5

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute beta^(k-1) of each rank k in `Batch.ranks`, of the same shape."""
        return self.beta ** (batch.ranks - 1.0)


@dataclass(frozen=True)
class RankBiased(ContinuationDiscount):
    """(1-phi) phi^(k-1): the share of users who stop at rank k, if they go on with probability phi (RBP).

    The shares have the shape of `Batch.ranks`, and are 1 - phi at rank 1.

    Parameters
    ----------
    phi : float
        Probability in (0, 1) of going on to the next rank.

    Raises
    ------
    DivmetricsError
        If `phi` is not in (0, 1).

    References
    ----------
    moffat2008

    Examples
    --------
    >>> RankBiased(0.95)
    RankBiased(phi=0.95)
    """

    phi: Phi = 0.99

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute phi^(k-1) of each rank k in `Batch.ranks`, of the same shape."""
        return self.phi ** (batch.ranks - 1.0)

    def __call__(self, batch: Batch) -> np.ndarray:
        return (1 - self.phi) * self.examination_probability(batch)


@dataclass(frozen=True)
class Patience(ContinuationDiscount):
    """phi^k: the share of users at rank k, if they go on to each, even the first, with probability phi (RBU).

    The shares have the shape of `Batch.ranks`, and are phi at rank 1.

    Parameters
    ----------
    phi : float
        Probability in (0, 1) of going on to the next rank.

    Raises
    ------
    DivmetricsError
        If `phi` is not in (0, 1).

    References
    ----------
    amigo2018; sakaizeng2019

    Examples
    --------
    >>> Patience(0.9)
    Patience(phi=0.9)
    """

    phi: Phi = 0.99

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute phi^k of each rank k in `Batch.ranks`, of the same shape."""
        return self.phi ** (batch.ranks * 1.0)
