"""Grade maps: from a grade to a gain, or to the probability that a user is satisfied and stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Setting


class Gain(Part):
    """The base class of maps from grades to gains, for utilities that take one, such as `Graded`.

    gain(batch) returns the gain of each document for each intent, (topic, run, intent, rank). A subclass
    defines `__call__(batch)` and `top(scale)`. A metric's name can choose those in `GAINS`: gain=linear.

    Examples
    --------
    >>> from divmetrics.parts import Exponential
    >>> isinstance(Exponential(), Gain)
    True
    """

    parameter: ClassVar[str] = "gain"
    choice: ClassVar[Setting] = Setting(
        "what a grade g earns: g, or 2^g - 1", words=("linear", "exponential")
    )

    def __call__(self, batch: Batch) -> np.ndarray:
        raise NotImplementedError

    def top(self, scale: int | np.ndarray) -> int | np.ndarray:
        """Return the gain of the top grade.

        Parameters
        ----------
        scale : int or numpy.ndarray
            The top grade Y, such as `Batch.scale`.

        Returns
        -------
        int or numpy.ndarray
            The gain of Y, or of each Y of an array.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Gain):
    """The grade itself: V(g) = g. Calling it returns `Batch.linear`.

    Examples
    --------
    >>> Linear().top(3)
    3
    """

    word: ClassVar[str] = "linear"

    def __call__(self, batch: Batch) -> np.ndarray:
        return batch.linear

    def top(self, scale: int | np.ndarray) -> int | np.ndarray:
        """Return `scale` itself."""
        return scale


@dataclass(frozen=True)
class Exponential(Gain):
    """The exponential gain X(g) = 2^g - 1. Calling it returns `Batch.exponential`.

    That raises DivmetricsError if the top grade is above 1023, since no float is as large as 2^1024.

    Examples
    --------
    >>> float(Exponential().top(3))
    7.0
    """

    word: ClassVar[str] = "exponential"

    def __call__(self, batch: Batch) -> np.ndarray:
        return batch.exponential

    def top(self, scale: int | np.ndarray) -> np.ndarray:
        """Return 2^Y - 1 of `scale` as numpy floats; infinite if Y is above 1023."""
        with np.errstate(over="ignore"):
            return np.exp2(scale) - 1


# The gain maps that a name may choose, by word.
GAINS: Mapping[str, Gain] = {gain.word: gain for gain in (Linear(), Exponential())}


Full = Annotated[float, Setting("the grade from which on a document earns all", 0, ends="()")]
Threshold = Annotated[float, Setting("the grade from which on a document counts", 0, ends="()")]


@dataclass(frozen=True)
class Credit(Part):
    """min(g/full, 1): the gain of grade g, 1 from the grade `full` on, and in proportion to g below it.

    The labels of nuggetizer are the grades 0, 1 (partial_support) and 2 (support), so 1 earns a half. The
    gains are (topic, run, intent, rank).

    Parameters
    ----------
    full : float
        The grade from which on a document earns 1.

    Raises
    ------
    DivmetricsError
        If `full` is not above 0.

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> Credit()
    Credit(full=2)
    """

    full: Full = 2

    def __call__(self, batch: Batch) -> np.ndarray:
        return np.minimum(batch.linear / self.full, 1.0)


@dataclass(frozen=True)
class AtLeast(Part):
    """[g >= level]: the gain of grade g, 1 from the grade `level` on, and 0 below it.

    The gains are (topic, run, intent, rank).

    Parameters
    ----------
    level : float
        The lowest grade that counts.

    Raises
    ------
    DivmetricsError
        If `level` is not above 0.

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> AtLeast(3)
    AtLeast(level=3)
    """

    level: Threshold = 2

    def __call__(self, batch: Batch) -> np.ndarray:
        return np.asarray(batch.linear >= self.level, dtype=np.float64)


Over = Annotated[Literal["2^Y", "2^Y-1"], Setting("what R(g) divides 2^g - 1 by")]
TopOf = Annotated[Literal["collection", "intent"], Setting("whose highest grade is Y")]


@dataclass(frozen=True)
class Satisfaction(Part):
    """R(g) = (2^g - 1)/2^Y: the probability that a document of grade g satisfies the user.

    The probabilities are (topic, run, intent, rank). Computing them raises DivmetricsError if the top grade
    is above 1023, and for `top` "intent" if the batch has no pool of judged documents.

    Parameters
    ----------
    over : {'2^Y', '2^Y-1'}
        The divisor. Yu et al. (2017) print 2^Y - 1, but their Table 4 needs 2^Y.
    top : {'collection', 'intent'}
        Whether Y is the top grade of the collection (`Batch.scale`), or the highest judged grade of the
        intent (at least 1), as in the program of amigo2018.

    Raises
    ------
    DivmetricsError
        If `over` or `top` is none of these words.

    References
    ----------
    chapelle2009, Eq. 4

    Examples
    --------
    >>> Satisfaction(top="intent")
    Satisfaction(over='2^Y', top='intent')
    """

    over: Over = "2^Y"
    top: TopOf = "collection"

    def __call__(self, batch: Batch) -> np.ndarray:
        top: int | np.ndarray = batch.scale
        if self.top == "intent":
            top = np.maximum(batch.judged.linear.max(axis=-1, keepdims=True, initial=0), 1)
        return batch.exponential / (np.exp2(top) - (self.over == "2^Y-1"))


@dataclass(frozen=True)
class GainRatio(Part):
    """g/(h+1): the probability that a gain g satisfies the user, as in NTCIREVAL.

    h is the largest gain of a judged document for the intent or, if the intents are merged, the largest
    global gain. The probabilities are (topic, run, intent, rank). Computing them raises DivmetricsError if
    the batch has no pool of judged documents.

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
    sakaizeng2019

    Examples
    --------
    >>> GainRatio()
    GainRatio(gain=Linear())
    """

    gain: Gain = Linear()

    def __call__(self, batch: Batch) -> np.ndarray:
        return self.gain(batch) / (largest_gain(batch, self.gain) + 1)


def largest_gain(batch: Batch, gain: Gain) -> np.ndarray:
    """Return h, the largest gain of a judged document for the intent, (topic, 1, intent, 1); 1 instead of 0.

    Raises DivmetricsError if the batch has no pool of judged documents.
    """
    most = gain(batch.judged).max(axis=-1, keepdims=True, initial=0)
    return np.where(most > 0, most, 1.0)
