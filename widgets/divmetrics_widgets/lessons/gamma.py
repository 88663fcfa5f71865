"""Lesson 11: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import log2

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists, global_gain
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import evaluate
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import harry_potter, imine_scores, synthetic
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import leaves_out, unseen
from divmetrics_widgets.lessons.counting import MIXES
from divmetrics_widgets.lessons.lists import POTTER
from divmetrics_widgets.lessons.one_ideal import IDEAL
from divmetrics_widgets.lessons.slips import compare

__all__ = ["MIXES", "leaves_out", "unseen"]  # the lesson takes them from here

A, B, C, D = (harry_potter().list(name, "0083") for name in "ABCD")
SHARP = "D#-nDCG@5"
FIVE = ["nDCG", "Q", "ERR", "EBR", "RBP"]


def _by_gain(pool: Judgments) -> list[str]:
    """Return the judged documents, those with most global gain first."""
    single = batch_lists([RankedList(pool.topic, [doc], pool) for doc in pool.docs])
    gain = dict(zip(pool.docs, global_gain(single).linear[0, :, 0, 0], strict=True))
    return sorted(pool.docs, key=lambda doc: -gain[doc])


SORTED_5 = A.reordered(_by_gain(POTTER)[:5], run="sorted")


def ideals_leave_out(collection: Collection, cutoff: int = 10) -> tuple[int, int]:
    """Return how many topics there are, and how many ideal lists leave out an intent with a relevant page."""
    run = Run.of("ideal", {topic: _by_gain(pool) for topic, pool in collection.pools.items()})
    scores = evaluate(collection.with_runs([run]), None, [f"I-rec@{cutoff}", "I-rec"])
    scores = scores.pivot(index="topic", columns="metric", values="score")
    return len(scores), int((scores[f"I-rec@{cutoff}"] < scores["I-rec"]).sum())


@cache
def left_out(preset: str, seed: int, cutoff: int = 10, **parameters: float) -> tuple[int, int]:
    """Return `ideals_leave_out` of synthetic topics."""
    return ideals_leave_out(synthetic(preset, runs=0, seed=seed, **parameters), cutoff)


def half_and_half(first: str, second: str) -> pd.DataFrame:
    """Return the scores of two lists of the small topic under all D- and D#-measures."""
    lists = [IDEAL.reordered(each.split()) for each in (first, second)]
    columns = pd.MultiIndex.from_product([["D-", "D#-"], [first, second]])
    rows = {
        name: [metric(f"{kind}{name}@2").score(each) for kind in ("D-", "D#-") for each in lists]
        for name in FIVE
    }
    return pd.DataFrame.from_dict(rows, "index", columns=columns).round(4)


# -- runs ---------------------------------------------------------------------------------------------------


@cache
def _runs(name: str, cutoff: int, language: str) -> pd.DataFrame:
    scores = imine_scores(language).pivot_table(index="run", columns="metric", values="score")
    points = scores[[f"S-recall@{cutoff}", f"D-{name}@{cutoff}"]]
    return points.set_axis(["I-rec", "D"], axis=1)


def flips(name: str, cutoff: int, language: str) -> list[int]:
    """Return how often each pair of runs changes its order as gamma grows from 0 to 1, in 100 steps."""
    points = _runs(name, cutoff, language).to_numpy()
    gammas = np.linspace(0, 1, 101)[:, None]
    scores = gammas * points[:, 0] + (1 - gammas) * points[:, 1]
    counts = []
    for one, other in combinations(range(len(points)), 2):
        signs = np.sign(np.round(scores[:, one] - scores[:, other], 12))
        signs = signs[signs != 0]
        counts.append(int((signs[1:] != signs[:-1]).sum()))
    return counts


def first_changes(name: str, cutoff: int, language: str, between: tuple[float, float] = (0.2, 0.8)) -> bool:
    """Return whether another run is first for the first gamma of `between` than for the second."""
    points = _runs(name, cutoff, language)
    first = [(gamma * points["I-rec"] + (1 - gamma) * points["D"]).idxmax() for gamma in between]
    return bool(first[0] != first[1])


# -- where D# misleads --------------------------------------------------------------------------------------

FILMS_AND_RUMOUR = {"trailer": {"film": 2}, "cinema": {"film": 2}, "rumour": {"book": 1}}


def prefers_rumour(book_readers: int, gamma: float, name: str = "D#-nDCG", more: str = "") -> bool:
    """Return whether a metric prefers a poor page for one reader in so many to a second film page.

    more: further parameters of a D#-measure, such as ",phi=0.85".
    """
    wants = (Intent("book", 1 / book_readers), Intent("film", 1 - 1 / book_readers))
    topic = Topic("potter", wants)
    judged = Judgments.of(topic, FILMS_AND_RUMOUR)  # type: ignore[arg-type]
    row = metric(f"{name}(gamma={gamma}{more})@2" if name.startswith("D#") else f"{name}@2")
    film, rumour = (row.score(RankedList(topic, ["trailer", doc], judged)) for doc in ("cinema", "rumour"))
    return bool(rumour > film)


@cache
def best_of_five() -> tuple[tuple[str, ...], float]:
    """Return the five pages with the highest D#-nDCG@5, and their score; sorted lists are enough."""
    sets = [A.reordered(docs) for docs in combinations(_by_gain(POTTER), 5)]
    scores = metric(SHARP).scores(batch_lists(sets))[0]
    return tuple(sets[scores.argmax()].docs), round(float(scores.max()), 4)


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Half of 1, and half of D-nDCG@2."


@Check.number(0, 3, decimals=4)
def by_hand_1(answer: float) -> bool | str:
    """Check D#-nDCG@2 of author, trailer."""
    swapped = IDEAL.reordered(["author", "trailer"])
    right, plain, other = (
        float(metric(name).score(swapped)) for name in ("D#-nDCG@2", "D-nDCG@2", "nDCG-IA@2")
    )
    slips = {
        plain: "that is D-nDCG@2; I-rec is still to come",
        other: "that is nDCG-IA@2; take one ideal list for both intents",
        2 * right: "that is the sum; gamma 0.5 takes half of each",
    }
    otherwise = "take the mean of I-rec and D-nDCG, to three decimals"
    return compare(answer, right, slips, within=0.0006, near=0.001, otherwise=otherwise)


# Exercise 2
WHY_2 = "D# pays for coverage what ERR-IA would not."
pleases = Check.lists(
    POTTER,
    {"yours": 5},
    Check.rule("yours", SHARP, ">", D, "D#-nDCG@5 {left}: more intents, or more gain"),
    Check.rule("yours", "ERR-IA@5", "<", D, "ERR-IA@5 is higher, too: repeat the film, or take poorer pages"),
    but=("d7", "d1", "d2", "d16", "d14"),
)

# Exercise 3
WHY_3 = "The intent must bring in more than rank 10 is worth."
LOST = (1 / log2(11)) / sum(1 / log2(k + 1) for k in range(1, 11))  # of D-nDCG@10


@Check.number(0, 100)
def price(answer: float) -> bool | str:
    """Check up to how many intents a new one is worth rank 10."""
    if answer == int(0.5 / LOST):
        return "you have halved the gain; halve the loss, too"
    if answer == int(2 / LOST):
        return "you have halved the loss; halve the gain, too: 1/(2m)"
    return answer == int(1 / LOST) or f"compare 1/(2m) with {LOST:.4f}/2"
