"""N: what a sum is divided by. The ideal list lives here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.checks import check_choice
from divmetrics.core.ideal import Ties, exact_value, greedy_order, in_order, sorted_order, sorted_per_intent
from divmetrics.core.parts.part import Part, set_formula
from divmetrics.core.parts.setting import Alpha, Beta, Phi, Setting
from divmetrics.core.parts.utility import Utility
from divmetrics.core.parts.weights import IntentsThatCount, count_intents
from divmetrics.core.protocols import MetricRow, UtilityLike


Counted = Annotated[Literal["l", "R", "min"], Setting("the cutoff, the relevant documents, or the smaller")]


@dataclass(frozen=True)
class Count(Part):
    """l, R (the intent's relevant judged documents), or the smaller of the two ("min")."""

    of: Counted = "l"

    ignores_nonrelevant: ClassVar[bool] = True

    @property
    def text(self) -> str:  # type: ignore[override]
        return "min(l, R)" if self.of == "min" else self.of

    @property
    def user_model(self) -> str:  # type: ignore[override]
        relevant = "the number of relevant documents"
        whole = {"l": "the cutoff", "R": relevant, "min": f"{relevant}, or by the cutoff where that is less"}
        return f"the sum is divided by {whole[self.of]}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return {"l": "l", "R": "R_i", "min": r"\min(l,R_i)"}[self.of]

    @property
    def needs_cutoff(self) -> bool:  # type: ignore[override]
        return self.of == "l"

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        if self.of == "l":
            return np.full((1, 1, 1, 1), float(row.cutoff or view.depth))
        relevant = view.judged.relevant.sum(axis=-1, keepdims=True).astype(float)
        return relevant if self.of == "R" or row.cutoff is None else np.minimum(relevant, row.cutoff)


@set_formula("C(rp)", "C_i(rp)")
@dataclass(frozen=True)
class RelevantRetrieved(Part):
    """C: relevant documents in the list itself, down to where the reader stops (P+)."""

    ignores_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = "the sum is divided by the number of relevant documents that they have read"

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        return view.relevant.sum(axis=-1, keepdims=True).astype(float)


Per = Literal["intent", "topic"]
IDEAL = Setting("how the ideal list is found", words=("greedy", "exact"))


class Ideal(Part):
    """The same row on an ideal list of judged documents; no run changes it, so a pool works it out once."""

    ignores_nonrelevant: ClassVar[bool] = True

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        pool = view.judged
        return pool.memoize((self, row.f, row.w, row.M, row.cutoff), lambda: self.value(pool, row))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        """What the row's sum is on the ideal list, broadcasting to (topic, 1, intent, 1)."""
        raise NotImplementedError


class RankedIdeal(Ideal):
    """One whose list is written down, for the topic or for each of its intents."""

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        """The topic's list as positions in the pool, (topic, rank); None where every intent has its own."""
        raise NotImplementedError

    def utility(self, row: MetricRow) -> UtilityLike:
        """What a document adds on the ideal list: as in the row."""
        return row.M

    def best(self, pool: Batch, row: MetricRow) -> Batch:
        """The list as a one-run View."""
        order = self.order(pool, row)
        if order is not None:
            return in_order(pool, order)
        return sorted_per_intent(pool, pool.depth if row.cutoff is None else min(pool.depth, row.cutoff))

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        best, utility = self.best(pool, row), self.utility(row)
        if self.order(pool, row) is None:
            return np.sum(row.w(best) * utility(best), axis=-1, keepdims=True)
        return np.sum(row.w(best) * row.f(best) * utility(best), axis=(2, 3), keepdims=True)


@dataclass(frozen=True)
class SortedIdeal(RankedIdeal):
    """The same row on the list of judged documents in decreasing gain, cut at l.

    per="intent": every intent has its own ideal list and divides by its own value (nDCG-IA);
    per="topic": one list for everybody, sorted by global gain sum_i f(t_i) M_i (D-nDCG), which takes an M
    that is free of history: M_i is what a document earns on a list of its own. M: the utility on the ideal
    list where it is not the row's own.
    """

    per: Per = "intent"
    M: Utility | None = None

    def __post_init__(self) -> None:
        check_choice("per", self.per, get_args(Per))

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"the sum over the {'intent' if self.per == 'intent' else 'topic'}'s ideal list"

    @property
    def latex(self) -> str:  # type: ignore[override]
        name = r"\text{ideal}" + ("_i" if self.per == "intent" else "")
        return name if self.M is None else rf"{name}\text{{ of }}{self.M.latex}"

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return f"the sum is divided by that of the {self.per}'s ideal list"

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray | None:
        if self.per == "intent":
            return None
        order = sorted_order(pool, self.utility(row), row.f)
        return order if row.cutoff is None else order[:, : row.cutoff]

    def utility(self, row: MetricRow) -> UtilityLike:
        return self.M or row.M


TieOrder = Annotated[Ties, Setting("the order of document ids in which ties are broken")]


@set_formula("the same sum over the greedy ideal list", r"\text{greedy ideal}")
@dataclass(frozen=True)
class GreedyIdeal(RankedIdeal):
    """The same row on a list built greedily: at each rank the judged document that adds most.

    Ties go to the first document id in ascending (or descending) order: the direction can change the value.
    """

    ties: TieOrder = "ascending"
    word: ClassVar[str] = "greedy"
    parameter: ClassVar[str] = "ideal"
    choice: ClassVar[Setting] = IDEAL

    user_model: ClassVar[str] = "the sum is divided by that of a list built greedily"

    def order(self, pool: Batch, row: MetricRow) -> np.ndarray:
        return greedy_order(pool, row, self.ties, row.cutoff)


Seconds = Annotated[float, Setting("seconds to wait for a topic's best list", 0, ends="()", usual=(1, 60, 1))]


@set_formula("the same sum over the best list there is", r"\text{best list}")
@dataclass(frozen=True)
class ExactIdeal(Ideal):
    """The same row on the list that is truly best; alpha-nDCG can then never exceed 1.

    time_limit: seconds that one waits for a topic and a cutoff, by the clock on the wall: beside other work
    fewer lists are proved. A step of the search that has begun is ended, which takes a second on the largest
    topics. A topic whose list is not proved best by then is named in a warning, with how much better a list
    could still be. Of random topics of 200 documents, all with up to 20 intents are proved at cutoff 10 in a
    second, and nearly all at 20 in 5 seconds. With 60 intents all are proved at cutoff 5, most at 10 and none
    at 20, where after 5 seconds another list could be better by up to 0.3%.
    """

    time_limit: Seconds = 30.0
    user_model: ClassVar[str] = "the sum is divided by that of the best list there is"
    word: ClassVar[str] = "exact"
    parameter: ClassVar[str] = "ideal"
    choice: ClassVar[Setting] = IDEAL

    def value(self, pool: Batch, row: MetricRow) -> np.ndarray:
        return exact_value(pool, row, self.time_limit)


@set_formula("sum_{k<=l} m (1 - alpha)^{k-1} w(k)", r"\sum_{k\le l} m\,(1-\alpha)^{k-1}w(k)")
@dataclass(frozen=True)
class UpperBound(Part):
    """sum_{k<=l} m (1-alpha)^(k-1) w(k): a document relevant to every intent at every rank (ndeval)."""

    alpha: Alpha = 0.5
    intents: IntentsThatCount = "all"

    user_model: ClassVar[str] = (
        "the sum is divided by that of a list whose every document serves every intent"
    )
    needs_cutoff: ClassVar[bool] = True

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        # Of no topic, so that only ranks are made down to a cutoff far below the lists.
        to_cutoff = view.pick(np.zeros(0, dtype=np.int64)).cut(row.cutoff or view.depth)
        gain = (1.0 - self.alpha) ** (to_cutoff.ranks - 1)
        return count_intents(view, self.intents) * np.sum(gain * row.w(to_cutoff), axis=-1, keepdims=True)


@set_formula("m / (1 - (1 - alpha) beta)", r"\dfrac{m}{1-(1-\alpha)\beta}")
@dataclass(frozen=True)
class UpperBoundInfinite(Part):
    """m / (1 - (1-alpha) beta): a document relevant to every intent at every rank, for ever (Clarke 2009)."""

    alpha: Alpha = 0.5
    beta: Beta = 0.5
    intents: IntentsThatCount = "all"

    ignores_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = (
        "the sum is divided by that of an endless list whose every document serves every intent"
    )

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        return count_intents(view, self.intents) / (1 - (1 - self.alpha) * self.beta)


@set_formula("phi/(1 - phi)", r"\dfrac{\phi}{1-\phi}")
@dataclass(frozen=True)
class GeometricTotal(Part):
    """phi / (1 - phi) = sum_k phi^k: puts RBU on the scale of its authors' program."""

    phi: Phi = 0.99

    ignores_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = (
        "the sum is divided by the number of ranks that readers would reach if nothing satisfied them"
    )

    def __call__(self, view: Batch, row: MetricRow) -> np.ndarray:
        return np.full((1, 1, 1, 1), self.phi / (1 - self.phi))
