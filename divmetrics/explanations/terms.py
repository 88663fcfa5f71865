"""Contributions as products of named factors: the values of f, w, the factors of M, and 1/N."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.merging import split_by_intent
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import One
from divmetrics.core.topics import Intent
from divmetrics.errors import shorten


@dataclass(frozen=True)
class FactoredContribution:
    """The contribution of one intent at one rank: the product of the factors, divided by `divisor` if any.

    `intent_index` is the index of the intent in the batch of the term, `rank` counts from 0, `gain` is the
    linear gain, and `factors` holds (name, value) of each factor whose part is not the constant 1; the weight
    of merged intents is one of them.
    """

    intent_index: int
    rank: int
    gain: float
    value: float
    factors: tuple[tuple[str, float], ...]
    divisor: float | None

    def __str__(self) -> str:
        product = " x ".join(f"{name} {value:.4g}".strip() for name, value in self.factors)
        return product if self.divisor is None else f"{product} / {self.divisor:.4g}"


@dataclass(frozen=True)
class Term:
    """A summand of a metric whose contributions are products; the terms of a metric sum to its score.

    `names` are captions of the intents in `batch`, `headings` the weights above the term, outermost first,
    and `measure` names the linear gains. In an intent-square metric `intent` is the index of the only
    first-level intent of the term, and `of_intent` its heading. If `merged`, the topic's intents are one
    intent, and `shared`, (intent, rank), holds their shares of each contribution.
    """

    metric: BaseMetric
    batch: Batch
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
        """The number of ranks that the term reads."""
        return max(row.truncate(self.batch).depth for row, _ in _rows_by_kind(self.metric, self.batch))

    def rows_on_batch(self) -> Iterator[RowOnBatch]:
        """Yield each row of the term with its intents and its truncated batch."""
        for row, navigational in _rows_by_kind(self.metric, self.batch):
            kinds = self.batch.navigational[self.topic, : len(self.names)]
            chosen = np.ones(kinds.shape, dtype=bool) if navigational is None else kinds == navigational
            yield RowOnBatch(self, row, np.flatnonzero(chosen), row.truncate(self.batch))

    def factored_contributions(self) -> Iterator[FactoredContribution]:
        """Yield the contributions that are not 0, row by row, then intent by intent, rank by rank."""
        for reading in self.rows_on_batch():
            row, earned, factors = reading.row, reading.earned, reading.factors
            divisors = reading.divisor
            for i in reading.intents.tolist():
                for k in np.flatnonzero(earned[i]).tolist():
                    named = [] if self.factor == 1 else [("", self.factor)]
                    named += [(name, float(v[i, k])) for name, v in factors.items()]
                    gain = float(self.batch.linear[self.topic, 0, i, k]) if k < self.batch.depth else 0.0
                    divisor = None if isinstance(row.N, One) else float(divisors[i, k])
                    yield FactoredContribution(i, k, gain, float(earned[i, k]), tuple(named), divisor)


@dataclass(frozen=True)
class RowOnBatch:
    """A row of a term on the batch that it reads; all numbers have the shape (intent, rank).

    `intents` are the indices of the intents that the row applies to; `view` is the batch, truncated at the
    row's cutoff and stop.
    """

    term: Term
    row: Metric
    intents: np.ndarray
    view: Batch

    @property
    def earned(self) -> np.ndarray:
        """The contributions, including the weight of the term."""
        return self.contributions_of(self.row)

    def contributions_of(self, row: Metric, batch: Batch | None = None) -> np.ndarray:
        """Return the contributions of `row` on `batch`, by default the term's, (intent, rank)."""
        return self.term.factor * row.contributions(batch or self.term.batch)[self.term.topic, 0]

    @property
    def factors(self) -> dict[str, np.ndarray]:
        """The values of f, w and the factors of M by name, without constants 1."""
        row, batch = self.row, self.view
        weights = {
            name: part(batch)
            for name, part in (("weight", row.f), ("discount", row.w))
            if not isinstance(part, One)
        }
        return {name: self.broadcast(values) for name, values in {**weights, **row.M.factors(batch)}.items()}

    @property
    def divisor(self) -> np.ndarray:
        """The values of the normaliser N."""
        return self.broadcast(self.row.N(self.view, self.row))

    def broadcast(self, values: np.ndarray, further: int = 0) -> np.ndarray:
        """Broadcast a part's values to the one list, (intent, rank), with `further` extra ranks."""
        shape = self.view.linear.shape
        return np.broadcast_to(values, (*shape[:3], shape[3] + further))[self.term.topic, 0]


def _rows_by_kind(metric: BaseMetric, batch: Batch) -> list[tuple[Metric, bool | None]]:
    """Return each row with True for navigational intents, False for informational ones, None for all."""
    if isinstance(metric, ByIntentType):
        return [(metric.informational, False), (metric.navigational, True)]
    return [(row, None) for row, _ in metric.rows(batch)]


def terms(metric: BaseMetric, batch: Batch, intents: Sequence[Intent]) -> Iterator[Term]:
    """Yield the terms of a metric for the only list of a batch; `intents` are those of its topic."""
    yield from _split(metric, Term(metric, batch, 0, [intent_caption(intent) for intent in intents]), intents)


@singledispatch
def _split(metric: BaseMetric, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    """Split a term that represents all of `metric` into terms; by default it is not split."""
    yield whole


@_split.register
def _of_sum(metric: WeightedSum, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    for weight, term in metric.terms:
        headings = (*whole.headings, f"{weight} = {weight():.4g}, times {term}:")
        inner = replace(whole, metric=term, factor=whole.factor * weight(), headings=headings)
        yield from _split(term, inner, intents)


@_split.register
def _of_square(metric: IntentSquare, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    grouped = split_by_intent(whole.batch, metric.leaf)
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
    shared = metric.shares(whole.batch)[whole.topic, 0]
    merged = replace(whole, metric=metric.row, batch=metric.merged(whole.batch), merged=True, shared=shared)
    yield replace(merged, names=["all intents"] if len(whole.names) > 1 else whole.names, measure=measure)


def intent_caption(intent: Intent) -> str:
    """Return the id of an intent, followed by its label, shortened to 44 characters, in parentheses."""
    label = shorten(intent.label, 44)
    return f"{intent.id} ({label})" if label and label != intent.id else intent.id
