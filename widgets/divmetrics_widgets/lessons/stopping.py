"""Lesson 14: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades
from divmetrics.core.metric import Metric
from divmetrics.optional import import_optional
from divmetrics.parts import Cascade, One, Probability
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import harry_potter, imine_scores
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.counting import LABELS, MIXES, SMALL
from divmetrics_widgets.lessons.leaving import SERVICE, SITE, SMALL_LIST, scores_alike, turned
from divmetrics_widgets.lessons.lists import POTTER, every_list, lists_of, potter, ranked

__all__ = ["SMALL", "SMALL_LIST", "turned"]  # the lesson takes them from here

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

ABOUT = {
    "poster": "a scan of the poster",
    "trailer": "the trailer, with reviews",
    "forum": "a question that nobody has answered",
    "cinema": "where the film is on",
}
OF_FILM = {"poster": 1, "trailer": 2, "forum": 0, "cinema": 2}
FILM = ranked(list(OF_FILM), {doc: {"film": grade} for doc, grade in OF_FILM.items()}, {"film": 1.0})
WANTS = MIXES["3 : 2 : 2 : 1 : 1"]
RUNS = [("en", 10), ("en", 20), ("cn", 10), ("cn", 20)]  # of IMine, 15 and 10 of them; the cutoff
TYPES = ["all", "ambiguous", "broad"]  # of topics
WHY_AT_2 = "After rank 1, 75 are left, and three in four of them stop."
WHY_LOST = "Under ERR-IA it is 64 %."
WHY_BEST = "The list ends there."
SHORT, LONG = potter("d1"), potter("d15 d8 d10", "B")


# -- one sum ------------------------------------------------------------------------------------------------

Terms = Callable[[str, Sequence[int], Sequence[int]], tuple[list[float], list[float]]]


def is_sum(terms: Terms, name: str, cutoff: int, readers: str) -> bool:
    """Return whether P(k) U(k) adds up to the metric for readers of one intent, on all lists of so many."""
    graded = {doc: labels.get(readers, 0) for doc, labels in LABELS.items()}
    wants = {readers: 1.0}
    ideal = sorted(graded.values(), reverse=True)
    judged: Grades = {doc: {readers: grade} for doc, grade in graded.items()}
    lists = {tuple(graded[doc] for doc in docs): docs for docs in permutations(POTTER.docs, cutoff)}
    row = metric(f"{name}@{cutoff}")
    theirs = row.scores(batch_lists([ranked(docs, judged, wants) for docs in lists.values()]))[0]
    ours = [sum(np.multiply(*terms(name, grades, ideal[:cutoff]))) for grades in lists]
    return np.allclose(ours, theirs)


def terms_table(terms: Terms, names: Sequence[str]) -> pd.DataFrame:
    """Return U(k), and P(k) U(k) with its sum, of the film list: a row per metric."""
    grades = list(OF_FILM.values())
    of = {name: np.array(terms(name, grades, sorted(grades, reverse=True))) for name in names}
    columns = [*(f"U({k})" for k in range(1, 5)), *(f"P({k}) U({k})" for k in range(1, 5)), "score"]
    rows = {name: [*U, *P * U, (P * U).sum()] for name, (P, U) in of.items()}
    return pd.DataFrame.from_dict(rows, "index", columns=columns).map("{:.4f}".format)


# -- patience with ranks ------------------------------------------------------------------------------------


@cache
def _lists(cutoff: int, top: int = 2) -> Batch:
    return every_list(cutoff) if top == 2 else lists_of(replace(POTTER, scale=top), cutoff)


@cache
def _reversed(cutoff: int) -> list[int]:
    place = {docs: n for n, docs in enumerate(permutations(POTTER.docs, cutoff))}
    return [place[docs[::-1]] for docs in place]


def lost_upside_down(name: str, cutoff: int = 3, top: int = 2) -> tuple[float, str]:
    """Return the largest share of its score that a list loses if it is turned upside down, and that list."""
    scores = metric(f"{name}@{cutoff}").scores(_lists(cutoff, top))[0]
    lost = 1 - scores[_reversed(cutoff)] / np.where(scores > 0, scores, np.inf)
    lost[scores == 0] = 0
    return float(lost.max()), " ".join([*permutations(POTTER.docs, cutoff)][int(lost.argmax())])


def upside_down(names: Sequence[str]) -> pd.DataFrame:
    """Return how much a list of three loses at most, a row per metric."""
    rows = {name: [*reversed(lost_upside_down(name))] for name in names}
    table = pd.DataFrame.from_dict(rows, "index", columns=["the list that loses most", "loses"])
    return table.assign(loses=table["loses"].map("{:.1%}".format))


@cache
def _by_pages(cutoff: int) -> dict[frozenset[str], list[int]]:
    groups: dict[frozenset[str], list[int]] = {}
    for n, docs in enumerate(permutations(POTTER.docs, cutoff)):
        groups.setdefault(frozenset(docs), []).append(n)
    return groups


def loses_at_most(phi: float, cutoff: int, top: int) -> bool:
    """Return whether no order of the same pages costs more than 1 - phi^(cutoff - 1) of iRBU-IA."""
    scores = metric(f"iRBU-IA(phi={phi})@{cutoff}").scores(_lists(cutoff, top))[0]
    orders = scores[np.array([*_by_pages(cutoff).values()])]
    return bool((orders.min(axis=1) >= phi ** (cutoff - 1) * orders.max(axis=1) - 1e-12).all())


def reaches_bound(phi: float, cutoff: int) -> bool:
    """Return whether one relevant page loses just 1 - phi^(cutoff - 1) of iRBU-IA from rank 1 to the last."""
    others = [f"other{n}" for n in range(1, cutoff)]
    judged: Grades = {"page": {"film": 2}, **{doc: {} for doc in others}}
    row = metric(f"iRBU-IA(phi={phi})@{cutoff}")
    first, last = (
        row.score(ranked(docs, judged, {"film": 1.0})) for docs in (["page", *others], [*others, "page"])
    )
    return bool(np.isclose(last, phi ** (cutoff - 1) * first))


def nearer_to_recall(way: tuple[str, int], topics: str) -> bool:
    """Return whether iRBU-IA disagrees with S-recall on fewer pairs of IMine runs than with ERR-IA."""
    return turned("iRBU-IA", "S-recall", *way, topics) < turned("iRBU-IA", "ERR-IA", *way, topics)


# -- effort -------------------------------------------------------------------------------------------------

RBU_of = "{name}(e={e},phi={phi})@{cutoff}"


def same_difference(name: str, e: float, phi: float, cutoff: int, top: int = 2) -> bool:
    """Return whether a metric with effort is equally far below iRBU-IA on all lists of up to three pages."""
    ways = {"e": e, "phi": phi, "cutoff": cutoff}
    below: set[float] = set()
    for length in (1, 2, 3):
        lists = _lists(length, top)
        without = metric(f"iRBU-IA(phi={phi})@{cutoff}").scores(lists)[0]
        below |= set((without - metric(RBU_of.format(name=name, **ways)).scores(lists)[0]).round(9))
    return len(below) == 1


@cache
def _of_list(name: str, metric_name: str) -> np.ndarray:
    ranked_list = harry_potter().list(name, "0083")
    return np.array([float(metric(f"{metric_name}@{n}").score(ranked_list)) for n in range(1, 13)])


def best_cutoff(name: str, e: float, phi: float = 0.99) -> int:
    """Return the cutoff, from 1 to 12, at which RBU of one of the four lists is highest."""
    return int(_of_list(name, f"RBU(e={e},phi={phi})").argmax()) + 1


STOPS = Metric("stops", N=One(), f=Probability(), w=One(), M=Cascade())


def pays_above_e(name: str, e: float, phi: float) -> bool:
    """Return whether one more rank raises RBU of a list just where more than e of its readers stop there."""
    stop = STOPS.contributions(batch_lists([harry_potter().list(name, "0083")]))[0, 0].sum(axis=0)
    share = np.zeros(12)
    share[: len(stop)] = stop[:12]
    rises = np.diff(_of_list(name, f"RBU(e={e},phi={phi})")) > 1e-12
    return bool((rises == (share[1:] > e + 1e-12)).all())


def by_cutoff(efforts: Sequence[float]) -> Figure:
    """Draw iRBU-IA and RBU of list A against the cutoff."""
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    names = ["iRBU-IA", *(f"RBU(e={e})" for e in efforts)]
    rows = [
        {"cutoff": n, "metric": name, "score": float(value)}
        for name in names
        for n, value in enumerate(_of_list("A", name), 1)
    ]
    figure: Figure = charts.variation(pd.DataFrame(rows), "cutoff", "score")
    best = (f"at rank {best_cutoff('A', e)} with e = {e}" for e in efforts)
    return figure.titled(f"RBU is highest {', '.join(best)}; iRBU-IA never falls")


@cache
def _iRBU_of_runs(language: str) -> pd.DataFrame:
    scores = imine_scores(language)
    scores = scores[scores["metric"].isin(["iRBU-IA@10", "iRBU-IA@20"])]
    return scores.pivot_table(index="run", columns="metric", values="score")


def longer_pays(e: float) -> int:
    """Count the 25 runs of IMine whose mean RBU is higher at cutoff 20 than at 10."""
    effort = e * sum(0.99**k for k in range(11, 21))
    means = pd.concat([_iRBU_of_runs(language) for language in ("en", "cn")])
    return int((means["iRBU-IA@20"] - means["iRBU-IA@10"] > effort).sum())


def prefers_short(name: str, e: float, phi: float) -> bool:
    """Return whether a metric with effort gives one film page more than three pages for a film and a book."""
    row = metric(RBU_of.format(name=name, e=e, phi=phi, cutoff=5))
    return bool(row.score(SHORT) > row.score(LONG) + 1e-12)


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Below it, rank 1 decides; above it, rank 2."
X, Y = SERVICE, SITE


@Check.number(0, 1, decimals=2)
def as_good(phi: float) -> bool | str:
    """Check that iRBU-IA@2 with this patience scores both lists the same."""
    return scores_alike("iRBU-IA", phi)


# Exercise 2
WHY_2 = "One charges for five ranks, the other for those that the list has."
RBU, ORIGINAL = metric("RBU@5"), metric("RBU-original@5")
one_more = Check.lists(
    SHORT,
    {"before": (1, 4), "after": (2, 5)},
    Check.rule("after", RBU, ">", "before", "RBU does not rise: nobody stops at the new page"),
    Check.rule(
        "after", ORIGINAL, "<", "before", "RBU-original rises, too: more than 1 in 100 readers stop there"
    ),
    together="one more",
)

# Exercise 3
WHY_3 = "Now the effort depends on the list."


def charged(M: Any) -> Any:
    """Return RBU with another utility."""
    return replace(cast(Metric, metric("RBU")), name="charged while there", M=M)


def charges_those_there(M: Callable[..., Any]) -> bool | str:
    """Check that a utility charges 0.1 at each rank to the readers who are still there."""
    found = (charged(M) @ 4).score(SMALL_LIST)
    there = 0.99 ** np.arange(1, 5) * np.array([1, 0.4375, 0.296875, 0.22265625])  # who reach ranks 1 to 4
    right = metric("iRBU-IA@4").score(SMALL_LIST) - 0.1 * float(there.sum())
    if abs(found - right) < 1e-9:
        return True
    if abs(found - metric("RBU(e=0.1)@4").score(SMALL_LIST)) < 1e-9:
        return "that charges everybody at every rank, as RBU does"
    return f"for the list of four it gives {found:.4f}; who reaches rank 1, and who rank 2?"
