"""Every contribution as the product it is: what f, w, the pieces of M and N come to, each with a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from divmetrics.core.collection import Intent
from divmetrics.core.merging import per_group
from divmetrics.core.metric import BaseMetric, Collapsed, IntentSquare, WeightedSum
from divmetrics.core.parts import One
from divmetrics.core.views import View


@dataclass(frozen=True)
class Product:
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
    metric; merged: the topic's intents are one here, and share what a document earns.
    """

    metric: BaseMetric
    view: View
    topic: int
    names: Sequence[str]
    factor: float = 1.0
    headings: tuple[str, ...] = ()
    measure: str = "grade"
    intent: int | None = None
    merged: bool = False

    @property
    def depth(self) -> int:
        """How many ranks the term looks at."""
        return max(row.prepared(self.view).depth for row, _ in self.metric.rows_by_kind(self.view))

    def products(self) -> Iterator[Product]:
        """Those that are not 0."""
        for row, navigational in self.metric.rows_by_kind(self.view):
            read = row.prepared(self.view)
            earned = row.contributions(self.view)[self.topic, 0]
            columns = {k: self._whole(v, read) for k, v in row.columns(read).items() if k != "M"}
            pieces = {k: self._whole(v, read) for k, v in row.M.pieces(read).items()}
            shown = {"weight": (row.f, "f"), "discount": (row.w, "w")}
            weights = {name: columns[k] for name, (part, k) in shown.items() if not isinstance(part, One)}
            for i in range(len(self.names)):
                if navigational is not None and navigational != self.view.navigational[self.topic, i]:
                    continue
                for k in np.flatnonzero(earned[i]).tolist():
                    factors = [] if self.factor == 1 else [("", self.factor)]
                    factors += [(name, float(v[i, k])) for name, v in (*weights.items(), *pieces.items())]
                    gain = float(self.view.linear[self.topic, 0, i, k]) if k < self.view.depth else 0.0
                    divisor = None if isinstance(row.N, One) else float(columns["N"][i, k])
                    yield Product(i, k, gain, self.factor * float(earned[i, k]), tuple(factors), divisor)

    def _whole(self, values: np.ndarray, read: View) -> np.ndarray:
        """A column or a piece of it for the one list, (intent, rank)."""
        return np.broadcast_to(values, read.linear.shape)[self.topic, 0]


def terms(metric: BaseMetric, view: View, intents: Sequence[Intent]) -> Iterator[Term]:
    """The terms of a metric for the one list of a View; `intents` are those of its topic."""
    yield from _split(metric, Term(metric, view, 0, [named(intent) for intent in intents]), intents)


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
    grouped = per_group(whole.view, metric.leaf)
    for i, intent in enumerate(intents):
        below = Term(
            metric.metric,
            grouped,
            i,
            [named(child) for child in intent.children] or [whole.names[i]],
            whole.factor * intent.probability,
            (*whole.headings, f"{whole.names[i]}, weight {intent.probability:.4g}:"),
            intent=i,
        )
        yield from _split(metric.metric, below, intents)


@_split.register
def _of_collapsed(metric: Collapsed, whole: Term, intents: Sequence[Intent]) -> Iterator[Term]:
    measure = "pseudo ad hoc grade" if metric.collapse == "ad hoc" else "global gain"
    merged = replace(whole, metric=metric.row, view=metric.merged(whole.view), merged=True)
    yield replace(merged, names=["all intents"], measure=measure)


def named(intent: Intent) -> str:
    """An intent's id with what it means, cut short."""
    label = intent.label if len(intent.label) <= 44 else intent.label[:41] + "..."
    return f"{intent.id} ({label})" if label and label != intent.id else intent.id
