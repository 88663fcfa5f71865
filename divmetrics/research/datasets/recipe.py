"""The knobs of a synthetic collection, and the presets that follow published test collections."""

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
    """The knobs of a synthetic collection, checked when it is made.

    A spread is (least, mean, most); the mean is met as closely as whole numbers allow. Knobs that end in
    `_navigational` are for navigational intents, None: the same as for informational ones.

    Parameters
    ----------
    topics : how many
    types : {topic type: weight}, shared out among the topics in proportion
    intents : spread of the intents of a topic
    subtopics : spread of the second-level subtopics of an intent; None: a single level
    navigational : share of the intents that are navigational
    probabilities : of a topic's intents, and of the second-level subtopics within their intent: "uniform";
        "nonuniform", the j-th of n in proportion to 2^(n-j+1) (Sakai et al. 2010); "dirichlet", drawn, the
        likeliest first
    evenness : how much alike drawn probabilities are (the parameter of a symmetric Dirichlet distribution)
    scale : the top grade Y
    grades : weights of the grades 1..Y among relevant documents; None: equal
    uncovered, uncovered_navigational : share of the intents without any relevant document; every topic keeps
        an intent that has some
    relevant, relevant_navigational : spread of the relevant documents of a covered intent
    overlap : intents that a relevant document is relevant to, on average
    aspects : the same for the second-level subtopics within an intent
    nonrelevant : documents that are relevant to no intent for each one that is relevant
    unjudged : share of those that nobody judged; no score depends on it
    runs : how many (`default_systems` gives their knobs), or {name: (quality, diversification)}
    depth : documents in every list
    difficulty : how much topics differ in how well all systems do on them, 0 (not at all) to 5
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
    aspects: float = 1.2
    nonrelevant: float = 3.0
    unjudged: float = 0.0
    runs: int | Systems = 8
    depth: int = 20
    difficulty: float = 0.5

    def __post_init__(self) -> None:
        for name in ("topics", "scale", "depth"):
            checks.whole(name, getattr(self, name), 1)
        for name, low, high in NUMBERS:
            checks.check_number(name, getattr(self, name), low, high)
        if self.uncovered_navigational is not None:
            checks.check_number("uncovered_navigational", self.uncovered_navigational, 0, 1)
        for name in ("intents", "relevant", "subtopics", "relevant_navigational"):
            _spread(name, getattr(self, name), optional=name in ("subtopics", "relevant_navigational"))
        checks.check_choice("probabilities", self.probabilities, get_args(Scheme))
        if self.types:
            _weights("types", tuple(self.types.values()), "for each type", len(self.types))
        if self.grades is not None:
            _weights("grades", self.grades, f"for each grade from 1 to {self.scale}", self.scale)
        if isinstance(self.runs, Mapping):
            for name, knobs in self.runs.items():
                if not (isinstance(knobs, Sequence) and len(knobs) == 2):
                    raise DivmetricsError(f"run {name!r} has {knobs!r}, expected (quality, diversification)")
                for what, value in zip(("quality", "diversification"), knobs, strict=True):
                    checks.check_number(f"the {what} of run {name!r}", value, 0, 1)
        else:
            checks.whole("runs", self.runs, 0)

    @property
    def systems(self) -> Systems:
        """{run: (quality, diversification)}."""
        return self.runs if isinstance(self.runs, Mapping) else default_systems(self.runs)


@public
def default_systems(count: int) -> dict[str, tuple[float, float]]:
    """Knobs for systems S1, S2, ...: {name: (quality, diversification)}, the two not correlated.

    Quality falls evenly from 0.6 to 0.1; diversification jumps about in 0..1.
    """
    checks.whole("count", count, 0)
    golden = (math.sqrt(5) - 1) / 2
    step = 0.5 / max(count - 1, 1)
    return {f"S{j + 1}": (round(0.6 - j * step, 3), round((j + 1) * golden % 1, 3)) for j in range(count)}


# (knob, least, most)
NUMBERS = (
    ("navigational", 0, 1), ("evenness", 0.01, math.inf), ("uncovered", 0, 1), ("overlap", 1, math.inf),
    ("aspects", 1, math.inf), ("nonrelevant", 0, math.inf), ("unjudged", 0, 1), ("difficulty", 0, 5),
)  # fmt: skip


def _spread(name: str, value: Any, optional: bool) -> None:
    if optional and value is None:
        return
    three = isinstance(value, (tuple, list)) and len(value) == 3 and all(checks.is_number(v) for v in value)
    if not three or not (checks.is_whole(value[0]) and checks.is_whole(value[2])) or value[0] < 1:
        raise DivmetricsError(
            f"{name} is {value!r}, expected (least, mean, most) with whole numbers of at least 1 at the ends"
        )
    if not value[0] <= value[1] <= value[2]:
        raise DivmetricsError(f"{name} is {value!r}, expected least <= mean <= most")


def _weights(name: str, values: Sequence[Any], of_what: str, count: int) -> None:
    checks.check_ordered(name, values)
    fine = len(values) == count and all(checks.is_number(v) and v >= 0 for v in values)
    if not fine or sum(values) <= 0:
        raise DivmetricsError(
            f"{name} is {values!r}, expected a weight of at least 0 {of_what}, not all of them 0"
        )


# The collections that `synthetic` can make, each with its knobs.
# Printed: the types, and what `published_statistics` lists. The rest is ours, set so that these come out.
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
    # Of the 199 covered intents 31 are navigational, with 198 relevant documents (Sakai 2012, Table 1).
    "trec-web-2009": Recipe(
        topics=50, types={"ambiguous": 12, "faceted": 38}, intents=(2, 243 / 50, 6), navigational=66 / 243,
        probabilities="uniform", scale=1, uncovered=9 / 177, uncovered_navigational=35 / 66,
        relevant=(1, (6501 - 198) / 168, 320), relevant_navigational=(1, 198 / 31, 45), overlap=6501 / 4942,
        nonrelevant=5.0, runs=25,
    ),
}  # fmt: skip


def recipe(preset: str | Recipe | None = None, **changes: Any) -> Recipe:
    """A preset (None: the defaults) with some knobs set otherwise."""
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
    known = [knob.name for knob in fields(Recipe)]
    for name in changes:
        if name not in known:
            hint = did_you_mean(name, known)
            raise DivmetricsError(
                f"a synthetic collection has no knob {name!r}{hint}; it has {', '.join(known)}"
            )
    return replace(base, **changes)
