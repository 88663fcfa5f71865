"""The alphabet: small frozen values for the four columns of Table 1 of Yu et al. (2017).

    T(L) = 1/N  sum_k w(k)  sum_i f(t_i)  M_i(d_k | L^{k-1})

Each part is called with a View and returns an array that broadcasts to (topic, run, intent, rank). Every
symbol has one home: history only in M, the rank only in w, the intents' weights only in f, the ideal list
only in N (and in the blended ratio). A part's fields are the parameters that a metric's name may set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from divmetrics.errors import DivmetricsError
from divmetrics.history import before_product, before_sum
from divmetrics.ideal import Ties, exact_value, greedy_order, in_order, sorted_order, sorted_per_intent
from divmetrics.view import View, first_cover

if TYPE_CHECKING:
    from divmetrics.metric import Metric


class Part:
    """What every part has: plain text and LaTeX for the formula it stands for.

    A part with a `word` is one of several that a name may choose from (`gain=exponential`); `parameter` is
    the name of the choice.
    """

    word: ClassVar[str] = ""
    parameter: ClassVar[str] = ""
    text: ClassVar[str] = ""
    latex: ClassVar[str] = ""
    needs_cutoff: ClassVar[bool] = False

    def _within(
        self, name: str, low: float, high: float, low_open: bool = False, high_open: bool = False
    ) -> None:
        value = getattr(self, name)
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if (
            not number
            or not low <= value <= high
            or (low_open and value == low)
            or (high_open and value == high)
        ):
            raise DivmetricsError(
                f"{name} is {value!r}, expected a number in {'(' if low_open else '['}{low:g}, "
                f"{'any' if high == math.inf else f'{high:g}'}{')' if high_open or high == math.inf else ']'}"
            )

    def _one_of(self, name: str, choices: object) -> None:
        value = getattr(self, name)
        if value not in get_args(choices):
            raise DivmetricsError(f"{name} is {value!r}, expected one of {', '.join(get_args(choices))}")


# ------------------------------------------------------------------ grade maps: grade -> gain or probability


class Gain(Part):
    """A map from grades to gains."""

    parameter: ClassVar[str] = "gain"

    def __call__(self, view: View) -> np.ndarray:
        raise NotImplementedError

    def top(self, scale: int) -> int:
        """The gain of the top grade."""
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Gain):
    """V(g) = g."""

    word: ClassVar[str] = "linear"
    text: ClassVar[str] = "g"
    latex: ClassVar[str] = "g_i^k"

    def __call__(self, view: View) -> np.ndarray:
        return view.linear

    def top(self, scale: int) -> int:
        return scale


@dataclass(frozen=True)
class Exponential(Gain):
    """X(g) = 2^g - 1."""

    word: ClassVar[str] = "exponential"
    text: ClassVar[str] = "(2^g - 1)"
    latex: ClassVar[str] = "(2^{g_i^k}-1)"

    def __call__(self, view: View) -> np.ndarray:
        return view.exponential

    def top(self, scale: int) -> int:
        return int(2**scale - 1)


GAINS: Mapping[str, Gain] = {gain.word: gain for gain in (Linear(), Exponential())}


@dataclass(frozen=True)
class Satisfaction(Part):
    """R(g): the probability that a document of grade g satisfies the reader (Chapelle et al. 2009, Eq. 4).

    over="2^Y" gives (2^g - 1)/2^Y; over="2^Y-1" what Yu et al. (2017) print, though their Table 4 needs 2^Y.
    top="intent" takes for Y each intent's own highest judged grade (as the program of Amigo et al. does).
    """

    over: Literal["2^Y", "2^Y-1"] = "2^Y"
    top: Literal["collection", "intent"] = "collection"

    def __post_init__(self) -> None:
        self._one_of("over", Literal["2^Y", "2^Y-1"])
        self._one_of("top", Literal["collection", "intent"])

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"(2^g - 1)/{'2^Y' if self.over == '2^Y' else '(2^Y - 1)'}"

    latex: ClassVar[str] = r"R(g_i^k)"

    def __call__(self, view: View) -> np.ndarray:
        top: int | np.ndarray = view.scale
        if self.top == "intent":
            top = np.maximum(view.judged.linear.max(axis=-1, keepdims=True, initial=0), 1)
        return view.exponential / (np.exp2(top) - (self.over == "2^Y-1"))


@dataclass(frozen=True)
class GainRatio(Part):
    """g/(h+1), h the largest gain in that ideal list, per intent or of the global gain (NTCIREVAL)."""

    gain: Gain = Linear()

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.gain.text}/(h + 1)"

    latex: ClassVar[str] = r"\frac{g_i^k}{h_i+1}"

    def __call__(self, view: View) -> np.ndarray:
        most = self.gain(view.judged).max(axis=-1, keepdims=True, initial=0)
        return self.gain(view) / (most + 1)


def largest_gain(view: View, gain: Gain) -> np.ndarray:
    """h: the largest gain in the ideal list, (topic, 1, intent, 1); 1 where there is none to divide by."""
    most = gain(view.judged).max(axis=-1, keepdims=True, initial=0)
    return np.where(most > 0, most, 1.0)


# ------------------------------------------------------------------ M: marginal utility


class Utility(Part):
    """M_i(d_k | L^{k-1}), as a product of named pieces; only M may look at what stands above rank k.

    reads: the arrays of a View that it looks at; documents that are alike there are interchangeable.
    """

    reads: ClassVar[tuple[str, ...]] = ("linear", "exponential", "relevant")

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        """The factors of M, each (topic, run, intent, rank), with a few words for an explanation."""
        raise NotImplementedError

    def __call__(self, view: View) -> np.ndarray:
        product: np.ndarray | float = 1.0
        for piece in self.pieces(view).values():
            product = product * piece
        return np.asarray(product)

    def __mul__(self, other: Utility) -> Product:
        return Product(self, other)

    def __sub__(self, other: Utility) -> Difference:
        return Difference(self, other)


@dataclass(frozen=True)
class Product(Utility):
    """Two utilities multiplied."""

    first: Utility
    second: Utility

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.first.text} * {self.second.text}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return rf"{self.first.latex}\,{self.second.latex}"

    @property
    def reads(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(dict.fromkeys(self.first.reads + self.second.reads))

    def __repr__(self) -> str:
        return f"{self.first!r} * {self.second!r}"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {**self.first.pieces(view), **self.second.pieces(view)}


@dataclass(frozen=True)
class Difference(Utility):
    """One utility less another."""

    first: Utility
    second: Utility

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"({self.first.text} - {self.second.text})"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return rf"\left({self.first.latex}-{self.second.latex}\right)"

    def __repr__(self) -> str:
        return f"({self.first!r} - {self.second!r})"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {"gain less effort": self.first(view) - self.second(view)}


@dataclass(frozen=True)
class Relevant(Utility):
    """I(g): 1 for a relevant document, whatever its grade."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    text: ClassVar[str] = "I(g)"
    latex: ClassVar[str] = "I(g_i^k)"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {"relevant": view.relevant.astype(float)}


@dataclass(frozen=True)
class Graded(Utility):
    """The gain itself, free of history (D-nDCG, nDCG-IA)."""

    gain: Gain = Linear()

    @property
    def text(self) -> str:  # type: ignore[override]
        return self.gain.text

    @property
    def latex(self) -> str:  # type: ignore[override]
        return self.gain.latex

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {"gain": self.gain(view)}


@dataclass(frozen=True)
class RelativeGain(Utility):
    """gain / max gain (RBP): the gain of the top grade, or (top="ideal") the largest in the ideal list."""

    gain: Gain = Linear()
    top: Literal["scale", "ideal"] = "scale"

    def __post_init__(self) -> None:
        self._one_of("top", Literal["scale", "ideal"])

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.gain.text}/{'max gain' if self.top == 'scale' else 'h'}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return rf"\frac{{{self.gain.latex}}}{{\max}}"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        largest = self.gain.top(view.scale) if self.top == "scale" else largest_gain(view, self.gain)
        return {"gain / max gain": self.gain(view) / largest}


@dataclass(frozen=True)
class FirstCover(Utility):
    """1 for the first relevant document of the intent, 0 for every later one."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    text: ClassVar[str] = "I(g) [no relevant document for i above]"
    latex: ClassVar[str] = r"I(g_i^k)\,\big[c_i^{k-1}=0\big]"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {"first relevant document": first_cover(view.relevant).astype(float)}


@dataclass(frozen=True)
class RelevantSoFar(Utility):
    """c_k: relevant documents up to and including rank k (AP)."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    text: ClassVar[str] = "c_k"
    latex: ClassVar[str] = "c_i^k"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        return {"relevant so far": np.cumsum(view.relevant, axis=-1).astype(float)}


@dataclass(frozen=True)
class Cascade(Utility):
    """R(g_k) prod_{j<k} (1 - R(g_j)): satisfied here, by none of the documents above (Chapelle 2009)."""

    R: Satisfaction | GainRatio = Satisfaction()

    @property
    def text(self) -> str:  # type: ignore[override]
        return "R(g_k) prod_{j<k} (1 - R(g_j))"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return r"R(g_i^k)\prod_{j<k}\big(1-R(g_i^j)\big)"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        stop = self.R(view)
        return {"chance to satisfy": stop, "readers still unsatisfied": before_product(1 - stop)}


@dataclass(frozen=True)
class Novelty(Utility):
    """I(g) (1-alpha)^(relevant documents above), with 0^0 = 1 (Clarke et al. 2008)."""

    alpha: float = 0.5

    def __post_init__(self) -> None:
        self._within("alpha", 0, 1)

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    text: ClassVar[str] = "I(g) (1 - alpha)^{c_{k-1}}"
    latex: ClassVar[str] = r"I(g_i^k)\,(1-\alpha)^{c_i^{k-1}}"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        above = before_sum(view.relevant)
        powers = (1.0 - self.alpha) ** np.arange(
            view.depth + 1
        )  # looked up: far cheaper than a power per cell
        return {"relevant": view.relevant.astype(float), "novelty": powers[above]}


@dataclass(frozen=True)
class BlendedRatio(Utility):
    """BR(k) = (C(k) + beta cg(k)) / (k + beta cg*(k)); cg* is the ideal list's (S&Z 2019, Eq. 2)."""

    gain: Gain = Linear()
    beta: float = 1.0

    def __post_init__(self) -> None:
        self._within("beta", 0, math.inf)

    text: ClassVar[str] = "(C(k) + beta cg(k)) / (k + beta cg*(k))"
    latex: ClassVar[str] = r"\frac{C_i(k)+\beta\,cg_i(k)}{k+\beta\,cg_i^*(k)}"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        ideal = np.cumsum(self.gain(sorted_per_intent(view.judged, view.depth)), axis=-1)
        found = np.cumsum(view.relevant, axis=-1) + self.beta * np.cumsum(self.gain(view), axis=-1)
        return {"blended ratio": found / (view.ranks + self.beta * ideal)}


@dataclass(frozen=True)
class Effort(Utility):
    """e: what reading one rank costs; at every rank up to the cutoff, or only where the list has a document.

    It is charged once per rank, since the intents' weights sum to 1 (Amigo et al. 2018; S&Z 2019 Eq. 9).
    """

    e: float = 0.01
    charged: Literal["cutoff", "documents"] = "cutoff"

    def __post_init__(self) -> None:
        self._within("e", 0, math.inf)
        self._one_of("charged", Literal["cutoff", "documents"])

    text: ClassVar[str] = "e"
    latex: ClassVar[str] = "e"

    @property
    def needs_cutoff(self) -> bool:  # type: ignore[override]
        return self.charged == "cutoff"

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        where = view.listed if self.charged == "documents" else np.ones((1, 1, 1, view.depth))
        return {"effort": self.e * where}


@dataclass(frozen=True)
class ByKind(Utility):
    """One utility for informational intents, another for navigational ones."""

    informational: Utility
    navigational: Utility

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"inf: {self.informational.text}; nav: {self.navigational.text}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return (
            rf"\begin{{cases}}{self.informational.latex}&\text{{informational}}\\"
            rf"{self.navigational.latex}&\text{{navigational}}\end{{cases}}"
        )

    def pieces(self, view: View) -> Mapping[str, np.ndarray]:
        navigational = view.navigational[:, None, :, None]
        inf, nav = self.informational.pieces(view), self.navigational.pieces(view)
        return {
            name: np.where(navigational, nav.get(name, 1.0), inf.get(name, 1.0)) for name in {**inf, **nav}
        }


# ------------------------------------------------------------------ f: intent weights


@dataclass(frozen=True)
class One(Part):
    """1, in any of the columns N, f and w."""

    text: ClassVar[str] = "1"
    latex: ClassVar[str] = "1"

    def __call__(self, view: View, row: Metric | None = None) -> np.ndarray:
        return np.ones((1, 1, 1, 1))


@dataclass(frozen=True)
class Probability(Part):
    """p(t_i|q)."""

    text: ClassVar[str] = "p(t_i|q)"
    latex: ClassVar[str] = "p(t_i|q)"

    def __call__(self, view: View) -> np.ndarray:
        return view.probability[:, None, :, None]


@dataclass(frozen=True)
class Distribution(Probability):
    """p(t_i|q), refused where it does not sum to 1: for rows that would charge a cost once per intent."""

    def __call__(self, view: View) -> np.ndarray:
        total = view.probability.sum(axis=1)
        off = np.flatnonzero(view.present.any(axis=1) & (np.abs(total - 1) > 1e-3))
        if len(off):
            raise DivmetricsError(
                f"topic {view.topics[off[0]]}: weights sum to {total[off[0]]:.6g}, but this metric charges "
                "its effort once and needs weights that sum to 1"
            )
        return super().__call__(view)


IntentsCounted = Literal["all", "relevant"]


def _count_intents(view: View, intents: IntentsCounted) -> np.ndarray:
    """m, (topic, 1, 1, 1): all the topic's intents, or those with a relevant judged document."""
    counted = view.present if intents == "all" else view.covered
    return counted.sum(axis=1)[:, None, None, None]


@dataclass(frozen=True)
class Uniform(Part):
    """1/m, m the number of the topic's intents (or only of those with a relevant judged document)."""

    intents: IntentsCounted = "all"

    def __post_init__(self) -> None:
        self._one_of("intents", IntentsCounted)

    text: ClassVar[str] = "1/m"
    latex: ClassVar[str] = r"\frac{1}{m}"

    def __call__(self, view: View) -> np.ndarray:
        return 1 / np.maximum(_count_intents(view, self.intents), 1)


# ------------------------------------------------------------------ w: rank discounts


@dataclass(frozen=True)
class Reciprocal(Part):
    """1/k."""

    text: ClassVar[str] = "1/k"
    latex: ClassVar[str] = r"\frac{1}{k}"

    def __call__(self, view: View) -> np.ndarray:
        return 1 / view.ranks


@dataclass(frozen=True)
class Log2(Part):
    """1/log2(k+1)."""

    text: ClassVar[str] = "1/log2(k+1)"
    latex: ClassVar[str] = r"\frac{1}{\log_2(k+1)}"

    def __call__(self, view: View) -> np.ndarray:
        return 1 / np.log2(view.ranks + 1)


@dataclass(frozen=True)
class Persistence(Part):
    """beta^(k-1) (NRBP)."""

    beta: float = 0.5

    def __post_init__(self) -> None:
        self._within("beta", 0, 1, low_open=True, high_open=True)

    text: ClassVar[str] = "beta^{k-1}"
    latex: ClassVar[str] = r"\beta^{k-1}"

    def __call__(self, view: View) -> np.ndarray:
        return self.beta ** (view.ranks - 1.0)


@dataclass(frozen=True)
class RankBiased(Part):
    """(1-phi) phi^(k-1) (RBP)."""

    phi: float = 0.99

    def __post_init__(self) -> None:
        self._within("phi", 0, 1, low_open=True, high_open=True)

    text: ClassVar[str] = "(1 - phi) phi^{k-1}"
    latex: ClassVar[str] = r"(1-\phi)\,\phi^{k-1}"

    def __call__(self, view: View) -> np.ndarray:
        return (1 - self.phi) * self.phi ** (view.ranks - 1.0)


@dataclass(frozen=True)
class Patience(Part):
    """phi^k (iRBU, RBU)."""

    phi: float = 0.99

    def __post_init__(self) -> None:
        self._within("phi", 0, 1, low_open=True, high_open=True)

    text: ClassVar[str] = "phi^k"
    latex: ClassVar[str] = r"\phi^{k}"

    def __call__(self, view: View) -> np.ndarray:
        return self.phi ** (view.ranks * 1.0)


# ------------------------------------------------------------------ N: normalisers


@dataclass(frozen=True)
class Depth(Part):
    """l, the cutoff."""

    text: ClassVar[str] = "l"
    latex: ClassVar[str] = "l"
    needs_cutoff: ClassVar[bool] = True

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        return np.full((1, 1, 1, 1), float(row.cutoff or view.depth))


@dataclass(frozen=True)
class Count(Part):
    """l, R (the intent's relevant judged documents), or the smaller of the two ("min")."""

    of: Literal["l", "R", "min"] = "l"

    def __post_init__(self) -> None:
        self._one_of("of", Literal["l", "R", "min"])

    @property
    def text(self) -> str:  # type: ignore[override]
        return "min(l, R)" if self.of == "min" else self.of

    @property
    def latex(self) -> str:  # type: ignore[override]
        return {"l": "l", "R": "R_i", "min": r"\min(l,R_i)"}[self.of]

    @property
    def needs_cutoff(self) -> bool:  # type: ignore[override]
        return self.of == "l"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        if self.of == "l":
            return Depth()(view, row)
        relevant = view.judged.relevant.sum(axis=-1, keepdims=True).astype(float)
        return relevant if self.of == "R" or row.cutoff is None else np.minimum(relevant, row.cutoff)


@dataclass(frozen=True)
class RelevantSeen(Part):
    """C: relevant documents in the list itself, down to where the reader stops (P+)."""

    text: ClassVar[str] = "C(rp)"
    latex: ClassVar[str] = "C_i(rp)"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        return view.relevant.sum(axis=-1, keepdims=True).astype(float)


@dataclass(frozen=True)
class SortedIdeal(Part):
    """The same row on the list of judged documents in decreasing gain, cut at l.

    per="intent": every intent has its own ideal list and divides by its own value (nDCG-IA);
    per="topic": one list for everybody, sorted by global gain sum_i f(t_i) M_i (D-nDCG), which takes an M
    that is free of history. M: the utility on the ideal list where it is not the row's own.
    """

    per: Literal["intent", "topic"] = "intent"
    M: Utility | None = None

    def __post_init__(self) -> None:
        self._one_of("per", Literal["intent", "topic"])

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"the sum over the {'intent' if self.per == 'intent' else 'topic'}'s ideal list"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return "DCG^*_i" if self.per == "intent" else r"\mathrm{D\text{-}DCG}^*"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        utility = self.M or row.M
        if self.per == "intent":
            depth = view.judged.depth
            ideal = sorted_per_intent(view.judged, depth if row.cutoff is None else min(depth, row.cutoff))
            return np.sum(row.w(ideal) * utility(ideal), axis=-1, keepdims=True)
        order = sorted_order(view.judged, utility, row.f)
        best = in_order(view.judged, order if row.cutoff is None else order[:, : row.cutoff])
        return np.sum(row.w(best) * row.f(best) * utility(best), axis=(2, 3), keepdims=True)


@dataclass(frozen=True)
class GreedyIdeal(Part):
    """The same row on a list built greedily: at each rank the judged document that adds most.

    Ties go to the first document id in ascending (or descending) order: the direction can change the value.
    """

    ties: Ties = "ascending"
    word: ClassVar[str] = "greedy"
    parameter: ClassVar[str] = "ideal"

    def __post_init__(self) -> None:
        self._one_of("ties", Ties)

    text: ClassVar[str] = "the same sum over the greedy ideal list"
    latex: ClassVar[str] = r"\alpha\text{-}DCG^*"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        best = in_order(view.judged, greedy_order(view.judged, row, self.ties, row.cutoff))
        return np.sum(row.w(best) * row.f(best) * row.M(best), axis=(2, 3), keepdims=True)


@dataclass(frozen=True)
class ExactIdeal(Part):
    """The same row on the list that is truly best; alpha-nDCG can then never exceed 1.

    time_limit: seconds per topic. A topic whose list is not proved best by then is named in a warning, with
    how much better a list could still be.
    """

    time_limit: float = 30.0
    word: ClassVar[str] = "exact"
    parameter: ClassVar[str] = "ideal"

    def __post_init__(self) -> None:
        self._within("time_limit", 0, math.inf, low_open=True)

    text: ClassVar[str] = "the same sum over the best list there is"
    latex: ClassVar[str] = r"\max_L \alpha\text{-}DCG"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        return exact_value(view.judged, row, self.time_limit)


@dataclass(frozen=True)
class IdealIdeal(Part):
    """sum_{k<=l} m (1-alpha)^(k-1) w(k): a document relevant to every intent at every rank (ndeval)."""

    alpha: float = 0.5
    intents: IntentsCounted = "all"

    text: ClassVar[str] = "sum_{k<=l} m (1 - alpha)^{k-1} w(k)"
    latex: ClassVar[str] = r"\sum_{k\le l} m\,(1-\alpha)^{k-1}w(k)"
    needs_cutoff: ClassVar[bool] = True

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        to_cutoff = view.cut(row.cutoff or view.depth)
        gain = (1.0 - self.alpha) ** (to_cutoff.ranks - 1)
        return _count_intents(view, self.intents) * np.sum(gain * row.w(to_cutoff), axis=-1, keepdims=True)


@dataclass(frozen=True)
class EndlessIdeal(Part):
    """m / (1 - (1-alpha) beta): a document relevant to every intent at every rank, for ever (Clarke 2009)."""

    alpha: float = 0.5
    beta: float = 0.5
    intents: IntentsCounted = "all"

    text: ClassVar[str] = "m / (1 - (1 - alpha) beta)"
    latex: ClassVar[str] = r"\frac{m}{1-(1-\alpha)\beta}"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        return _count_intents(view, self.intents) / (1 - (1 - self.alpha) * self.beta)


@dataclass(frozen=True)
class GeometricTotal(Part):
    """phi / (1 - phi) = sum_k phi^k: puts RBU on the scale of its authors' program."""

    phi: float = 0.99

    text: ClassVar[str] = "phi/(1 - phi)"
    latex: ClassVar[str] = r"\frac{\phi}{1-\phi}"

    def __call__(self, view: View, row: Metric) -> np.ndarray:
        return np.full((1, 1, 1, 1), self.phi / (1 - self.phi))


CHOICES: Mapping[str, Mapping[str, Part]] = {
    "gain": GAINS,
    "ideal": {part.word: part for part in (GreedyIdeal(), ExactIdeal())},
}


# ------------------------------------------------------------------ where a reader stops


@dataclass(frozen=True)
class PreferredRank(Part):
    """rp: the first rank with the highest grade the list has for the intent; 0 without one (Sakai 2012)."""

    text: ClassVar[str] = "rp, the first rank of the highest grade retrieved"
    latex: ClassVar[str] = "rp_i"

    def __call__(self, view: View) -> np.ndarray:
        if view.depth == 0:
            return np.zeros(view.linear.shape[:3], dtype=int)
        return np.where(view.relevant.any(axis=-1), view.linear.argmax(axis=-1) + 1, 0)
