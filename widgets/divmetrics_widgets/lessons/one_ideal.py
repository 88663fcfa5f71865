"""Lesson 10: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log2
from typing import Any, cast

import numpy as np
import pandas as pd

from divmetrics.core import global_gain
from divmetrics.core.metric import Metric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.parts import (
    Cascade,
    FirstCover,
    Graded,
    Log2,
    Novelty,
    One,
    RankBiased,
    Reciprocal,
    Utility,
    WrittenDiscount,
)
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import leaves_out
from divmetrics_widgets.lessons.counting import LABELS, MIXES
from divmetrics_widgets.lessons.lists import POTTER, every_list
from divmetrics_widgets.lessons.slips import compare

__all__ = ["MIXES", "leaves_out"]  # the lesson takes them from here

LIST_D = harry_potter().list("D", "0083")
TOP = LIST_D.reordered(LIST_D.docs[:3])
GRADES = {
    "trailer": {"film": 2},
    "cinema": {"film": 2},
    "author": {"book": 1, "film": 1},
    "novels": {"book": 2},
}
SMALL = Topic("potter", (Intent("book", 0.25), Intent("film", 0.75)))
IDEAL = RankedList(SMALL, list(GRADES), GRADES, run="ideal")  # type: ignore[arg-type]
NOVELS = IDEAL.reordered(["trailer", "novels"], run="with novels")
FAMILY = ["D-Q", "D-ERR", "D-EBR", "D-RBP"]

DISCOUNTS: dict[str, Any] = {
    "1/log2(k+1)": Log2(),
    "1/k": Reciprocal(),
    "1": One(),
    "0.5^(k-1)": RankBiased(phi=0.5),
}
UTILITIES: dict[str, Utility] = {
    "gain (D-nDCG)": Graded(),
    "ERR-IA's": Cascade(),
    "alpha-nDCG's": Novelty(0.5),
    "S-recall's": FirstCover(),
}
D_NDCG = cast(Metric, metric("D-nDCG"))


def highest(name: str, cutoff: int = 3) -> float:
    """Return the highest score of a list of so many pages for harry potter."""
    return round(float(metric(f"{name}@{cutoff}").scores(every_list(cutoff))[0].max()), 9)


def _best(row: Metric, cutoff: int) -> float:
    return round(float((row @ cutoff).scores(every_list(cutoff))[0].max()), 9)


def sorted_is_best(w: str, gain: str, cutoff: int) -> bool:
    """Return whether no list scores above 1 with this discount and gain in the place of D-nDCG's."""
    row = cast(Metric, metric(f"D-nDCG(gain={gain})"))
    return _best(replace(row, name="D", w=DISCOUNTS[w]), cutoff) == 1


def with_rising_w() -> float:
    """Return the highest score of a list of three with a discount that rises from rank to rank."""
    return _best(replace(D_NDCG, name="rising", w=WrittenDiscount("rank")), 3)


def with_novelty(alpha: float) -> float:
    """Return the highest score of a list of three with alpha-nDCG's utility in D-nDCG's row."""
    return _best(replace(D_NDCG, name="novelty", M=Novelty(alpha)), 3)


def with_memory() -> pd.DataFrame:
    """Return the highest score of a list of two and of three, with other utilities in D-nDCG's row."""
    rows = {
        name: [_best(replace(D_NDCG, name=name, M=M), cutoff) for cutoff in (2, 3)]
        for name, M in UTILITIES.items()
    }
    return pd.DataFrame.from_dict(rows, "index", columns=["two pages", "three pages"]).round(4)


def _sorted(cutoff: int) -> RankedList:
    """Return the pages for harry potter with most global gain, so many of them."""
    gain = global_gain(every_list(1)).linear[0, :, 0, 0]
    return LIST_D.reordered([POTTER.docs[n] for n in np.argsort(-gain, kind="stable")][:cutoff])


def best_by_sorted(M: Utility, cutoff: int = 3) -> float:
    """Return the sum of the best list over that of the list sorted by global gain, with this utility."""
    row = replace(D_NDCG, name="D", M=M, N=One()) @ cutoff
    return float(row.scores(every_list(cutoff))[0].max() / row.score(_sorted(cutoff)))


def sorted_is_best_of_family(name: str, cutoff: int) -> bool:
    """Return whether the list sorted by global gain is a best list of so many pages."""
    best = float(metric(f"{name}@{cutoff}").score(_sorted(cutoff)))
    return abs(best - highest(name, cutoff)) < 1e-8


def same_scores(one: str, other: str, cutoff: int) -> bool:
    """Return whether two metrics score all lists of so many pages alike."""
    scores = [metric(f"{name}@{cutoff}").scores(every_list(cutoff))[0] for name in (one, other)]
    return bool(np.allclose(*scores))


def is_single_reader_row(name: str, cutoff: int) -> bool:
    """Return whether, with one intent, the metric is the ad hoc metric of the same name."""
    film = Topic("film", (Intent("film", 1.0),))
    grades = {doc: {"film": labels.get("film", 0)} for doc, labels in LABELS.items()}
    docs = list(POTTER.docs)
    lists = [docs[n:] + docs[:n] for n in range(len(docs))]
    scores = [
        [float(metric(f"{each}@{cutoff}").score(RankedList(film, ranked, grades))) for ranked in lists]  # type: ignore[arg-type]
        for each in (name, name.removeprefix("D-"))
    ]
    return np.allclose(scores[0], scores[1])


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "The better page comes second, and that costs a fifth."


@Check.number(0, 3, decimals=4)
def by_hand_1(answer: float) -> bool | str:
    """Check D-nDCG@2 of author, trailer."""
    swapped = IDEAL.reordered(["author", "trailer"])
    right, other = (float(metric(name).score(swapped)) for name in ("D-nDCG@2", "nDCG-IA@2"))
    slips = {
        other: "that is nDCG-IA@2; take one ideal list for both intents",
        1 + 1.5 / log2(3): "now divide by the ideal list's sum",
        2.5 / 3: "ranks are discounted",
        (1 + 1.5 / log2(3)) / (1.5 + 1 / log2(3)): "the ideal list has 1.5 twice",
    }
    otherwise = "global gains, discounts, ideal list: which one is off?"
    return compare(answer, right, slips, within=0.0006, near=0.0006, otherwise=otherwise)


# Exercise 2
WHY_2 = "A new intent costs little at the bottom of the list."
nearly_ideal = Check.lists(
    POTTER,
    {"yours": 5},
    Check.rule("yours", "S-recall@5", ">=", 4 / 5, "it serves a share of {left} of the five intents"),
    Check.rule("yours", "D-nDCG@5", ">=", 0.94, "four intents, but D-nDCG@5 is {left}"),
)

# Exercise 3
WHY_3 = "The products cancel: the history is there, but does not matter."


def gains(function: Callable[[float, float, float, float], float]) -> bool | str:
    """Check a function for what a swap of two neighbours gains the merged reader of D-ERR."""
    for a, b, here, below in ((0.75, 0.25, 1, 0.5), (0.6, 0.1, 0.5, 1 / 3), (0.9, 0.8, 1, 0.2)):
        right = here * a + below * (1 - a) * b - (here * b + below * (1 - b) * a)
        answer = function(a, b, here, below)
        slips = {
            -right: "the sign: it is swapped minus unswapped",
            here * (a - b): "rank k + 1 changes, too",
        }
        otherwise = f"a = {a}, b = {b}: {answer:.4f}, expected {right:.4f}"
        verdict = compare(answer, right, slips, within=1e-9, near=1e-9, otherwise=otherwise)
        if verdict is not True:
            return verdict
    return True
