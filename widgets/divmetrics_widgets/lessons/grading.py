"""Lesson 05: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from math import log2

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.metric import Metric
from divmetrics.core.parts import One
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import score
from divmetrics.explanations import explain
from divmetrics.registry.parse import metric
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import lists_for
from divmetrics_widgets.lessons.counting import SMALL, WANTS, row_of
from divmetrics_widgets.lessons.lists import POTTER, every_list, potter
from divmetrics_widgets.lessons.slips import compare

EVERYBODY, FILMS = potter("d14 d7 d17", "something for everybody"), potter("d1 d5 d6", "three film pages")
DIVISORS = {"none": "", "l": "AP-IA", "min(l, R)": "Q-IA", "own ideal": "nDCG-IA", "R": "AP-IA(of=R)"}


def with_divisor(name: str, divisor: str) -> Metric:
    """Return the metric with the divisor of another one, or with none."""
    cutoff, gain = name.partition("@")[2], "exponential" if "exponential" in name else "linear"
    row = row_of(name)
    if not DIVISORS[divisor]:
        return replace(row, N=One())
    other = DIVISORS[divisor] + (f"(gain={gain})" if divisor == "own ideal" else "")
    return replace(row, N=row_of(f"{other}@{cutoff}").N)


def film_leads(name: str, divisor: str, readers: str) -> np.ndarray:
    """Return how far each list of three film pages is ahead of each list of three for all intents."""
    lists = lists_for(3, readers)
    serves = lists.linear[0] > 0
    film = [intent.id for intent in POTTER.topic.intents].index("film")
    films = serves[:, film].all(axis=1) & (serves.sum(axis=(1, 2)) == 3)
    everybody = serves.any(axis=2).all(axis=1)
    scores = with_divisor(f"{name}@3", divisor).scores(lists)[0]
    return np.round(scores[films][:, None] - scores[everybody][None, :], 9)


def turned_by_ideal(metrics: Sequence[str], mixes: Sequence[str]) -> pd.DataFrame:
    """Return in how many pairs of a film list and one for everybody the films lead, and which pairs turn."""
    rows = {}
    for readers, name in product(mixes, metrics):
        one, own = (film_leads(name, divisor, readers) for divisor in ("none", "own ideal"))
        turned = [(one > 0) & (own < 0), (one < 0) & (own > 0)]
        rows[readers, name] = [int(pairs.sum()) for pairs in (one > 0, own > 0, *turned)]
    columns = ["films first, N = 1", "films first, own ideal", "turned to everybody", "turned to films"]
    return pd.DataFrame([*rows.values()], pd.MultiIndex.from_tuples(rows), columns)


def winners(metrics: Sequence[str]) -> pd.DataFrame:
    """Return which of the two lists each metric prefers with each divisor."""
    table = pd.DataFrame(index=list(metrics))
    for divisor in DIVISORS:
        gaps = [
            with_divisor(name, divisor).score(EVERYBODY) - with_divisor(name, divisor).score(FILMS)
            for name in metrics
        ]
        table[f"N: {divisor}"] = [
            "everybody" if gap > 1e-9 else "films" if gap < -1e-9 else "tie" for gap in gaps
        ]
    return table


def first_page(cutoff: int = 3) -> pd.DataFrame:
    """Return what a page of grade 2 at rank 1 earns for each intent, without the divisor and with it."""
    names = [intent.id for intent in POTTER.topic.intents]
    p = np.array([intent.probability for intent in POTTER.topic.intents])
    best = np.sort(POTTER.grades, axis=1)[:, ::-1][:, :cutoff]
    table = pd.DataFrame({"relevant pages": (POTTER.grades > 0).sum(axis=1)}, names)
    table["ideal DCG@3"] = best @ [1 / log2(k + 1) for k in range(1, cutoff + 1)]
    table["earns, N = 1"], table["earns, own ideal"] = 2 * p, 2 * p / table["ideal DCG@3"]
    return table


def best_possible(pages: str, gain: str, cutoff: int) -> float:
    """Return the highest nDCG-IA of all lists of so many pages."""
    row = metric(f"nDCG-IA(gain={gain})@{cutoff}")
    if pages == "harry potter":
        return float(row.scores(every_list(cutoff)).max())
    return max(score(row, docs, SMALL, WANTS) for docs in permutations(SMALL, cutoff))


def is_average_precision(beta: float, cutoff: int) -> bool:
    """Return whether Q-IA with this beta and AP-IA, both divided by min(l, R), agree on all lists."""
    q, ap = metric(f"Q-IA(beta={beta})@{cutoff}"), metric(f"AP-IA(of=min)@{cutoff}")
    lists = every_list(cutoff)
    return bool(np.allclose(q.scores(lists), ap.scores(lists)))


def earned_by_last(name: str, pages: int) -> dict[tuple[int, ...], float]:
    """Return what the last page earns in every list of so many pages, by the grades, 0 to 2, of its pages.

    As many pages of each grade were judged.
    """
    judged: Grades = {f"page {k} {g}": {"film": g} for k in range(pages) for g in (0, 1, 2)}
    topic = Topic("one", (Intent("film", 1.0),))
    pool = Judgments.of(topic, judged, scale=2)
    grades = list(product((0, 1, 2), repeat=pages))
    lists = [RankedList(topic, [f"page {k} {g}" for k, g in enumerate(each)], pool) for each in grades]
    last = metric(name).contributions(batch_lists(lists))[0, :, 0, pages - 1]
    return dict(zip(grades, last.tolist(), strict=True))


def never_lower(beta: float, gain: str, pages: int) -> bool:
    """Return whether a better page above never lowers what the last page earns under Q, in any list."""
    earned = earned_by_last(f"Q(beta={beta},gain={gain})@{pages}", pages)
    for grades, k in product(earned, range(pages - 1)):
        better = (*grades[:k], min(grades[k] + 1, 2), *grades[k + 1 :])
        if earned[better] < earned[grades] - 1e-9:
            return False
    return True


def turned_by_gain_share(cutoff: int, readers: str) -> float:
    """Return the share of all pairs of lists that nDCG-IA orders one way with g, the other with 2^g - 1."""
    lists = lists_for(cutoff, readers)
    one, other = (
        metric(f"nDCG-IA(gain={gain})@{cutoff}").scores(lists)[0] for gain in ("linear", "exponential")
    )
    signs = [np.sign(np.round(x[:, None] - x[None, :], 9)) for x in (one, other)]
    return float((signs[0] * signs[1] < 0).mean())


# Exercise 1
WHY_1 = "Less than before: rank 1 now serves both readers, but weakly."


@cache
def _right_and_slips() -> tuple[float, dict[float, str]]:
    moved = ["author", "trailer", "cinema", "novels"]
    DCG, alone = ([_alone(name, moved, intent) for intent in WANTS] for name in ("none", "own ideal"))
    slips = dict.fromkeys([*DCG, *alone], "that is for one reader; average the two nDCGs")
    slips[score("nDCG-IA@4", list(SMALL), SMALL, WANTS)] = "that is the list before `author` moved"
    slips[sum(p * x for p, x in zip(WANTS.values(), DCG, strict=True))] = "divide by the ideal DCG"
    slips[sum(alone) / 2] = "weight by probability"
    slips[score("nDCG-IA(gain=exponential)@4", moved, SMALL, WANTS)] = "the gain here is g"
    return score("nDCG-IA@4", moved, SMALL, WANTS), slips


@Check.number(0, 3, decimals=4)
def by_hand(answer: float) -> bool | str:
    """Compare the answer with nDCG-IA@4 of the list with the author first."""
    return compare(answer, *_right_and_slips(), within=0.001, near=0.002)


def _alone(divisor: str, docs: Sequence[str], intent: str) -> float:
    labels = {doc: {intent: grades[intent]} for doc, grades in SMALL.items() if intent in grades}
    return score(with_divisor("nDCG-IA@4", divisor), docs, labels, {intent: 1.0}, scale=2)


# Exercise 2
WHY_2 = "Many weak labels for the first, few good ones for the second."
turned_by_gain = Check.lists(
    POTTER,
    {"first": 3, "second": 3},
    Check.rule("first", "nDCG-IA(gain=linear)@3", ">", "second"),
    Check.rule("first", "nDCG-IA(gain=exponential)@3", "<", "second"),
)

# Exercise 3
WHY_3 = "A gap lowers the ratio, and the next good page raises it again."


@Check.several(range(3), 5)
def counterexample(grades: Sequence[int]) -> bool | str:
    """Check that under Q the second good page of three earns less than the first, and the third more."""
    if len(grades) != 5 or sum(g > 0 for g in grades) != 3 or not set(grades) <= {0, 1, 2}:
        return "five grades from 0 to 2, please, three of them above 0"
    topic = Topic("film", (Intent("film", 1.0),))
    judged: Grades = {f"page {k}": {"film": g} for k, g in enumerate(grades, 1)}
    ranked_list = RankedList(topic, list(judged), Judgments.of(topic, judged, scale=2))
    first, second, third = (x for x in explain("Q@5", ranked_list)["contribution"] if x > 0)
    if second >= first - 1e-9:
        return "the second is worth no less than the first: no counterexample to (a)"
    return bool(third > second + 1e-9) or "a counterexample, but the third is worth no more than the second"
