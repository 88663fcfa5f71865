"""M_i(d_k | L^{k-1}): the utility that a document adds to those above it; only M reads the ranks above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant, none_relevant_above
from divmetrics.core.ideal import sorted_per_intent
from divmetrics.core.parts.gains import AtLeast, Credit, Gain, GainRatio, Linear, Satisfaction, largest_gain
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Alpha, Setting
from divmetrics.core.prefix_sums import exclusive_cummax, exclusive_cumprod, exclusive_cumsum
from divmetrics.core.tolerances import TIE_TOLERANCE


class Utility(Part):
    """The base class of utilities M_i(d_k | L^{k-1}), each the product of named factors.

    M(batch) returns an array that broadcasts to (topic, run, intent, rank): what the document d_k at rank k
    adds for the intent i, given the documents L^{k-1} above it, which no other part may read. A subclass
    defines `factors(batch)`, and states the properties that hold for it. `M * other` is the product of two
    utilities, `M - other` their difference.

    Examples
    --------
    >>> from divmetrics.parts import BlendedRatio, Cascade
    >>> isinstance(Cascade() * BlendedRatio(), Utility)
    True
    """

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the arrays of gains from which the utility is computed; by default all three.

        They are of "linear", "exponential" and "relevant", attributes of `Batch`. Documents with equal values
        in these arrays are interchangeable.
        """
        return ("linear", "exponential", "relevant")

    @property
    def by_intent(self) -> bool:
        """Whether the utility for an intent depends on the grades for this intent alone; by default False."""
        return False

    @property
    def zero_if_nonrelevant(self) -> bool:
        """Whether the utility of every document that is relevant to no intent is 0; by default False."""
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
            {factor in words, such as "novelty": its values}, at least one; each array, of numbers or bool,
            broadcasts to (topic, run, intent, rank). Explanations show the factors by these names.
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


class _Combined(Utility):
    """A utility whose fields are utilities; a property holds if it holds for all of them."""

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
class Product(_Combined):
    """Two utilities multiplied: `first * second` makes it.

    Parameters
    ----------
    first, second : Utility
        The factors.

    Raises
    ------
    DivmetricsError
        If `first` or `second` is no part or other function.

    Examples
    --------
    >>> Relevant() * RelevantSoFar()
    Relevant() * RelevantSoFar()
    """

    first: Utility
    second: Utility

    @property
    def reads(self) -> tuple[str, ...]:
        """The arrays of gains that either of the two reads, each name once."""
        return tuple(dict.fromkeys(self.first.reads + self.second.reads))

    @property
    def zero_if_nonrelevant(self) -> bool:
        """Whether one of the two is 0 for every document that is relevant to no intent."""
        return any(part.zero_if_nonrelevant for part in self._utilities())

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute the product of the two, which broadcasts to (topic, run, intent, rank)."""
        return self.first.examination_probability(batch) * self.second.examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return the factors of `first`, then those of `second`, {name: array}, as in `Utility.factors`.

        A name of `second` that `first` has, too, ends in ", again".
        """
        factors = dict(self.first.factors(batch))
        for name, values in self.second.factors(batch).items():
            while name in factors:
                name += ", again"
            factors[name] = values
        return factors

    def __repr__(self) -> str:
        return f"{self.first!r} * {self.second!r}"


@dataclass(frozen=True, repr=False)
class Difference(_Combined):
    """One utility less another: `first - second` makes it.

    Parameters
    ----------
    first : Utility
        The utility of a document, from which is subtracted.
    second : Utility
        What is subtracted, such as `Effort`.

    Raises
    ------
    DivmetricsError
        If `first` or `second` is no part or other function.

    Examples
    --------
    >>> Relevant() - Effort(0.1)
    (Relevant() - Effort(e=0.1, charged='cutoff'))
    """

    first: Utility
    second: Utility

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Compute that of `first`, which broadcasts to (topic, run, intent, rank)."""
        return self.first.examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"gain less effort": the difference, which broadcasts to (topic, run, intent, rank)}."""
        return {"gain less effort": self.first(batch) - self.second(batch)}

    def __repr__(self) -> str:
        return f"({self.first!r} - {self.second!r})"


@dataclass(frozen=True)
class Relevant(Utility):
    """I(g): 1 for a relevant document, whatever its grade, else 0.

    The values are (topic, run, intent, rank).

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
        """Return {"relevant": I(g) as bool, (topic, run, intent, rank)}."""
        return {"relevant": batch.relevant}


@dataclass(frozen=True)
class Graded(Utility):
    """The gain of the document, independent of those above it (D-nDCG, nDCG-IA).

    The values are (topic, run, intent, rank).

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
        """Return {"gain": the gain, (topic, run, intent, rank)}."""
        return {"gain": self.gain(batch)}


LargestOf = Annotated[Literal["scale", "ideal"], Setting("whose largest gain it is divided by")]


@dataclass(frozen=True)
class RelativeGain(Utility):
    """The gain as a share of the largest one (RBP).

    The values are (topic, run, intent, rank).

    Parameters
    ----------
    gain : Gain
        The map from grades to gains: Linear() or Exponential().
    top : {'scale', 'ideal'}
        Divide by the gain of the top grade of the "scale", or by the largest gain of a judged document for
        the intent ("ideal"; scoring a batch without pool then raises DivmetricsError).

    Raises
    ------
    DivmetricsError
        If `top` is none of these words, or `gain` is no part or other function.

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
        """Return {"gain / max gain": the share, (topic, run, intent, rank)}."""
        gain = self.gain(batch)  # first: it refuses grades that are too large
        largest = self.gain.top(batch.scale) if self.top == "scale" else largest_gain(batch, self.gain)
        return {"gain / max gain": gain / largest}


@dataclass(frozen=True)
class FirstCover(Utility):
    """1 for the first relevant document of the intent, 0 for every other one.

    The values are (topic, run, intent, rank).

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
        """Return whether no document above is relevant to the intent, bool (topic, run, intent, rank)."""
        return none_relevant_above(batch.relevant)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"first relevant document": bool (topic, run, intent, rank)}."""
        return {"first relevant document": is_first_relevant(batch.relevant)}


Level = Annotated[float, Setting("the level of subtopic recall that users want", 0, 1, ends="(]")]
CostOfSubtopic = Annotated[
    float, Setting("what one subtopic of a document costs, compared with the document", 0, usual=(0, 5, 0.1))
]


@dataclass(frozen=True)
class LevelReached(Utility):
    """1 at the rank where subtopic recall reaches the level, shared by the intents that are new at this rank.

    Subtopic recall is the share of intents with a relevant document down to the rank, out of the intents with
    a relevant judged document. An intent is new at the rank of its first relevant document: of n new intents
    each has 1/n there. All other values are 0.

    Parameters
    ----------
    level : float
        The level of subtopic recall, in (0, 1].

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
            The lists; the judged documents are those of its pool or, if it is None, its own.

        Returns
        -------
        numpy.ndarray
            The number for each topic, (topic, 1, 1, 1), int64; 0 if no intent has a relevant document.
        """
        pool = batch if batch.pool is None else batch.pool
        covered = (pool.present & pool.relevant.any(axis=(1, 3))).sum(axis=1)
        return np.ceil(self.level * covered - TIE_TOLERANCE).astype(np.int64)[:, None, None, None]

    def examination_probability(self, batch: Batch) -> np.ndarray:
        """Return, as bool (topic, run, 1, rank), whether the documents above do not reach the level yet."""
        seen, new = self._intents(batch)
        return np.asarray(seen - new < self.needed(batch))

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"level reached": bool (topic, run, 1, rank), "share of the new intents": 1/n, or 0}.

        The shares are (topic, run, intent, rank).
        """
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
    """1 / (k + a n_k): the inverse of the cost of reading the first k documents.

    The values are (topic, run, 1, rank). n_k is the number of intents that a document is relevant to, summed
    over the first k documents. So an intent counts once for each of its documents, and redundant documents
    cost more.

    Parameters
    ----------
    a : float
        The cost of one intent in a document, compared with the cost of the document itself.

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
        """Return {"1 / cost": 1 / (k + a n_k), (topic, run, 1, rank)}."""
        subtopics = np.cumsum(batch.relevant.sum(axis=2, keepdims=True), axis=-1)
        return {"1 / cost": 1 / (batch.ranks + self.a * subtopics)}


@dataclass(frozen=True)
class BestSoFar(Utility):
    """max(0, v(g_k) - max_{j<k} v(g_j)): what a document adds to the best one above it.

    The values are (topic, run, intent, rank). Their sum down to rank k is the best v(g) of the first k
    documents, so a list of sentences earns as much as the whole answer.

    Parameters
    ----------
    v : Gain, Credit or AtLeast
        The map from grades to values; with AtLeast, the first document that reaches the level earns 1.

    Raises
    ------
    DivmetricsError
        If `v` is no part or other function.

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
        """Compute 1, or with AtLeast: 1 while no document above reaches the level, then 0.

        The result broadcasts to (topic, run, intent, rank).
        """
        if isinstance(self.v, AtLeast):  # a nugget is read until it is covered
            return 1 - exclusive_cummax(self.v(batch))
        return super().examination_probability(batch)

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"gain over the best above": the utility, (topic, run, intent, rank)}."""
        value = self.v(batch)
        return {"gain over the best above": np.maximum(value - exclusive_cummax(value), 0)}


@dataclass(frozen=True)
class RelevantSoFar(Utility):
    """c_k: the number of the intent's relevant documents up to and including rank k (AP).

    The numbers are (topic, run, intent, rank), also at ranks whose document is not relevant.

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
        """Return {"relevant so far": c_k, int32 (topic, run, intent, rank)}."""
        return {"relevant so far": np.cumsum(batch.relevant, axis=-1, dtype=np.int32)}


@dataclass(frozen=True)
class Cascade(Utility):
    """R(g_k) prod_{j<k} (1 - R(g_j)): the probability that this document is the first to satisfy the user.

    The probabilities are (topic, run, intent, rank).

    Parameters
    ----------
    R : Satisfaction or GainRatio
        The probability that a document of a grade satisfies the user.

    Raises
    ------
    DivmetricsError
        If `R` is no part or other function.

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
        """Compute prod_{j<k} (1 - R(g_j)), the share of users whom no document above satisfied.

        The shares are (topic, run, intent, rank).
        """
        return self.factors(batch)["readers still unsatisfied"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"chance to satisfy": R(g_k), "readers still unsatisfied": the product over j < k}.

        Both are (topic, run, intent, rank).
        """
        stop = self.R(batch)
        return {"chance to satisfy": stop, "readers still unsatisfied": exclusive_cumprod(1 - stop)}


@dataclass(frozen=True)
class Novelty(Utility):
    """I(g) (1-alpha)^c: what a document adds below c relevant documents of the intent.

    I(g) is 1 for a relevant document, else 0; 0^0 is 1. The values are (topic, run, intent, rank).

    Parameters
    ----------
    alpha : float
        The share in [0, 1] of its value that an intent loses with each relevant document.

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
        """Compute (1-alpha)^c: the share of users left, if alpha of them stop at each relevant document.

        The shares are (topic, run, intent, rank).
        """
        return self.factors(batch)["novelty"]

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"relevant": I(g) as bool, "novelty": (1-alpha)^c}, both (topic, run, intent, rank)."""
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

    For each intent, C(k) is the number of relevant documents down to rank k, cg(k) the sum of their gains,
    and cg*(k) the same sum for the intent's ideal list: its judged documents by decreasing gain. The ratios
    are (topic, run, intent, rank). Scoring a batch without pool raises DivmetricsError.

    Parameters
    ----------
    gain : Gain
        The map from grades to gains: Linear() or Exponential().
    beta : float
        The weight of gains, compared with the number of relevant documents.

    Raises
    ------
    DivmetricsError
        If `beta` is negative, or `gain` is no part or other function.

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
            The sum for each intent and rank, (topic, run, intent, rank).
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
            The sum for each intent and rank, (topic, 1, intent, rank), or (topic, run, intent, rank) if
            documents are left out of the lists.

        Raises
        ------
        DivmetricsError
            If the batch has no pool of judged documents.
        """
        ideal = np.cumsum(self.gain(sorted_per_intent(batch.judged, batch.depth)), axis=-1)
        return batch.ranks + self.beta * ideal

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"blended ratio": BR(k), (topic, run, intent, rank)}."""
        return {"blended ratio": self.numerator(batch) / self.denominator(batch)}


Cost = Annotated[float, Setting("what reading one rank costs", 0, usual=(0, 0.1, 0.005))]
Charged = Annotated[Literal["cutoff", "documents"], Setting("how far down it is charged")]


@dataclass(frozen=True)
class Effort(Utility):
    """e: the cost of reading one rank, to be subtracted from another utility (`Relevant() - Effort()`).

    Every intent is charged e at every rank, so that weights f that sum to 1 charge e per rank in total. The
    costs are (1, 1, 1, rank), or (topic, run, 1, rank) if they depend on the length of the list.

    Parameters
    ----------
    e : float
        The cost of one rank, at least 0, in the unit of the utility that it is subtracted from.
    charged : {'cutoff', 'documents'}
        Charge at every rank down to the "cutoff", which the metric then needs, also below the end of a list;
        or only where the list has "documents".

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
        """Whether effort is charged down to the cutoff."""
        return self.charged == "cutoff"

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return {"effort": e, or 0 where nothing is charged}; it broadcasts to (topic, run, 1, rank)."""
        where = batch.listed if self.charged == "documents" else np.ones((1, 1, 1, batch.depth))
        return {"effort": self.e * where}


@dataclass(frozen=True)
class ByKind(_Combined):
    """One utility for informational intents, another for navigational ones.

    The values are (topic, run, intent, rank).

    Parameters
    ----------
    informational, navigational : Utility
        The utilities of documents for intents of the two kinds.

    Raises
    ------
    DivmetricsError
        If a utility is no part or other function.

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
        """Compute that of the utility for each intent's kind, (topic, run, intent, rank)."""
        navigational = batch.navigational[:, None, :, None]
        return np.where(
            navigational,
            self.navigational.examination_probability(batch),
            self.informational.examination_probability(batch),
        )

    def factors(self, batch: Batch) -> Mapping[str, np.ndarray]:
        """Return the factors of both, {name: (topic, run, intent, rank)}; 1 where a kind lacks one."""
        navigational = batch.navigational[:, None, :, None]
        inf, nav = self.informational.factors(batch), self.navigational.factors(batch)
        return {
            name: np.where(navigational, nav.get(name, 1.0), inf.get(name, 1.0)) for name in {**inf, **nav}
        }
