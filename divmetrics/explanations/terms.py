"""Every contribution as the product it is: what f, w, the pieces of M and N come to, each with a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.collection import Intent
from divmetrics.core.merging import split_by_intent
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import One


@dataclass(frozen=True)
class FactoredContribution:
    """What one intent earned at one rank: `value` = the factors multiplied, over `divisor` if there is one.

    place: the intent's place in the View of its term; rank: from 0; gain: the View's linear gain there;
    factors: (a word for it, its value). A plain 1 is left out.
    """

    place: int
    rank: int
    gain: float
    value: float
    factors: tuple[tuple[str, float], ...]
    divisor: float | None

    def __str__(self) -> str:
        shown = " x ".join(f"{name} {value:.4g}".strip() for name, value in self.factors)
        return shown if self.divisor is None else f"{shown} / {self.divisor:.4g}"


@dataclass(frozen=True)
class Term:
    """A part of a metric whose contributions are plain products; the terms of a metric sum to its score.

    names: of the intents in `view`; headings: what it stands under, outermost first; measure: what the
    linear gains are; intent: the place of the first-level intent that it speaks of alone, in an intent-square
    metric, and of_intent the heading that says so; merged: the topic's intents are one here, and share what a
    document earns: shared, (intent, rank), says how.
    """

    metric: BaseMetric
    view: Batch
    topic: int
    names: Sequence[str]
    factor: float = 1.0
    headings: tuple[str, ...] = ()
    measure: str = "grade"
    intent: int | None = None
    merged: bool = False
    of_intent: str = ""
    shared: np.ndarray | None = None

    @property
    def depth(self) -> int:
        """How many ranks the term looks at."""
        return max(row.truncate(self.view).depth for row, _ in _rows_by_kind(self.metric, self.view))

    def readings(self) -> Iterator[RowOnBatch]:
        """The rows of the term as they read its list."""
        for row, navigational in _rows_by_kind(self.metric, self.view):
            kinds = self.view.navigational[self.topic, : len(self.names)]
            whose = np.ones(kinds.shape, dtype=bool) if navigational is None else kinds == navigational
            yield RowOnBatch(self, row, np.flatnonzero(whose), row.truncate(self.view))

    def products(self) -> Iterator[FactoredContribution]:
        """Those that are not 0."""
        for reading in self.readings():
            row, earned, factors = reading.row, reading.earned, reading.factors
            divisors = reading.divisor
            for i in reading.intents.tolist():
                for k in np.flatnonzero(earned[i]).tolist():
                    told = [] if self.factor == 1 else [("", self.factor)]
                    told += [(name, float(v[i, k])) for name, v in factors.items()]
                    gain = float(self.view.linear[self.topic, 0, i, k]) if k < self.view.depth else 0.0
                    divisor = None if isinstance(row.N, One) else float(divisors[i, k])
                    yield FactoredContribution(i, k, gain, float(earned[i, k]), tuple(told), divisor)


@dataclass(frozen=True)
class RowOnBatch:
    """A row as it reads the list of a term. Every number is (intent, rank); intents: those it speaks for.

    view: the lists, cut and stopped as the row reads them.
    """

    term: Term
    row: Metric
    intents: np.ndarray
    view: Batch

    @property
    def earned(self) -> np.ndarray:
        """The contributions, the term's own weight included."""
        return self.contributions_of(self.row)

    def contributions_of(self, row: Metric, view: Batch | None = None) -> np.ndarray:
        """Those of another row on the same list, or on another View of it."""
        return self.term.factor * row.contributions(view or self.term.view)[self.term.topic, 0]

    @property
    def factors(self) -> dict[str, np.ndarray]:
        """What f, w and the pieces of M come to, by a word for it; a plain 1 is left out."""
        row, read = self.row, self.view
        weights = {
            word: part(read)
            for word, part in (("weight", row.f), ("discount", row.w))
            if not isinstance(part, One)
        }
        return {word: self.whole(values) for word, values in {**weights, **row.M.factors(read)}.items()}

    @property
    def divisor(self) -> np.ndarray:
        """N."""
        return self.whole(self.row.N(self.view, self.row))

    def whole(self, values: np.ndarray, further: int = 0) -> np.ndarray:
        """A column or a piece of it for the one list; `further`: of so many ranks more."""
        shape = self.view.linear.shape
        return np.broadcast_to(values, (*shape[:3], shape[3] + further))[self.term.topic, 0]


def _rows_by_kind(metric: BaseMetric, view: Batch) -> list[tuple[Metric, bool | None]]:
    """Return each row with its intents: True for navigational ones, False for the others, None for all."""
    if isinstance(metric, ByIntentType):
        return [(metric.informational, False), (metric.navigational, True)]
    return [(row, None) for row, _ in metric.rows(view)]


def terms(metric: BaseMetric, view: Batch, intents: Sequence[Intent]) -> Iterator[Term]:
    """The terms of a metric for the one list of a View; `intents` are those of its topic."""
    yield from _split(metric, Term(metric, view, 0, [intent_caption(intent) for intent in intents]), intents)


@singledispatch
def _split(metric: BaseMetric, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    """The terms of one that stands for all of `metric`; by default itself."""
    yield whole


@_split.register
def _of_sum(metric: WeightedSum, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    for weight, term in metric.terms:
        headings = (*whole.headings, f"{weight} = {weight():.4g}, times {term}:")
        inner = replace(whole, metric=term, factor=whole.factor * weight(), headings=headings)
        yield from _split(term, inner, intents)


@_split.register
def _of_square(metric: IntentSquare, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    grouped = split_by_intent(whole.view, metric.leaf)
    for i, intent in enumerate(intents):
        heading = f"{whole.names[i]}, weight {intent.probability:.4g}:"
        below = Term(
            metric.metric,
            grouped,
            i,
            [intent_caption(child) for child in intent.children] or [whole.names[i]],
            whole.factor * intent.probability,
            (*whole.headings, heading),
            intent=i,
            of_intent=heading,
        )
        yield from _split(metric.metric, below, intents)


@_split.register
def _of_collapsed(metric: Collapsed, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    measure = "pseudo ad hoc grade" if metric.collapse == "ad hoc" else "global gain"
    shared = metric.shares(whole.view)[whole.topic, 0]
    merged = replace(whole, metric=metric.row, view=metric.merged(whole.view), merged=True, shared=shared)
    yield replace(merged, names=["all intents"] if len(whole.names) > 1 else whole.names, measure=measure)


def intent_caption(intent: Intent) -> str:
    """An intent's id with what it means, cut short."""
    label = intent.label if len(intent.label) <= 44 else intent.label[:41] + "..."
    return f"{intent.id} ({label})" if label and label != intent.id else intent.id
