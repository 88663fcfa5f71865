"""The description of each part: formula, user model and picture, registered for the part's type.

A package registers the descriptions of its own parts in the same way:

    @registered_description.register
    def _(part: MyPart) -> PartDescription:
        return PartDescription("g^2", "(g_i^k)^2", "users collect squared gains")

A part may also carry the attributes `text`, `latex`, `user_model` and `picture` itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import singledispatch

import numpy as np

from divmetrics.conventions.page_parts import BlockContinuation, GainPerEffort, IdealRate, Orientation
from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.metric import Metric
from divmetrics.core.parts import (
    AtLeast,
    BestSoFar,
    BlendedRatio,
    ByKind,
    Cascade,
    Count,
    Credit,
    Difference,
    Effort,
    Exponential,
    FirstCover,
    GainRatio,
    GeometricTotal,
    Graded,
    GreedyIdeal,
    Importance,
    LevelReached,
    Linear,
    Log2,
    Novelty,
    One,
    Patience,
    Persistence,
    PreferredRank,
    Probability,
    Product,
    RankBiased,
    ReadingCost,
    Reciprocal,
    RelativeGain,
    Relevant,
    RelevantRetrieved,
    RelevantSoFar,
    Satisfaction,
    SortedIdeal,
    StoppingTotal,
    TotalWeight,
    Uniform,
    UpperBound,
    UpperBoundInfinite,
    Utility,
)
from divmetrics.core.parts.discounts import ContinuationDiscount
from divmetrics.exact_ideal import ExactIdeal, MinimalRank, SmallestCover

GRADE = re.compile(r"\bg\b")  # in the formula of a gain


@dataclass(frozen=True)
class PartDescription:
    """The formula, user model and picture of a part. The arguments are not checked.

    Parameters
    ----------
    text : str
        Its formula in plain text; "" to display the part's repr.
    latex : str
        Its formula in LaTeX, without dollar signs; "" for none.
    user_model : str
        A clause on what users do; "" if the part does not concern users.
    picture : str
        For a utility, how the walk down a list is drawn: as "doors", one per intent, that open once; as
        "counters" of relevant documents; as users who "leave" or "fade"; or as "piles" of gain, which suits
        every utility.

    Examples
    --------
    >>> from divmetrics.parts import Log2
    >>> description_of(Log2()).text
    '1/log2(k+1)'
    """

    text: str = ""
    latex: str = ""
    user_model: str = ""
    picture: str = "piles"


FIELDS = tuple(field.name for field in fields(PartDescription))


@public
@singledispatch
def registered_description(part: object) -> PartDescription:
    """Return the description that is registered for the type of a part, or for its nearest base class.

    `registered_description.register`, as a decorator, registers a function for the type of its argument.

    Parameters
    ----------
    part : object
        A part of a metric (N, f, w, M, stop or a gain), of any type.

    Returns
    -------
    PartDescription
        Its description; one with empty fields, and the picture "piles", for a type without a description.

    Examples
    --------
    >>> from divmetrics.parts import Cascade
    >>> registered_description(Cascade()).picture
    'leave'
    """
    return PartDescription()


@public
def description_of(part: object) -> PartDescription:
    """Return the description of a part: its own attributes, else the registered description of its type.

    Parameters
    ----------
    part : object
        A part of a metric (N, f, w, M, stop or a gain), of any type. Its attributes `text`, `latex`,
        `user_model` and `picture` replace registered ones if they are text that is not empty.

    Returns
    -------
    PartDescription
        Its description; one with empty fields, and the picture "piles", if the part has none.

    Examples
    --------
    >>> from divmetrics.parts import Patience
    >>> description_of(Patience(0.9)).user_model
    'they go on to each rank, even the first, with probability 0.9'
    """
    registered = registered_description(part)
    own = {name: getattr(part, name, "") for name in FIELDS}
    own = {name: value for name, value in own.items() if isinstance(value, str) and value}
    return replace(registered, **own) if own else registered


@public
def plain_formula(part: object) -> str:
    """Return the formula of a part in plain text.

    Parameters
    ----------
    part : object
        A part, of any type.

    Returns
    -------
    str
        The formula, or the part's repr if there is none.

    Examples
    --------
    >>> from divmetrics.parts import Patience
    >>> plain_formula(Patience(0.9))
    'phi^k'
    """
    return description_of(part).text or repr(part)


# Descriptions that no setting changes; "{part}" in a user model stands for the part.
CONSTANT: Mapping[type, PartDescription] = {
    One: PartDescription("1", "1"),
    Linear: PartDescription("g", "g_i^k"),
    Exponential: PartDescription("(2^g - 1)", "(2^{g_i^k}-1)"),
    # f
    Probability: PartDescription("p(t_i|q)", r"p(t_i\mid q)", "each intent is weighted by its probability"),
    Uniform: PartDescription("1/m", r"\frac{1}{m}", "all intents count equally"),
    Orientation: PartDescription(
        "orient(v,q)^a", r"\mathrm{orient}(v,q)^a", "a vertical counts for the readers who want it"
    ),
    # w
    Reciprocal: PartDescription(
        "1/k", r"\frac{1}{k}", "what they find at rank k is worth 1/k: a half at rank 2, a third at rank 3"
    ),
    Log2: PartDescription(
        "1/log2(k+1)",
        r"\frac{1}{\log_2(k+1)}",
        "what they find at rank k is worth 1/log2(k+1): a half at rank 3, a third at rank 7",
    ),
    Persistence: PartDescription(
        "beta^{k-1}", r"\beta^{k-1}", "after each rank they go on with probability {part.beta:g}"
    ),
    RankBiased: PartDescription(
        "(1 - phi) phi^{k-1}",
        r"(1-\phi)\,\phi^{k-1}",
        "after each rank they go on with probability {part.phi:g}",
    ),
    Patience: PartDescription(
        "phi^k", r"\phi^{k}", "they go on to each rank, even the first, with probability {part.phi:g}"
    ),
    # stop
    PreferredRank: PartDescription(
        "rp, the first rank of the highest grade retrieved",
        "rp_i",
        "they stop at the first document of the highest grade that the list has for them",
    ),
    MinimalRank: PartDescription(
        "l_min, the fewest documents that can serve every intent",
        r"l_{\min}",
        "they read as many documents as are needed to serve every intent",
    ),
    # N
    SmallestCover: PartDescription(
        "the same sum over the cheapest documents that reach the level",
        r"\text{cheapest list}",
        "the sum is divided by that of the documents that reach the level at the lowest cost",
    ),
    TotalWeight: PartDescription(
        "sum_i f(t_i)", r"\sum_i f(t_i)", "the sum is divided by the weights of all intents"
    ),
    RelevantRetrieved: PartDescription(
        "C(rp)", "C_i(rp)", "the sum is divided by the number of relevant documents that they have read"
    ),
    GreedyIdeal: PartDescription(
        "the same sum over the greedy ideal list",
        r"\text{greedy ideal}",
        "the sum is divided by that of a list built greedily",
    ),
    ExactIdeal: PartDescription(
        "the same sum over the best list there is",
        r"\text{best list}",
        "the sum is divided by that of the best list there is",
    ),
    UpperBound: PartDescription(
        "sum_{k<=l} m (1 - alpha)^{k-1} w(k)",
        r"\sum_{k\le l} m\,(1-\alpha)^{k-1}w(k)",
        "the sum is divided by that of a list whose every document serves every intent",
    ),
    UpperBoundInfinite: PartDescription(
        "m / (1 - (1 - alpha) beta)",
        r"\dfrac{m}{1-(1-\alpha)\beta}",
        "the sum is divided by that of an endless list whose every document serves every intent",
    ),
    StoppingTotal: PartDescription(
        "sum_{j<=R} (1 - alpha)^{j-1}",
        r"\sum_{j\le R_i}(1-\alpha)^{j-1}",
        "the sum is divided by the weights of all relevant documents, which become shares of users",
    ),
    GeometricTotal: PartDescription(
        "phi/(1 - phi)",
        r"\dfrac{\phi}{1-\phi}",
        "the sum is divided by the number of ranks that readers would reach if nothing satisfied them",
    ),
    IdealRate: PartDescription(
        "effort(P) * gain(P*) / effort(P*)",
        r"E(P)\,\frac{G(P^*)}{E(P^*)}",
        "what a page gives for the effort of reading is compared with the ideal page's",
    ),
    # M
    Relevant: PartDescription("I(g)", "I(g_i^k)", "readers count the relevant documents", "counters"),
    FirstCover: PartDescription(
        "I(g) [no relevant document for i above]",
        r"I(g_i^k)\,\big[c_i^{k-1}=0\big]",
        "only the first relevant document for each intent counts",
        "doors",
    ),
    LevelReached: PartDescription(
        "[level reached at k] / [intents new at k]",
        r"\frac{[\text{level reached at }k]}{\text{intents new at }k}",
        "they read until the share of intents that they want is served",
        "leave",
    ),
    ReadingCost: PartDescription(
        "1/(k + a n_k)",
        r"\frac{1}{k+a\,n_k}",
        "a document costs them 1, and {part.a:g} for every subtopic that it has",
    ),
    RelevantSoFar: PartDescription("c_k", "c_i^k", "each adds the number found so far", "counters"),
    Cascade: PartDescription(
        "R(g_k) prod_{j<k} (1 - R(g_j))",
        r"R(g_i^k)\prod_{j<k}\big(1-R(g_i^j)\big)",
        "readers walk down the list and leave at the first document that satisfies them",
        "leave",
    ),
    BlendedRatio: PartDescription(
        "(C(k) + beta cg(k)) / (k + beta cg*(k))",
        r"\frac{C_i(k)+\beta\,cg_i(k)}{k+\beta\,cg_i^*(k)}",
        "what they have by then is compared with what the ideal list would have given them",
    ),
    Effort: PartDescription("e", "e", "each rank costs {part.e:g}, read or not"),
    BlockContinuation: PartDescription(
        "prod_{j<b} (1 - stop(B_j))",
        r"\prod_{j<b}\big(1-\mathrm{stop}(B_j)\big)",
        "readers leave once a block satisfies them",
        "leave",
    ),
    GainPerEffort: PartDescription("gain(B) / effort(B)", r"\frac{\mathrm{gain}(B)}{\mathrm{effort}(B)}"),
}


def _constant(part: object) -> PartDescription:
    """Return the row of CONSTANT for a part, with its numbers in the user model."""
    constant = next(CONSTANT[kind] for kind in type(part).__mro__ if kind in CONSTANT)
    return replace(constant, user_model=constant.user_model.format(part=part))


for _kind in CONSTANT:
    registered_description.register(_kind, _constant)


@registered_description.register
def _(part: Satisfaction) -> PartDescription:
    divisor = "2^Y" if part.over == "2^Y" else "(2^Y - 1)"
    return PartDescription(f"(2^g - 1)/{divisor}", r"R(g_i^k)")


@registered_description.register
def _(part: Importance) -> PartDescription:
    vital, okay = f"{part.vital:g}", f"{part.okay:g}"
    return PartDescription(
        f"(vital: {vital}, okay: {okay})",
        rf"(\mathrm{{vital}}\colon {vital},\ \mathrm{{okay}}\colon {okay})",
        f"a vital nugget weighs {vital}, an okay one {okay}",
    )


@registered_description.register
def _(part: Credit) -> PartDescription:
    return PartDescription(f"min(g/{part.full:g}, 1)", rf"\min(g_i^k/{part.full:g},\,1)")


@registered_description.register
def _(part: AtLeast) -> PartDescription:
    return PartDescription(f"[g >= {part.level:g}]", rf"[g_i^k\ge {part.level:g}]")


@registered_description.register
def _(part: BestSoFar) -> PartDescription:
    value = description_of(part.v)
    return PartDescription(
        f"max(0, {GRADE.sub('g_k', value.text)} - max_{{j<k}} {GRADE.sub('g_j', value.text)})",
        rf"\max\big(0,\,{value.latex}-\max_{{j<k}}{value.latex.replace('g_i^k', 'g_i^j')}\big)",
        "a document adds what it has more than the best one above it",
        "doors" if isinstance(part.v, AtLeast) else "piles",
    )


@registered_description.register
def _(part: GainRatio) -> PartDescription:
    return PartDescription(f"{description_of(part.gain).text}/(h + 1)", r"\frac{g_i^k}{h_i+1}")


@registered_description.register
def _(part: Count) -> PartDescription:
    relevant = "the number of relevant documents"
    text, latex, divisor = {
        "l": ("l", "l", "the cutoff"),
        "R": ("R", "R_i", relevant),
        "min": ("min(l, R)", r"\min(l,R_i)", f"{relevant}, or by the cutoff where that is less"),
    }[part.of]
    return PartDescription(text, latex, f"the sum is divided by {divisor}")


@registered_description.register
def _(part: SortedIdeal) -> PartDescription:
    latex = r"\text{ideal}" + ("_i" if part.per == "intent" else "")
    return PartDescription(
        f"the sum over the {part.per}'s ideal list",
        latex if part.M is None else rf"{latex}\text{{ of }}{description_of(part.M).latex}",
        f"the sum is divided by that of the {part.per}'s ideal list",
    )


@registered_description.register
def _(part: Graded) -> PartDescription:
    gain = description_of(part.gain)
    return PartDescription(gain.text, gain.latex, "readers collect the gain of every document")


@registered_description.register
def _(part: RelativeGain) -> PartDescription:
    gain = description_of(part.gain)
    return PartDescription(
        f"{gain.text}/{'max gain' if part.top == 'scale' else 'h'}",
        rf"\frac{{{gain.latex}}}{{\max}}",
        "no document makes readers leave: each one they reach adds its gain as a share of the highest",
    )


@registered_description.register
def _(part: Novelty) -> PartDescription:
    return PartDescription(
        "I(g) (1 - alpha)^{c_{k-1}}",
        r"I(g_i^k)\,(1-\alpha)^{c_i^{k-1}}",
        f"readers stay, but each relevant document leaves only {1 - part.alpha:g} of their interest in the "
        "next",
        "fade",
    )


@registered_description.register
def _(part: Product) -> PartDescription:
    return _pair(part, "{} * {}", r"{}\,{}")


@registered_description.register
def _(part: Difference) -> PartDescription:
    return _pair(part, "({} - {})", r"\left({}-{}\right)")


def _pair(part: Product | Difference, text: str, latex: str) -> PartDescription:
    pair = description_of(part.first), description_of(part.second)
    return PartDescription(
        text.format(*(each.text for each in pair)),
        latex.format(*(each.latex for each in pair)),
        "; ".join(each.user_model for each in pair if each.user_model),
        next((each.picture for each in pair if each.picture != "piles"), "piles"),
    )


@registered_description.register
def _(part: ByKind) -> PartDescription:
    informational, navigational = description_of(part.informational), description_of(part.navigational)
    return PartDescription(
        f"inf: {informational.text}; nav: {navigational.text}",
        rf"\begin{{cases}}{informational.latex}&\text{{informational}}\\"
        rf"{navigational.latex}&\text{{navigational}}\end{{cases}}",
        join_by_kind(informational.user_model, navigational.user_model),
        informational.picture,
    )


def join_by_kind(informational: str, navigational: str) -> str:
    """Join two descriptions of users: shared clauses once, then the clauses of each kind of intent."""
    inf, nav = informational.split("; "), navigational.split("; ")
    clauses = [clause for clause in inf if clause in nav]
    for kind, own, other in (("informational", inf, nav), ("navigational", nav, inf)):
        if only := [clause for clause in own if clause not in other]:
            clauses.append(f"for {kind} intents, {' and '.join(only)}")
    return "; ".join(clauses)


def row_picture(row: Metric) -> str:
    """Return how the walk of a row's users is drawn: the picture of its M (see `PartDescription`).

    It is "stop" for PreferredRank as stop, and "leave" if w depends on the documents above and M is "piles".
    """
    if isinstance(row.stop, PreferredRank):
        return "stop"
    picture = description_of(row.M).picture
    return "leave" if picture == "piles" and isinstance(row.w, ContinuationDiscount) else picture


@singledispatch
def factor_latex(utility: Utility, batch: Batch) -> dict[str, str]:
    """Return {name: LaTeX} of the factors `utility.factors(batch)`; factors without LaTeX are left out."""
    names = tuple(utility.factors(batch))
    return dict.fromkeys(names, description_of(utility).latex) if len(names) == 1 else {}


@factor_latex.register
def _(utility: Cascade, batch: Batch) -> dict[str, str]:
    return {
        "chance to satisfy": r"R(g_i^k)",
        "readers still unsatisfied": r"\prod_{j<k}\big(1-R(g_i^j)\big)",
    }


@factor_latex.register
def _(utility: Novelty, batch: Batch) -> dict[str, str]:
    return {"relevant": "I(g_i^k)", "novelty": r"(1-\alpha)^{c_i^{k-1}}"}


@factor_latex.register
def _(utility: Product, batch: Batch) -> dict[str, str]:
    return {**factor_latex(utility.first, batch), **factor_latex(utility.second, batch)}


@factor_latex.register
def _(utility: ByKind, batch: Batch) -> dict[str, str]:
    return {**factor_latex(utility.navigational, batch), **factor_latex(utility.informational, batch)}


@singledispatch
def intermediate_values(utility: Utility, batch: Batch) -> dict[str, np.ndarray]:
    """Return {name: values} to display beside the factors, each (topic, run, intent, rank); often {}."""
    return {}


@intermediate_values.register
def _(utility: BlendedRatio, batch: Batch) -> dict[str, np.ndarray]:
    return {"found": utility.numerator(batch), "ideal": utility.denominator(batch)}


@intermediate_values.register
def _(utility: Product | Difference, batch: Batch) -> dict[str, np.ndarray]:
    return {**intermediate_values(utility.first, batch), **intermediate_values(utility.second, batch)}


@intermediate_values.register
def _(utility: ByKind, batch: Batch) -> dict[str, np.ndarray]:
    return {
        **intermediate_values(utility.informational, batch),
        **intermediate_values(utility.navigational, batch),
    }
