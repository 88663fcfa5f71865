"""A metric is a row of four parts, or a small combination of rows; a score sums its contributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.calls import public
from divmetrics.core.checks import check_number, check_text_fields, check_whole, quote
from divmetrics.core.merging import global_gain, intent_shares, join_by_topic, pseudo_grade, split_by_intent
from divmetrics.core.parts import Effort, Exponential, Gain, Part, Probability, Satisfaction, Setting, Utility
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


@public
@dataclass(frozen=True)
class BaseMetric(Settable):
    """The base class of metrics: rows of parts (`Metric`), and combinations of them.

    `metric @ 10` is the metric with a cutoff at rank 10, `2 * metric` and `metric + other` are weighted sums,
    and `str(metric)` is the name that `divmetrics.metric` parses. Two metrics are equal if their classes,
    names, cutoffs and parts are; their source, convention and the spelling of parameters do not count.
    A subclass defines `contributions`, and its fields are the metrics that it combines.

    Parameters
    ----------
    name : str
        The name without convention, parameters and cutoff.
    cutoff : int or None
        The last rank that counts, from 1 to 1,000,000; None for the whole list.
    source : str
        A key of `divmetrics.explanations.REFERENCES`: the paper or program that defines the metric; "" for
        none.
    explicit_parameters : tuple of (str, value)
        The parameters that the name sets, so that `str` gives the name back.
    convention : str
        The convention that the name belongs to, such as "ndeval".

    Raises
    ------
    DivmetricsError
        If the name, source or convention is not text, or the cutoff is out of range. Whether there is such a
        source or convention is not checked.

    Examples
    --------
    >>> import divmetrics as dm
    >>> isinstance(dm.metric("D#-nDCG@10"), BaseMetric)
    True
    >>> dm.metric("ERR-IA") @ 10 == dm.metric("ERR-IA@10")
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

    def __post_init__(self) -> None:
        check_text_fields(self, "name", "source", "convention")
        if self.cutoff is not None:
            check_whole(f"{self.name}: the cutoff", self.cutoff, 1, most=MAX_CUTOFF)
        super().__post_init__()

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute the contribution of each intent at each rank; their sum is the score.

        Parameters
        ----------
        batch : Batch
            The lists, as `divmetrics.core.make_batch` or `batch_lists` makes them.

        Returns
        -------
        numpy.ndarray
            The contributions, (topic, run, intent, rank), float64; 0 for padding. The ranks end at the cutoff
            or, if it is shorter, with the longest list; a metric that charges effort below the end of a list
            always has ranks down to the cutoff.

        Raises
        ------
        DivmetricsError
            If the metric needs a cutoff and has none, needs second-level subtopics and an intent has none,
            needs the pool of judged documents and the batch has none, or if numbers are too large for a
            float.

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
        """Compute the contribution of each second-level subtopic at each rank.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            The contributions, (topic, run, intent, subtopic, rank); their sum over subtopics is that of
            `contributions`. For metrics other than intent-square ones (X-IS), the subtopic axis has length 1,
            and holds the intent itself.

        Raises
        ------
        DivmetricsError
            In the cases of `contributions`.
        """
        return self.contributions(batch)[..., None, :]

    def subtopic_grades(self, batch: Batch) -> np.ndarray:
        """Return the grades of the documents for the subtopics of `subtopic_contributions`.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        numpy.ndarray
            The grades, (topic, run, intent, subtopic, rank), at all ranks of the batch. For metrics other
            than intent-square ones (X-IS), the subtopic axis has length 1, and holds the intent itself.

        Raises
        ------
        DivmetricsError
            If the metric needs second-level subtopics and an intent has none.
        """
        return batch.linear[..., None, :]

    def scores(self, batch: Batch) -> np.ndarray:
        """Compute the scores of all lists of a batch.

        Parameters
        ----------
        batch : Batch
            The lists, as `divmetrics.core.batch_lists` makes them, or `make_batch`; intent-square metrics
            (-IS) need `make_batch(..., leaves=True)`. Unlike `score`, this method chooses no level.

        Returns
        -------
        numpy.ndarray
            The scores, (topic, run), float64: the sums of `contributions`. Scores that differ from 1 by
            rounding errors are 1. A list without documents, or a topic without relevant documents, is scored
            by the same formula; most metrics give 0.

        Raises
        ------
        DivmetricsError
            If a score is not finite, or in the cases of `contributions`.

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
            Whether the first- or the second-level subtopics count as intents, as in `divmetrics.evaluate`.
            If no intent has second-level subtopics, 2 is as 1. An intent-square metric (X-IS) reads both
            levels, and takes missing grades of subtopics as 0. None means 2 if the intents are groups of
            nuggets and the nuggets are judged, else 1.

        Returns
        -------
        float
            The score.

        Raises
        ------
        DivmetricsError
            If `ranked` is no RankedList, `level` is something else, or is 2 and the second-level subtopics
            of the intents are not judged (see `Judgments.on_level`), or in the cases of `scores`.

        Examples
        --------
        >>> import divmetrics as dm
        >>> topic = dm.Topic("7", (dm.Intent("film", 1.0),))
        >>> ranked = dm.RankedList(topic, ["d2", "d1"], {"d1": {"film": 1}})
        >>> dm.metric("ERR-IA@5").score(ranked)
        0.25
        """
        if not isinstance(ranked, RankedList):
            raise DivmetricsError(
                f"the list is {quote(ranked)}, expected a RankedList; divmetrics.score takes documents and "
                "judgments"
            )
        return float(self.scores(batch_lists([ranked.on_level(self.level(level))]))[0, 0])

    def level(self, wanted: Level | None = None) -> Level | None:
        """Return the level of subtopics to pass to `Judgments.on_level` before this metric is computed.

        Parameters
        ----------
        wanted : {1, 2} or None
            The level that the user chose; None for no choice.

        Returns
        -------
        {1, 2} or None
            `wanted`, but 1 for an intent-square metric (X-IS), which reads both levels.

        Raises
        ------
        DivmetricsError
            If `wanted` is something else.
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
        check_whole(f"{self}: the cutoff", cutoff, 1, most=MAX_CUTOFF)
        return _map_metrics(self, lambda inner: replace(inner, cutoff=cutoff))

    def __rmul__(self, weight: float) -> WeightedSum:
        value = check_number(f"{self}: the weight", weight)
        return WeightedSum(f"{weight} {self.name}", ((Weight(value), self),), cutoff=self.cutoff)

    __mul__ = __rmul__

    def __add__(self, other: BaseMetric) -> WeightedSum:
        if not isinstance(other, BaseMetric):
            return NotImplemented
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
            The new name, without parameters and cutoff.
        source : str
            The new `source`; "" leaves it as it is.

        Returns
        -------
        BaseMetric
            A copy with this name; parameters and cutoff stay.

        Raises
        ------
        DivmetricsError
            If a name is not text. `divmetrics.register` checks more.
        """
        return replace(self, name=name, source=source or self.source)

    def settings(self) -> list[NamedSetting]:
        """Return every setting that the metric's name may set, once: its name, meaning, range and values."""
        return settings(self)

    def parameters(self) -> dict[str, Value]:
        """Return {parameter: value} for every parameter that the metric's name may set, defaults included.

        A parameter that sets several parts, which differ in its value, has the value of the last one.
        """
        return parameters(self)

    def with_parameters(self, **values: Value | Part) -> Self:
        """Return the metric with other parameters, wherever they occur in it.

        Parameters
        ----------
        **values : float, str or Part
            New values by name: numbers, words of choices (gain="exponential", ideal="exact"), or parts; a
            name with dots, **{"M.beta": 2}, sets the parameter in one place. `parameters` lists the names.

        Returns
        -------
        BaseMetric
            A copy with these values, whose name shows them (of a part, its word alone); cutoff and other
            parameters stay.

        Raises
        ------
        DivmetricsError
            If a name is unknown or stands for several settings, or a value is out of range.

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
        """Return the metrics that this metric combines, one level down; empty for a row of parts."""
        values = (getattr(self, f.name) for f in fields(self))
        return tuple(value for value in values if isinstance(value, BaseMetric))

    def metrics(self) -> Iterator[BaseMetric]:
        """Yield the metric itself, then every metric inside it, on all levels."""
        yield self
        for inner in self.components():
            yield from inner.metrics()

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        """Yield every row of parts inside the metric, with the lists that it is computed on.

        Parameters
        ----------
        batch : Batch
            The lists.

        Yields
        ------
        tuple of (Metric, Batch)
            A row, and the batch that it reads: the lists themselves, or with merged intents (D-measures), or
            split by intent (X-IS).

        Raises
        ------
        DivmetricsError
            If the metric needs second-level subtopics and an intent has none.
        """
        if not self.components():
            raise NotImplementedError
        for inner in self.components():
            yield from inner.rows(batch)

    @property
    def ignores_nonrelevant(self) -> bool:
        """Whether the metric can be computed on `make_batch(..., only_relevant=True)`.

        If True, the score stays the same when the documents that are relevant to no intent are left out and
        the others keep their ranks.
        """
        return False

    def uses(self, kind: type[Part]) -> bool:
        """Return whether a part of a type affects the score of a topic with several intents.

        Parameters
        ----------
        kind : type
            The class of a part, such as `Probability`; its subclasses count, too.

        Returns
        -------
        bool
            True if such a part is in the metric, at any depth. For Probability, also if the metric uses
            probabilities otherwise (X-IS), and not if it merges the intents without them ("ad hoc").
        """
        return any(isinstance(part, kind) for part in parts_of(self))

    @property
    def needs_subtopics(self) -> bool:
        """Whether the metric, or one inside it, reads second-level subtopics (X-IS)."""
        return any(m.two_levels for m in self.metrics())


@public
@dataclass(frozen=True)
class Metric(BaseMetric):
    """A metric as a row of parts: T(L) = sum_k sum_i f(t_i) w(k) M_i(d_k | L^{k-1}) / N.

    The sums are over the ranks k and intents t_i; L^{k-1} are the documents above rank k. The parts are those
    of `divmetrics.parts`, or other functions of a `Batch`. N, f, w and M return arrays that broadcast to
    (topic, run, intent, rank), `stop` ranks of the shape (topic, run, intent).

    Parameters
    ----------
    name : str
        The name without convention, parameters and cutoff.
    N : callable
        The divisor of the sum, or of each intent's sum: N(batch, metric). Where it is 0, the score is 0.
    f : callable
        The weight of each intent: f(batch).
    w : callable
        The weight of each rank: w(batch).
    M : Utility
        The utility of each document for each intent, given the documents above: M(batch).
    stop : callable or None
        The rank at which the user of an intent stops, if not at the cutoff (P+): stop(batch).
    cutoff : int or None
        The last rank that counts, from 1 to 1,000,000; None for the whole list.
    source : str
        A key of `divmetrics.explanations.REFERENCES`: the paper or program that defines the metric.
    explicit_parameters : tuple of (str, value)
        The parameters that the name sets, so that `str` gives the name back.
    convention : str
        The convention that the name belongs to.

    Raises
    ------
    DivmetricsError
        If N, f, w, M or stop is no part or other function, or in the cases of `BaseMetric`. What they return
        is checked when the metric is computed: see `contributions`.

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
        """Yield the metric itself with `batch`."""
        yield self, batch

    def truncate(self, batch: Batch) -> Batch:
        """Return the lists cut at the cutoff, and without gains below the rank where the user stops.

        Parameters
        ----------
        batch : Batch
            The lists.

        Returns
        -------
        Batch
            The lists down to the cutoff, or down to their end if that is above it; if effort is charged for
            every rank, always down to the cutoff. Below the rank of `stop`, gains are 0.

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
        """See `BaseMetric`: True if it is for all parts, M is 0 there, and there is no cutoff and no stop."""
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
            The values of the parts by their letters "N", "f", "w" and "M"; each array broadcasts to (topic,
            run, intent, rank).

        Raises
        ------
        DivmetricsError
            If a part cannot be computed, such as an ideal list without a pool of judged documents.
        """
        return {"N": self.N(batch, self), "f": self.f(batch), "w": self.w(batch), "M": self.M(batch)}

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute f w M / N, as `BaseMetric.contributions` describes it; 0 where N is 0.

        Raises DivmetricsError in the cases described there, or if a part has the wrong shape.
        """
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
        column = {name: np.asarray(values) for name, values in self.columns(batch).items()}
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
    """A constant weight in a `WeightedSum`; calling it, without arguments, returns the number."""

    value: float

    def __call__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:g}"


WeightOfRecall = Annotated[float, Setting("the weight of I-rec; the other metric gets the rest", 0, 1)]


@dataclass(frozen=True)
class Gamma(Part):
    """gamma, the weight of I-rec in a D#-measure (sakaisong2011), a number in [0, 1].

    `gamma * metric` is a `WeightedSum`, and `1 - gamma` the weight of the other metric (`complement`).
    Calling it, without arguments, returns the number. Raises DivmetricsError if gamma is out of range.
    """

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
    """A sum of metrics on the same lists, each with a weight (D#-measures, P+Q#).

    `terms` are its pairs (weight, metric). `gamma * I_rec + (1 - gamma) * D_nDCG` makes one.
    """

    terms: tuple[tuple[Weight | Gamma, BaseMetric], ...]

    def components(self) -> tuple[BaseMetric, ...]:
        """Return the metrics of the sum, without their weights."""
        return tuple(term for _, term in self.terms)

    @property
    def ignores_nonrelevant(self) -> bool:
        """See `BaseMetric`: True if it is for all metrics of the sum."""
        return all(term.ignores_nonrelevant for _, term in self.terms)

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute the weighted sum of the metrics' contributions, as `BaseMetric.contributions` returns them.

        The ranks are those of the metric that has most. Raises DivmetricsError if a metric does.
        """
        parts = [weight() * metric.contributions(batch) for weight, metric in self.terms]
        out = np.zeros((*batch.linear.shape[:3], max(part.shape[-1] for part in parts)))
        for part in parts:
            out[..., : part.shape[-1]] += part
        return out


@dataclass(frozen=True)
class ByIntentType(BaseMetric):
    """A metric that is one row for informational intents, another for navigational ones.

    Such is P+Q (sakai2012, Eq. 12). Both rows need the same cutoff.
    """

    informational: Metric
    navigational: Metric

    @property
    def ignores_nonrelevant(self) -> bool:
        """See `BaseMetric`: True if it is for both rows."""
        return self.informational.ignores_nonrelevant and self.navigational.ignores_nonrelevant

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute each intent's contributions by the row of its kind, as `BaseMetric.contributions`."""
        return np.where(
            batch.navigational[:, None, :, None],
            self.navigational.contributions(batch),
            self.informational.contributions(batch),
        )


@dataclass(frozen=True)
class Collapsed(BaseMetric):
    """A metric that merges the intents into one, and scores this one by the row `row`.

    `collapse` says how: "D" by the global gain, "DIN" by the global gain in which a navigational intent
    counts once (`divmetrics.core.global_gain` with `novelty`), "ad hoc" by the pseudo ad hoc grade of
    sakaizeng2019. The contribution of a document is shared among its intents, so that contributions keep
    their intents.
    """

    row: Metric
    collapse: Collapse

    def uses(self, kind: type[Part]) -> bool:
        """See `BaseMetric`: for Probability, True unless the intents are merged without it ("ad hoc")."""
        if kind is Probability:  # the row's is that of the one merged intent
            return self.collapse != "ad hoc"
        return super().uses(kind)

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        """Yield the row with the merged lists (`merged`)."""
        yield self.row, self.merged(batch)

    @property
    def ignores_nonrelevant(self) -> bool:
        """See `BaseMetric`: True if it is for the row."""
        return self.row.ignores_nonrelevant

    def merged(self, batch: Batch) -> Batch:
        """Return the lists with all intents merged into one of probability 1, as the row reads them."""
        if self.collapse == "ad hoc":
            return pseudo_grade(batch)
        return global_gain(batch, self.collapse == "DIN")

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute the row's contributions on `merged`, times `shares`, as `BaseMetric.contributions`."""
        earned = self.row.contributions(self.merged(batch))
        return earned * self.shares(batch.cut(earned.shape[-1]))

    def shares(self, batch: Batch) -> np.ndarray:
        """Return each intent's share of a document's contribution, (topic, run, intent, rank).

        The shares are proportional to probability times gain (`intent_shares`). Over the intents they sum to
        1, or are all 0 if the document earns nothing.
        """
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
    """The intent-square form X-IS of a metric X: sum_i p(t_i|q) T_i(L).

    T_i is the metric X computed for the intent t_i alone, as if it were a topic whose intents are the
    second-level subtopics of t_i.

    Parameters
    ----------
    name : str
        The name without convention, parameters and cutoff.
    metric : BaseMetric
        The metric X. Its cutoff is the one that counts; `@` sets both cutoffs.
    leaf : {'refuse', 'self'}
        What to do with an intent that has no subtopics: "refuse" it (computing the metric raises
        DivmetricsError), or let it be its own only subtopic ("self").
    cutoff : int or None
        The cutoff that the name shows, which should be that of `metric`.
    source : str
        A key of `divmetrics.explanations.REFERENCES`: the paper or program that defines the metric.
    explicit_parameters : tuple of (str, value)
        The parameters that the name sets, so that `str` gives the name back.
    convention : str
        The convention that the name belongs to.

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
        if not isinstance(self.metric, BaseMetric):
            raise DivmetricsError(
                f"metric is {quote(self.metric)}, expected a Metric; divmetrics.metric makes one of a name"
            )
        super().__post_init__()

    def rows(self, batch: Batch) -> Iterator[tuple[Metric, Batch]]:
        """Yield the rows of the metric X with the lists of `split_by_intent`, as `BaseMetric.rows`."""
        yield from self.metric.rows(split_by_intent(batch, self.leaf))

    def uses(self, kind: type[Part]) -> bool:
        """See `BaseMetric`: True for Probability, which weights the intents."""
        return kind is Probability or super().uses(kind)

    def subtopic_contributions(self, batch: Batch) -> np.ndarray:
        """Compute p(t_i|q) times the contributions of X, (topic, run, intent, subtopic, rank).

        Raises DivmetricsError, as all methods with a batch, if `leaf` is "refuse" and an intent has no
        subtopics.
        """
        earned = self.metric.contributions(split_by_intent(batch, self.leaf))
        return batch.probability[:, None, :, None, None] * join_by_topic(earned, batch)

    def subtopic_grades(self, batch: Batch) -> np.ndarray:
        """Return the grades for second-level subtopics, (topic, run, intent, subtopic, rank)."""
        return join_by_topic(split_by_intent(batch, self.leaf).linear, batch)

    def contributions(self, batch: Batch) -> np.ndarray:
        """Compute the sum of `subtopic_contributions` over the subtopics, (topic, run, intent, rank)."""
        return self.subtopic_contributions(batch).sum(axis=3)


def is_ad_hoc(metric: BaseMetric) -> bool:
    """Return whether a metric merges the grades of all intents into one: it measures no diversity."""
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
    """Yield every part inside a metric or part, at any depth, without the metric or part itself."""
    names = (f.name for f in fields(thing)) if is_dataclass(thing) else ()
    for value in thing if isinstance(thing, tuple) else (getattr(thing, name) for name in names):
        if isinstance(value, Part):
            yield value
        if isinstance(value, (Part, BaseMetric, tuple)):
            yield from parts_of(value)
