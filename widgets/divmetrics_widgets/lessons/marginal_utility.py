"""Lesson 02: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import (
    FirstCover,
    Log2,
    Novelty,
    Reciprocal,
    Relevant,
    SortedIdeal,
    Uniform,
    Utility,
)
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import evaluate
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.leaving import SMALL_LIST
from divmetrics_widgets.lessons.lists import POTTER, every_list
from divmetrics_widgets.lessons.slips import compare

RANKS = ("rank 1", "rank 2", "rank 3", "rank 10")
SIX = ["P-IA", "D-nDCG", "S-recall", "alpha-DCG", "ERR-IA", "AP-IA"]
VIEWS = {  # what the tenth page is worth beside the first, and the metrics that hold this view
    "as much": ["P-IA", "D-nDCG", "D-nDCG(gain=exponential)", "RBP-IA", "Q-IA(beta=0)"],
    "less": ["alpha-DCG(alpha=0.1)", "alpha-DCG", "alpha-DCG(alpha=0.9)", "ERR-IA", "EBR-IA"],
    "nothing": ["S-recall"],
    "more": ["AP-IA", "AP-IA(of=min)", "AP-IA(of=R)"],
}


def _ten_pages(grade: int = 2, top: int = 2) -> RankedList:
    """Return ten pages about the films, all of the same grade."""
    film = Topic("ten pages about the films", (Intent("film", 1.0),))
    grades: Grades = {f"page {k}": {"film": grade} for k in range(1, 11)}
    return RankedList(film, list(grades), Judgments.of(film, grades, scale=top))


TEN = _ten_pages()


def worth(names: Sequence[str], grade: int = 2, top: int = 2) -> pd.DataFrame:
    """Return M at four ranks of ten equal pages, a row per metric."""
    lists = batch_lists([_ten_pages(grade, top)])
    of = {name: _row(name).M(lists)[0, 0, 0, [0, 1, 2, 9]].round(4) for name in names}
    return pd.DataFrame.from_dict(of, "index", columns=list(RANKS))


def view_of(name: str, grade: int, top: int) -> str:
    """Return what the tenth of ten equal pages is worth beside the first: a key of VIEWS."""
    first, *_, tenth = _row(name).M(batch_lists([_ten_pages(grade, top)]))[0, 0, 0]
    if np.isclose(first, tenth):
        return "as much"
    return "more" if tenth > first else "less" if tenth > 0 else "nothing"


def _row(name: str) -> Metric:
    return cast(Metric, metric(name))


def adds_up(name: str, cutoff: int, run: str) -> bool:
    """Return whether the contributions, by rank and by intent, add up to the score that `evaluate` gives."""
    one = metric(f"{name}@{cutoff}")
    parts = one.contributions(batch_lists([harry_potter().list(run, "0083")]))[0, 0]
    expected = evaluate(harry_potter(), None, [one]).set_index("run")["score"][run]
    return bool(np.allclose([parts.sum(axis=0).sum(), parts.sum(axis=1).sum()], expected))


ERR_IA = _row("ERR-IA")
EXCHANGES = {
    "M": {"M": Relevant()},
    "w": {"w": Log2()},
    "f": {"f": Uniform()},
    "N, one for each intent": {"N": SortedIdeal(per="intent", M=None)},
    "N, one for the topic": {"N": SortedIdeal(per="topic", M=None)},
}
OTHERS = {  # metrics in which a part is exchanged, and what takes its place
    "ERR-IA": EXCHANGES,
    "D-nDCG": EXCHANGES | {"M": {"M": FirstCover()}, "w": {"w": Reciprocal()}},
}


def exchanged(part: str, of: str = "ERR-IA") -> BaseMetric:
    """Return a metric with one part exchanged."""
    return replace(_row(of), **OTHERS[of][part])  # type: ignore[arg-type]


def reversed_pairs(part: str, of: str = "ERR-IA", cutoff: int = 2) -> int:
    """Count the pairs of lists of so many pages that the exchange of a part ranks the other way round."""
    before, after = (
        np.round((row @ cutoff).scores(every_list(cutoff))[0], 12) for row in (_row(of), exchanged(part, of))
    )
    signs = [np.sign(np.subtract.outer(scores, scores)) for scores in (before, after)]
    return int((signs[0] * signs[1] < 0).sum()) // 2


M_OF = {"I(g)": Relevant(), "novelty": Novelty(0.5), "first only": FirstCover()}
AT_5 = [ERR_IA @ 5, *(replace(ERR_IA, name=f"M = {name}", M=M) @ 5 for name, M in M_OF.items())]


def orders(cutoff: int = 5) -> pd.DataFrame:
    """Return the scores and the order of the lists of lesson 01 under four forms of M, at a cutoff."""
    table = evaluate(harry_potter(), None, [row @ cutoff for row in AT_5])
    table = table.pivot(index="metric", columns="run", values="score").round(4)
    table = table.loc[[f"{row.name}@{cutoff}" for row in AT_5]]
    order = table.apply(lambda row: " ".join(row.sort_values(ascending=False, kind="stable").index), axis=1)
    return table.assign(order=order)


def places_of(run: str, M: Utility) -> list[int]:
    """Return the places that a list takes at cutoffs 1 to 8 if ERR-IA has another M."""
    lists = {each: harry_potter().list(each, "0083") for each in harry_potter().runs}
    rows = [replace(ERR_IA, name="other M", M=M) @ cutoff for cutoff in range(1, 9)]
    scores = [{each: round(float(row.score(of)), 9) for each, of in lists.items()} for row in rows]
    return [sorted(of, key=lambda each: (-of[each], each)).index(run) + 1 for of in scores]


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "What a page adds depends on the pages above it."
MOVED = SMALL_LIST.reordered(["trailer", "novels", "author", "cinema"])


@Check.number(0, 2, decimals=4)
def five_contributions(answer: float) -> bool | str:
    """Check ERR-IA@4 of the small list after the move."""
    row = ERR_IA @ 4
    parts = row.contributions(batch_lists([MOVED]))[0, 0]
    alone = [float(row.score(SMALL_LIST.reordered([doc]))) for doc in MOVED.docs]
    slips = {
        float((parts * [1, 2, 3, 4]).sum()): "that leaves out the discount 1/k",
        sum(a / k for k, a in enumerate(alone, 1)): (
            "that adds up utilities: satisfied readers are no longer there"
        ),
        float(row.score(SMALL_LIST)): "that is the score before the move",
    }
    return compare(answer, float(row.score(MOVED)), slips, within=0.0005, near=0.0005)


# Exercise 2
WHY_2 = "The discount alone reverses the preference."
SLOWER = replace(ERR_IA, name="slower", w=Log2())
GIVES = "gives the first {left}, the second {right}"
told_apart = Check.lists(
    POTTER,
    {"first": 2, "second": 2},
    Check.rule("first", ERR_IA @ 2, ">", "second", f"ERR-IA@2 {GIVES}"),
    Check.rule("first", SLOWER @ 2, "<", "second", f"the slower discount {GIVES}"),
)

# Exercise 3
WHY_3 = "Both fall by the same factor at each relevant page."


@Check.each(["alpha", "constant"], 0, 2, decimals=2)
def constant_times_novelty(name: str, answer: float) -> bool | str:
    """Check the alpha and the constant for which ERR-IA's M is the constant times alpha-DCG's."""
    binary = batch_lists([_ten_pages(1, 1)])
    ours = ERR_IA.M(binary)[0, 0, 0]
    if name == "constant":
        right = abs(answer - ours[0]) < 1e-9
        return right or f"the first relevant page would get {answer:.4g}, but gets {ours[0]:.4g}"
    kept, wanted = (M / M[0] for M in (Novelty(answer)(binary)[0, 0, 0], ours))
    says = f"the second relevant page would get {kept[1]:.4g} of the first's, but gets {wanted[1]:.4g}"
    return bool(abs(kept - wanted).max() < 1e-9) or says
