"""NTCIREVAL's numbers to the last printed digit.

The program's steps talk through text: the global gains of a list are written with four decimals and those of
the ideal list with six significant digits, and IA, P+Q and # forms are sums of numbers that have already
been rounded to four decimals. Plain arithmetic differs by up to 0.0002. `as_printed` imitates the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.merging import global_gain
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, Metric, WeightedSum
from divmetrics.core.parts import GAINS, Graded, Log2, Probability, SortedIdeal


@singledispatch
def as_printed(metric: BaseMetric) -> BaseMetric:
    """The metric as NTCIREVAL would print it: every step rounded where the program rounds.

    Contributions are scaled so that they still add up to the score.
    """
    return _rounded(metric, metric)


@as_printed.register
def _(metric: WeightedSum) -> BaseMetric:
    terms = tuple((weight, as_printed(term)) for weight, term in metric.terms)
    return _rounded(_PrintedTerms(metric.name, terms, cutoff=metric.cutoff), metric)


@as_printed.register
def _(metric: Metric) -> BaseMetric:
    if metric.name in ("D-nDCG", "DIN-nDCG"):
        # The same number, computed on the merged gains that the program writes down.
        return as_printed(_merged_nDCG(metric))
    return _by_intent(metric) if metric.f == Probability() else _rounded(metric, metric)


@as_printed.register
def _(metric: Collapsed) -> BaseMetric:
    if metric.collapse == "ad hoc":
        return _rounded(metric, metric)
    return _rounded(_PrintedGains(metric.name, metric.row, metric.collapse, cutoff=metric.cutoff), metric)


@as_printed.register(ByIntentType)
def _by_intent(metric: BaseMetric) -> BaseMetric:
    return _rounded(_PrintedIntents(metric.name, metric, cutoff=metric.cutoff), metric)


def _merged_nDCG(metric: Metric) -> Collapsed:
    gain = GAINS[str(metric.parameters()["gain"])]
    row = Metric("nDCG", SortedIdeal("intent"), Probability(), Log2(), Graded(gain), cutoff=metric.cutoff)
    return Collapsed(metric.name, row, "D" if metric.name == "D-nDCG" else "DIN", **_said_of(metric))


def _rounded(inner: BaseMetric, metric: BaseMetric) -> BaseMetric:
    return _Printed(metric.name, inner, **_said_of(metric))


def _said_of(metric: BaseMetric) -> dict[str, Any]:
    """What a metric is asked for with, beside its name."""
    return {name: getattr(metric, name) for name in ("cutoff", "source", "given", "convention")}


@dataclass(frozen=True)
class _Printed(BaseMetric):
    """A score with four decimals."""

    metric: BaseMetric

    def scores(self, view: Batch) -> np.ndarray:
        return _text(self.metric.scores(view), "%.4f")

    def contributions(self, view: Batch) -> np.ndarray:
        return _scaled(self.metric.contributions(view), self.scores(view)[:, :, None, None], axis=(2, 3))


@dataclass(frozen=True)
class _PrintedIntents(BaseMetric):
    """Every intent's own score with four decimals, before the intents are weighted and added."""

    metric: BaseMetric

    def _of_intents(self, view: Batch) -> np.ndarray:
        """(topic, run, intent)."""
        weight = np.broadcast_to(view.probability[:, None], view.linear.shape[:3])
        total = self.metric.contributions(view).sum(axis=3)
        own = np.divide(total, weight, out=np.zeros(total.shape), where=weight != 0)
        printed: np.ndarray = _text(own, "%.4f") * weight
        return printed

    def scores(self, view: Batch) -> np.ndarray:
        # One intent after the other, as the program adds: the last digit can hang on it.
        return np.cumsum(self._of_intents(view), axis=2)[:, :, -1]

    def contributions(self, view: Batch) -> np.ndarray:
        return _scaled(self.metric.contributions(view), self._of_intents(view)[..., None], axis=3)


@dataclass(frozen=True)
class _PrintedTerms(WeightedSum):
    """A weighted sum of numbers that were printed first."""

    def scores(self, view: Batch) -> np.ndarray:
        return np.asarray(sum(weight() * term.scores(view) for weight, term in self.terms))


@dataclass(frozen=True)
class _PrintedGains(Collapsed):
    """Global gains with four decimals in the list; six digits in their terms and in the ideal list."""

    def merged(self, view: Batch) -> Batch:
        judged = view.judged
        pool = judged.memoize("as printed", lambda: _with_digits(global_gain(_terms(judged)), "%.6g"))
        merged = global_gain(replace(_terms(view), pool=None), self.collapse == "DIN")
        return replace(_with_digits(_with_digits(merged, "%.6g"), "%.4f"), pool=pool)


def _terms(view: Batch) -> Batch:
    """A View whose gains are the terms p_i gain_i, six digits each: their plain sum is the global gain."""
    p = view.probability[:, None, :, None]
    linear, exponential = (_text(p * gain, "%.6g") for gain in (view.linear, view.exponential))
    terms = view.with_gains(linear, exponential, view.relevant)
    return replace(terms, probability=np.ones_like(view.probability))


def _with_digits(view: Batch, digits: str) -> Batch:
    return view.with_gains(_text(view.linear, digits), _text(view.exponential, digits), view.relevant)


def _scaled(earned: np.ndarray, printed: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    """Contributions in the same proportions that add up to the printed score."""
    total = earned.sum(axis=axis, keepdims=True)
    return earned * np.divide(printed, total, out=np.zeros(total.shape), where=total != 0)


def _text(x: np.ndarray, digits: str) -> np.ndarray:
    """Numbers as the program would write and read them again."""
    values, place = np.unique(x, return_inverse=True)
    return np.array([float(digits % value) for value in values.tolist()])[place].reshape(x.shape)
