"""N: the divisor of a sum. The ideal list lives here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.checks import check_choice
from divmetrics.core.ideal import (
    Ties,
    greedy_order,
    ranks_that_count,
    sorted_order,
    sorted_per_intent,
    take_in_order,
)
from divmetrics.core.parts.part import Part
from divmetrics.core.parts.setting import Alpha, Beta, Phi, Setting
from divmetrics.core.parts.utility import Utility
from divmetrics.core.parts.weights import IntentsThatCount, count_intents
from divmetrics.core.protocols import MetricRow, UtilityLike

Counted = Annotated[Literal["l", "R", "min"], Setting("the cutoff, the relevant documents, or the smaller")]


@dataclass(frozen=True)
class Count(Part):
    """The cutoff l, the number R of the intent's relevant judged documents, or the smaller of the two.

    l is (1, 1, 1, 1), and the others (topic, 1, intent, 1), float64; they need a batch with a pool of judged
    documents, or scoring raises DivmetricsError.

    Parameters
    ----------
    of : {'l', 'R', 'min'}
        The cutoff "l", which the metric then needs; the number "R" of the intent's relevant judged documents;
        or the smaller ("min"), which is R if the metric has no cutoff.

    Raises
    ------
    DivmetricsError
        If `of` is none of these words.

    References
    ----------
    yu2017, Table 1; sakaizeng2019

    Examples
    --------
    >>> Count("min")
    Count(of='min')
    """

    of: Counted = "l"

    ignores_nonrelevant: ClassVar[bool] = True

    @property
    def needs_cutoff(self) -> bool:
        """Whether this is the cutoff l itself."""
        return self.of == "l"

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        if self.of == "l":
            return np.full((1, 1, 1, 1), float(row.cutoff or batch.depth))
        relevant = batch.judged.relevant.sum(axis=-1, keepdims=True).astype(float)
        return relevant if self.of == "R" or row.cutoff is None else np.minimum(relevant, row.cutoff)


@dataclass(frozen=True)
class TotalWeight(Part):
    """sum_i f(t_i): the total weight of the topic's intents, also of intents without a relevant document.

    The totals are (topic, 1, 1, 1).

    References
    ----------
    pradeep2025

    Examples
    --------
    >>> TotalWeight()
    TotalWeight()
    """

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        weights = np.broadcast_to(row.f(batch), (*batch.linear.shape[:3], 1))[:, :1]
        return np.sum(weights * batch.present[:, None, :, None], axis=2, keepdims=True)


@dataclass(frozen=True)
class RelevantRetrieved(Part):
    """C: the number of the intent's relevant documents in the batch, which a Metric cuts at its stop (P+).

    The numbers are (topic, run, intent, 1), float64. 0 makes the score of the intent 0.

    References
    ----------
    sakai2012

    Examples
    --------
    >>> RelevantRetrieved()
    RelevantRetrieved()
    """

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        return batch.relevant.sum(axis=-1, keepdims=True).astype(float)


@dataclass(frozen=True)
class StoppingTotal(Part):
    """sum_{j<=R} (1-alpha)^(j-1): the sum of Novelty over the intent's R relevant judged documents (NCU).

    Novelty divided by this sum is the probability that the user stops at each relevant document. The sums are
    (topic, 1, intent, 1), and 0 if R is 0; a batch without pool of judged documents raises DivmetricsError.

    Parameters
    ----------
    alpha : float
        The share in [0, 1] of the users still reading who stop at a relevant document, as in Novelty.

    Raises
    ------
    DivmetricsError
        If `alpha` is not in [0, 1].

    References
    ----------
    sakairobertson2008

    Examples
    --------
    >>> StoppingTotal(0.1)
    StoppingTotal(alpha=0.1)
    """

    alpha: Alpha = 0.05

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        relevant = batch.judged.relevant.sum(axis=-1, keepdims=True)
        weights = (1.0 - self.alpha) ** np.arange(relevant.max(initial=0))
        totals: np.ndarray = np.concatenate([[0.0], np.cumsum(weights)])[relevant]
        return totals


Per = Literal["intent", "topic"]
IDEAL = Setting("how the ideal list is found", words=("greedy", "exact"))


class Ideal(Part):
    """The base class of normalisers that are the sum of f w M on an ideal list of judged documents.

    The list does not depend on the runs, so the sum is computed once for each pool of judged documents. A
    subclass defines `value`. A batch without pool raises DivmetricsError.
    """

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        pool = batch.judged
        return pool.memoize((self, row.f, row.w, row.M, row.cutoff), lambda: self.value(pool, row))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Compute the sum of f w M on the ideal list, down to the cutoff.

        Parameters
        ----------
        pool : Batch
            The relevant judged documents, as one run (`Batch.judged`).
        row : MetricRow
            The metric that is normalised, a `Metric`: its f, w, M and cutoff count.

        Returns
        -------
        numpy.ndarray
            The sum for each topic, (topic, 1, 1, 1), or for each intent, (topic, 1, intent, 1), without its
            weight f.
        """
        raise NotImplementedError


class RankedIdeal(Ideal):
    """The base class of ideals that construct their list, for the topic or for each intent.

    A subclass defines `order`.
    """

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        """Return the ideal list of each topic, down to the metric's cutoff.

        Parameters
        ----------
        pool : Batch
            The relevant judged documents, as one run (`Batch.judged`).
        row : MetricRow
            The metric that is normalised, a `Metric`.

        Returns
        -------
        numpy.ndarray or None
            The positions in `pool`, from 0, of the documents, best first, (topic, rank); -1 after a topic's
            last document. None if every intent has an ideal list of its own.
        """
        raise NotImplementedError

    def utility(self, row: MetricRow) -> UtilityLike:
        """Return the utility whose sum is taken on the ideal list.

        Parameters
        ----------
        row : MetricRow
            The metric that is normalised, a `Metric`.

        Returns
        -------
        Utility
            By default the metric's own M.
        """
        return row.M

    def best(self, pool: Batch, row: MetricRow) -> Batch:
        """Return the ideal lists as a batch with one run, down to the metric's cutoff.

        Parameters
        ----------
        pool : Batch
            The relevant judged documents, as one run (`Batch.judged`).
        row : MetricRow
            The metric that is normalised, a `Metric`.

        Returns
        -------
        Batch
            The documents of `order`. If that is None, each intent has its own gains in decreasing order, so
            that at one rank different intents may have different documents.
        """
        order = self.order(pool, row)
        if order is not None:
            return take_in_order(pool, order)
        return sorted_per_intent(pool, pool.depth if row.cutoff is None else min(pool.depth, row.cutoff))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Compute the sum of f w `utility` on `best`, or of w `utility` if each intent has its own list."""
        best, utility = self.best(pool, row), self.utility(row)
        if self.order(pool, row) is None:
            return np.sum(row.w(best) * utility(best), axis=-1, keepdims=True)
        return _total(row, utility, best)


def _total(row: MetricRow, utility: UtilityLike, lists: Batch) -> np.ndarray:
    """Return the row's sum on each list under a utility, (topic, run, 1, 1)."""
    return np.sum(row.w(lists) * row.f(lists) * utility(lists), axis=(2, 3), keepdims=True)


@dataclass(frozen=True)
class SortedIdeal(RankedIdeal):
    """The metric's own sum on an ideal list: the judged documents by decreasing gain, down to the cutoff.

    The sums are (topic, 1, intent, 1) per intent and (topic, 1, 1, 1) per topic; scoring a batch without pool
    raises DivmetricsError.

    Parameters
    ----------
    per : {'intent', 'topic'}
        "intent": every intent has its own ideal list, by its own decreasing gain, and is divided by its own
        sum of w M (nDCG-IA). "topic": one list for all intents, sorted by the global gain sum_i f(t_i) M_i,
        and one sum of f w M (D-nDCG). M_i is the utility of a document in a list of its own, so M should not
        depend on the documents above.
    M : Utility or None
        The utility on the ideal list; None for the metric's own M.

    Raises
    ------
    DivmetricsError
        If `per` is none of these words, or `M` is neither None nor a part or other function.

    References
    ----------
    agrawal2009; sakaisong2011

    Examples
    --------
    >>> SortedIdeal("topic")
    SortedIdeal(per='topic', M=None)
    """

    per: Per = "intent"
    M: Utility | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("per", self.per, get_args(Per))

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        """Return the documents by decreasing global gain, as `RankedIdeal.order`; None per intent."""
        if self.per == "intent":
            return None
        order = sorted_order(pool, self.utility(row), row.f)
        return order if row.cutoff is None else order[:, : row.cutoff]

    def utility(self, row: MetricRow) -> UtilityLike:
        """Return `M`, or the metric's own if it is None."""
        return self.M or row.M


TieOrder = Annotated[Ties, Setting("the order of document ids in which ties are broken")]


@dataclass(frozen=True)
class GreedyIdeal(RankedIdeal):
    """The sum of f w M on a list that is built greedily: at each rank the judged document that adds most.

    The list ends at the metric's cutoff, or has all relevant judged documents. The sums are (topic, 1, 1, 1);
    a batch without a pool raises DivmetricsError. Another list may have a larger sum; `ExactIdeal` finds it.

    Parameters
    ----------
    ties : {'ascending', 'descending'}
        Of documents that add equally much, the first ("ascending") or the last one by id is taken. This can
        change the sum.

    Raises
    ------
    DivmetricsError
        If `ties` is none of these words.

    References
    ----------
    clarke2008

    Examples
    --------
    >>> GreedyIdeal()
    GreedyIdeal(ties='ascending')
    """

    ties: TieOrder = "ascending"
    word: ClassVar[str] = "greedy"
    parameter: ClassVar[str] = "ideal"
    choice: ClassVar[Setting] = IDEAL

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Return the documents as `divmetrics.core.greedy_order` picks them, as `RankedIdeal.order`."""
        return greedy_order(pool, row, self.ties, row.cutoff)

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Compute the sum of f w M on the list of `order`, (topic, 1, 1, 1), up to rounding."""
        order = greedy_order(pool, row, self.ties, ranks_that_count(pool, row))
        return _total(row, row.M, take_in_order(pool, order))


@dataclass(frozen=True)
class UpperBound(Part):
    """sum_{k<=l} m (1-alpha)^(k-1) w(k): the sum on a list whose every document serves all m intents.

    l is the cutoff, which the metric needs, and w its discount, as in ndeval. The sums are (topic, 1, 1, 1).

    Parameters
    ----------
    alpha : float
        The share in [0, 1] of its value that an intent loses with each relevant document, as in Novelty.
    intents : {'all', 'relevant'}
        "all": m counts all intents of the topic; "relevant": only those with a relevant judged document
        (scoring a batch without pool then raises DivmetricsError).

    Raises
    ------
    DivmetricsError
        If `alpha` is not in [0, 1], or `intents` is none of these words.

    References
    ----------
    ndeval

    Examples
    --------
    >>> UpperBound(intents="relevant")
    UpperBound(alpha=0.5, intents='relevant')
    """

    alpha: Alpha = 0.5
    intents: IntentsThatCount = "all"

    needs_cutoff: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        # Without topics, so that a cutoff far below the lists adds ranks but no cells.
        to_cutoff = batch.pick(np.zeros(0, dtype=np.int64)).cut(row.cutoff or batch.depth)
        gain = (1.0 - self.alpha) ** (to_cutoff.ranks - 1)
        return count_intents(batch, self.intents) * np.sum(gain * row.w(to_cutoff), axis=-1, keepdims=True)


@dataclass(frozen=True)
class UpperBoundInfinite(Part):
    """m / (1 - (1-alpha) beta): the sum on an endless list whose every document serves all m intents.

    It is the sum of m (1-alpha)^(k-1) beta^(k-1) over all ranks k, (topic, 1, 1, 1).

    Parameters
    ----------
    alpha : float
        The share in [0, 1] of its value that an intent loses with each relevant document, as in Novelty.
    beta : float
        The probability in (0, 1) of going on to the next rank, as in Persistence.
    intents : {'all', 'relevant'}
        "all": m counts all intents of the topic; "relevant": only those with a relevant judged document
        (scoring a batch without pool then raises DivmetricsError).

    Raises
    ------
    DivmetricsError
        If `alpha` is not in [0, 1], `beta` is not in (0, 1), or `intents` is none of these words.

    References
    ----------
    clarke2009

    Examples
    --------
    >>> UpperBoundInfinite()
    UpperBoundInfinite(alpha=0.5, beta=0.5, intents='all')
    """

    alpha: Alpha = 0.5
    beta: Beta = 0.5
    intents: IntentsThatCount = "all"

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        return count_intents(batch, self.intents) / (1 - (1 - self.alpha) * self.beta)


@dataclass(frozen=True)
class GeometricTotal(Part):
    """phi / (1 - phi) = sum_k phi^k: puts RBU on the scale of its authors' program.

    It is one number for all lists, (1, 1, 1, 1).

    Parameters
    ----------
    phi : float
        The probability in (0, 1) of going on to the next rank, as in Patience.

    Raises
    ------
    DivmetricsError
        If `phi` is not in (0, 1).

    References
    ----------
    amigo2018

    Examples
    --------
    >>> GeometricTotal()
    GeometricTotal(phi=0.99)
    """

    phi: Phi = 0.99

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        return np.full((1, 1, 1, 1), self.phi / (1 - self.phi))
