"""A metric is a row of four parts, or a small combination of rows; a score sums its contributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from divmetrics.core.batch import Batch, batch_lists
from divmetrics.core.checks import whole
from divmetrics.core.collection import RankedList
from divmetrics.core.merging import global_gain, intent_shares, join_by_topic, pseudo_grade, split_by_intent
from divmetrics.core.parts import Effort, Exponential, Gain, One, Part, Satisfaction, Setting, Utility
from divmetrics.core.parts.discounts import ContinuationDiscount
from divmetrics.core.parts.part import describe_by_kind, plain_formula
from divmetrics.core.parts.setting import Settable
from divmetrics.core.parts.setting import Value as Value
from divmetrics.core.settings import (
    NamedSetting,
    format_value,
    merge_explicit_parameters,
    parameters,
    settings,
    with_settings,
)
from divmetrics.errors import DivmetricsError

MAX_CUTOFF = 1_000_000  # the largest cutoff; effort and ideal ideals are summed down to it
Collapse = Literal["D", "DIN", "ad hoc"]


@dataclass(frozen=True)
class BaseMetric(Settable):
    """What rows and combinations share: a name that prints back, a cutoff, and contributions.

    `given` holds the parameters that were asked for by name, so that `str` gives the name back; two metrics
    are equal when they compute the same, however they were named.
    """

    name: str
    cutoff: int | None = field(default=None, kw_only=True)
    source: str = field(default="", compare=False, kw_only=True)
    given: tuple[tuple[str, Value], ...] = field(default=(), compare=False, repr=False, kw_only=True)
    convention: str = field(default="paper", compare=False, repr=False, kw_only=True)
    two_levels: ClassVar[bool] = False  # do second-level subtopics earn, rather than whole intents?

    def contributions(self, view: Batch) -> np.ndarray:
        """What each intent earned at each rank: (topic, run, intent, rank), summing to the score.

        The last axis ends with the longest list or at the cutoff; where effort is charged beyond a list, it
        is as long as the cutoff.
        """
        raise NotImplementedError

    def subtopic_contributions(self, view: Batch) -> np.ndarray:
        """What each second-level subtopic earned, (topic, run, intent, subtopic, rank).

        Where whole intents earn, each is its own only subtopic.
        """
        return self.contributions(view)[..., None, :]

    def subtopic_grades(self, view: Batch) -> np.ndarray:
        """The grades of the same."""
        return view.linear[..., None, :]

    def scores(self, view: Batch) -> np.ndarray:
        """(topic, run); DivmetricsError for one that is no finite number."""
        with np.errstate(over="ignore", invalid="ignore"):  # found below
            found = self.contributions(view).sum(axis=(2, 3))
        if not np.isfinite(found).all():
            topic, run = np.argwhere(~np.isfinite(found))[0]
            raise DivmetricsError(
                f"{self}: the score of list {run + 1} of topic {view.topics[topic]} is {found[topic, run]}, "
                f"expected a finite number; {view.top_grade_description}; give smaller weights, parameters or grades, "
                "or ask divmetrics.check what is wrong with the metric"
            )
        return found

    def score(self, ranked: RankedList) -> float:
        """The score of one list."""
        return float(self.scores(batch_lists([ranked]))[0, 0])

    def __str__(self) -> str:
        prefix = "" if self.convention == "paper" else f"{self.convention}:"
        inside = ",".join(f"{name}={format_value(value)}" for name, value in self.given)
        at = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{prefix}{self.name}{f'({inside})' if inside else ''}{at}"

    def __matmul__(self, cutoff: int) -> Self:
        """`metric @ 10`: the same, cut at rank 10."""
        cutoff = whole(f"{self}: the cutoff", cutoff, 1, most=MAX_CUTOFF)
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
        same = self.cutoff if self.cutoff == other.cutoff else None
        return WeightedSum(f"{self.name} + {other.name}", terms, cutoff=same)

    def with_name(self, name: str, source: str = "") -> Self:
        """The same metric under a name of its own."""
        return replace(self, name=name, source=source or self.source)

    def settings(self) -> list[NamedSetting]:
        """Every setting that a name may set: what it means, what it may be, and its value."""
        return settings(self)

    def parameters(self) -> dict[str, Value]:
        """Every parameter that a name may set, with its value now."""
        return parameters(self)

    def with_parameters(self, **values: Value | Part) -> Self:
        """The same metric with other parameters, wherever they occur in it.

        A choice is named by its word (gain="exponential", ideal="exact"), a parameter in one place by where
        it stands (**{"M.beta": 2}). An unknown name is an error that lists the known ones, as is one that
        stands for several settings.
        """
        changed = with_settings(self, self.name, values)
        words = {k: v.word if isinstance(v, Part) else v for k, v in values.items()}
        result: Self = replace(
            changed, given=tuple(merge_explicit_parameters(changed, dict(self.given), words).items())
        )
        return result

    def rows(self, view: Batch) -> Iterator[tuple[Metric, Batch]]:
        """Every row this metric is made of, with the View that the row reads: by default those inside."""
        if not self.components():
            raise NotImplementedError
        for _, inner in self.components():
            yield from inner.rows(view)

    def components(self) -> list[tuple[str, BaseMetric]]:
        """The metrics that this one is made of, each with what it does there; none of a row."""
        values = (getattr(self, f.name) for f in fields(self))
        return [("", value) for value in values if isinstance(value, BaseMetric)]

    def text(self) -> str:
        """The right-hand side of its formula, in plain text: by default that of the metrics inside."""
        return "; ".join(inner.text() for _, inner in self.components())

    def latex(self, escape: Callable[[str], str]) -> str:
        """The same in LaTeX; escape: how a name or code stands in it."""
        return r";\quad ".join(inner.latex(escape) for _, inner in self.components())

    def summary(self) -> str:
        """What it is made of, in a few words; of a row, what a document adds."""
        return f"{self.name}(L) = {self.text()}"

    @property
    def user_model(self) -> str:
        """What its readers do, in a sentence or a few, made of what its parts say."""
        return " ".join(inner.user_model for _, inner in self.components())

    @property
    def input_description(self) -> str:
        """What its rows read, where that is not the topic's intents."""
        return ""

    def rows_with_roles(self) -> list[tuple[str, Metric]]:
        """The rows it is made of, each with what it does there."""
        return [
            (", ".join(filter(None, (does, label))), row)
            for does, inner in self.components()
            for label, row in inner.rows_with_roles()
        ]

    def rows_by_kind(self, view: Batch) -> list[tuple[Metric, bool | None]]:
        """Each row with the intents that it speaks for (True: navigational; None: all)."""
        return [(row, None) for row, _ in self.rows(view)]

    def metrics(self) -> Iterator[BaseMetric]:
        """The metric itself and all it is made of."""
        yield self
        for _, inner in self.components():
            yield from inner.metrics()

    @property
    def ignores_nonrelevant(self) -> bool:
        """Is its score the same where documents that are relevant to no intent are left out of the lists?

        All others stay at their ranks then (`view(..., only_relevant=True)`).
        """
        return False

    @property
    def needs_subtopics(self) -> bool:
        """Does it read second-level subtopics?"""
        return any(m.two_levels for m in self.metrics())


@dataclass(frozen=True)
class Metric(BaseMetric):
    """One row of the table: T(L) = sum_k sum_i f(t_i) w(k) M_i(d_k | L^{k-1}) / N (Yu et al. 2017, Eq. 3).

    stop: the rank at which the reader of an intent stops, where that is not the cutoff (P+).
    """

    N: Callable[[Batch, Metric], np.ndarray]
    f: Callable[[Batch], np.ndarray]
    w: Callable[[Batch], np.ndarray]
    M: Utility
    stop: Callable[[Batch], np.ndarray] | None = None

    def rows(self, view: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield self, view

    def rows_with_roles(self) -> list[tuple[str, Metric]]:
        return [("", self)]

    def text(self) -> str:
        f, w = ("" if isinstance(part, One) else f"{plain_formula(part)} " for part in (self.f, self.w))
        # A normaliser without subscript divides the whole sum; one per intent divides inside it.
        n = "" if isinstance(self.N, One) else f" / ({plain_formula(self.N)})"
        tail = "" if self.stop is None else f", down to {plain_formula(self.stop)}"
        return f"sum_k {w}sum_i {f}{plain_formula(self.M)}{n}{tail}"

    def latex(self, escape: Callable[[str], str]) -> str:
        return "".join(term for _, term in self.latex_terms(escape))

    def latex_terms(self, escape: Callable[[str], str]) -> list[tuple[str, str]]:
        """The same in pieces, each with the column that it comes from, "stop", or ""."""

        def of(part: object) -> str:
            return getattr(part, "latex", "") or rf"\mathtt{{{escape(repr(part))}}}"

        f, w = ("" if isinstance(part, One) else of(part) for part in (self.f, self.w))
        n = "" if isinstance(self.N, One) else rf"\frac{{1}}{{{of(self.N)}}}"
        tail = "" if self.stop is None else rf"\quad\text{{down to }}{of(self.stop)}"
        sums = r"\sum_{k} ", r" \sum_{i=1}^{m} "
        pieces = (
            ("", sums[0]),
            ("w", w),
            ("", sums[1]),
            ("f", f),
            ("", r"\,"),
            ("N", n),
            ("", r"\,"),
            ("M", of(self.M)),
        )
        return [*pieces, ("stop", tail)]

    def summary(self) -> str:
        return plain_formula(self.M)

    @property
    def user_model(self) -> str:
        columns = (self.M, self.stop, self.w, self.f, self.N)
        said = "; ".join(filter(None, (getattr(part, "user_model", "") for part in columns)))
        said = said or "each document adds what the formula says"
        return f"{said[0].upper()}{said[1:]}."

    @property
    def picture(self) -> str:
        """How a walk down a list shows it: as its M says, or "stop" or "leave" where readers do so anyhow."""
        if self.stop is not None:
            return "stop"
        tired = isinstance(self.w, ContinuationDiscount)
        return "leave" if tired and self.M.picture == "piles" else self.M.picture

    def truncate(self, view: Batch) -> Batch:
        """The lists as the row reads them: cut, and stopped where it stops."""
        if self.cutoff is not None:
            view = view.cut(self.cutoff if self._charged_to_the_cutoff else min(self.cutoff, view.depth))
        elif self._needs_cutoff:
            raise DivmetricsError(f"{self} needs a cutoff: write {self}@10 (any whole number of at least 1)")
        return view if self.stop is None else view.stop_after(self.stop(view))

    @property
    def ignores_nonrelevant(self) -> bool:
        # A cutoff counts ranks, and so does where a reader stops.
        parts = (self.N, self.f, self.w, self.M)
        blind = all(getattr(part, "ignores_nonrelevant", False) for part in parts)
        return blind and self.M.zero_if_nonrelevant and self.cutoff is None and self.stop is None

    @cached_property
    def _needs_cutoff(self) -> bool:
        return any(part.needs_cutoff for part in _parts(self))

    @cached_property
    def _charged_to_the_cutoff(self) -> bool:
        """Is an effort charged at every rank down to the cutoff, also where a list has ended?"""
        return any(isinstance(part, Effort) and part.needs_cutoff for part in _parts(self))

    def columns(self, view: Batch) -> dict[str, np.ndarray]:
        """N, f, w and M on prepared lists, each broadcasting to (topic, run, intent, rank)."""
        return {"N": self.N(view, self), "f": self.f(view), "w": self.w(view), "M": self.M(view)}

    def contributions(self, view: Batch) -> np.ndarray:
        # A number that overflows on the way may end as a 0 that looks like a score.
        try:
            with np.errstate(over="raise"):
                return self._multiplied(self.truncate(view))
        except FloatingPointError:
            numbers = {k: v for k, v in self.parameters().items() if not isinstance(v, str)}
            inside = ", ".join(f"{k}={format_value(v)}" for k, v in numbers.items())
            raise DivmetricsError(
                f"{self}: numbers on the way to a score are larger than a computer holds (about 1.8e308); "
                f"{view.top_grade_description}; give smaller grades{f' or parameters ({inside})' if inside else ''}"
            ) from None

    def _multiplied(self, view: Batch) -> np.ndarray:
        column = self.columns(view)
        # Where there is nothing to find, the ideal is 0 and so is the score: never nan.
        found = column["N"] != 0
        out = np.empty(view.linear.shape)
        try:
            np.multiply(column["f"] * column["w"], column["M"], out=out, dtype=np.float64)
            np.divide(out, np.where(found, column["N"], 1.0), out=out)
        except ValueError:
            self._refuse_shapes(column, out.shape)
            raise
        if not found.all() or not view.present.all():
            out *= found & view.present[:, None, :, None]
        return out

    def _refuse_shapes(self, column: Mapping[str, np.ndarray], whole: tuple[int, ...]) -> None:
        for name, values in column.items():
            try:
                np.broadcast_to(values, whole)
            except ValueError:
                raise DivmetricsError(
                    f"{self}: {name} has the shape {values.shape}, which does not fit {whole} "
                    "(topic, run, intent, rank)"
                ) from None


@dataclass(frozen=True)
class Weight:
    """A plain weight in a weighted sum."""

    value: float

    def __call__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:g}"


WeightOfRecall = Annotated[float, Setting("the weight of I-rec; the other metric gets the rest", 0, 1)]


@dataclass(frozen=True)
class Gamma(Part):
    """gamma, the weight of I-rec in a D#-measure (Sakai & Song 2011); `1 - gamma` is its complement."""

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

    def components(self) -> list[tuple[str, BaseMetric]]:
        return [(f"{weight} = {weight():.4g} times {term.name}", term) for weight, term in self.terms]

    def text(self) -> str:
        return " + ".join(f"{weight} {term.name}(L)" for weight, term in self.terms)

    @property
    def user_model(self) -> str:
        return " ".join(
            f"{weight():g} times {term.name}: {term.user_model[:1].lower()}{term.user_model[1:]}"
            for weight, term in self.terms
        )

    def latex(self, escape: Callable[[str], str]) -> str:
        weights = [str(weight).replace("gamma", r"\gamma") for weight, _ in self.terms]
        names = [rf"\mathrm{{{escape(term.name)}}}(L)" for _, term in self.terms]
        return " + ".join(rf"{weight}\,{name}" for weight, name in zip(weights, names, strict=True))

    def summary(self) -> str:
        return " + ".join(f"{weight} {term.name}" for weight, term in self.terms)

    @property
    def ignores_nonrelevant(self) -> bool:
        return all(term.ignores_nonrelevant for _, term in self.terms)

    def contributions(self, view: Batch) -> np.ndarray:
        parts = [weight() * metric.contributions(view) for weight, metric in self.terms]
        out = np.zeros((*view.linear.shape[:3], max(part.shape[-1] for part in parts)))
        for part in parts:
            out[..., : part.shape[-1]] += part
        return out


@dataclass(frozen=True)
class ByIntentType(BaseMetric):
    """One row for informational intents, another for navigational ones (P+Q; Sakai 2012, Eq. 12)."""

    informational: Metric
    navigational: Metric

    def components(self) -> list[tuple[str, BaseMetric]]:
        informational, navigational = self.informational, self.navigational
        return [("for informational intents", informational), ("for navigational intents", navigational)]

    def text(self) -> str:
        return f"informational i: {self.informational.text()}; navigational i: {self.navigational.text()}"

    def latex(self, escape: Callable[[str], str]) -> str:
        return (
            rf"\begin{{cases}}{self.informational.latex(escape)}&\text{{informational}}\\"
            rf"{self.navigational.latex(escape)}&\text{{navigational}}\end{{cases}}"
        )

    @property
    def user_model(self) -> str:
        rows = (self.informational, self.navigational)
        inf, nav = (f"{row.user_model[0].lower()}{row.user_model[1:-1]}" for row in rows)
        said = describe_by_kind(inf, nav)
        return f"{said[0].upper()}{said[1:]}."

    def summary(self) -> str:
        inf, nav = self.informational.name, self.navigational.name
        return f"{inf} for informational intents, {nav} for navigational ones"

    def rows_by_kind(self, view: Batch) -> list[tuple[Metric, bool | None]]:
        return [(self.informational, False), (self.navigational, True)]

    @property
    def ignores_nonrelevant(self) -> bool:
        return self.informational.ignores_nonrelevant and self.navigational.ignores_nonrelevant

    def contributions(self, view: Batch) -> np.ndarray:
        return np.where(
            view.navigational[:, None, :, None],
            self.navigational.contributions(view),
            self.informational.contributions(view),
        )


GLOBAL_GAIN = "the global gain GG(d) = sum_i p(t_i|q) gain_i(d)"
# What a collapsed row is read on: in full, for the end of a formula, and in brief.
READ_ON: Mapping[Collapse, tuple[str, str]] = {
    "D": (f"one intent with {GLOBAL_GAIN}", "the global gain"),
    "DIN": (
        f"one intent with {GLOBAL_GAIN}, a navigational intent counted for its first relevant document only",
        "the global gain, navigational intents counted once",
    ),
    "ad hoc": (
        "one intent with the topic's grade (floor(log2(S+1)) of the sum S of several intents' grades)",
        "one intent (m = 1)",
    ),
}


@dataclass(frozen=True)
class Collapsed(BaseMetric):
    """An ad hoc row on one merged intent: the global gain (D-measures) or a pseudo ad hoc grade.

    A contribution at rank k is shared among the document's intents, so that an explanation keeps its intents.
    """

    row: Metric
    collapse: Collapse

    def rows(self, view: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield self.row, self.merged(view)

    def text(self) -> str:
        return f"{self.row.text()}, on {self.input_description}"

    def latex(self, escape: Callable[[str], str]) -> str:
        return rf"{self.row.latex(escape)}\quad\text{{({self.input_description.split(' GG')[0]})}}"

    def summary(self) -> str:
        return f"{self.row.name} on {READ_ON[self.collapse][1]}"

    @property
    def user_model(self) -> str:
        merged = "the topic's grade" if self.collapse == "ad hoc" else READ_ON[self.collapse][1]
        alone = replace(self.row, f=One())  # the weight of the one intent is nothing to be told
        return f"All intents are merged into one, and a document's grade is {merged}. {alone.user_model}"

    @property
    def input_description(self) -> str:
        return READ_ON[self.collapse][0]

    @property
    def ignores_nonrelevant(self) -> bool:
        return self.row.ignores_nonrelevant

    def merged(self, view: Batch) -> Batch:
        """The lists as the row reads them: one intent."""
        return pseudo_grade(view) if self.collapse == "ad hoc" else global_gain(view, self.collapse == "DIN")

    def contributions(self, view: Batch) -> np.ndarray:
        earned = self.row.contributions(self.merged(view))
        return earned * self.shares(view.cut(earned.shape[-1]))

    def shares(self, view: Batch) -> np.ndarray:
        """How what a document earns is shared among its intents, (topic, run, intent, rank)."""
        gain = view.exponential if self._exponential else view.linear
        return intent_shares(view, gain, novelty=self.collapse == "DIN")

    @cached_property
    def _exponential(self) -> bool:
        """Does the row earn by exponential gains? Stop probabilities always do."""
        stops = any(isinstance(part, Satisfaction) for part in _parts(self.row.M))
        gains = [part for part in _parts(self.row) if isinstance(part, Gain) and part.word]
        return stops or gains[-1:] == [Exponential()]


Childless = Annotated[
    Literal["refuse", "self"], Setting("an intent without subtopics is refused, or is its own only subtopic")
]


@dataclass(frozen=True)
class IntentSquare(BaseMetric):
    """sum_i p(t_i|q) T_i(L), T_i over the second-level subtopics of t_i (Yu et al. 2017, Eq. 12)."""

    metric: BaseMetric
    leaf: Childless = "refuse"
    two_levels: ClassVar[bool] = True

    def components(self) -> list[tuple[str, BaseMetric]]:
        return [("within each first-level subtopic", self.metric)]

    def text(self) -> str:
        return f"sum_i p(t_i|q) {self.metric.name}(L) over the second-level subtopics of t_i"

    @property
    def user_model(self) -> str:
        return f"Within each intent, its subtopics are the intents. {self.metric.user_model}"

    def latex(self, escape: Callable[[str], str]) -> str:
        return rf"\sum_{{i=1}}^{{m}} p(t_i\mid q)\,\mathrm{{{escape(self.metric.name)}}}_i(L)"

    def rows(self, view: Batch) -> Iterator[tuple[Metric, Batch]]:
        yield from self.metric.rows(split_by_intent(view, self.leaf))

    def subtopic_contributions(self, view: Batch) -> np.ndarray:
        below = self.metric.contributions(split_by_intent(view, self.leaf))
        return view.probability[:, None, :, None, None] * join_by_topic(below, view)

    def subtopic_grades(self, view: Batch) -> np.ndarray:
        return join_by_topic(split_by_intent(view, self.leaf).linear, view)

    def contributions(self, view: Batch) -> np.ndarray:
        return self.subtopic_contributions(view).sum(axis=3)


def _map_metrics(metric: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(metric, tuple):
        return tuple(_map_metrics(each, change) for each in metric)
    if not isinstance(metric, BaseMetric):
        return metric
    held = {f.name: getattr(metric, f.name) for f in fields(metric)}
    return change(replace(metric, **{name: _map_metrics(value, change) for name, value in held.items()}))


def _parts(thing: Any) -> Iterator[Part]:
    """Every part below a metric or part, itself excluded."""
    names = (f.name for f in fields(thing)) if is_dataclass(thing) else ()
    for value in thing if isinstance(thing, tuple) else (getattr(thing, name) for name in names):
        if isinstance(value, Part):
            yield value
        if isinstance(value, (Part, BaseMetric, tuple)):
            yield from _parts(value)
