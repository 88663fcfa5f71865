"""Lesson 01: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import score
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.counting import LABELS, MIXES
from divmetrics_widgets.lessons.lists import POTTER, TITLES, every_list, lists_of, potter
from divmetrics_widgets.lessons.slips import compare

if TYPE_CHECKING:
    from IPython.display import HTML

FOUR = {name: harry_potter().list(name, "0083") for name in "ABCD"}
LIST_B, LIST_C = FOUR["B"], FOUR["C"]
GRADES: Grades = {doc: dict(labels.items()) for doc, labels in LABELS.items()}
SHARES = "3 : 2 : 2 : 1 : 1"
PARK_FIRST = "2 : 1 : 1 : 3 : 2"  # the same shares in another order: the theme park has the most readers
HALVED = "16 : 8 : 4 : 2 : 1"
FOUR_MIXES = MIXES | {
    PARK_FIRST: dict(zip(MIXES[SHARES], (2 / 9, 1 / 9, 1 / 9, 3 / 9, 2 / 9), strict=True)),
    HALVED: {"film": 16 / 31, "series": 8 / 31, "book": 4 / 31, "themepark": 2 / 31, "games": 1 / 31},
}
AVERAGES = ["P-IA", "AP-IA", "AP-IA(of=R)", "nDCG-IA", "Q-IA", "RBP-IA", "ERR-IA", "EBR-IA", "D-nDCG"]
COUNTS = ["S-recall", "alpha-nDCG", "alpha-nDCG(alpha=0.9)", "D#-nDCG"]
COUNT_LESS = ["D#-nDCG(gain=exponential)", "D#-nDCG(gamma=0.4)"]


def side_by_side(lists: Mapping[str, RankedList], depth: int) -> HTML:
    """Return an HTML table of ranked lists: titles, and small below them the ids and grades."""
    from IPython.display import HTML

    def cell(doc: str) -> str:
        grades = ", ".join(f"{intent} {grade}" for intent, grade in LABELS[doc].items()) or "nothing"
        words = f"{escape(TITLES[doc])}<br><small>{escape(doc)}: {escape(grades)}</small>"
        return f"<td style='text-align:left'>{words}</td>"

    rows = (
        f"<tr><th>{k + 1}</th>{''.join(cell(each.docs[k]) for each in lists.values())}</tr>"
        for k in range(depth)
    )
    head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in lists)
    return HTML(f"<table><tr><th>rank</th>{head}</tr>{''.join(rows)}</table>")


def precision(name: str, cutoff: int) -> float:
    """Return the precision of one of the four lists."""
    return float(metric(f"Prec@{cutoff}").score(FOUR[name]))


def served_by_good_pages(cutoff: int, good: int = 1) -> set[int]:
    """Return how many intents the lists serve that have a page of at least this grade at every rank."""
    fine = [doc for doc, labels in LABELS.items() if max(labels.values(), default=0) >= good]
    lists = permutations(fine, cutoff)
    return {len({i for doc in docs for i, g in LABELS[doc].items() if g >= good}) for docs in lists}


# -- what S-recall does not see -----------------------------------------------------------------------------

CHANGES = [
    "ranks 1 and 2 are swapped",
    "the theme park page becomes very good",
    "the page at rank 5 moves to rank 6",
    "the page at rank 4 moves to rank 6",
]


def changed() -> dict[str, RankedList]:
    """Return list B after each of the four changes."""
    d = list(LIST_B.docs)
    better: Grades = {**GRADES, "d15": {"themepark": 2}}
    raised = RankedList(LIST_B.topic, d, Judgments.of(LIST_B.topic, better, scale=2))
    lists = [
        LIST_B.reordered([d[1], d[0], *d[2:]]),
        raised,
        LIST_B.reordered([*d[:4], d[5], d[4], *d[6:]]),
        LIST_B.reordered([*d[:3], d[4], d[5], d[3], *d[6:]]),
    ]
    return dict(zip(CHANGES, lists, strict=True))


def notices(name: str) -> list[str]:
    """Return the changes of list B after which a metric gives another score."""
    before = float(metric(name).score(LIST_B))
    return [change for change, after in changed().items() if abs(metric(name).score(after) - before) > 1e-9]


def unseen(name: str, what: str) -> bool:
    """Return whether a metric never changes with the order, the grades above 0, or the readers' shares.

    Every 97th list of three pages is tried.
    """
    for docs in list(permutations(POTTER.docs, 3))[::97]:
        before = score(name, list(docs), LABELS, MIXES[SHARES])
        if what == "order":
            after = score(name, list(docs[::-1]), LABELS, MIXES[SHARES])
        elif what == "grades":
            ones = {doc: dict.fromkeys(labels, 1) for doc, labels in LABELS.items()}
            after = score(name, list(docs), ones, MIXES[SHARES], scale=2)
        else:
            after = score(name, list(docs), LABELS, MIXES["equal"])
        if abs(before - after) > 1e-9:
            return False
    return True


# -- serve everybody, or serve them well --------------------------------------------------------------------

TWO = {
    "best on average": potter("d7 d1 d10"),
    "best that serves everybody": potter("d7 d14 d17"),
}


def pool_for(shares: Mapping[str, float], top: int = 2) -> Judgments:
    """Return the judgments for harry potter with other shares of readers, on a scale up to `top`."""
    topic = Topic("0083", tuple(Intent(intent, p) for intent, p in shares.items()))
    return Judgments.of(topic, GRADES, scale=top)


@cache
def lists_for(cutoff: int, readers: str) -> Batch:
    """Return all lists of so many of the 18 pages, for this mix of readers."""
    if readers == SHARES:
        return every_list(cutoff)
    return lists_of(pool_for(FOUR_MIXES[readers]), cutoff)


def _best_and_most(name: str, cutoff: int, readers: str = SHARES) -> tuple[set[int], int]:
    """Return how many intents each of the best lists serves, and how many a list of that length can serve."""
    lists = lists_for(cutoff, readers)
    scores, served = (metric(f"{each}@{cutoff}").scores(lists)[0] for each in (name, "S-recall"))
    intents = np.round(served * len(POTTER.topic.intents)).astype(int)
    return set(intents[scores > scores.max() - 1e-9].tolist()), int(intents.max())


def leaves_out(name: str, cutoff: int, readers: str) -> bool:
    """Return whether all best lists serve fewer intents than a list of that length could."""
    best, most = _best_and_most(name, cutoff, readers)
    return max(best) < most


def may_leave_out(name: str, cutoff: int, readers: str) -> bool:
    """Return whether at least one of the best lists serves fewer intents than a list of that length could."""
    best, most = _best_and_most(name, cutoff, readers)
    return min(best) < most


def each_reader() -> pd.DataFrame:
    """Return what readers of each intent get from both lists under ERR@3, and the most they could get."""
    names = list(MIXES[SHARES])
    p = np.array([MIXES[SHARES][name] for name in names])
    row = metric("ERR-IA@3")
    parts = row.contributions(batch_lists(list(TWO.values())))[0].sum(axis=2) / p
    most = (row.contributions(every_list(3))[0].sum(axis=2) / p).max(axis=0)
    table = pd.DataFrame({"of nine readers": (9 * p).round().astype(int)}, index=names)
    return table.assign(
        **dict(zip(TWO, parts.round(2), strict=True)), **{"the best possible for them": most.round(2)}
    )


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Pages for the same intent count once."


@Check.number(0, 3, decimals=4)
def share_of_three(answer: float) -> bool | str:
    """Check S-recall@3 of list C."""
    if answer in (2, 3):
        return "S-recall is a share: divide by the number of intents"
    at_3, at_5 = (float(metric(f"S-recall@{cutoff}").score(LIST_C)) for cutoff in (3, 5))
    slips = {
        at_5: "did you use cutoff 5, or count the two film pages twice?",
        2 / 3: "divide by the number of intents, not by the number of pages",
    }
    return compare(answer, at_3, slips, within=0.0005, near=0.0005)


# Exercise 2
three_times = Check.lists(
    LIST_B,
    {"first": 5, "second": 5},
    Check.rule("first", "ERR-IA@5", ">=", "second", "{left} is not three times {right}", times=3),
    together="same documents",
)

# Exercise 3
OWN = Topic("own", tuple(Intent(name, 1 / 3) for name in "xyz"))
CELLS = [f"{page}, {name}" for page in "abc" for name in "xyz"]


def _judged(grades: Sequence[int]) -> dict[str, dict[str, int]]:
    return {page: dict(zip("xyz", grades[3 * n : 3 * n + 3], strict=True)) for n, page in enumerate("abc")}


@Check.several(range(3), 9, make=_judged, names=CELLS)
def somebody_is_left_out(judgments: Grades) -> bool | str:
    """Check judgments under which two pages could serve everybody and the best two pages do not."""
    judged = Judgments.of(OWN, judgments, scale=2)
    lists = [RankedList(OWN, docs, judged) for docs in permutations(judgments, 2)]
    scores, served = (metric(name).scores(batch_lists(lists))[0] for name in ("ERR-IA@2", "S-recall@2"))
    if max(served) < 1 - 1e-9:
        return "no two of these pages serve all three intents"
    best = (scores > max(scores) - 1e-9) & (served > 1 - 1e-9)
    docs = [each.docs for each, serves_all in zip(lists, best, strict=True) if serves_all]
    return not docs or f"{' '.join(docs[0])} has the highest ERR-IA@2, and serves everybody"
