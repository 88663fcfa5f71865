"""NTCIREVAL's numbers to the last printed digit.

The program passes numbers from step to step as text: the global gains of a list with four decimals, those of
the ideal list with six significant digits; and IA, P+Q and # forms add up numbers already
rounded to four decimals. Exact arithmetic differs by up to 0.0002. `as_printed` imitates the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TypeVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.merging import global_gain
from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, Metric, WeightedSum
from divmetrics.core.parts import GAINS, Graded, Log2, Probability, SortedIdeal

M = TypeVar("M", bound=BaseMetric)


@public
@singledispatch
def as_printed(metric: BaseMetric) -> BaseMetric:
    """Return the metric as NTCIREVAL prints it, with every step rounded where the program rounds.

    Parameters
    ----------
    metric : BaseMetric
        A metric of the convention `ntcireval`, which is not checked.

    Returns
    -------
    BaseMetric
        A metric of the same name, whose scores have four decimals, or, for sums over intents or metrics, are
        made of numbers with four decimals. Its contributions are scaled to add up to the score.

    Raises
    ------
    DivmetricsError
        If `metric` is no metric.

    Examples
    --------
    >>> import divmetrics as dm
    >>> topic = dm.Topic("7", (dm.Intent("film", 1.0),))
    >>> ranked = dm.RankedList(topic, ["d3", "d2", "d1"], {"d1": {"film": 1}})
    >>> exact = dm.metric("ntcireval:ERR-IA@10")
    >>> round(exact.score(ranked), 6), as_printed(exact).score(ranked)
    (0.166667, 0.1667)
    """
    return _rounded(metric, metric)


@as_printed.register
def _(metric: WeightedSum) -> BaseMetric:
    terms = tuple((weight, as_printed(term)) for weight, term in metric.terms)
    return _rounded(_PrintedTerms(metric.name, terms, cutoff=metric.cutoff), metric)


@as_printed.register
def _(metric: Metric) -> BaseMetric:
    if metric.name in ("D-nDCG", "DIN-nDCG"):
        # The same number, computed on the merged gains that the program writes.
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
    merged = Collapsed(metric.name, row, "D" if metric.name == "D-nDCG" else "DIN")
    return _identified_as(metric, merged)


def _rounded(inner: BaseMetric, metric: BaseMetric) -> BaseMetric:
    return _identified_as(metric, _Printed(metric.name, inner))


def _identified_as(metric: BaseMetric, other: M) -> M:
    """Return `other` with the cutoff, source, parameters and convention of `metric`."""
    return replace(
        other,
        cutoff=metric.cutoff,
        source=metric.source,
        explicit_parameters=metric.explicit_parameters,
        convention=metric.convention,
    )


@dataclass(frozen=True)
class _Printed(BaseMetric):
    """A metric whose score is rounded to four decimals."""

    metric: BaseMetric

    def scores(self, batch: Batch) -> np.ndarray:
        return _round_as_text(self.metric.scores(batch), "%.4f")

    def contributions(self, batch: Batch) -> np.ndarray:
        return _scaled(self.metric.contributions(batch), self.scores(batch)[:, :, None, None], axis=(2, 3))


@dataclass(frozen=True)
class _PrintedIntents(BaseMetric):
    """A metric that rounds each intent's score to four decimals before it weights and adds them."""

    metric: BaseMetric

    def _of_intents(self, batch: Batch) -> np.ndarray:
        """Compute the weighted printed score of each intent, (topic, run, intent)."""
        weight = np.broadcast_to(batch.probability[:, None], batch.linear.shape[:3])
        total = self.metric.contributions(batch).sum(axis=3)
        own = np.divide(total, weight, out=np.zeros(total.shape), where=weight != 0)
        printed: np.ndarray = _round_as_text(own, "%.4f") * weight
        return printed

    def scores(self, batch: Batch) -> np.ndarray:
        # One intent after the other, as the program adds: the order can change the last digit.
        return np.cumsum(self._of_intents(batch), axis=2)[:, :, -1]

    def contributions(self, batch: Batch) -> np.ndarray:
        return _scaled(self.metric.contributions(batch), self._of_intents(batch)[..., None], axis=3)


@dataclass(frozen=True)
class _PrintedTerms(WeightedSum):
    """A weighted sum of rounded scores."""

    def scores(self, batch: Batch) -> np.ndarray:
        return np.asarray(sum(weight() * term.scores(batch) for weight, term in self.terms))


@dataclass(frozen=True)
class _PrintedGains(Collapsed):
    """A collapsed metric on printed global gains: four decimals in the list, six digits in the ideal list."""

    def merged(self, batch: Batch) -> Batch:
        judged = batch.judged
        pool = judged.memoize("as printed", lambda: _with_digits(global_gain(_terms(judged)), "%.6g"))
        merged = global_gain(replace(_terms(batch), pool=None), self.collapse == "DIN")
        return replace(_with_digits(_with_digits(merged, "%.6g"), "%.4f"), pool=pool)


def _terms(batch: Batch) -> Batch:
    """Return a batch whose gains are the terms p_i gain_i with six digits; their sums are global gains."""
    p = batch.probability[:, None, :, None]
    linear, exponential = (_round_as_text(p * gain, "%.6g") for gain in (batch.linear, batch.exponential))
    terms = batch.with_gains(linear, exponential, batch.relevant)
    return replace(terms, probability=np.ones_like(batch.probability))


def _with_digits(batch: Batch, digits: str) -> Batch:
    return batch.with_gains(
        _round_as_text(batch.linear, digits), _round_as_text(batch.exponential, digits), batch.relevant
    )


def _scaled(earned: np.ndarray, printed: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    """Scale the contributions `earned` so that they sum to the score `printed` over `axis`."""
    total = earned.sum(axis=axis, keepdims=True)
    return earned * np.divide(printed, total, out=np.zeros(total.shape), where=total != 0)


def _round_as_text(x: np.ndarray, digits: str) -> np.ndarray:
    """Round numbers to the text format `digits`, as the program does when it writes and reads them."""
    values, place = np.unique(x, return_inverse=True)
    return np.array([float(digits % value) for value in values.tolist()])[place].reshape(x.shape)
