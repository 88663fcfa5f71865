"""Lesson 12: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations
from math import isclose, log2
from typing import cast

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.metric import Metric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.parts import One
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import trec2012_scores, trec2012_topics
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.lists import POTTER
from divmetrics_widgets.lessons.slips import compare

ABOUT = {
    "home": "the theme park's own page",
    "mirror": "a copy of it at another address",
    "blog": "a day in the park, a travel blog",
    "cinema": "where the film is on",
    "trailer": "the film's trailer",
    "bowls": "a potter called Harry sells his bowls",
}
GRADES: Grades = {
    "home": {"park": 2},
    "mirror": {"park": 2},
    "blog": {"park": 1},
    "cinema": {"film": 2},
    "trailer": {"film": 2},
    "bowls": {},
}
FILM, PARK = Intent("film", 0.5, "informational"), Intent("park", 0.5, "navigational")
TOPIC = Topic("potter", (FILM, PARK))
COPY = RankedList(TOPIC, ["home", "mirror", "cinema", "trailer"], GRADES, run="with a copy")
NO_COPY = COPY.reordered(["home", "cinema", "trailer", "bowls"], run="without a copy")


def every_list(length: int) -> Batch:
    """Return all lists of so many of the six pages."""
    return batch_lists([COPY.reordered(docs) for docs in permutations(GRADES, length)])


@cache
def _potter_lists(navigational: str) -> Batch:
    """Return all lists of three for harry potter, where these intents alone are navigational."""
    intents = tuple(
        replace(intent, kind="navigational" if intent.id in navigational.split() else "informational")
        for intent in POTTER.topic.intents
    )
    pool = replace(POTTER, topic=replace(POTTER.topic, intents=intents))
    return batch_lists([RankedList(pool.topic, docs, pool) for docs in permutations(pool.docs, 3)])


def loses_copies(navigational: str, gain: str, cutoff: int) -> bool:
    """Return whether DIN-nDCG is D-nDCG less what later pages for navigational intents earn, in all lists."""
    lists = _potter_lists(navigational)
    d, din = (metric(f"{name}(gain={gain})@{cutoff}") for name in ("D-nDCG", "DIN-nDCG"))
    earned = d.contributions(lists)[0]
    reset = [intent.id in navigational.split() for intent in POTTER.topic.intents]
    above = np.cumsum(earned > 0, axis=-1) > 1
    lost = (earned * above)[:, reset].sum(axis=(-2, -1))
    return bool(np.allclose(d.scores(lists)[0] - lost, din.scores(lists)[0]))


@cache
def _with_copies(copies: int, length: int, films: int, grade: int = 2) -> Batch:
    """Return all lists of this length for the pool of `best_score`."""
    topic = TOPIC if films else Topic("park", (replace(PARK, probability=1.0),))
    copied: Grades = {f"copy{n}": {"park": 2} for n in range(copies)}
    pool: Grades = {**copied, **{f"film{n}": {"film": grade} for n in range(films)}}
    lists = [RankedList(topic, docs, pool) for docs in permutations(pool, min(length, len(pool)))]
    return batch_lists(lists)


def best_score(copies: int, cutoff: int) -> float:
    """Return the highest DIN-nDCG where all readers want one page, and so many copies of it were judged."""
    return float(metric(f"DIN-nDCG@{cutoff}").scores(_with_copies(copies, cutoff, 0)).max())


def falls_with_copies(cutoff: int, gain: str, films: int, grade: int) -> bool:
    """Return whether each further copy lowers the best score exactly if it raises the sum of D's ideal list.

    So many pages of this grade were judged for the film, which half of the readers want.
    """
    pools = [_with_copies(copies, cutoff, films, grade) for copies in range(1, 6)]
    din, d = (cast(Metric, metric(f"{name}(gain={gain})@{cutoff}")) for name in ("DIN-nDCG", "D-nDCG"))
    best, sums = ([row.scores(pool).max() for pool in pools] for row in (din, replace(d, N=One())))
    falls = [more < less - 1e-9 for less, more in pairwise(best)]
    return isclose(best[0], 1) and falls == [more > less + 1e-9 for less, more in pairwise(sums)]


def best_with_guides(copies: int, cutoff: int = 2) -> float:
    """Return the highest DIN-nDCG where so many copies of a guide were judged.

    The guide is good for the film and poor for the park, which has one page of its own.
    """
    guides: Grades = {f"guide{n}": {"park": 1, "film": 2} for n in range(1 + copies)}
    pool: Grades = {"home": GRADES["home"], **guides}
    lists = [RankedList(TOPIC, docs, pool) for docs in permutations(pool, cutoff)]
    return float(metric(f"DIN-nDCG@{cutoff}").scores(batch_lists(lists)).max())


# Two lists without a copy, and copies that were judged
def judged(copies: int, docs: Sequence[str]) -> RankedList:
    """Return a list for park, film and book, where so many copies of the park's page were judged.

    Half of the readers want the park, three in ten the film, the others the book.
    """
    topic = Topic("three", (replace(FILM, probability=0.3), Intent("book", 0.2), PARK))
    mirrors: Grades = {f"mirror{n}": {"park": 2} for n in range(1, copies)}
    pages: Grades = {page: GRADES[page] for page in ("home", "cinema", "trailer")}
    return RankedList(topic, docs, {**pages, **mirrors, "review": {"book": 1}})


TWO_SERVED, ALL_SERVED = ["home", "cinema", "trailer"], ["review", "cinema", "home"]


def as_copies_are_judged(copies: Sequence[int]) -> pd.DataFrame:
    """Return the scores of both lists, a row per number of judged copies."""
    rows = {
        n: {
            f"{name}, {served} served": metric(f"{name}@3").score(judged(n, docs))
            for name in ("DIN-nDCG", "DIN#-nDCG")
            for served, docs in (("two", TWO_SERVED), ("all", ALL_SERVED))
        }
        for n in copies
    }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("judged copies")


def turned_by_copies(copies: int, gamma: float, gain: str) -> int:
    """Return how many pairs of lists without a copy turn when so many copies were judged, not one.

    gamma: the weight of I-rec; with 0 it is DIN-nDCG that orders the pairs.
    """
    orders = []
    for n in (1, copies):
        lists = batch_lists(
            [judged(n, docs) for docs in permutations(("home", "cinema", "trailer", "review"), 3)]
        )
        recall, din = (metric(name).scores(lists)[0] for name in ("I-rec@3", f"DIN-nDCG(gain={gain})@3"))
        mixed = np.round(gamma * recall + (1 - gamma) * din, 9)
        orders.append(np.sign(mixed[:, None] - mixed[None, :]))
    return int((orders[0] * orders[1] < 0).sum()) // 2


def means_as_copies_are_judged(
    copies: int, name: str = "DIN-nDCG", gain: str = "linear", cutoff: int = 4
) -> tuple[float, float]:
    """Return the means of two systems over two topics, where so many copies were judged on the first.

    All readers want one page. The first system shows it at rank 1 of the first topic and at rank 2 of the
    second, the other system at ranks 3 and 1.
    """
    topic = Topic("park", (replace(PARK, probability=1.0),))
    row = metric(f"{name}(gain={gain})@{cutoff}")

    def mean(ranks: tuple[int, int]) -> float:
        scores = []
        for judged_copies, rank in zip((copies, 1), ranks, strict=True):
            copied: Grades = {f"copy{n}": {"park": 2} for n in range(judged_copies)}
            pages: Grades = {**copied, "x": {}, "y": {}}
            scores.append(row.score(RankedList(topic, [*["x", "y"][: rank - 1], "copy0"], pages)))
        return sum(scores) / 2

    return mean((1, 2)), mean((3, 1))


# On TREC 2012
@cache
def _with_and_without(probabilities: str, gain: str, reset: str) -> pd.DataFrame:
    scores = trec2012_scores(probabilities, gain).pivot(
        index=["topic", "run"], columns="metric", values="score"
    )
    without = "Q-IA" if reset == "P+Q" else reset.replace("DIN", "D")  # for which no intent is navigational
    return scores[[f"{without}@10", f"{reset}@10"]].round(12)


def _turned(scores: pd.DataFrame) -> int:
    pairs = combinations(scores.to_numpy(), 2)
    return sum(np.prod(one - other) < 0 for one, other in pairs)


def changed_topics(probabilities: str = "uniform", gain: str = "exponential", reset: str = "DIN-nDCG") -> int:
    """Count the topics on which the reset changes the score of one of the eight runs."""
    scores = _with_and_without(probabilities, gain, reset)
    return int((scores.iloc[:, 0] > scores.iloc[:, 1]).groupby("topic").any().sum())


def changed_lists(probabilities: str, gain: str, reset: str) -> int:
    """Count the lists, of 50 times 8, whose score the reset changes."""
    scores = _with_and_without(probabilities, gain, reset)
    return int((scores.iloc[:, 0] > scores.iloc[:, 1]).sum())


def changed_differences(probabilities: str, gain: str, reset: str) -> int:
    """Count the pairs of runs, topic by topic, whose difference the reset changes, of 50 times 28."""
    scores = _with_and_without(probabilities, gain, reset)
    loss = (scores.iloc[:, 0] - scores.iloc[:, 1]).round(9)
    return sum(a != b for _, of_topic in loss.groupby("topic") for a, b in combinations(of_topic, 2))


def turned_lists(probabilities: str, gain: str, reset: str) -> int:
    """Count the pairs of runs, topic by topic, that the reset turns, of 50 times 28."""
    scores = _with_and_without(probabilities, gain, reset)
    return sum(_turned(of_topic) for _, of_topic in scores.groupby("topic"))


def turned_runs(probabilities: str, gain: str, reset: str) -> int:
    """Count the pairs of runs, of 28, that the reset turns by their means."""
    return _turned(_with_and_without(probabilities, gain, reset).groupby("run").mean().round(12))


def on_halves(probabilities: str, gain: str, reset: str) -> tuple[float, float]:
    """Rank the runs by their means on 1,000 random halves of the topics.

    Returns
    -------
    tuple of float
        In which share of the halves the reset turns no pair of runs, and how many of the 28 pairs it turns
        on average.
    """
    scores = _with_and_without(probabilities, gain, reset)
    by_topic = [scores[name].unstack("run").to_numpy() for name in scores]
    topics = np.tile(np.arange(len(by_topic[0])), (1000, 1))
    half = np.random.default_rng(0).permuted(topics, axis=1)[:, : topics.shape[1] // 2]
    without, reset_means = (table[half].mean(axis=1).round(12) for table in by_topic)
    pairs = np.array([*combinations(range(without.shape[1]), 2)]).T
    ahead = [means[:, pairs[0]] - means[:, pairs[1]] for means in (without, reset_means)]
    turned = (ahead[0] * ahead[1] < 0).sum(axis=1)
    return round(float((turned == 0).mean()), 2), round(float(turned.mean()), 1)


def topics_with_navigational() -> int:
    """Count the topics of TREC 2012 that have a navigational intent."""
    return int((trec2012_topics()["navigational"] > 0).sum())


# A poor page above the good one
def costs_more_than_none(poor: int, good: int, at: int, below: int, gain: str, film: int = 0) -> bool:
    """Return whether DIN-nDCG gives less for a poor page at rank `at` than for a page for nobody there.

    The good page for the same readers is so many ranks below. film: the poor page's grade for other readers.
    """
    above, between = (
        [f"{where}{k}" for k in range(1, n)] for where, n in (("above", at), ("between", below))
    )
    judged: Grades = {
        "poor": {"park": poor, "film": film},
        "good": {"park": good},
        **{doc: {} for doc in ("none", *above, *between)},
    }
    pool, row = Judgments.of(TOPIC, judged, scale=3), metric(f"DIN-nDCG(gain={gain})@{at + below}")
    with_poor, with_none = (
        row.score(RankedList(TOPIC, [*above, tried, *between, "good"], pool)) for tried in ("poor", "none")
    )
    return with_poor < with_none - 1e-9


def rule(poor: int, good: int, at: int, below: int, gain: str) -> bool:
    """Return whether the good page gains more than the poor one, each discounted at its rank."""
    gains = [grade if gain == "linear" else 2**grade - 1 for grade in (poor, good)]
    return gains[1] / log2(at + below + 1) > gains[0] / log2(at + 1) + 1e-9


# Exercise 1
WHY_1 = "N is the same for all lists; what they earn is not."


@cache
def _right_and_slips() -> tuple[float, dict[float, str]]:
    pool: Grades = {**{f"copy{n}": {"park": 2} for n in (1, 2, 3)}, "cinema": {"film": 2}}
    lists = [RankedList(TOPIC, docs, pool) for docs in permutations(pool)]
    w = [1 / log2(k + 1) for k in range(1, 5)]
    best = float(metric("DIN-nDCG@4").scores(batch_lists(lists)).max())
    return best, {
        1.0: "the copies are in N, and only one of them can earn anything",
        w[0] / sum(w): "does every intent get something?",
        (w[0] + w[3]) / sum(w): "the film page can come earlier",
        (w[0] + w[1]) / sum(w[:2]): "N is D's ideal list, with all its copies",
        0.5: "ranks are discounted",
    }


@Check.number(0, 3, decimals=4)
def best_there_is(answer: float) -> bool | str:
    """Compare the answer with the highest DIN-nDCG@4."""
    return compare(answer, *_right_and_slips(), within=0.006, near=0.006)


# Exercise 2
WHY_2 = "The page that counts is not the page these readers want."


def apart(docs: Sequence[str]) -> float:
    """Return how far D-nDCG@4 is above DIN-nDCG@4 for a list of the six pages."""
    return metric("D-nDCG@4").score(COPY.reordered(docs)) - metric("DIN-nDCG@4").score(COPY.reordered(docs))


@cache
def _most_apart() -> float:
    lists = every_list(4)
    return float((metric("D-nDCG@4").scores(lists) - metric("DIN-nDCG@4").scores(lists)).max())


@Check.several(list(GRADES), 4)
def as_far_apart(docs: Sequence[str]) -> bool | str:
    """Check that no other list has D-nDCG@4 further above DIN-nDCG@4."""
    if isinstance(docs, str) or len(docs) != 4 or not set(docs) <= set(GRADES):
        return "expected a list of four of the six documents, each in quotes"
    distance = apart(docs)
    if sum("park" in GRADES[doc] for doc in docs) < 3:
        return f"{distance:.4f} apart: there are more pages for the park"
    return distance > _most_apart() - 1e-9 or f"{distance:.4f} apart: which page closes the intent, and when?"
