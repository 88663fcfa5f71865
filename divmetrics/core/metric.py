"""A metric is a row of four parts, or a small combination of rows; a score sums its contributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.checks import check_whole, quote
from divmetrics.core.merging import global_gain, intent_shares, join_by_topic, pseudo_grade, split_by_intent
from divmetrics.core.parts import (
    Effort,
    Exponential,
    Gain,
    Part,
    Probability,
    Satisfaction,
    Setting,
    Utility,
)
from divmetrics.core.parts.setting import Settable
from divmetrics.core.parts.setting import Value as Value
from divmetrics.core.runs import RankedList
from divmetrics.core.settings import (
    NamedSetting,
    format_value,
    merge_explicit_parameters,
    parameters,
    settings,
    with_settings,
)
from divmetrics.core.tolerances import with_exact_ones
from divmetrics.core.topics import Level
from divmetrics.errors import DivmetricsError

MAX_CUTOFF = 1_000_000  # a limit, because effort and the "ideal ideal" are summed down to the cutoff
Collapse = Literal["D", "DIN", "ad hoc"]


@dataclass(frozen=True)
class BaseMetric(Settable):
    """A metric with a name, a cutoff and contributions: a row of parts, or a combination of metrics.

    Two metrics are equal when they compute the same, however they were named.

    Parameters
    ----------
    name : str
        Name without convention, parameters and cutoff.
    cutoff : int or None
        Last rank that counts; None for the whole list.
    source : str
        Key of `divmetrics.explanations.REFERENCES`.
    explicit_parameters : tuple of (str, value)
        Parameters that the name sets, so that `str` gives the name back.
    convention : str
        Convention that the name belongs to.

    Examples
    --------
    >>> import divmetrics as dm
    >>> isinstance(dm.metric("D#-nDCG@10"), BaseMetric)
    True
    """

    name: str
    cutoff: int | None = field(default=None, kw_only=True)
    source: str = field(default="", compare=False, kw_only=True)
    explicit_parameters: tuple[tuple[str, Value], ...] = field(
        default=(), compare=False, repr=False, kw_only=True
    )
    convention: str = field(default="paper", compare=False, repr=False, kw_only=True)
    two_levels: ClassVar[bool] = False  # whether second-level subtopics contribute instead of whole intents

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute the contribution of each intent at each rank; their sum is the score.

        Parameters
        ----------
        batch : Batch
            The lists, as `divmetrics.core.make_batch` or `batch_lists` makes them.

        Returns
        -------
        numpy.ndarray
            (topic, run, intent, rank). The ranks end at the cutoff or, if it is shorter, with the longest
            list; a metric that charges effort below the end of a list always has ranks down to the cutoff.

        Raises
        ------
        DivmetricsError
            If the metric needs a cutoff and has none.

        Examples
        --------
        >>> import divmetrics as dm
        >>> topic = dm.Topic("7", (dm.Intent("film", 1.0),))
        >>> ranked = dm.RankedList(topic, ["d2", "d1"], {"d1": {"film": 1}})
        >>> dm.metric("ERR-IA@5").contributions(dm.core.batch_lists([ranked])).tolist()
        [[[[0.0, 0.25]]]]
        """
        raise NotImplementedError

    def subtopic_contributions(self, batch: Batch) -> np.ndarray:
        """Compute each second-level subtopic's contribution.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            (topic, run, intent, subtopic, rank). If whole intents contribute, each is its own only
            subtopic.
        """
        return self.contributions(batch)[..., None, :]

    def subtopic_grades(self, batch: Batch) -> np.ndarray:
        """Return the grades of second-level subtopics.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            (topic, run, intent, subtopic, rank).
        """
        return batch.linear[..., None, :]

    def scores(self, batch: Batch) -> np.ndarray:
        """Compute the scores of all lists of a batch.

        Parameters
        ----------
        batch : Batch
            The lists, as `divmetrics.core.make_batch` or `batch_lists` makes them.

        Returns
        -------
        numpy.ndarray
            The scores, (topic, run).

        Raises
        ------
        DivmetricsError
            If a score is not finite, or the metric needs a cutoff and has none.

        Examples
        --------
        >>> import divmetrics as dm
        >>> topic = dm.Topic("7", (dm.Intent("film", 1.0),))
        >>> ranked = dm.RankedList(topic, ["d2", "d1"], {"d1": {"film": 1}})
        >>> dm.metric("ERR-IA@5").scores(dm.core.batch_lists([ranked, ranked.reordered(["d1"])])).tolist()
        [[0.25, 0.5]]
        """
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            scores = self.contributions(batch).sum(axis=(2, 3))
        if not np.isfinite(scores).all():
            topic, run = np.argwhere(~np.isfinite(scores))[0]
            raise DivmetricsError(
                f"{self}: the score of list {run + 1} of topic {batch.topics[topic]} is "
                f"{scores[topic, run]}, expected a finite number; {batch.top_grade_description}; give "
                "smaller weights, parameters or grades, or ask divmetrics.check what is wrong with the metric"
            )
        return with_exact_ones(scores)

    def score(self, ranked: RankedList, level: Level | None = None) -> float:
        """Compute the score of one list.

        Parameters
        ----------
        ranked : RankedList
            The list with its judgments.
        level : {1, 2}, optional
            The level of the subtopics that count as intents, as in `divmetrics.evaluate`.

        Returns
        -------
        float
            The score.

        Raises
        ------
        DivmetricsError
            If the score is not finite, the metric needs a cutoff and has none, or the topic lacks the level.

        Examples
        --------
        >>> import divmetrics as dm
        >>> topic = dm.Topic("7", (dm.Intent("film", 1.0),))
        >>> ranked = dm.RankedList(topic, ["d2", "d1"], {"d1": {"film": 1}})
        >>> dm.metric("ERR-IA@5").score(ranked)
        0.25
        """
        return float(self.scores(batch_lists([ranked.on_level(self.level(level))]))[0, 0])

    def level(self, wanted: Level | None = None) -> Level | None:
        """Return the level of the subtopics that the metric reads as intents.

        Parameters
        ----------
        wanted : {1, 2} or None
            The level that the user chose, as in `Judgments.on_level`.

        Returns
        -------
        {1, 2} or None
            `wanted`, but 1 for an intent-square metric, which reads both levels.
        """
        if wanted is not None:
            check_whole("level", wanted, 1, most=2)
        return 1 if self.needs_subtopics else wanted

    def __str__(self) -> str:
        prefix = "" if self.convention == "paper" else f"{self.convention}:"
        inside = ",".join(f"{name}={format_value(value)}" for name, value in self.explicit_parameters)
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{prefix}{self.name}{f'({inside})' if inside else ''}{at}"

    def __matmul__(self, cutoff: int) -> Self:
        """Return `metric @ 10`, the metric cut at rank 10."""
        cutoff = check_whole(f"{self}: the cutoff", cutoff, 1, most=MAX_CUTOFF)
        return _map_metrics(self, lambda inner: replace(inner, cutoff=cutoff))

    def __rmul__(self, weight: float) -> WeightedSum:
        return WeightedSum(f"{weight} {self.name}", ((Weight(float(weight)), self),), cutoff=self.cutoff)

    __mul__ = __rmul__

    def __add__(self, other: BaseMetric) -> WeightedSum:
        terms = tuple(
            term
            for m in (self, other)
            for term in (m.terms if isinstance(m, WeightedSum) else ((Weight(1.0), m),))
        )
        cutoff = self.cutoff if self.cutoff == other.cutoff else None
        return WeightedSum(f"{self.name} + {other.name}", terms, cutoff=cutoff)

    def with_name(self, name: str, source: str = "") -> Self:
        """Return the metric under another name.

        Parameters
        ----------
        name : str
            The name, without parameters and cutoff.
        source : str
            Its key of `divmetrics.explanations.REFERENCES`.

        Returns
        -------
        BaseMetric
            The metric of this name.
        """
        return replace(self, name=name, source=source or self.source)

    def settings(self) -> list[NamedSetting]:
        """Return every setting that a metric's name may set, with its meaning, range and value."""
        return settings(self)

    def parameters(self) -> dict[str, Value]:
        """Return {parameter: value} for every parameter that a metric's name may set."""
        return parameters(self)

    def with_parameters(self, **values: Value | Part) -> Self:
        """Return the metric with other parameters, wherever they occur in it.

        Parameters
        ----------
        **values : float, str or Part
            New values by name: numbers, words of choices (gain="exponential", ideal="exact"), or parts; a
            name with dots, **{"M.beta": 2}, sets the parameter in one place.

        Returns
        -------
        BaseMetric
            A metric whose name has these parameters.

        Raises
        ------
        DivmetricsError
            if a name is unknown or stands for several settings, or a value is out of range

        Examples
        --------
        >>> import divmetrics as dm
        >>> str(dm.metric("alpha-nDCG@10").with_parameters(alpha=0.3))
        'alpha-nDCG(alpha=0.3)@10'
        """
        changed = with_settings(self, self.name, values)
        words = {k: v.word if isinstance(v, Part) else v for k, v in values.items()}
        explicit = merge_explicit_parameters(changed, dict(self.explicit_parameters), words)
        result: Self = replace(changed, explicit_parameters=tuple(explicit.items()))
        return result

    def components(self) -> tuple[BaseMetric, ...]:
        """Return the metrics that this metric combines; empty for a row."""
        values = (getattr(self, f.name) for f in fields(self))
        return tuple(value for value in values if isinstance(value, BaseMetric))

    def metrics(self) -> Iterator[BaseMetric]:
        """Yield the metric itself and every metric inside it."""
        yield self
        for inner in self.components():
            yield from inner.metrics()

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        """Yield every row of parts inside the metric.

        Parameters
        ----------
        batch : Batch
            The lists.

        Yields
        ------
        tuple of (Metric, Batch)
            A row, and the batch on which it is computed.
        """
        if not self.components():
            raise NotImplementedError
        for inner in self.components():
            yield from inner.rows(batch)

    @property
    def ignores_nonrelevant(self) -> bool:
        """Whether the score stays the same without the documents that are relevant to no intent.

        The other documents stay at their ranks (`make_batch(..., only_relevant=True)`).
        """
        return False

    def uses(self, kind: type[Part]) -> bool:
        """Return whether a part of a type affects the score of a topic with several intents.

        Parameters
        ----------
        kind : type of a part
            The type.

        Returns
        -------
        bool
            True if one does.
        """
        return any(isinstance(part, kind) for part in parts_of(self))

    @property
    def needs_subtopics(self) -> bool:
        """Whether the metric reads second-level subtopics."""
        return any(m.two_levels for m in self.metrics())


@dataclass(frozen=True)
class Metric(BaseMetric):
    """A metric as a row of parts: T(L) = sum_k sum_i f(t_i) w(k) M_i(d_k | L^{k-1}) / N.

    The parts are those of `divmetrics.parts`, or other functions of a `Batch`. N, f, w and M return arrays
    that broadcast to (topic, run, intent, rank), `stop` ranks of the shape (topic, run, intent).

    Parameters
    ----------
    name : str
        Name without convention, parameters and cutoff.
    N : callable
        Divisor of the sum, or of each intent's sum: N(batch, metric).
    f : callable
        Weight of each intent: f(batch).
    w : callable
        Weight of each rank: w(batch).
    M : Utility
        Utility of each document for each intent, given the documents above: M(batch).
    stop : callable or None
        Rank at which the user of an intent stops, if not at the cutoff (P+): stop(batch).
    cutoff : int or None
        Last rank that counts; None for the whole list.
    source : str
        Key of `divmetrics.explanations.REFERENCES`.
    explicit_parameters : tuple of (str, value)
        Parameters that the name sets, so that `str` gives the name back.
    convention : str
        Convention that the name belongs to.

    References
    ----------
    yu2017, Eq. 3

    Examples
    --------
    >>> from divmetrics.parts import Log2, One, Probability, Relevant
    >>> str(Metric("mine", N=One(), f=Probability(), w=Log2(), M=Relevant()) @ 5)
    'mine@5'
    """

    N: Callable[[Batch, Metric], np.ndarray]
    f: Callable[[Batch], np.ndarray]
    w: Callable[[Batch], np.ndarray]
    M: Utility
    stop: Callable[[Batch], np.ndarray] | None = None

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield self, batch

    def truncate(self, batch: Batch) -> Batch:
        """Return the lists cut at the cutoff and at the rank where the metric's user stops.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        Batch
            The cut lists.

        Raises
        ------
        DivmetricsError
            If the metric needs a cutoff and has none.
        """
        if self.cutoff is not None:
            depth = self.cutoff if self._charged_to_the_cutoff else min(self.cutoff, batch.depth)
            batch = batch.cut(depth)
        elif self._needs_cutoff:
            raise DivmetricsError(f"{self} needs a cutoff: write {self}@10 (any whole number of at least 1)")
        return batch if self.stop is None else batch.stop_after(self.stop(batch))

    @property
    def ignores_nonrelevant(self) -> bool:
        # A cutoff counts ranks, and so does the rank where a user stops.
        parts = (self.N, self.f, self.w, self.M)
        ignored = all(getattr(part, "ignores_nonrelevant", False) for part in parts)
        return ignored and self.M.zero_if_nonrelevant and self.cutoff is None and self.stop is None

    @cached_property
    def _needs_cutoff(self) -> bool:
        return any(part.needs_cutoff for part in parts_of(self))

    @cached_property
    def _charged_to_the_cutoff(self) -> bool:
        """Whether effort is charged at every rank down to the cutoff, even after the end of a list."""
        return any(isinstance(part, Effort) and part.needs_cutoff for part in parts_of(self))

    def columns(self, batch: Batch) -> dict[str, np.ndarray]:
        """Compute N, f, w and M.

        Parameters
        ----------
        batch : Batch
            The lists, as `truncate` returns them.

        Returns
        -------
        dict of str to numpy.ndarray
            The values by "N", "f", "w" and "M"; each broadcasts to (topic, run, intent, rank).
        """
        return {"N": self.N(batch, self), "f": self.f(batch), "w": self.w(batch), "M": self.M(batch)}

    def contributions(self, batch: Batch) -> np.ndarray:
        # An intermediate overflow may end as 0, which looks like a score.
        try:
            with np.errstate(over="raise"):
                return self._multiplied(self.truncate(batch))
        except FloatingPointError:
            numbers = {k: v for k, v in self.parameters().items() if not isinstance(v, str)}
            inside = ", ".join(f"{k}={format_value(v)}" for k, v in numbers.items())
            smaller = f"grades or parameters ({inside})" if inside else "grades"
            raise DivmetricsError(
                f"{self}: numbers on the way to a score are larger than a computer holds (about 1.8e308); "
                f"{batch.top_grade_description}; give smaller {smaller}"
            ) from None

    def _multiplied(self, batch: Batch) -> np.ndarray:
        column = self.columns(batch)
        # If no relevant document is judged, the ideal is 0, and the score is 0 instead of nan.
        divisible = column["N"] != 0
        out = np.empty(batch.linear.shape)
        try:
            np.multiply(column["f"] * column["w"], column["M"], out=out, dtype=np.float64)
            np.divide(out, np.where(divisible, column["N"], 1.0), out=out)
        except ValueError:
            self._check_shapes(column, out.shape)
            raise
        if not divisible.all() or not batch.present.all():
            out *= divisible & batch.present[:, None, :, None]
        return out

    def _check_shapes(self, column: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> None:
        """Raise DivmetricsError if a column does not broadcast to `shape`, (topic, run, intent, rank)."""
        for name, values in column.items():
            try:
                np.broadcast_to(values, shape)
            except ValueError:
                raise DivmetricsError(
                    f"{self}: {name} has the shape {values.shape}, which does not fit {shape} "
                    "(topic, run, intent, rank)"
                ) from None


@dataclass(frozen=True)
class Weight:
    """A constant weight in a weighted sum."""

    value: float

    def __call__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:g}"


WeightOfRecall = Annotated[float, Setting("the weight of I-rec; the other metric gets the rest", 0, 1)]


@dataclass(frozen=True)
class Gamma(Part):
    """gamma, the weight of I-rec in a D#-measure (sakaisong2011); `1 - gamma` is its complement."""

    gamma: WeightOfRecall = 0.5
    complement: bool = False

    def __call__(self) -> float:
        return 1 - self.gamma if self.complement else self.gamma

    def __rsub__(self, one: int) -> Gamma:
        if one != 1:
            raise DivmetricsError(f"{one} - gamma is not a weight; 1 - gamma is")
        return Gamma(self.gamma, not self.complement)

    def __mul__(self, metric: BaseMetric) -> WeightedSum:
        return WeightedSum(f"{self} {metric.name}", ((self, metric),), cutoff=metric.cutoff)

    def __str__(self) -> str:
        return "(1 - gamma)" if self.complement else "gamma"


@dataclass(frozen=True)
class WeightedSum(BaseMetric):
    """Several metrics on the same lists, each with a weight (D#-measures, P+Q#)."""

    terms: tuple[tuple[Weight | Gamma, BaseMetric], ...]

    def components(self) -> tuple[BaseMetric, ...]:
        return tuple(term for _, term in self.terms)

    @property
    def ignores_nonrelevant(self) -> bool:
        return all(term.ignores_nonrelevant for _, term in self.terms)

    def contributions(self, batch: Batch) -> np.ndarray:
        parts = [weight() * metric.contributions(batch) for weight, metric in self.terms]
        out = np.zeros((*batch.linear.shape[:3], max(part.shape[-1] for part in parts)))
        for part in parts:
            out[..., : part.shape[-1]] += part
        return out


@dataclass(frozen=True)
class ByIntentType(BaseMetric):
    """One row for informational intents, another for navigational ones (P+Q; sakai2012, Eq. 12)."""

    informational: Metric
    navigational: Metric

    @property
    def ignores_nonrelevant(self) -> bool:
        return self.informational.ignores_nonrelevant and self.navigational.ignores_nonrelevant

    def contributions(self, batch: Batch) -> np.ndarray:
        return np.where(
            batch.navigational[:, None, :, None],
            self.navigational.contributions(batch),
            self.informational.contributions(batch),
        )


@dataclass(frozen=True)
class Collapsed(BaseMetric):
    """An ad hoc row on one merged intent: the global gain (D-measures) or a pseudo ad hoc grade.

    A contribution at rank k is shared among the document's intents, so that an explanation keeps its intents.
    """

    row: Metric
    collapse: Collapse

    def uses(self, kind: type[Part]) -> bool:
        if kind is Probability:  # the row's is that of the one merged intent
            return self.collapse != "ad hoc"
        return super().uses(kind)

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield self.row, self.merged(batch)

    @property
    def ignores_nonrelevant(self) -> bool:
        return self.row.ignores_nonrelevant

    def merged(self, batch: Batch) -> Batch:
        """Return the lists with all intents merged into one, as input of the row."""
        return (
            pseudo_grade(batch) if self.collapse == "ad hoc" else global_gain(batch, self.collapse == "DIN")
        )

    def contributions(self, batch: Batch) -> np.ndarray:
        earned = self.row.contributions(self.merged(batch))
        return earned * self.shares(batch.cut(earned.shape[-1]))

    def shares(self, batch: Batch) -> np.ndarray:
        """Return each intent's share of a document's contribution, (topic, run, intent, rank)."""
        gain = batch.exponential if self._exponential else batch.linear
        return intent_shares(batch, gain, novelty=self.collapse == "DIN")

    @cached_property
    def _exponential(self) -> bool:
        """Whether the row uses exponential gains; satisfaction probabilities always do."""
        stops = any(isinstance(part, Satisfaction) for part in parts_of(self.row.M))
        gains = [part for part in parts_of(self.row) if isinstance(part, Gain) and part.word]
        return stops or gains[-1:] == [Exponential()]


Childless = Annotated[
    Literal["refuse", "self"], Setting("an intent without subtopics is refused, or is its own only subtopic")
]


@dataclass(frozen=True)
class IntentSquare(BaseMetric):
    """sum_i p(t_i|q) T_i(L), with the metric T_i over the second-level subtopics of t_i.

    Parameters
    ----------
    name : str
        Name without convention, parameters and cutoff.
    metric : BaseMetric
        Metric of each first-level intent.
    leaf : {'refuse', 'self'}
        "refuse" an intent without subtopics, or let it be its own only subtopic ("self").
    cutoff : int or None
        Last rank that counts; None for the whole list.
    source : str
        Key of `divmetrics.explanations.REFERENCES`.
    explicit_parameters : tuple of (str, value)
        Parameters that the name sets, so that `str` gives the name back.
    convention : str
        Convention that the name belongs to.

    Raises
    ------
    DivmetricsError
        If `metric` is not a metric, or `leaf` is none of these words.

    References
    ----------
    yu2017, Eq. 12

    Examples
    --------
    >>> import divmetrics as dm
    >>> dm.metric("ERR-IS@10").metric.name
    'ERR-IA'
    """

    metric: BaseMetric
    leaf: Childless = "refuse"
    two_levels: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.metric, BaseMetric):
            raise DivmetricsError(
                f"metric is {quote(self.metric)}, expected a Metric; divmetrics.metric makes one of a name"
            )

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield from self.metric.rows(split_by_intent(batch, self.leaf))

    def uses(self, kind: type[Part]) -> bool:
        return kind is Probability or super().uses(kind)

    def subtopic_contributions(self, batch: Batch) -> np.ndarray:
        earned = self.metric.contributions(split_by_intent(batch, self.leaf))
        return batch.probability[:, None, :, None, None] * join_by_topic(earned, batch)

    def subtopic_grades(self, batch: Batch) -> np.ndarray:
        return join_by_topic(split_by_intent(batch, self.leaf).linear, batch)

    def contributions(self, batch: Batch) -> np.ndarray:
        return self.subtopic_contributions(batch).sum(axis=3)


def is_ad_hoc(metric: BaseMetric) -> bool:
    """Return whether a metric reads grades for the whole topic, so that intents do not matter."""
    return isinstance(metric, Collapsed) and metric.collapse == "ad hoc"


def _map_metrics(metric: Any, change: Callable[[Any], Any]) -> Any:
    """Return a metric with `change` applied to it and to every metric inside it, innermost first."""
    if isinstance(metric, tuple):
        return tuple(_map_metrics(each, change) for each in metric)
    if not isinstance(metric, BaseMetric):
        return metric
    values = {f.name: getattr(metric, f.name) for f in fields(metric)}
    return change(replace(metric, **{name: _map_metrics(value, change) for name, value in values.items()}))


def parts_of(thing: Any) -> Iterator[Part]:
    """Yield every part inside a metric or part, without the metric or part itself."""
    names = (f.name for f in fields(thing)) if is_dataclass(thing) else ()
    for value in thing if isinstance(thing, tuple) else (getattr(thing, name) for name in names):
        if isinstance(value, Part):
            yield value
        if isinstance(value, (Part, BaseMetric, tuple)):
            yield from parts_of(value)
