"""Lesson 15: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, permutations
from typing import Any, cast

import numpy as np
import pandas as pd

from divmetrics.core import IntentSquare, make_batch
from divmetrics.core.batch import Batch
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.explanations import explain, plain_formula
from divmetrics.registry import metrics
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import imine_scores, synthetic
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.lists import TITLES, potter
from divmetrics_widgets.lessons.slips import compare

__all__ = ["TITLES"]  # the lesson takes it from here

ABOUT = {
    "trailer": "the trailer, and where it is on",
    "cinema": "cinemas that show it",
    "actors": "who plays whom",
    "author": "the author and her heroes",
    "novels": "the novels",
}
JUDGED: dict[str, dict[tuple[str, str], int]] = {
    "trailer": {("film", "watch"): 2},
    "cinema": {("film", "watch"): 2},
    "actors": {("film", "cast"): 2},
    "novels": {("book", "reading"): 2},
    "author": {("book", "character"): 1, ("film", "cast"): 1},
}


def topic(watch: float = 0.5) -> Topic:
    """Return the topic, in which this share of the film readers wants to watch it."""
    book = (Intent("character", 0.5), Intent("reading", 0.5))
    film = (Intent("watch", watch), Intent("cast", 1 - watch))
    return Topic("potter", (Intent("book", 0.25, children=book), Intent("film", 0.75, children=film)))


def _two_lists(watch: float = 0.5) -> tuple[RankedList, RankedList]:
    """Return the list with two pages on where to watch, and the list with one of them and the actors."""
    first = RankedList(topic(watch), ["trailer", "cinema", "author", "novels"], JUDGED)  # type: ignore[arg-type]
    return first, first.reordered(["trailer", "actors", "author", "novels"], run="B")


A, B = _two_lists()
LISTS_OF = list(metrics(of="lists"))
WHY_DIFFERENT = "For book and for film, the two lists have the same grades."
WHY_BALANCE = "`actors` reaches all cast readers, and in A `cinema` reaches only one watch reader in four."
WHY_MEMORY = "Its M has no memory, and more readers want to watch."
WHY_FINER = "Then the film page serves fewer readers than the book page."


def aspects(*lists: RankedList) -> pd.DataFrame:
    """Return the page and what it serves at each rank, as intent/aspect:grade."""
    columns = {}
    for each in lists:
        cells = explain("S-recall-IS@20", each).query("grade > 0")
        labels = cells["intent"] + "/" + cells["subtopic"] + ":" + cells["grade"].astype(str)
        served = labels.groupby(cells["rank"]).agg(" ".join)
        columns[f"list {each.run}"] = pd.DataFrame({"page": each.docs, "aspects": served})
    return pd.concat(columns, axis=1)


# -- what a flat metric sees --------------------------------------------------------------------------------


def one_aspect_each() -> bool:
    """Return whether no page serves two aspects of an intent, so that highest grade and sum are the same."""
    return all(len({intent for intent, _ in labels}) == len(labels) for labels in JUDGED.values())


def _ahead(row: BaseMetric, watch: float) -> float:
    """Return how far A is ahead of B."""
    first, second = (float(row.score(each)) for each in _two_lists(watch))
    return first - second


def same_to_flat(convention: str, cutoff: int, watch: float) -> bool:
    """Return whether all flat metrics of a convention score both lists the same."""
    rows = [metric(name, convention=convention) @ cutoff for name in metrics(convention, of="lists")]
    return all(abs(_ahead(row, watch)) < 1e-12 for row in rows)


# -- memory -------------------------------------------------------------------------------------------------

WITH_MEMORY = ["ERR-IS", "iRBU-IS", "alpha-nDCG-IS", "NRBP-IS"]
WITHOUT = ["P-IS", "RBP-IS", "nDCG-IS", "D-nDCG-IS", "D-RBP-IS"]
MEMORIES = {
    "discounts repetition": [*WITH_MEMORY, "EBR-IS", "S-recall-IS"],
    "rewards it": ["AP-IS"],
    "has no memory": WITHOUT,
}
NO_MEMORY = [name for name in WITHOUT if name != "nDCG-IS"]  # each aspect has its own N there
ALWAYS_B = [
    *(f"alpha-nDCG-IS(alpha={alpha})" for alpha in (0.1, 0.5, 1)),
    *("NRBP-IS", "NRBP-IS(alpha=0.1)", "ERR-IS(over=2^Y-1)", "iRBU-IS(over=2^Y-1)"),
]
TRIED = [*ALWAYS_B, "S-recall-IS", *NO_MEMORY]


def preferred(name: str, watch: float = 0.5, cutoff: int = 4) -> str:
    """Return which of the two lists a metric prefers: "A", "B" or "neither"."""
    ahead = _ahead(metric(f"{name}@{cutoff}"), watch)
    return "neither" if abs(ahead) < 1e-9 else "A" if ahead > 0 else "B"


def prefers_B(name: str, watch: float, cutoff: int) -> bool:
    """Return whether a metric prefers the list that does not repeat itself."""
    return preferred(name, watch, cutoff) == "B"


def share_at_tie(name: str, cutoff: int) -> float:
    """Return the share of watchers at which both lists score the same.

    The weights of the aspects are probabilities in this metric, so its scores are linear in that share.
    """
    row = metric(f"{name}@{cutoff}")
    nobody, everybody = _ahead(row, 0), _ahead(row, 1)
    return round(nobody / (nobody - everybody), 3)


def preference_table(shares: Sequence[float]) -> pd.DataFrame:
    """Return which list each metric prefers at cutoff 4, a column per share of watchers."""
    rows = {
        (memory, name): [preferred(name, watch) for watch in shares]
        for memory, names in MEMORIES.items()
        for name in names
    }
    table = pd.DataFrame.from_dict(rows, "index", columns=[f"{share:.0%} watch" for share in shares])
    return table.set_axis(pd.MultiIndex.from_tuples(table.index, names=["M", "metric"]))


# -- the law ------------------------------------------------------------------------------------------------

TREES: dict[str, dict[str, Any]] = {
    "uneven": {"subtopics": (1, 3, 5), "probabilities": "dirichlet"},
    "another": {"subtopics": (1, 3, 5), "probabilities": "dirichlet", "seed": 1},
    "even": {"subtopics": (2, 2, 2), "probabilities": "uniform"},
    "in proportion": {"subtopics": (1, 3, 5)},  # each intent's probability is its share of all aspects
}
KEEP = ["ERR-IA", "iRBU-IA", "nDCG-IA", "Q-IA", "P-IA", "AP-IA", "RBP-IA", "EBR-IA", "RBU", "D-RBP"]
BREAK = ["alpha-nDCG", "D-nDCG", "alpha-DCG"]


@cache
def _two_levels(tree: str = "uneven") -> tuple[Batch, Batch]:
    """Return all lists of a synthetic collection, and the same with all aspects as intents."""
    seen = make_batch(synthetic(**TREES[tree]), leaves=True)
    if tree == "in proportion":
        parent, leaves = cast(np.ndarray, seen.parent), cast(Batch, seen.leaves)
        aspects_of = [
            np.bincount(of[here], minlength=seen.present.shape[1])
            for of, here in zip(parent, leaves.present, strict=True)
        ]
        seen = replace(seen, probability=np.array([each / each.sum() for each in aspects_of]))
    of_intent = np.take_along_axis(seen.probability, cast(np.ndarray, seen.parent), axis=1)
    flat = cast(Batch, seen.leaves)
    return seen, replace(flat, probability=of_intent * flat.probability)


def gap(row: BaseMetric, tree: str = "uneven") -> float:
    """Return the largest difference between the two sides of the law, over all lists of a collection."""
    two_levels, flat = _two_levels(tree)
    return float(abs(IntentSquare("square", row).scores(two_levels) - row.scores(flat)).max())


def keeps_law(name: str, tree: str, cutoff: int) -> bool:
    """Return whether the law holds for all lists of a synthetic collection."""
    return gap(metric(f"{name}@{cutoff}"), tree) < 1e-9


def law_table(names: Sequence[str]) -> pd.DataFrame:
    """Return N, f and the largest gap at cutoff 10, a row per metric."""
    rows = [cast(Metric, metric(f"{name}@10")) for name in names]
    parts = {
        row.name: [plain_formula(row.N), plain_formula(row.f).replace("t_i", "tᵢ"), f"{gap(row):.4f}"]
        for row in rows
    }
    return pd.DataFrame.from_dict(parts, "index", columns=["N", "f", "largest gap"])


# -- real runs ----------------------------------------------------------------------------------------------


@cache
def _of_runs(language: str) -> pd.DataFrame:
    return imine_scores(language).pivot_table(index=["topic", "run"], columns="metric", values="score")


@cache
def _preferences(name: str, language: str, cutoff: int) -> np.ndarray:
    """Return which of every two IMine runs a metric prefers on each topic: 1, -1, or 0 for a tie."""
    scores = _of_runs(language)[f"{name}@{cutoff}"].round(9)
    pairs = [combinations(of_topic, 2) for _, of_topic in scores.groupby("topic")]
    return np.sign([one - other for of_topic in pairs for one, other in of_topic])


def _range(share: Callable[[str, int], float]) -> tuple[float, float]:
    """Return the lowest and the highest percentage over both languages and cutoffs 10 and 20."""
    shares = [share(language, cutoff) for language in ("en", "cn") for cutoff in (10, 20)]
    return round(100 * min(shares), 1), round(100 * max(shares), 1)


def tied(name: str) -> tuple[float, float]:
    """Return the lowest and highest percentage of pairs of IMine runs on a topic that a metric ties."""
    return _range(lambda *where: float((_preferences(name, *where) == 0).mean()))


DOWN_AND_FLAT = [
    [("ERR-IA", "ERR-IS"), ("alpha-nDCG", "alpha-nDCG-IS"), ("nDCG-IA", "nDCG-IS")],
    [("S-recall", "S-recall-IS")],
    [*combinations(("ERR-IA", "alpha-nDCG", "nDCG-IA"), 2)],
]


def on_IMine(pairs: Sequence[tuple[str, str]], *, ties: bool = False) -> tuple[float, float]:
    """Return the lowest and highest percentage of pairs of IMine runs that two metrics order differently.

    ties: whether a pair that one of the two metrics ties, and the other does not, counts, too.
    """

    def differ(one: str, other: str, *where: Any) -> float:
        first, second = (_preferences(name, *where) for name in (one, other))
        return float((first != second if ties else first * second < 0).mean())

    ranges = [_range(partial(differ, *pair)) for pair in pairs]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


# -- who draws the tree -------------------------------------------------------------------------------------

FALLS_BEHIND = [
    *("ERR-IS", "S-recall-IS", "P-IS", "AP-IS", "RBP-IS", "iRBU-IS", "nDCG-IS", "Q-IS", "EBR-IS", "RBU-IS"),
    *("NRBP-IS", "D-ERR-IS", "D-EBR-IS", "D-RBP-IS"),
]
OTHERS = ["alpha-nDCG-IS", "D-nDCG-IS", "alpha-DCG-IS"]


def worth(
    v: int, name: str = "ERR-IS", film: float = 0.75, cutoff: int = 1, *, whole: bool = False
) -> dict[str, float]:
    """Return the scores of a film page and of a book page, each alone in a list.

    whole: whether the film page serves all v aspects of the film, and not one of them.
    """
    children = tuple(Intent(f"e{n}", 1 / v) for n in range(v))
    two = Topic("potter", (Intent("film", film, children=children), Intent("book", 1 - film)))
    served = [range(v)] if whole else [range(n, n + 1) for n in range(v)]
    judged: dict[str, Any] = {f"film {n}": {("film", f"e{e}"): 2 for e in of} for n, of in enumerate(served)}
    judged["book"] = {"book": 2}
    row = metric(f"{name}(leaf=self)@{cutoff}")
    pages = {"film page": "film 0", "book page": "book"}
    return {page: float(row.score(RankedList(two, [doc], judged))) for page, doc in pages.items()}


def first_v(name: str, film: float = 0.75, cutoff: int = 1) -> int:
    """Return the smallest number of film aspects at which the book page earns more, or 0 above 12."""
    for v in range(1, 13):
        of = worth(v, name, film, cutoff)
        if of["book page"] > of["film page"] + 1e-9:
            return v
    return 0


def counts_for_less(name: str, cutoff: int) -> bool:
    """Return whether a page for one of the film's aspects scores less than one for an undivided film."""
    undivided, *divided = (worth(v, name, cutoff=cutoff)["film page"] for v in range(1, 13))
    return all(score < undivided - 1e-9 for score in divided)


def keeps_worth(name: str, cutoff: int) -> bool:
    """Return whether a page for the whole film scores the same, however many aspects the film has."""
    undivided = worth(1, name, cutoff=cutoff)["film page"]
    divided = [worth(v, name, cutoff=cutoff, whole=True)["film page"] for v in range(2, 13)]
    return bool(np.allclose(divided, undivided))


def worth_table() -> pd.DataFrame:
    """Return what both pages earn under ERR-IS and alpha-nDCG-IS, a column per number of film aspects."""
    rows = {
        (name, page): [f"{worth(v, name)[page]:.4f}" for v in range(1, 7)]
        for name in ("ERR-IS", "alpha-nDCG-IS")
        for page in ("film page", "book page")
    }
    return pd.DataFrame.from_dict(rows, "index", columns=pd.Index(range(1, 7), name="v"))


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Each intent has its own share, and its own weight."
THREE = A.reordered(["novels", "trailer", "actors"])


@Check.number(0, 2, decimals=4)
def one_level_down(answer: float) -> bool | str:
    """Check S-recall-IS@3 of novels, trailer, actors."""
    slips = {
        float(metric("S-recall@3").score(THREE)): "that is S-recall; go one level down",
        3 / 4: "that is 3 of all 4 aspects; first take each intent's share, then weigh",
    }
    otherwise = "0.25 times the book's share of covered aspects, plus 0.75 times the film's"
    right = float(metric("S-recall-IS@3").score(THREE))
    return compare(answer, right, slips, within=1e-3, near=1e-3, otherwise=otherwise)


# Exercise 2
WHY_2 = "The grades are the same, the aspects are not."
START, PAGES = potter("d1 d2 d3"), ["d1", "d2", "d3", "d4", "d5", "d6"]
FLAT, SQUARE = metric("ERR-IA@3"), metric("ERR-IS@3")


@cache
def _most() -> float:
    lists = [START.reordered(docs) for docs in permutations(PAGES, 3)]
    return max(SQUARE.score(each) for each in lists if abs(FLAT.score(each) - FLAT.score(START)) < 1e-9)


@Check.several(PAGES, 3)
def better_below(docs: Sequence[str]) -> bool | str:
    """Check three film pages with the same ERR-IA@3 and the highest ERR-IS@3."""
    if isinstance(docs, str) or len(docs) != 3 or not {*docs} <= {*PAGES}:
        return "expected a list of three of the pages d1 to d6, each in quotes"
    change = FLAT.score(START.reordered(docs)) - FLAT.score(START)
    if abs(change) > 1e-9:
        return f"ERR-IA@3 changes by {change:+.4f}: the grades for the film must stay 2, 2, 2"
    score = SQUARE.score(START.reordered(docs))
    return bool(score > _most() - 1e-9) or f"ERR-IS@3 is {score:.4f}: more is possible"


# Exercise 3
WHY_3 = "p(t|q) p(e|t,q) is the probability of the aspect."


def keeps_the_law(row: Metric) -> bool | str:
    """Check a row with memory that is not ERR-IA and whose intent-square form is the row over all aspects."""
    earned = []  # by cinema at rank 2, below another film page and below a book page
    for above in ("trailer", "novels"):
        cells = explain(row, A.reordered([above, "cinema"]))
        earned.append(cells.query("intent == 'film' and rank == 2")["contribution"].sum())
    if abs(earned[0] - earned[1]) < 1e-12:
        return "its M has no memory: a page earns the same whatever stands above it"
    left = gap(row)
    if left > 1e-9:
        return f"a gap of {left:.4f} is left: f is {plain_formula(row.f)}, N is {plain_formula(row.N)}"
    flat = _two_levels()[1]
    found = abs(row.scores(flat) - metric("ERR-IA@10").scores(flat)).max()
    return bool(found > 1e-9) or "that is ERR-IA again"
