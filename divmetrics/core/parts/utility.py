"""M_i(d_k | L^{k-1}): the utility that a document adds to those above it; only M reads the ranks above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant, none_relevant_above
from divmetrics.core.ideal import sorted_per_intent
from divmetrics.core.parts.gains import (
    AtLeast,
    Credit,
    Gain,
    GainRatio,
    Linear,
    Satisfaction,
    largest_gain,
)
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Alpha, Setting
from divmetrics.core.prefix_sums import exclusive_cummax, exclusive_cumprod, exclusive_cumsum
from divmetrics.core.tolerances import TIE_TOLERANCE


class Utility(Part):
    """The base class of utilities M_i(d_k | L^{k-1}), each the product of named factors.

    M(batch) returns an array that broadcasts to (topic, run, intent, rank): what the document at each rank
    adds for each intent, given the documents above it, which only M may read. A subclass defines
    `factors(batch)`. `M * other` is the product of two utilities, `M - other` their difference.

    Examples
    --------
    >>> from divmetrics.parts import BlendedRatio, Cascade
    >>> isinstance(Cascade() * BlendedRatio(), Utility)
    True
    """

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the arrays of a batch from which the utility is computed.

        Documents with equal values in these arrays are interchangeable.
        """
        return ("linear", "exponential", "relevant")

    @property
    def by_intent(self) -> bool:
        """Whether the utility of a document for an intent depends on the grades for this intent alone."""
        return False

    @property
    def zero_if_nonrelevant(self) -> bool:
        """Whether the utility of every document that is relevant to no intent is 0."""
        return False

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Compute the named factors whose product is the utility of each document.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        dict of str to numpy.ndarray
            The factors by name; each broadcasts to (topic, run, intent, rank).
        """
        raise NotImplementedError

    def __call__(self, batch: Batch) -> np.ndarray:
        first, *others = self.factors(batch).values()
        product = first
        for factor in others:
            product = product * factor
        return np.asarray(product, dtype=np.float64)

    def __mul__(self, other: Utility) -> Product:
        return Product(self, other)

    def __sub__(self, other: Utility) -> Difference:
        return Difference(self, other)


class Combined(Utility):
    """A utility made of other utilities."""

    @property
    def by_intent(self) -> bool:
        return all(part.by_intent for part in self._utilities())

    @property
    def ignores_nonrelevant(self) -> bool:
        return all(part.ignores_nonrelevant for part in self._utilities())

    @property
    def zero_if_nonrelevant(self) -> bool:
        return all(part.zero_if_nonrelevant for part in self._utilities())

    def _utilities(self) -> list[Utility]:
        return [getattr(self, part.name) for part in fields(self)]  # type: ignore[arg-type]


@dataclass(frozen=True, repr=False)
class Product(Combined):
    """Two utilities multiplied.

    Parameters
    ----------
    first, second : Utility
        The factors.

    Examples
    --------
    >>> Relevant() * RelevantSoFar()
    Relevant() * RelevantSoFar()
    """

    first: Utility
    second: Utility

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.first.reads + self.second.reads))

    @property
    def zero_if_nonrelevant(self) -> bool:
        return any(part.zero_if_nonrelevant for part in self._utilities())

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return self.first.examination_probability(batch) * self.second.examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {**self.first.factors(batch), **self.second.factors(batch)}

    def __repr__(self) -> str:
        return f"{self.first!r} * {self.second!r}"


@dataclass(frozen=True, repr=False)
class Difference(Combined):
    """One utility less another.

    Parameters
    ----------
    first : Utility
        The gain.
    second : Utility
        The effort.

    Examples
    --------
    >>> Relevant() - Effort(0.1)
    (Relevant() - Effort(e=0.1, charged='cutoff'))
    """

    first: Utility
    second: Utility

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return self.first.examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"gain less effort": self.first(batch) - self.second(batch)}

    def __repr__(self) -> str:
        return f"({self.first!r} - {self.second!r})"


@dataclass(frozen=True)
class Relevant(Utility):
    """I(g): 1 for a relevant document, whatever its grade.

    References
    ----------
    yu2017, Table 1

    Examples
    --------
    >>> Relevant()
    Relevant()
    """

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"relevant": batch.relevant}


@dataclass(frozen=True)
class Graded(Utility):
    """The gain itself, independent of the documents above (D-nDCG, nDCG-IA).

    Parameters
    ----------
    gain : Gain
        Map from grades to gains.

    References
    ----------
    jarvelin2002

    Examples
    --------
    >>> Graded()
    Graded(gain=Linear())
    """

    gain: Gain = Linear()

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"gain": self.gain(batch)}


LargestOf = Annotated[Literal["scale", "ideal"], Setting("whose largest gain it is divided by")]


@dataclass(frozen=True)
class RelativeGain(Utility):
    """The gain as a share of the largest one (RBP).

    Parameters
    ----------
    gain : Gain
        Map from grades to gains.
    top : {'scale', 'ideal'}
        Divide by the gain of the "scale"'s top grade, or by the largest in the "ideal" list.

    Raises
    ------
    DivmetricsError
        If `top` is none of these words.

    References
    ----------
    moffat2008

    Examples
    --------
    >>> RelativeGain(top="ideal")
    RelativeGain(gain=Linear(), top='ideal')
    """

    gain: Gain = Linear()
    top: LargestOf = "scale"

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        gain = self.gain(batch)  # first: it refuses grades that are too large
        largest = self.gain.top(batch.scale) if self.top == "scale" else largest_gain(batch, self.gain)
        return {"gain / max gain": gain / largest}


@dataclass(frozen=True)
class FirstCover(Utility):
    """1 for the first relevant document of the intent, 0 for every later one.

    References
    ----------
    zhai2003

    Examples
    --------
    >>> FirstCover()
    FirstCover()
    """

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return none_relevant_above(batch.relevant)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"first relevant document": is_first_relevant(batch.relevant)}


Level = Annotated[float, Setting("the level of subtopic recall that users want", 0, 1, ends="(]")]
CostOfSubtopic = Annotated[
    float, Setting("what one subtopic of a document costs, compared with the document", 0, usual=(0, 5, 0.1))
]


@dataclass(frozen=True)
class LevelReached(Utility):
    """1 at the rank where subtopic recall reaches the level, shared by the intents that are new at this rank.

    Subtopic recall is the share of intents with a relevant document down to the rank, out of the intents with
    a relevant judged document.

    Parameters
    ----------
    level : float
        Level of subtopic recall in (0, 1].

    Raises
    ------
    DivmetricsError
        If `level` is not in (0, 1].

    References
    ----------
    zhai2003

    Examples
    --------
    >>> LevelReached(0.5)
    LevelReached(level=0.5)
    """

    level: Level = 1.0

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def needed(self, batch: Batch) -> np.ndarray:
        """Compute the smallest number of intents with which subtopic recall reaches the level.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            (topic, 1, 1, 1).
        """
        pool = batch if batch.pool is None else batch.pool
        covered = (pool.present & pool.relevant.any(axis=(1, 3))).sum(axis=1)
        return np.ceil(self.level * covered - TIE_TOLERANCE).astype(np.int64)[:, None, None, None]

    def examination_probability(self, batch: Batch) -> np.ndarray:
        seen, new = self._intents(batch)
        return np.asarray(seen - new < self.needed(batch))

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        seen, new = self._intents(batch)
        needed = self.needed(batch)
        first = is_first_relevant(batch.relevant)
        return {
            "level reached": (seen >= needed) & (seen - new < needed),
            "share of the new intents": first / np.maximum(new, 1),
        }

    def _intents(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of intents seen down to each rank, and of those that are new there."""
        new = is_first_relevant(batch.relevant).sum(axis=2, keepdims=True)
        return np.cumsum(new, axis=-1), new


@dataclass(frozen=True)
class ReadingCost(Utility):
    """1 / (k + a n_k): the inverse of the cost of the first k documents, which have n_k subtopics.

    A subtopic that several documents have is counted in each, so redundant documents cost more.

    Parameters
    ----------
    a : float
        Cost of one subtopic of a document, compared with the cost of the document itself.

    Raises
    ------
    DivmetricsError
        If `a` is negative.

    References
    ----------
    zhai2003

    Examples
    --------
    >>> ReadingCost()
    ReadingCost(a=1.0)
    """

    a: CostOfSubtopic = 1.0

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    ignores_nonrelevant: ClassVar[bool] = True

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        subtopics = np.cumsum(batch.relevant.sum(axis=2, keepdims=True), axis=-1)
        return {"1 / cost": 1 / (batch.ranks + self.a * subtopics)}


@dataclass(frozen=True)
class BestSoFar(Utility):
    """max(0, v(g_k) - max_{j<k} v(g_j)): what a document adds to the best one above it.

    The sum down to rank k is the best v(g) of the first k documents, so a list of sentences earns as much as
    the whole answer.

    Parameters
    ----------
    v : Gain, Credit or AtLeast
        Map from grades to values; with AtLeast, the first document that reaches the level earns 1.

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> BestSoFar()
    BestSoFar(v=Linear())
    """

    v: Gain | Credit | AtLeast = Linear()

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def examination_probability(self, batch: Batch) -> np.ndarray:
        if isinstance(self.v, AtLeast):  # a nugget is read until it is covered
            return 1 - exclusive_cummax(self.v(batch))
        return super().examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        value = self.v(batch)
        return {"gain over the best above": np.maximum(value - exclusive_cummax(value), 0)}


@dataclass(frozen=True)
class RelevantSoFar(Utility):
    """c_k: the number of relevant documents up to and including rank k (AP).

    References
    ----------
    yu2017, Table 1

    Examples
    --------
    >>> RelevantSoFar()
    RelevantSoFar()
    """

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"relevant so far": np.cumsum(batch.relevant, axis=-1, dtype=np.int32)}


@dataclass(frozen=True)
class Cascade(Utility):
    """R(g_k) prod_{j<k} (1 - R(g_j)): the probability that this document is the first to satisfy the user.

    Parameters
    ----------
    R : Satisfaction or GainRatio
        Probability that a document satisfies the user.

    References
    ----------
    chapelle2009

    Examples
    --------
    >>> Cascade()
    Cascade(R=Satisfaction(over='2^Y', top='collection'))
    """

    R: Satisfaction | GainRatio = Satisfaction()

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return self.factors(batch)["readers still unsatisfied"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        stop = self.R(batch)
        return {"chance to satisfy": stop, "readers still unsatisfied": exclusive_cumprod(1 - stop)}


@dataclass(frozen=True)
class Novelty(Utility):
    """I(g) (1-alpha)^c: what a document adds below c relevant documents of the intent.

    I(g) is 1 for a relevant document, else 0; 0^0 is 1.

    Parameters
    ----------
    alpha : float
        Share in [0, 1] of an intent's interest that each relevant document takes away.

    Raises
    ------
    DivmetricsError
        If `alpha` is not in [0, 1].

    References
    ----------
    clarke2008

    Examples
    --------
    >>> Novelty(0.9)
    Novelty(alpha=0.9)
    """

    alpha: Alpha = 0.5

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True

    def examination_probability(self, batch: Batch) -> np.ndarray:
        return self.factors(batch)["novelty"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        above = exclusive_cumsum(batch.relevant)
        # Looked up: far cheaper than a power per cell.
        powers = (1.0 - self.alpha) ** np.arange(batch.depth + 1)
        return {"relevant": batch.relevant, "novelty": powers[above]}


Blend = Annotated[
    float,
    Setting("how much gains count, compared with the number of relevant documents", 0, usual=(0, 5, 0.1)),
]


@dataclass(frozen=True)
class BlendedRatio(Utility):
    """BR(k) = (C(k) + beta cg(k)) / (k + beta cg*(k)): the blended ratio of a list and its ideal list.

    C(k) is the number of relevant documents down to rank k, cg(k) the sum of their gains, and cg*(k) the same
    sum for the ideal list.

    Parameters
    ----------
    gain : Gain
        Map from grades to gains.
    beta : float
        Weight of gains, compared with the number of relevant documents.

    Raises
    ------
    DivmetricsError
        If `beta` is negative.

    References
    ----------
    sakaizeng2019, Eq. 2

    Examples
    --------
    >>> BlendedRatio()
    BlendedRatio(gain=Linear(), beta=1.0)
    """

    gain: Gain = Linear()
    beta: Blend = 1.0

    by_intent: ClassVar[bool] = True

    def numerator(self, batch: Batch) -> np.ndarray:
        """Compute C(k) + beta cg(k): relevant documents and cumulated gain of each list down to rank k.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            (topic, run, intent, rank).
        """
        return np.cumsum(batch.relevant, axis=-1) + self.beta * np.cumsum(self.gain(batch), axis=-1)

    def denominator(self, batch: Batch) -> np.ndarray:
        """Compute k + beta cg*(k), where cg* is the cumulated gain of each intent's ideal list.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            Broadcasts to (topic, run, intent, rank).
        """
        ideal = np.cumsum(self.gain(sorted_per_intent(batch.judged, batch.depth)), axis=-1)
        return batch.ranks + self.beta * ideal

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        return {"blended ratio": self.numerator(batch) / self.denominator(batch)}


Cost = Annotated[float, Setting("what reading one rank costs", 0, usual=(0, 0.1, 0.005))]
Charged = Annotated[Literal["cutoff", "documents"], Setting("how far down it is charged")]


@dataclass(frozen=True)
class Effort(Utility):
    """e: the cost of reading one rank, to be subtracted from another utility (`Relevant() - Effort()`).

    Every intent is charged e at every rank, so that weights f that sum to 1 charge e per rank in total.

    Parameters
    ----------
    e : float
        Cost of one rank, at least 0, in the unit of the utility that it is subtracted from.
    charged : {'cutoff', 'documents'}
        At every rank down to the "cutoff", or only where the list has "documents".

    Raises
    ------
    DivmetricsError
        If `e` is negative, or `charged` is none of these words.

    References
    ----------
    amigo2018; sakaizeng2019, Eq. 9

    Examples
    --------
    >>> Effort(0.05)
    Effort(e=0.05, charged='cutoff')
    """

    e: Cost = 0.01
    charged: Charged = "cutoff"

    by_intent: ClassVar[bool] = True

    @property
    def needs_cutoff(self) -> bool:
        return self.charged == "cutoff"

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        where = batch.listed if self.charged == "documents" else np.ones((1, 1, 1, batch.depth))
        return {"effort": self.e * where}


@dataclass(frozen=True)
class ByKind(Combined):
    """One utility for informational intents, another for navigational ones.

    Parameters
    ----------
    informational, navigational : Utility
        The utilities.

    References
    ----------
    sakai2012

    Examples
    --------
    >>> ByKind(Relevant(), FirstCover()).by_intent
    True
    """

    informational: Utility
    navigational: Utility

    def examination_probability(self, batch: Batch) -> np.ndarray:
        navigational = batch.navigational[:, None, :, None]
        return np.where(
            navigational,
            self.navigational.examination_probability(batch),
            self.informational.examination_probability(batch),
        )

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        navigational = batch.navigational[:, None, :, None]
        inf, nav = self.informational.factors(batch), self.navigational.factors(batch)
        return {
            name: np.where(navigational, nav.get(name, 1.0), inf.get(name, 1.0)) for name in {**inf, **nav}
        }
