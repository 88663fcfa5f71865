"""Parameters of synthetic collections, and presets that follow published test collections."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from divmetrics.core import checks
from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, did_you_mean

Spread = tuple[int, float, int]
Systems = Mapping[str, tuple[float, float]]
Scheme = Literal["uniform", "nonuniform", "dirichlet"]


@public
@dataclass(frozen=True)
class Recipe:
    """The parameters of a synthetic collection.

    A spread is (least, mean, most), with integers of at least 1 at the ends; the mean is met as closely as
    integers allow. Shares are from 0 to 1. Parameters that end in `_navigational` hold for navigational
    intents; by default, these have the value of informational ones.

    Parameters
    ----------
    topics : int
        The number of topics, at least 1.
    types : mapping of str to float
        {topic type: weight}; topics are assigned in proportion. Without types (the default) the type is "".
    intents : (int, float, int)
        Spread of the intents of a topic.
    subtopics : (int, float, int), optional
        Spread of the second-level subtopics of an intent; by default, there are none.
    navigational : float
        The share of intents that are navigational.
    probabilities : "uniform", "nonuniform" or "dirichlet"
        The distribution over a topic's intents, and over an intent's second-level subtopics. "nonuniform" is
        proportional to 2^(n-j+1) for the j-th of n (Sakai et al. 2010); "dirichlet" draws the probabilities
        from a Dirichlet distribution and sorts them in descending order.
    evenness : float
        The parameter of the symmetric Dirichlet distribution, at least 0.01; larger values give more equal
        probabilities.
    scale : int
        The top grade Y, an integer of at least 1.
    grades : sequence of float, optional
        Weights of the grades 1..Y among relevant documents, at least 0 and not all 0; by default, equal
        weights.
    uncovered, uncovered_navigational : float
        The share of intents without a relevant document; every topic keeps one intent with such a document.
    relevant, relevant_navigational : (int, float, int)
        Spread of the relevant documents of a covered intent.
    overlap : float
        The mean number of intents to which a relevant document is relevant, at least 1, as far as `relevant`
        allows: a topic has at least as many relevant documents as its largest intent.
    shared_navigational : float, optional
        The share of the documents for navigational intents that are relevant to an informational intent, too,
        as far as there are informational labels; each then has one navigational intent. By default, documents
        of both kinds overlap as those of one kind do.
    aspects : float
        The mean number of second-level subtopics per intent to which a relevant document is relevant, at
        least 1, as far as intents have so many.
    nonrelevant : float
        The number of documents without relevance per relevant document, at least 0; a topic with fewer than
        `depth` documents gets more of them, up to `depth`.
    unjudged : float
        The share of documents without relevance that are unjudged; no score depends on it.
    runs : int or mapping of str to (float, float)
        The number of runs (with the parameters of `default_systems`), or {name: (quality, diversification)},
        both 0 to 1 (see `synthetic`).
    depth : int
        The number of documents in each list, at least 1.
    difficulty : float
        How much topics differ in difficulty for all systems, 0 (not at all) to 5.

    Raises
    ------
    DivmetricsError
        If a value is out of range or of another type.

    Examples
    --------
    >>> from divmetrics.research.datasets import Recipe, synthetic
    >>> synthetic(Recipe(topics=3, runs=2))
    <collection: 3 topics, 2 runs, top grade Y = 2>
    """

    topics: int = 10
    types: Mapping[str, float] = field(default_factory=dict)
    intents: Spread = (2, 4.0, 6)
    subtopics: Spread | None = None
    navigational: float = 0.2
    probabilities: Scheme = "dirichlet"
    evenness: float = 3.0
    scale: int = 2
    grades: Sequence[float] | None = None
    uncovered: float = 0.0
    uncovered_navigational: float | None = None
    relevant: Spread = (1, 8.0, 30)
    relevant_navigational: Spread | None = None
    overlap: float = 1.25
    shared_navigational: float | None = None
    aspects: float = 1.2
    nonrelevant: float = 3.0
    unjudged: float = 0.0
    runs: int | Systems = 8
    depth: int = 20
    difficulty: float = 0.5

    def __post_init__(self) -> None:
        for name in ("topics", "scale", "depth"):
            checks.check_whole(name, getattr(self, name), 1)
        for name, low, high in NUMBERS:
            checks.check_number(name, getattr(self, name), low, high)
        for name in ("uncovered_navigational", "shared_navigational"):
            if getattr(self, name) is not None:
                checks.check_number(name, getattr(self, name), 0, 1)
        for name in ("intents", "relevant", "subtopics", "relevant_navigational"):
            _check_spread(name, getattr(self, name), optional=name in ("subtopics", "relevant_navigational"))
        checks.check_choice("probabilities", self.probabilities, get_args(Scheme))
        if self.types:
            _check_weights("types", tuple(self.types.values()), "for each type", len(self.types))
        if self.grades is not None:
            _check_weights("grades", self.grades, f"for each grade from 1 to {self.scale}", self.scale)
        if isinstance(self.runs, Mapping):
            for name, parameters in self.runs.items():
                if not (isinstance(parameters, Sequence) and len(parameters) == 2):
                    raise DivmetricsError(
                        f"run {name!r} has {parameters!r}, expected (quality, diversification)"
                    )
                for part, value in zip(("quality", "diversification"), parameters, strict=True):
                    checks.check_number(f"the {part} of run {name!r}", value, 0, 1)
        else:
            checks.check_whole("runs", self.runs, 0)

    @property
    def systems(self) -> Systems:
        """{run: (quality, diversification)}: `runs`, or the default systems if it is a number."""
        return self.runs if isinstance(self.runs, Mapping) else default_systems(self.runs)


@public
def default_systems(count: int) -> dict[str, tuple[float, float]]:
    """Return parameters of systems S1, S2, ..., with uncorrelated quality and diversification.

    Quality falls evenly from 0.6 to 0.1; diversification varies over 0..1. `synthetic` says what they do.

    Parameters
    ----------
    count : int
        The number of systems.

    Returns
    -------
    dict of str to (float, float)
        {name: (quality, diversification)}.

    Raises
    ------
    DivmetricsError
        If the count is not an integer, or negative.

    Examples
    --------
    >>> from divmetrics.research.datasets import default_systems
    >>> default_systems(2)
    {'S1': (0.6, 0.618), 'S2': (0.1, 0.236)}
    """
    checks.check_whole("count", count, 0)
    golden = (math.sqrt(5) - 1) / 2
    step = 0.5 / max(count - 1, 1)
    return {f"S{j + 1}": (round(0.6 - j * step, 3), round((j + 1) * golden % 1, 3)) for j in range(count)}


# (parameter, least, most)
NUMBERS = (
    ("navigational", 0, 1), ("evenness", 0.01, math.inf), ("uncovered", 0, 1), ("overlap", 1, math.inf),
    ("aspects", 1, math.inf), ("nonrelevant", 0, math.inf), ("unjudged", 0, 1), ("difficulty", 0, 5),
)  # fmt: skip


def _check_spread(name: str, value: Any, optional: bool) -> None:
    if optional and value is None:
        return
    is_triple = (
        isinstance(value, (tuple, list)) and len(value) == 3 and all(checks.is_number(v) for v in value)
    )
    if not is_triple or not (checks.is_whole(value[0]) and checks.is_whole(value[2])) or value[0] < 1:
        raise DivmetricsError(
            f"{name} is {value!r}, expected (least, mean, most) with whole numbers of at least 1 at the ends"
        )
    if not value[0] <= value[1] <= value[2]:
        raise DivmetricsError(f"{name} is {value!r}, expected least <= mean <= most")


def _check_weights(name: str, values: Sequence[Any], each: str, count: int) -> None:
    checks.check_ordered(name, values)
    valid = len(values) == count and all(checks.is_number(v) and v >= 0 for v in values)
    if not valid or sum(values) <= 0:
        raise DivmetricsError(
            f"{name} is {values!r}, expected a weight of at least 0 {each}, not all of them 0"
        )


# The presets of `synthetic`, {name: its recipe}: "imine", "imine-cn", "intent-1", "trec-web-2009".
# Papers print the types and the counts in `published_statistics`; the rest is ours, set to reproduce them.
PRESETS: Mapping[str, Recipe] = {
    "imine": Recipe(
        topics=32, types={"ambiguous": 16, "broad": 16}, intents=(2, 3.97, 5), subtopics=(1, 3.17, 15),
        navigational=0.0, scale=2, grades=(1, 5), uncovered=0.17, relevant=(1, 9.5, 35), overlap=1.13,
        aspects=1.13, runs=15,
    ),
    "imine-cn": Recipe(
        topics=30, types={"ambiguous": 15, "broad": 15}, intents=(2, 3.5, 5), subtopics=(1, 5.64, 37),
        navigational=0.0, scale=2, grades=(1, 48), uncovered=0.26, relevant=(1, 12.6, 47), overlap=1.0,
        aspects=1.05, runs=10,
    ),
    "intent-1": Recipe(
        topics=100, intents=(4, 10.91, 24), navigational=0.0, scale=4, grades=(4, 3, 2, 1),
        relevant=(1, 12.0, 80), overlap=1.5, runs=15,
    ),
    # Of the 199 covered intents 31 are navigational, with 198 relevant documents (Sakai 2012, Table 1). In
    # the track's judgments 42 of the 197 documents for navigational intents are informational, too.
    "trec-web-2009": Recipe(
        topics=50, types={"ambiguous": 12, "faceted": 38}, intents=(2, 243 / 50, 6), navigational=66 / 243,
        probabilities="uniform", scale=1, uncovered=9 / 177, uncovered_navigational=35 / 66,
        relevant=(1, (6501 - 198) / 168, 320), relevant_navigational=(1, 198 / 31, 45), overlap=6501 / 4942,
        shared_navigational=42 / 197, nonrelevant=5.0, runs=25,
    ),
}  # fmt: skip


def recipe(preset: str | Recipe | None = None, **changes: Any) -> Recipe:
    """Return a preset or recipe (by default, `Recipe()`) with changed parameters, the fields of `Recipe`.

    Raises DivmetricsError if the preset or a parameter is unknown, or a value is out of range.
    """
    if preset is None:
        base = Recipe()
    elif isinstance(preset, Recipe):
        base = preset
    elif preset in PRESETS:
        base = PRESETS[preset]
    else:
        raise DivmetricsError(
            f"there is no preset {preset!r}{did_you_mean(str(preset), PRESETS)}; known: {', '.join(PRESETS)}"
        )
    names = [parameter.name for parameter in fields(Recipe)]
    for name in changes:
        if name not in names:
            hint = did_you_mean(name, names)
            raise DivmetricsError(
                f"a synthetic collection has no knob {name!r}{hint}; it has {', '.join(names)}"
            )
    return replace(base, **changes)
