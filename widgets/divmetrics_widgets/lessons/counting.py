"""Lesson 04: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import isclose

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.judgments import Grades
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import Relevant
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import score
from divmetrics.registry.parse import metric
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.lists import POTTER, every_list, potter
from divmetrics_widgets.lessons.slips import compare

FILMS, BOOK_FIRST = potter("d3 d1 d2", "three film pages"), potter("d10 d1 d2", "a book page first")
FIVE_FILMS = potter("d1 d4 d2 d5 d6 d3 d7 d9", "five film pages")  # with the three pages below
FOUR_INTENTS = potter("d7 d4 d14 d11 d9 d17 d1 d13", "four intents")

DIVISORS = {"l": "AP-IA", "min(l, R)": "AP-IA(of=min)", "R": "AP-IA(of=R)"}
MIXES = {
    "3 : 2 : 2 : 1 : 1": {intent.id: intent.probability for intent in POTTER.topic.intents},
    "equal": {intent.id: 1 / 5 for intent in POTTER.topic.intents},
}
LABELS = {doc: POTTER.labels(doc) for doc in POTTER.docs}


def prefers(row: str | BaseMetric, first: RankedList, second: RankedList, readers: str) -> bool:
    """Return whether a metric gives the first list more than the second for this mix of readers."""
    one, other = (score(row, each.docs, LABELS, MIXES[readers]) for each in (first, second))
    return one > other + 1e-9


def prefers_films(N: str, cutoff: int, readers: str = "3 : 2 : 2 : 1 : 1", lists: str = "three") -> bool:
    """Return whether AP-IA with this divisor gives the film list more than the other list."""
    films, other = (FILMS, BOOK_FIRST) if lists == "three" else (FIVE_FILMS, FOUR_INTENTS)
    return prefers(f"{DIVISORS[N]}@{cutoff}", films, other, readers)


def row_of(name: str) -> Metric:
    """Return the metric of a name as a row of parts."""
    row = metric(name)
    if not isinstance(row, Metric):
        raise TypeError(f"{name} has no parts")
    return row


def prefers_films_by_count(N: str, cutoff: int, readers: str) -> bool:
    """Return whether AP-IA still prefers the film list if the pages above do not matter: M = I(g)."""
    row = replace(row_of(f"{DIVISORS[N]}@{cutoff}"), M=Relevant())
    return prefers(row, FILMS, BOOK_FIRST, readers)


def is_average(name: str, cutoff: int, docs: str) -> bool:
    """Return whether a metric is the mean of its scores for readers of one intent, weighted by p."""
    alone = {}
    for intent in MIXES["equal"]:
        labels = {doc: {intent: grades[intent]} for doc, grades in LABELS.items() if intent in grades}
        alone[intent] = score(f"{name}@{cutoff}", docs.split(), labels, {intent: 1.0}, scale=2)
    together = score(f"{name}@{cutoff}", docs.split(), LABELS, MIXES["3 : 2 : 2 : 1 : 1"])
    return isclose(together, sum(p * alone[intent] for intent, p in MIXES["3 : 2 : 2 : 1 : 1"].items()))


def sees_only_counts(name: str, cutoff: int) -> bool:
    """Return whether lists of so many pages with as many good pages for each intent always score the same."""
    values_by_counts = defaultdict(set)
    lists = every_list(cutoff)
    good = (lists.linear > 0).sum(axis=-1)[0]
    for counts, value in zip(good.tolist(), metric(f"{name}@{cutoff}").scores(lists)[0], strict=True):
        values_by_counts[tuple(counts)].add(round(float(value), 9))
    return all(len(values) == 1 for values in values_by_counts.values())


def grows_with_count(N: str, rank: int, intent: str) -> bool:
    """Return whether a page at that rank earns more, the more pages for the same intent stand above it."""
    lists = every_list(rank)
    earned = metric(f"{DIVISORS[N]}@{rank}").contributions(lists)[0]
    place = [each.id for each in POTTER.topic.intents].index(intent)
    good = lists.linear[0, :, place] > 0
    by_count = defaultdict(set)
    for k, value in zip(good[:, : rank - 1].sum(axis=1), earned[:, place, rank - 1], strict=True):
        by_count[int(k)].add(round(float(value), 9))
    here = {k: {value for value in values if value > 0} for k, values in by_count.items()}
    levels = [here[k] for k in sorted(here) if here[k]]
    return all(len(level) == 1 for level in levels) and levels == sorted(levels, key=min)


def film_page_at_rank_4() -> dict[str, float]:
    """Return what a film page earns at rank 4 under AP-IA@4, below film pages and below book pages."""
    above = {"below three film pages": "d1 d2 d3 d4", "below three book pages": "d9 d10 d11 d4"}
    place = [intent.id for intent in POTTER.topic.intents].index("film")
    earned = {where: contributions("AP-IA@4", docs)[place, 3] for where, docs in above.items()}
    return {where: float(value) for where, value in earned.items()}


def contributions(name: str, docs: str) -> np.ndarray:
    """Return the contributions of a list for harry potter, (intent, rank)."""
    return metric(name).contributions(batch_lists([potter(docs)]))[0, 0]


def before_division() -> pd.DataFrame:
    """Return R_i, and what each intent earns under AP-IA@5 in the two longer lists before the division."""
    intents = [intent.id for intent in POTTER.topic.intents]
    relevant = [sum(intent in labels for labels in LABELS.values()) for intent in intents]
    table = pd.DataFrame({"R": relevant, "min(5, R)": np.minimum(5, relevant)}, intents)
    for ranked_list in (FIVE_FILMS, FOUR_INTENTS):
        table[ranked_list.run] = 5 * contributions("AP-IA@5", " ".join(ranked_list.docs)).sum(axis=1)
    return table


# Exercise 1
SMALL = {
    "trailer": {"film": 2},
    "cinema": {"film": 2},
    "author": {"book": 1, "film": 1},
    "novels": {"book": 2},
}
WANTS = {"book": 0.25, "film": 0.75}
WHY_1 = "The film readers lose more than the book readers gain."


@cache
def _right_and_slips() -> tuple[float, dict[float, str]]:
    moved = ["novels", "trailer", "cinema", "author"]
    alone = [
        score("AP-IA(of=R)@4", moved, {doc: {t: g[t]} for doc, g in SMALL.items() if t in g}, {t: 1.0})
        for t in WANTS
    ]
    slips = dict.fromkeys(alone, "that is for one kind of reader; average the two")
    slips[float(np.mean(alone))] = "weight the two readers by their probabilities"
    slips[score("AP-IA@4", moved, SMALL, WANTS)] = "that is with N = l = 4; divide by R_i"
    slips[score("AP-IA(of=R)@4", list(SMALL), SMALL, WANTS)] = "that is the list before `novels` moved"
    return score("AP-IA(of=R)@4", moved, SMALL, WANTS), slips


@Check.number(0, 2, decimals=4)
def by_hand(answer: float) -> bool | str:
    """Compare the answer with AP-IA@4, N = R, of the list with the novels first."""
    return compare(answer, *_right_and_slips(), within=0.001, near=0.002)


# Exercise 2
WHY_2 = "P-IA counts these pages wherever they are; with N = l they come too late for AP-IA."


@Check.several(list(POTTER.docs), 3)
def above_and_below(docs: Sequence[str]) -> bool | str:
    """Check that the list serves all intents, and that P-IA and AP-IA disagree on it and the film list."""
    if len(docs) != 3 or not set(docs) <= set(POTTER.docs):
        return "three different documents of d1 to d18, please"
    missing = [intent for intent in MIXES["equal"] if not any(intent in LABELS[doc] for doc in docs)]
    if missing:
        return f"nothing for {', '.join(sorted(missing))}"
    mine, film = potter(" ".join(docs)), potter("d1 d2 d3")
    good, good_film, early, early_film = (
        metric(name).score(each) for name in ("P-IA@3", "AP-IA@3") for each in (mine, film)
    )
    if good - good_film < 1e-9:
        return f"P-IA@3 is {good:.4f}, the film list's {good_film:.4f}: one more page for two intents?"
    return (
        bool(early < early_film - 1e-9)
        or f"AP-IA@3 is {early:.4f}, the film list's {early_film:.4f}: serve later"
    )


# Exercise 3
WHY_3 = "The rule is the same at every rank."


def agrees(rule: Callable[[float, int, float, int], object]) -> bool | str:
    """Compare the rule with AP-IA, N = l, for neighbours below several numbers of film and book pages."""
    for p_book in (0.1, 0.3, 0.45, 0.6):
        two = Topic("two", (Intent("film", 1 - p_book), Intent("book", p_book)))
        for films, books in ((0, 0), (0, 3), (1, 2), (2, 1), (3, 0), (1, 5)):
            above = [f"film {n}" for n in range(films)] + [f"book {n}" for n in range(books)]
            judged: Grades = {doc: {doc.split()[0]: 1} for doc in [*above, "film x", "book x"]}
            later, first = (
                metric("AP-IA@9").score(RankedList(two, [*above, *last], judged))
                for last in (["film x", "book x"], ["book x", "film x"])
            )
            if bool(rule(1 - p_book, films, p_book, books)) != (first > later + 1e-9):
                return f"wrong for p_book = {p_book}, {films} film and {books} book pages above"
    return True
