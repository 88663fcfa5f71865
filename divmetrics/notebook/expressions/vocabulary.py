"""Define the words of written parts: the field's quantities, and functions of them.

Each quantity belongs to one column: contents of the list to M, the topic's intents to f, the rank to w, ideal
lists to N. Quantities have the axes (topic, run, intent, rank); expressions read as if for one document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.core.ideal import sorted_per_intent
from divmetrics.core.parts.discounts import Log2, Reciprocal
from divmetrics.core.parts.gains import Gain, Satisfaction
from divmetrics.core.parts.normalisers import Count, GreedyIdeal, SortedIdeal
from divmetrics.core.parts.part import One, Part
from divmetrics.core.parts.weights import Probability, Uniform, count_intents
from divmetrics.core.prefix_sums import exclusive_cummax, exclusive_cumprod, exclusive_cumsum
from divmetrics.core.protocols import MetricRow


@dataclass(frozen=True)
class Word:
    """A quantity: its meaning, its sign in a formula, and its values for a batch and a gain map.

    `reads`: the arrays of a Batch that a document's value depends on.
    """

    meaning: str
    latex: str
    of: Callable[[Batch, Gain], Any]
    reads: tuple[str, ...] = ()


LABELS = ("relevant",)
GRADES = ("linear", "exponential", "relevant")


def _stop(batch: Batch, _: Gain) -> np.ndarray:
    return Satisfaction()(batch)


def _probability(batch: Batch, _: Gain) -> np.ndarray:
    return batch.probability[:, None, :, None]


def _navigational(batch: Batch, _: Gain) -> np.ndarray:
    return batch.navigational[:, None, :, None].astype(float)


# fmt: off
# ruff: noqa: E501  (a word is one line)
INTENTS: Mapping[str, Word] = MappingProxyType({
    "probability":        Word("p(t_i|q), how likely the intent is", "p(t_i|q)", _probability),
    "informational":      Word("1 for an informational intent, 0 for a navigational one", r"[\text{informational}]", lambda v, _: 1 - _navigational(v, _)),
    "navigational":       Word("1 for a navigational intent, 0 for an informational one", r"[\text{navigational}]", _navigational),
    "intents":            Word("m, the number of the topic's intents", "m", lambda v, _: count_intents(v, "all").astype(float)),
})
RANKS: Mapping[str, Word] = MappingProxyType({
    "rank":               Word("k: 1, 2, 3, ...", "k", lambda v, _: v.ranks.astype(float)),
    "depth":              Word("the number of ranks that are looked at, for loops", r"\text{depth}", lambda v, _: v.depth),
})
LISTS: Mapping[str, Word] = MappingProxyType({
    "grade":              Word("g, the document's grade for the intent", "g_i^k", lambda v, _: v.linear, GRADES),
    "gain":               Word("g, or 2^g - 1 with NAME(gain=exponential)", "g_i^k", lambda v, gain: gain(v), GRADES),
    "relevant":           Word("I(g): 1 for a relevant document, else 0", "I(g_i^k)", lambda v, _: v.relevant.astype(float), LABELS),
    "satisfied":          Word("R(g) = (2^g - 1)/2^Y, the chance that the reader stops here", "R(g_i^k)", _stop, GRADES),
    "R":                  Word("the same, R(g)", "R(g_i^k)", _stop, GRADES),
    "seen_before":        Word("relevant documents for the intent above rank k", "c_i^{k-1}", lambda v, _: exclusive_cumsum(v.relevant).astype(float), LABELS),
    "seen":               Word("the same, rank k included", "c_i^k", lambda v, _: np.cumsum(v.relevant, axis=-1, dtype=float), LABELS),
    "first":              Word("1 for the first relevant document of the intent, else 0", r"I(g_i^k)\,\big[c_i^{k-1}=0\big]", lambda v, _: is_first_relevant(v.relevant).astype(float), LABELS),
    "gain_before":        Word("the sum of the gains above rank k", "cg_i(k-1)", lambda v, gain: exclusive_cumsum(gain(v)), GRADES),
    "unsatisfied_before": Word("the chance that no document above has satisfied the reader (the cascade)", r"\prod_{j<k}\big(1-R(g_i^j)\big)", lambda v, _: exclusive_cumprod(1 - _stop(v, _)), GRADES),
    "listed":             Word("1 where the list has a document, 0 below its end", r"[\text{listed}]", lambda v, _: v.listed.astype(float)),
    "ideal_gain":         Word("the gain at rank k of the intent's own ideal list", "g_i^{*k}", lambda v, gain: gain(sorted_per_intent(v.judged, v.depth))),
    "top":                Word("Y, the highest grade of the scale", "Y", lambda v, _: np.asarray(v.scale, dtype=float)),
    "top_gain":           Word("the gain of the highest grade", r"\max g", lambda v, gain: np.asarray(gain.top(v.scale), dtype=float)),
})
# fmt: on

# Parts for N; inside an expression the word is the number that the part returns.
NORMALISERS: Mapping[str, Part] = MappingProxyType(
    {
        "ideal": GreedyIdeal(),
        "own_ideal": SortedIdeal("intent"),
        "sorted_ideal": SortedIdeal("topic"),
        "cutoff": Count("l"),
        "judged_relevant": Count("R"),
    }
)
NORMALISER_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "ideal": "the metric's own value of a list built greedily from the judged documents (alpha-nDCG)",
        "own_ideal": "for each intent, the value of its own documents by decreasing gain (nDCG-IA)",
        "sorted_ideal": "the value of all judged documents by decreasing f M; for an M without history",
        "cutoff": "l, the cutoff",
        "judged_relevant": "R_i, how many judged documents are relevant to the intent",
    }
)

# Column -> {source: the library's part}; a source with exactly this text becomes that part.
PARTS: Mapping[str, Mapping[str, Part]] = MappingProxyType(
    {
        "f": {"probability": Probability(), "1 / intents": Uniform(), "1": One()},
        "w": {"1 / log2(rank + 1)": Log2(), "1 / rank": Reciprocal(), "1": One()},
        "N": {**NORMALISERS, "1": One(), "min(cutoff, judged_relevant)": Count("min")},
        "M": {},
    }
)
WORDS: Mapping[str, Mapping[str, Word]] = MappingProxyType(
    {"M": {**LISTS, **RANKS, **INTENTS}, "w": RANKS, "f": INTENTS, "N": INTENTS}
)


def _elementwise(two: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def several(first: Any, second: Any, *others: Any) -> Any:
        return reduce(two, others, two(first, second))

    return several


FUNCTIONS: Mapping[str, tuple[str, Callable[..., Any]]] = MappingProxyType(
    {
        "before_sum": ("before_sum(x): the sum of x over the ranks above", exclusive_cumsum),
        "before_product": ("before_product(x): the product of x over the ranks above", exclusive_cumprod),
        "before_max": ("before_max(x): the largest x above, 0 at rank 1", exclusive_cummax),
        "so_far": ("so_far(x): the sum of x down to rank k", lambda x: np.cumsum(x, axis=-1, dtype=float)),
        "where": ("where(condition, x, y): x where it holds, else y", np.where),
        "min": ("min(x, y): the smaller, rank by rank", _elementwise(np.minimum)),
        "max": ("max(x, y): the larger, rank by rank", _elementwise(np.maximum)),
        "log2": ("log2(x)", np.log2),
        "log": ("log(x), natural", np.log),
        "exp": ("exp(x)", np.exp),
        "sqrt": ("sqrt(x)", np.sqrt),
        "abs": ("abs(x)", np.abs),
        "floor": ("floor(x)", np.floor),
        "zeros_like": ("zeros_like(x): zeros, to be filled rank by rank in x[..., k]", np.zeros_like),
        "ones_like": ("ones_like(x)", np.ones_like),
    }
)
OVER_INTENTS = "over_intents"  # a function that needs the batch, to mask padding
ACROSS_MEANT = "over_intents(x): the sum of x over the topic's intents"
PLAIN: Mapping[str, Any] = MappingProxyType(
    {x.__name__: x for x in (range, len, enumerate, zip, reversed, float, int, bool, list, tuple)}
)


@public
def meanings(column: str) -> dict[str, str]:
    """Return every quantity that a column of a written metric may read.

    Parameters
    ----------
    column : str
        "N", "f", "w" or "M".

    Returns
    -------
    dict
        {word: its meaning}.

    Raises
    ------
    DivmetricsError
        If there is no such column.

    Examples
    --------
    >>> from divmetrics.notebook.expressions import meanings
    >>> list(meanings("w"))
    ['rank', 'depth']
    """
    check_choice("column", column, tuple(WORDS))
    quantities = {name: word.meaning for name, word in WORDS[column].items()}
    return {**(NORMALISER_MEANINGS if column == "N" else {}), **quantities}


def functions() -> dict[str, str]:
    """Return the functions that a written metric may call.

    Python's range, len, enumerate, zip, reversed, float, int, bool, list and tuple may be called, too, and are
    left out.

    Returns
    -------
    dict
        {name: the function's arguments and meaning}.

    Examples
    --------
    >>> from divmetrics.notebook.expressions import functions
    >>> functions()["where"]
    'where(condition, x, y): x where it holds, else y'
    """
    return {**{name: meant for name, (meant, _) in FUNCTIONS.items()}, OVER_INTENTS: ACROSS_MEANT}


def words() -> list[str]:
    """Return the names of all quantities and functions that any column may read."""
    return list(dict.fromkeys([*LISTS, *RANKS, *INTENTS, *NORMALISERS, *functions()]))


def homes(word: str) -> list[str]:
    """Return the columns of "N", "f", "w" and "M" that may read a quantity; [] if it is unknown."""
    return [column for column in WORDS if word in meanings(column)]


def values(
    column: str, used: frozenset[str], batch: Batch, gain: Gain, row: MetricRow | None
) -> dict[str, Any]:
    """Return {name: read-only array, number or function} for the names `used` by a part of `column`.

    `gain` is the gain map behind the word `gain`; `row` is the metric, which only N reads. Names without a
    meaning are left out.
    """
    names: dict[str, Any] = {}
    for name in used:
        if name in WORDS[column]:
            names[name] = _locked(WORDS[column][name].of(batch, gain))
        elif column == "N" and name in NORMALISERS and row is not None:
            part: Any = NORMALISERS[name]
            names[name] = _locked(part(batch, row))
        elif name in FUNCTIONS:
            names[name] = FUNCTIONS[name][1]
        elif name == OVER_INTENTS:
            names[name] = _summed_over_intents(batch)
        elif name in PLAIN:
            names[name] = PLAIN[name]
    return names


def _locked(values: Any) -> Any:
    if not isinstance(values, np.ndarray):
        return values
    locked = values.view()
    locked.flags.writeable = False
    return locked


def _summed_over_intents(batch: Batch) -> Callable[[Any], np.ndarray]:
    present = batch.present[:, None, :, None]
    return lambda x: np.sum(np.where(present, x, 0.0), axis=2, keepdims=True)
