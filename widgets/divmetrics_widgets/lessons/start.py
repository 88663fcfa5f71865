"""Lesson 00: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from divmetrics.core.batch import Batch
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.optional import import_optional
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual import Flip, Goal, Move, flip, reader_mix
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import SHARES
from divmetrics_widgets.lessons.counting import MIXES
from divmetrics_widgets.lessons.lists import POTTER, every_list, potter
from divmetrics_widgets.lessons.marginal_utility import adds_up
from divmetrics_widgets.lessons.slips import compare

__all__ = ["MIXES", "adds_up"]  # the lesson takes them from here

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

A, B, LIST_D = (harry_potter().list(name, "0083") for name in "ABD")
BOTH = ["ERR-IA@5", "D#-nDCG@5"]
GOAL = Goal("D#-nDCG@5", keep="ERR-IA@5", edits=1)
NOBODY = ["ERR-IA", "EBR-IA", "nDCG-IA", "RBP-IA"]  # their best list on average is mostly nobody's best
AT_ONCE = [*(f"{name}(over=2^Y-1)" for name in NOBODY[:2]), *NOBODY[2:]]  # where R(2) is 1
SOMEBODY = ["P-IA", "AP-IA", "AP-IA(of=R)", "Q-IA"]
ONES_BEST = SOMEBODY + AT_ONCE[:2]  # their best list on average is always somebody's best
SHARED = [*NOBODY, *SOMEBODY, "D-nDCG", "D#-nDCG"]


def after_flip() -> tuple[list[tuple[str, int, int]], float]:
    """Return the smallest edit of the lists after which D#-nDCG prefers A, too, and what A then gets."""
    flipped = cast(Flip, flip("D#-nDCG@5", A, B, keep="ERR-IA@5", grades=False))
    edits = [(edit.doc, edit.start, edit.end) for edit in flipped.edits if isinstance(edit, Move)]
    return edits, round(float(metric("D#-nDCG@5").score(flipped.after[0])), 4)


def turning_shares(name: str, cutoff: int = 5, lists: tuple[RankedList, RankedList] = (A, B)) -> list[float]:
    """Return the shares of film readers, in percent, at which a metric begins to prefer the other list."""
    mix = reader_mix(f"{name}@{cutoff}", *lists, "film")
    return [round(100 * crossing.share, 1) for crossing in mix.crossings]


def B_to_D(name: str) -> list[float]:
    """Return the same shares for lists B and D at cutoffs 3, 5 and 8."""
    return [share for cutoff in (3, 5, 8) for share in turning_shares(name, cutoff, (B, LIST_D))]


def turns_once(name: str, cutoff: int) -> bool:
    """Return whether a metric prefers B below one share of film readers, and A above it."""
    crossings = reader_mix(f"{name}@{cutoff}", A, B, "film").crossings
    return [(crossing.below, crossing.above) for crossing in crossings] == [("B", "A")]


def against_share() -> Figure:
    """Draw what both lists score for each share of film readers."""
    alt = import_optional("altair", "a chart")
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    mix = reader_mix("ERR-IA@5", A, B, "film")
    shares = [round(float(100 * share), 1) for share in mix.shares]
    points = pd.DataFrame({"list A": mix.a, "list B": mix.b}, pd.Index(shares, name="share"))
    points = points.melt(ignore_index=False).reset_index().set_axis(["share", "list", "score"], axis=1)
    x, y = alt.X("share:Q", title="film readers, in percent"), alt.Y("score:Q", title="ERR-IA@5")
    dash = alt.StrokeDash("list:N", title=None).legend(orient="top", symbolSize=1200, symbolStrokeWidth=2)
    curves = alt.Chart(points).mark_line(color="#0072B2").encode(x, y, dash)
    today = alt.Chart(pd.DataFrame({"share": [100 / 3]})).mark_rule(color="#777").encode(x="share:Q")
    says = "ERR-IA@5 against the share of film readers: A rises, B falls, and they cross at 17 percent."
    figure: Figure = charts.Figure.of(
        (curves + today).properties(width=440, height=220),
        "The more film readers, the better for list A",
        ["The grey line marks today's share, one third"],
        says,
    )
    return figure


# -- a list for everybody -----------------------------------------------------------------------------------


def _by_reader(name: str, cutoff: int) -> np.ndarray:
    """Return what each list of so many pages is worth to readers of each intent."""
    parts = metric(f"{name}@{cutoff}").contributions(every_list(cutoff))[0].sum(axis=2)
    return np.asarray(parts / np.array([*MIXES[SHARES].values()]))


def fans(name: str, cutoff: int, readers: str = SHARES) -> int:
    """Return for how many kinds of readers a list that is best on average is also their best, at most."""
    worth = _by_reader(name, cutoff)
    average = worth @ np.array([*MIXES[readers].values()])
    best = average > average.max() - 1e-9
    return int((worth[best] >= worth.max(axis=0) - 1e-9).sum(axis=1).max())


def best_on_average() -> pd.DataFrame:
    """Return what each kind of reader gets from the list with the highest ERR-IA@3, and from their best."""
    worth = _by_reader("ERR-IA", 3)
    average = worth @ np.array([*MIXES[SHARES].values()])
    best = next(n for n, docs in enumerate(permutations(POTTER.docs, 3)) if docs == ("d7", "d1", "d10"))
    rows = {"best on average": [*worth[best], average[best]], "best possible for them": worth.max(axis=0)}
    columns = {name: [f"{value:.3f}" for value in values] for name, values in rows.items()}
    columns["best possible for them"].append("")  # they are the best of five lists, which make no average
    return pd.DataFrame(columns, [*MIXES[SHARES], "average"])


# -- Lisbon -------------------------------------------------------------------------------------------------

PAGES = {
    "a": ("museums for rainy days", "museums weather"),
    "b": ("rooms with breakfast", "hotels food"),
    "c": ("map of the tram lines", "trams"),
    "d": ("museums along line 28", "trams museums"),
    "e": ("lunch in the museum", "food museums"),
}
WANTED = sorted({intent for _, served in PAGES.values() for intent in served.split()})
JUDGED = {doc: dict.fromkeys(served.split(), 1) for doc, (_, served) in PAGES.items()}
TRIP = Topic("lisbon", tuple(Intent(intent, 1 / 5) for intent in WANTED))
ABD = RankedList(TRIP, ["a", "b", "d"], JUDGED)  # type: ignore[arg-type]


def lisbon() -> pd.DataFrame:
    """Return the pages for Lisbon and the intents that each serves."""
    marks = {f"{title} ({doc})": dict.fromkeys(JUDGED[doc], "●") for doc, (title, _) in PAGES.items()}
    return pd.DataFrame(marks, WANTED).T.fillna("")


def highest(alpha: float, ties: str, cutoff: int) -> float:
    """Return the highest alpha-nDCG of a list of pages for Lisbon."""
    row = metric(f"alpha-nDCG(alpha={alpha},{ties})@{cutoff}")
    return round(max(float(row.score(ABD.reordered(docs))) for docs in permutations(JUDGED, cutoff)), 9)


def reaches_1(alpha: float, ties: str, cutoff: int) -> bool:
    """Return whether the highest alpha-nDCG is 1."""
    return highest(alpha, ties, cutoff) == 1


# -- the nearest disagreement -------------------------------------------------------------------------------

THIRTEEN = [*(name for name in SHARED if name != "AP-IA(of=R)"), "S-recall", "alpha-nDCG", "NRBP", "RBU"]


@cache
def _one_edit(length: int = 2) -> np.ndarray:
    """Return the places, in `every_list`, of all pairs of lists of so many pages that are one edit apart."""
    places = {docs: n for n, docs in enumerate(permutations(POTTER.docs, length))}

    def pairs() -> Iterator[tuple[int, int]]:
        for docs, place in places.items():
            for i, j in combinations(range(length), 2):
                yield place, places[(*docs[:i], docs[j], *docs[i + 1 : j], docs[i], *docs[j + 1 :])]
            for i, other in product(range(length), set(POTTER.docs) - set(docs)):
                yield place, places[(*docs[:i], other, *docs[i + 1 :])]

    return np.array(sorted({pair for pair in pairs() if pair[0] < pair[1]}))


def preferred_by(
    row: BaseMetric, length: int = 2, pairs: np.ndarray | None = None, lists: Batch | None = None
) -> np.ndarray:
    """Return which list of each such pair a metric prefers: 1 the first, -1 the second, 0 neither.

    pairs: the places of other pairs. lists: the lists to which these places belong, if not all of the length.
    """
    chosen = _one_edit(length) if pairs is None else pairs
    batch = every_list(length) if lists is None else lists
    scores = np.round(np.asarray((row @ length).scores(batch)[0], dtype=float), 9)
    return np.asarray(np.sign(np.subtract(*scores[chosen].T)))


def never_one_edit(names: Sequence[str] = THIRTEEN) -> list[set[str]]:
    """Return the pairs of metrics that agree on all lists of two pages that are one edit apart."""
    signs = {name: preferred_by(metric(name)) for name in names}
    return [{a, b} for a, b in combinations(names, 2) if not (signs[a] * signs[b] < 0).any()]


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Fewer readers want the book, but rank 1 counts twice as much."


@Check.number(0, 2, decimals=4)
def two_contributions(answer: float) -> bool | str:
    """Check ERR-IA@2 of a first chapter and a streaming service."""
    row = metric("ERR-IA@2")
    whole = float(row.score(potter("d11 d1")))
    at_1 = float(row.score(potter("d11 d18")))
    at_2 = whole - at_1
    slips = {
        at_1 + 2 * at_2: "that counts rank 2 in full",
        whole / 0.75: "that satisfies everybody; a page of grade 2 satisfies three readers in four",
    }
    return compare(answer, whole, slips, within=0.0005, near=0.0005)


# Exercise 2
beats_D = Check.lists(LIST_D, {"yours": 5}, *(Check.rule("yours", name, ">", LIST_D) for name in BOTH))

# Exercise 3
WHY_3 = "And the best five pages that exist reach 0.4785."


@Check.number(0, 3, decimals=4)
def not_one(answer: float) -> bool | str:
    """Check the highest ERR-IA@5 that any five pages could reach."""
    pages = [f"page {k}" for k in range(1, 6)]
    perfect = {page: dict.fromkeys(MIXES[SHARES], 2) for page in pages}
    most = float(metric("ERR-IA@5").score(RankedList(POTTER.topic, pages, perfect)))  # type: ignore[arg-type]
    if answer >= 1:
        return "at every rank some readers are left unsatisfied, and late ranks count less"
    return abs(answer - most) < 0.0005
