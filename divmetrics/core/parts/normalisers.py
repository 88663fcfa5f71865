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

    Parameters
    ----------
    of : {'l', 'R', 'min'}
        The cutoff "l", the number "R" of the intent's relevant judged documents, or the smaller ("min").

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
        return self.of == "l"

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        if self.of == "l":
            return np.full((1, 1, 1, 1), float(row.cutoff or batch.depth))
        relevant = batch.judged.relevant.sum(axis=-1, keepdims=True).astype(float)
        return relevant if self.of == "R" or row.cutoff is None else np.minimum(relevant, row.cutoff)


@dataclass(frozen=True)
class TotalWeight(Part):
    """sum_i f(t_i): the total weight of the topic's intents, also of intents without a relevant document.

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
    """C: the number of relevant documents in the list, down to the rank where the user stops (P+).

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

    Novelty divided by this sum is the probability that the user stops at each relevant document.

    Parameters
    ----------
    alpha : float
        Share in [0, 1] of the users still reading who stop at a relevant document, as in Novelty.

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
    """The sum of f w M on an ideal list of judged documents.

    The list does not depend on the runs, so the sum is computed once for each pool of judged documents.
    """

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, batch: Batch, row: MetricRow) -> np.ndarray:
        pool = batch.judged
        return pool.memoize((self, row.f, row.w, row.M, row.cutoff), lambda: self.value(pool, row))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """Compute the sum of f w M on the ideal list.

        Parameters
        ----------
        pool : Batch
            The judged documents.
        row : MetricRow
            The metric that is normalised: its f, w, M and cutoff.

        Returns
        -------
        numpy.ndarray
            Broadcasts to (topic, 1, intent, 1).
        """
        raise NotImplementedError


class RankedIdeal(Ideal):
    """An ideal that constructs its list, for the topic or for each of its intents."""

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        """Return the ideal list of each topic.

        Parameters
        ----------
        pool : Batch
            The judged documents.
        row : MetricRow
            The metric that is normalised.

        Returns
        -------
        numpy.ndarray or None
            Positions in the pool, (topic, rank); None if every intent has an ideal list of its own.
        """
        raise NotImplementedError

    def utility(self, row: MetricRow) -> UtilityLike:
        """Return the utility on the ideal list: by default the metric's own M.

        Parameters
        ----------
        row : MetricRow
            The metric that is normalised.

        Returns
        -------
        Utility
            The utility.
        """
        return row.M

    def best(self, pool: Batch, row: MetricRow) -> Batch:
        """Return the ideal lists as a batch with one run.

        Parameters
        ----------
        pool : Batch
            The judged documents.
        row : MetricRow
            The metric that is normalised.

        Returns
        -------
        Batch
            The ideal list of each topic, or of each of its intents.
        """
        order = self.order(pool, row)
        if order is not None:
            return take_in_order(pool, order)
        return sorted_per_intent(pool, pool.depth if row.cutoff is None else min(pool.depth, row.cutoff))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
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

    Parameters
    ----------
    per : {'intent', 'topic'}
        "intent": every intent has its own ideal list and divides by its own value (nDCG-IA); "topic": one
        list for all intents, sorted by the global gain sum_i f(t_i) M_i (D-nDCG). M_i is the utility of a
        document in a list of its own, so M must not depend on the documents above.
    M : Utility or None
        Utility on the ideal list; None for the metric's own M.

    Raises
    ------
    DivmetricsError
        If `per` is none of these words.

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
        check_choice("per", self.per, get_args(Per))

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        if self.per == "intent":
            return None
        order = sorted_order(pool, self.utility(row), row.f)
        return order if row.cutoff is None else order[:, : row.cutoff]

    def utility(self, row: MetricRow) -> UtilityLike:
        return self.M or row.M


TieOrder = Annotated[Ties, Setting("the order of document ids in which ties are broken")]


@dataclass(frozen=True)
class GreedyIdeal(RankedIdeal):
    """The sum of f w M on a list that is built greedily: at each rank the judged document that adds most.

    Parameters
    ----------
    ties : {'ascending', 'descending'}
        Of tied documents, the first by id in this order is taken; the order can change the value.

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
        return greedy_order(pool, row, self.ties, row.cutoff)

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        order = greedy_order(pool, row, self.ties, ranks_that_count(pool, row))
        return _total(row, row.M, take_in_order(pool, order))


@dataclass(frozen=True)
class UpperBound(Part):
    """sum_{k<=l} m (1-alpha)^(k-1) w(k): the sum on a list whose every document serves all m intents.

    l is the cutoff, and w the metric's discount, as in ndeval.

    Parameters
    ----------
    alpha : float
        Share in [0, 1] of an intent's interest that each relevant document takes away, as in Novelty.
    intents : {'all', 'relevant'}
        "all": m counts all intents of the topic; "relevant": only those with a relevant judged document.

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

    Parameters
    ----------
    alpha : float
        Share in [0, 1] of an intent's interest that each relevant document takes away, as in Novelty.
    beta : float
        Probability in (0, 1) of going on to the next rank, as in Persistence.
    intents : {'all', 'relevant'}
        "all": m counts all intents of the topic; "relevant": only those with a relevant judged document.

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

    Parameters
    ----------
    phi : float
        Probability in (0, 1) of going on to the next rank, as in Patience.

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
