"""M_i(d_k | L^{k-1}): what a document adds to what stands above it. The only home of history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant, none_relevant_above
from divmetrics.core.ideal import sorted_per_intent
from divmetrics.core.parts.gains import Gain, GainRatio, Linear, Satisfaction, largest_gain
from divmetrics.core.parts.part import Part, describe_by_kind, set_formula
from divmetrics.core.parts.setting import Alpha, Setting
from divmetrics.core.prefix_sums import exclusive_cumprod, exclusive_cumsum


class Utility(Part):
    """M_i(d_k | L^{k-1}), as a product of named pieces; only M may look at what stands above rank k.

    reads: the arrays of a View that it looks at; documents that are alike there are interchangeable.
    by_intent: does an intent's value hang on that intent's grades alone? zero_elsewhere: is it 0 for every
    document that is relevant to no intent?
    picture: how a walk down the list shows it: "doors" that open once, "counters" of relevant documents,
    readers who "leave" or "fade", or "piles" of what is earned, which anything can be drawn as.
    """

    reads: ClassVar[tuple[str, ...]] = ("linear", "exponential", "relevant")
    by_intent: ClassVar[bool] = False
    zero_if_nonrelevant: ClassVar[bool] = False
    picture: ClassVar[str] = "piles"

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        """The factors of M, each (topic, run, intent, rank), with a few words for an explanation."""
        raise NotImplementedError

    def signs(self, view: Batch) -> Mapping[str, str]:
        """The LaTeX of each piece, as far as there is some."""
        pieces = self.factors(view)
        return dict.fromkeys(pieces, self.latex) if len(pieces) == 1 else {}

    def beside(self, view: Batch) -> Mapping[str, np.ndarray]:
        """Numbers of the same shape that pieces are made of, where a picture shows them."""
        return {}

    def __call__(self, view: Batch) -> np.ndarray:
        first, *others = self.factors(view).values()
        product = first
        for piece in others:
            product = product * piece
        return np.asarray(product, dtype=np.float64)

    def __mul__(self, other: Utility) -> Product:
        return Product(self, other)

    def __sub__(self, other: Utility) -> Difference:
        return Difference(self, other)


class Combined(Utility):
    """Made of other utilities."""

    @property
    def by_intent(self) -> bool:  # type: ignore[override]
        return all(part.by_intent for part in self._utilities())

    @property
    def ignores_nonrelevant(self) -> bool:  # type: ignore[override]
        return all(part.ignores_nonrelevant for part in self._utilities())

    @property
    def zero_if_nonrelevant(self) -> bool:  # type: ignore[override]
        return all(part.zero_if_nonrelevant for part in self._utilities())

    def _utilities(self) -> list[Utility]:
        return [getattr(self, part.name) for part in fields(self)]  # type: ignore[arg-type]

    @property
    def picture(self) -> str:  # type: ignore[override]
        """That of the first that is more than a pile."""
        return next((part.picture for part in self._utilities() if part.picture != "piles"), "piles")

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return "; ".join(filter(None, (part.user_model for part in self._utilities())))

    def beside(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {name: values for part in self._utilities() for name, values in part.beside(view).items()}


@dataclass(frozen=True, repr=False)
class Pair(Combined):
    """Two utilities with a sign between them, as which it is shown."""

    first: Utility
    second: Utility

    between: ClassVar[str]
    between_latex: ClassVar[str]

    @property
    def text(self) -> str:  # type: ignore[override]
        return self.between.format(self.first.text, self.second.text)

    @property
    def latex(self) -> str:  # type: ignore[override]
        return self.between_latex.format(self.first.latex, self.second.latex)

    def __repr__(self) -> str:
        return self.between.format(repr(self.first), repr(self.second))


@dataclass(frozen=True, repr=False)
class Product(Pair):
    """Two utilities multiplied."""

    between: ClassVar[str] = "{} * {}"
    between_latex: ClassVar[str] = r"{}\,{}"

    @property
    def reads(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(dict.fromkeys(self.first.reads + self.second.reads))

    @property
    def zero_if_nonrelevant(self) -> bool:  # type: ignore[override]
        return any(part.zero_if_nonrelevant for part in self._utilities())

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.first.examination_probability(view) * self.second.examination_probability(view)

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {**self.first.factors(view), **self.second.factors(view)}

    def signs(self, view: Batch) -> Mapping[str, str]:
        return {**self.first.signs(view), **self.second.signs(view)}


@dataclass(frozen=True, repr=False)
class Difference(Pair):
    """One utility less another."""

    between: ClassVar[str] = "({} - {})"
    between_latex: ClassVar[str] = r"\left({}-{}\right)"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.first.examination_probability(view)

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {"gain less effort": self.first(view) - self.second(view)}


@set_formula("I(g)", "I(g_i^k)")
@dataclass(frozen=True)
class Relevant(Utility):
    """I(g): 1 for a relevant document, whatever its grade."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    picture: ClassVar[str] = "counters"
    user_model: ClassVar[str] = "readers count the relevant documents"

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {"relevant": view.relevant}


@dataclass(frozen=True)
class Graded(Utility):
    """The gain itself, free of history (D-nDCG, nDCG-IA)."""

    gain: Gain = Linear()

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = "readers collect the gain of every document"

    @property
    def text(self) -> str:  # type: ignore[override]
        return self.gain.text

    @property
    def latex(self) -> str:  # type: ignore[override]
        return self.gain.latex

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {"gain": self.gain(view)}


LargestOf = Annotated[Literal["scale", "ideal"], Setting("whose largest gain it is divided by")]


@dataclass(frozen=True)
class RelativeGain(Utility):
    """gain / max gain (RBP): the gain of the top grade, or (top="ideal") the largest in the ideal list."""

    gain: Gain = Linear()
    top: LargestOf = "scale"

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    user_model: ClassVar[str] = (
        "no document makes readers leave: each one they reach adds its gain as a share of the highest"
    )

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.gain.text}/{'max gain' if self.top == 'scale' else 'h'}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return rf"\frac{{{self.gain.latex}}}{{\max}}"

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        gain = self.gain(view)  # first: it refuses grades that are too large
        largest = self.gain.top(view.scale) if self.top == "scale" else largest_gain(view, self.gain)
        return {"gain / max gain": gain / largest}


@set_formula("I(g) [no relevant document for i above]", r"I(g_i^k)\,\big[c_i^{k-1}=0\big]")
@dataclass(frozen=True)
class FirstCover(Utility):
    """1 for the first relevant document of the intent, 0 for every later one."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    picture: ClassVar[str] = "doors"
    user_model: ClassVar[str] = "only the first relevant document for each intent counts"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return none_relevant_above(view.relevant)

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {"first relevant document": is_first_relevant(view.relevant)}


@set_formula("c_k", "c_i^k")
@dataclass(frozen=True)
class RelevantSoFar(Utility):
    """c_k: relevant documents up to and including rank k (AP)."""

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    picture: ClassVar[str] = "counters"
    user_model: ClassVar[str] = "each adds the number found so far"

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        return {"relevant so far": np.cumsum(view.relevant, axis=-1, dtype=np.int32)}


@set_formula("R(g_k) prod_{j<k} (1 - R(g_j))", r"R(g_i^k)\prod_{j<k}\big(1-R(g_i^j)\big)")
@dataclass(frozen=True)
class Cascade(Utility):
    """R(g_k) prod_{j<k} (1 - R(g_j)): satisfied here, and by none of the documents above (Chapelle 2009)."""

    R: Satisfaction | GainRatio = Satisfaction()

    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    picture: ClassVar[str] = "leave"
    user_model: ClassVar[str] = (
        "readers walk down the list and leave at the first document that satisfies them"
    )

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.factors(view)["readers still unsatisfied"]

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        stop = self.R(view)
        return {"chance to satisfy": stop, "readers still unsatisfied": exclusive_cumprod(1 - stop)}

    def signs(self, view: Batch) -> Mapping[str, str]:
        return {
            "chance to satisfy": r"R(g_i^k)",
            "readers still unsatisfied": r"\prod_{j<k}\big(1-R(g_i^j)\big)",
        }


@set_formula("I(g) (1 - alpha)^{c_{k-1}}", r"I(g_i^k)\,(1-\alpha)^{c_i^{k-1}}")
@dataclass(frozen=True)
class Novelty(Utility):
    """I(g) (1-alpha)^(relevant documents above), with 0^0 = 1 (Clarke et al. 2008)."""

    alpha: Alpha = 0.5

    reads: ClassVar[tuple[str, ...]] = ("relevant",)
    by_intent: ClassVar[bool] = True
    ignores_nonrelevant: ClassVar[bool] = True
    zero_if_nonrelevant: ClassVar[bool] = True
    picture: ClassVar[str] = "fade"

    @property
    def user_model(self) -> str:  # type: ignore[override]
        times = 1 - self.alpha
        return f"readers stay, but each relevant document leaves only {times:g} of their interest in the next"

    def examination_probability(self, view: Batch) -> np.ndarray:
        return self.factors(view)["novelty"]

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        above = exclusive_cumsum(view.relevant)
        # Looked up: far cheaper than a power per cell.
        powers = (1.0 - self.alpha) ** np.arange(view.depth + 1)
        return {"relevant": view.relevant, "novelty": powers[above]}

    def signs(self, view: Batch) -> Mapping[str, str]:
        return {"relevant": "I(g_i^k)", "novelty": r"(1-\alpha)^{c_i^{k-1}}"}


Blend = Annotated[
    float,
    Setting("how much gains count, compared with the number of relevant documents", 0, usual=(0, 5, 0.1)),
]


@set_formula("(C(k) + beta cg(k)) / (k + beta cg*(k))", r"\frac{C_i(k)+\beta\,cg_i(k)}{k+\beta\,cg_i^*(k)}")
@dataclass(frozen=True)
class BlendedRatio(Utility):
    """BR(k) = (C(k) + beta cg(k)) / (k + beta cg*(k)); cg* is the ideal list's (S&Z 2019, Eq. 2)."""

    gain: Gain = Linear()
    beta: Blend = 1.0

    by_intent: ClassVar[bool] = True
    user_model: ClassVar[str] = (
        "what they have by then is compared with what the ideal list would have given them"
    )

    def beside(self, view: Batch) -> Mapping[str, np.ndarray]:
        ideal = np.cumsum(self.gain(sorted_per_intent(view.judged, view.depth)), axis=-1)
        found = np.cumsum(view.relevant, axis=-1) + self.beta * np.cumsum(self.gain(view), axis=-1)
        return {"found": found, "ideal": view.ranks + self.beta * ideal}

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        beside = self.beside(view)
        return {"blended ratio": beside["found"] / beside["ideal"]}


Cost = Annotated[float, Setting("what reading one rank costs", 0, usual=(0, 0.1, 0.005))]
Charged = Annotated[Literal["cutoff", "documents"], Setting("how far down it is charged")]


@set_formula("e", "e")
@dataclass(frozen=True)
class Effort(Utility):
    """e: the cost of reading one rank, at every rank up to the cutoff or only where the list has a document.

    It is charged once per rank, since the intents' weights sum to 1 (Amigo et al. 2018; S&Z 2019 Eq. 9).
    """

    e: Cost = 0.01
    charged: Charged = "cutoff"

    by_intent: ClassVar[bool] = True

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return f"each rank costs {self.e:g}, read or not"

    @property
    def needs_cutoff(self) -> bool:  # type: ignore[override]
        return self.charged == "cutoff"

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        where = view.listed if self.charged == "documents" else np.ones((1, 1, 1, view.depth))
        return {"effort": self.e * where}


@dataclass(frozen=True)
class ByKind(Combined):
    """One utility for informational intents, another for navigational ones."""

    informational: Utility
    navigational: Utility

    @property
    def picture(self) -> str:  # type: ignore[override]
        return self.informational.picture

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"inf: {self.informational.text}; nav: {self.navigational.text}"

    @property
    def latex(self) -> str:  # type: ignore[override]
        return (
            rf"\begin{{cases}}{self.informational.latex}&\text{{informational}}\\"
            rf"{self.navigational.latex}&\text{{navigational}}\end{{cases}}"
        )

    @property
    def user_model(self) -> str:  # type: ignore[override]
        return describe_by_kind(self.informational.user_model, self.navigational.user_model)

    def examination_probability(self, view: Batch) -> np.ndarray:
        navigational = view.navigational[:, None, :, None]
        return np.where(
            navigational,
            self.navigational.examination_probability(view),
            self.informational.examination_probability(view),
        )

    def factors(self, view: Batch) -> Mapping[str, np.ndarray]:
        navigational = view.navigational[:, None, :, None]
        inf, nav = self.informational.factors(view), self.navigational.factors(view)
        return {
            name: np.where(navigational, nav.get(name, 1.0), inf.get(name, 1.0)) for name in {**inf, **nav}
        }

    def signs(self, view: Batch) -> Mapping[str, str]:
        return {**self.navigational.signs(view), **self.informational.signs(view)}
