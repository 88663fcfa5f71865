"""The alphabet: small frozen values for the four columns of Table 1 of Yu et al. (2017).

    T(L) = 1/N  sum_k w(k)  sum_i f(t_i)  M_i(d_k | L^{k-1})

Each part is called with a Batch and returns an array that broadcasts to (topic, run, intent, rank). Every
symbol has one home: history only in M, the rank only in w, the intents' weights only in f, the ideal list
only in N (and in the blended ratio). A part declares which of its fields a metric's name may set.
"""

from __future__ import annotations

from divmetrics.core.parts.discounts import Log2, Patience, Persistence, RankBiased, Reciprocal
from divmetrics.core.parts.gains import (
    GAINS,
    AtLeast,
    Credit,
    Exponential,
    Gain,
    GainRatio,
    Linear,
    Satisfaction,
)
from divmetrics.core.parts.normalisers import (
    Count,
    GeometricTotal,
    GreedyIdeal,
    RelevantRetrieved,
    SortedIdeal,
    StoppingTotal,
    TotalWeight,
    UpperBound,
    UpperBoundInfinite,
)
from divmetrics.core.parts.part import One, Part
from divmetrics.core.parts.setting import Setting
from divmetrics.core.parts.stops import PreferredRank
from divmetrics.core.parts.utility import (
    BestSoFar,
    BlendedRatio,
    ByKind,
    Cascade,
    Difference,
    Effort,
    FirstCover,
    Graded,
    LevelReached,
    Novelty,
    Product,
    ReadingCost,
    RelativeGain,
    Relevant,
    RelevantSoFar,
    Utility,
)
from divmetrics.core.parts.weights import Importance, NormalisedProbability, Probability, Uniform

__all__ = [
    "GAINS", "PART_OPTIONS", "AtLeast", "BestSoFar", "BlendedRatio", "ByKind", "Cascade", "Count",
    "Credit", "Difference", "Effort", "Exponential", "FirstCover", "Gain", "GainRatio", "GeometricTotal",
    "Graded", "GreedyIdeal", "Importance", "LevelReached", "Linear", "Log2", "NormalisedProbability",
    "Novelty", "One", "Part", "Patience", "Persistence", "PreferredRank", "Probability", "Product",
    "RankBiased", "ReadingCost", "Reciprocal", "RelativeGain", "Relevant", "RelevantRetrieved",
    "RelevantSoFar", "Satisfaction", "Setting", "SortedIdeal", "StoppingTotal", "TotalWeight", "Uniform",
    "UpperBound", "UpperBoundInfinite", "Utility",
]  # fmt: skip

# The parts that a metric's name may choose by a word, {parameter: {word: part}}.
# As in `gain=exponential`; divmetrics.exact_ideal adds ideal=exact.
PART_OPTIONS: dict[str, dict[str, Part]] = {"gain": dict(GAINS), "ideal": {GreedyIdeal.word: GreedyIdeal()}}
