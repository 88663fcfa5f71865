"""Lesson 06: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import prod

import numpy as np
import pandas as pd

from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.explanations import explain
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual import Goal
from divmetrics.research.datasets import imine_scores, imine_types, trec2009_best_lists
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons import counting
from divmetrics_widgets.lessons.ambiguous import FOUR_MIXES, HALVED, pool_for
from divmetrics_widgets.lessons.counting import LABELS, SMALL, WANTS
from divmetrics_widgets.lessons.grading import earned_by_last
from divmetrics_widgets.lessons.lists import POTTER, every_list, lists_of, potter, ranked

SMALL_GRADES: Grades = {doc: dict(labels.items()) for doc, labels in SMALL.items()}
SMALL_LIST = ranked(list(SMALL), SMALL_GRADES, WANTS)
THREE_FILMS, BOOK_BETWEEN = potter("d1 d2 d3", "three film pages"), potter("d1 d9 d3", "a book page between")

PATIENCES = {0.5: "RBP-IA(phi=0.5)", 0.85: "RBP-IA(phi=0.85)", 0.99: "RBP-IA"}
OF_RUNS = [*PATIENCES.values(), "ERR-IA", "EBR-IA", "P-IA", "iRBU-IA", "S-recall"]
SEVEN = ["Prec", "AP", "nDCG", "Q", "RBP", "ERR", "EBR"]  # for one kind of reader


def best_lists(phi: float, cutoff: int, gain: str = "linear") -> set[tuple[str, ...]]:
    """Return the lists of so many pages for harry potter with the highest RBP-IA."""
    scores = metric(f"RBP-IA(phi={phi},gain={gain})@{cutoff}").scores(every_list(cutoff))[0]
    lists = permutations(POTTER.docs, cutoff)
    return {docs for docs, score in zip(lists, scores, strict=True) if score > scores.max() - 1e-9}


def most_intents(lists: Collection[Sequence[str]]) -> int:
    """Return how many intents the list that serves most of them serves."""
    return max(len({intent for doc in docs for intent in LABELS[doc]}) for docs in lists)


def same_best(phi: float, cutoff: int, gain: str) -> bool:
    """Return whether RBP-IA with this patience has the same best lists as with 0.5."""
    return best_lists(phi, cutoff, gain) == best_lists(0.5, cutoff, gain)


def on_48_topics() -> pd.Series:
    """Return by choice whether RBP-IA's best lists have as many pages for each intent with 0.5 and 0.99."""
    table = trec2009_best_lists()
    choice = ["probabilities", "cutoff", "top", "search"]
    pages = table.pivot(index=[*choice, "topic", "intent"], columns="metric", values="pages")
    return (pages[PATIENCES[0.5]] == pages[PATIENCES[0.99]]).groupby(choice).all()


def effects(name: str, pages: int) -> dict[str, int]:
    """Count what one grade more for a page above does to what the last page earns, in all lists of so many.

    The lists have grades from 0 to 2, and the last page is relevant.
    """
    earned = earned_by_last(f"{name}@{pages}", pages)
    counts = dict.fromkeys(("lower", "unchanged", "higher"), 0)
    for grades, k in product(earned, range(pages - 1)):
        if grades[-1] and grades[k] < 2:
            more = earned[(*grades[:k], grades[k] + 1, *grades[k + 1 :])] - earned[grades]
            counts["lower" if more < -1e-9 else "higher" if more > 1e-9 else "unchanged"] += 1
    return counts


def never_lowers(name: str, pages: int) -> bool:
    """Return whether one grade more above never lowers what the last page earns."""
    return not effects(name, pages)["lower"]


def effects_table(names: Sequence[str] = SEVEN) -> pd.DataFrame:
    """Return the counts of `effects` in all lists of two, three or four pages, a row per metric."""
    rows = {name: sum(pd.Series(effects(name, pages)) for pages in (2, 3, 4)) for name in names}
    return pd.DataFrame.from_dict(rows, "index")


MIXES = counting.MIXES | {HALVED: FOUR_MIXES[HALVED]}


@cache
def _pool(readers: str, top: int) -> Judgments:
    return pool_for(MIXES[readers], top)


@cache
def _every_list(readers: str, top: int) -> Batch:
    return lists_of(_pool(readers, top), 3)


def _intents(docs: Sequence[str]) -> set[str]:
    """Return the intents that at least one of the pages serves."""
    return {intent for doc in docs for intent in LABELS[doc]}


@cache
def exchanges(readers: str = "3 : 2 : 2 : 1 : 1", top: int = 2, below: bool = False) -> pd.DataFrame:
    """Return all exchanges of a page in lists of three: the lists' places, the new readers and those left.

    The exchange takes out a page whose intent a page above serves as well, and puts in one of the same grade
    for an intent that has no more readers and that no other page of the list serves; with `below`, that a
    page further down serves, and none above. Both pages have one intent. The readers who are left are those
    of the old intent whom no page above has satisfied.
    """
    pool = _pool(readers, top)
    lists = list(permutations(pool.docs, 3))
    place: dict[tuple[str, ...], int] = {docs: n for n, docs in enumerate(lists)}
    p = {intent.id: intent.probability for intent in pool.topic.intents}
    one_intent = {doc: next(iter(labels.items())) for doc, labels in LABELS.items() if len(labels) == 1}
    rows = []
    for docs, k in product(lists, (1, 2)):
        old, grade = one_intent.get(docs[k], ("", 0))
        above = [LABELS[doc].get(old, 0) for doc in docs[:k]]
        found, further_down = _intents(docs[: k + 1]), _intents(docs[k + 1 :])
        for doc, (new, as_good) in one_intent.items():
            fits = any(above) and as_good == grade and doc not in docs and new not in found
            if fits and (new in further_down) == below and p[new] <= p[old] + 1e-9:
                left = p[old] * prod(1 - (2**g - 1) / 2**top for g in above)
                rows.append([place[docs], place[(*docs[:k], doc, *docs[k + 1 :])], p[new], left])
    return pd.DataFrame(rows, columns=["before", "after", "new", "left"])


def _raised(name: str, readers: str = "3 : 2 : 2 : 1 : 1", top: int = 2, below: bool = False) -> pd.Series:
    """Return which exchanges raise the score at cutoff 3."""
    made = exchanges(readers, top, below)
    scores = metric(f"{name}@3").scores(_every_list(readers, top))[0]
    return pd.Series(scores[made["after"]] > scores[made["before"]] + 1e-9)


def makes_no_room(name: str, readers: str, top: int) -> bool:
    """Return whether no exchange raises the score."""
    return not _raised(name, readers, top).any()


def makes_room(name: str, readers: str, top: int) -> bool:
    """Return whether all exchanges do whose new readers outnumber those who are left."""
    made = exchanges(readers, top)
    return bool(_raised(name, readers, top)[made["new"] > made["left"] + 1e-9].all())


def room_above_a_page(name: str) -> list[tuple[int, int]]:
    """Return how many exchanges raise the score, and of how many, if a page below serves the new readers.

    One pair per mix with the top grade 2, then the first mix with 3; only the exchanges whose new readers
    outnumber those who are left count.
    """
    counts = []
    for readers, top in [*((mix, 2) for mix in MIXES), (next(iter(MIXES)), 3)]:
        made = exchanges(readers, top, below=True)
        raised = _raised(name, readers, top, below=True)[made["new"] > made["left"] + 1e-9]
        counts.append((int(raised.sum()), len(raised)))
    return counts


def room_table(names: Sequence[str]) -> pd.DataFrame:
    """Return how many exchanges raise the score, where the new readers are more than those left, and else."""
    made = exchanges()
    more = made["new"] > made["left"] + 1e-9
    rows = {name: [(_raised(name) & which).sum() for which in (more, ~more)] for name in names}
    columns = [f"more new readers, of {more.sum():,}", f"no more, of {(~more).sum():,}"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns)


@cache
def _scores(language: str) -> pd.DataFrame:
    return imine_scores(language)


@cache
def _means(language: str, cutoff: int, topics: str) -> pd.DataFrame:
    """Return the mean scores of the IMine runs, a column per metric, over all topics or those of a type."""
    scores, names = _scores(language), [f"{name}@{cutoff}" for name in OF_RUNS]
    chosen = scores["metric"].isin(names)
    if topics != "all":
        chosen &= scores["topic"].map(imine_types(language)) == topics
    means = scores[chosen].groupby(["run", "metric"])["score"].mean().unstack().round(12)
    return means[names].set_axis(OF_RUNS, axis=1)


def turned(one: str, other: str, language: str, cutoff: int, topics: str = "all") -> int:
    """Count the pairs of IMine runs that two metrics order differently, by their means over the topics."""
    means = _means(language, cutoff, topics)
    pairs = combinations(means[[one, other]].to_numpy(), 2)
    return sum(np.prod(first - second) < 0 for first, second in pairs)


def turned_by_patience(language: str, cutoff: int, topics: str = "all") -> pd.DataFrame:
    """Return the pairs of runs that RBP-IA orders otherwise than ERR-IA and P-IA do, a row per patience."""
    rows = {
        phi: [turned(name, other, language, cutoff, topics) for other in ("ERR-IA", "P-IA")]
        for phi, name in PATIENCES.items()
    }
    return pd.DataFrame.from_dict(rows, "index", columns=["than ERR-IA", "than P-IA"]).rename_axis("phi")


def between_both(language: str, cutoff: int, topics: str) -> bool:
    """Return whether more patience never brings RBP-IA's order nearer to ERR-IA's, or further from P-IA's."""
    table = turned_by_patience(language, cutoff, topics)
    return bool(table["than ERR-IA"].is_monotonic_increasing and table["than P-IA"].is_monotonic_decreasing)


# Exercise 1
WHY_1 = "Below it rank 1 decides, above it rank 2."
SERVICE, SITE = potter("d1 d18", "X"), potter("d14 d7", "Y")


def scores_alike(name: str, phi: float) -> bool | str:
    """Check that a metric @2 with this patience scores both lists the same."""
    x, y = (metric(f"{name}(phi={phi})@2").score(each) for each in (SERVICE, SITE))
    prefers = "X: more patience needed" if x > y else "Y: less patience needed"
    return bool(abs(x / y - 1) < 0.015) or f"X {x:.4f}, Y {y:.4f}; it prefers {prefers}"


@Check.number(0, 1, decimals=2)
def as_good(phi: float) -> bool | str:
    """Check that RBP-IA@2 with this patience scores both lists the same."""
    return scores_alike("RBP-IA", phi)


# Exercise 2
WHY_2 = "The pages above it count as well."
FILMS, REPEATS = potter("d1 d4 d2 d5 d6 d3 d7 d9"), potter("d1 d2 d9 d14 d15 d10 d3 d7", "B")
GOAL = Goal("EBR-IA@5", keep="ERR-IA@5", edits=1)


def flipped(progress: object) -> bool | str:
    """Check that the lab's goal is reached."""
    return bool(getattr(progress, "reached", False)) or str(progress)


# Exercise 3
WHY_3 = "EBR stands between Q and ERR."
PAIRS = [(a, b) for a in (1, 2) for b in (1, 2)]


def second_earns(a: int, b: int, above: str) -> float:
    """Return what a page of grade b at rank 2 earns under EBR, below "a page" of grade a or "none"."""
    topic = Topic("film", (Intent("film", 1.0),))
    judged: Grades = {"a page": {"film": a}, "below": {"film": b}, "none": {}}
    pool = Judgments.of(topic, judged, scale=2)
    return float(explain("EBR@2", RankedList(topic, [above, "below"], pool))["contribution"].iloc[-1])


def _chosen(words: Sequence[str]) -> set[tuple[int, int]]:
    return {pair for pair, word in zip(PAIRS, words, strict=True) if word == "more"}


@Check.several(["less", "more"], 4, make=_chosen, names=map(str, PAIRS))
def all_pairs(pairs: Collection[tuple[int, int]]) -> bool | str:
    """Check which pairs of grades let the page at rank 2 earn more below the good page."""
    for a, b in PAIRS:
        below, alone = second_earns(a, b, "a page"), second_earns(a, b, "none")
        if ((a, b) in pairs) != (below > alone + 1e-9):
            return f"not so for {a, b}: {below:.4f} below the good page, else {alone:.4f}"
    return True
