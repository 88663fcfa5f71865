"""Lesson 03: the choices that its conclusions are tried under, its picture, and its checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product, starmap
from math import perm
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.optional import import_optional
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import imine_scores, imine_types, trec2012_scores
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import HALVED, PARK_FIRST, SHARES, lists_for
from divmetrics_widgets.lessons.lists import POTTER, potter
from divmetrics_widgets.lessons.slips import compare
from divmetrics_widgets.lessons.start import preferred_by

__all__ = ["HALVED", "PARK_FIRST"]  # the lesson takes them from here

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

EIGHT = ["S-recall", "alpha-nDCG", "ERR-IA", "RBU", "iRBU-IA", "nDCG-IA", "D-nDCG", "D#-nDCG"]
SEVEN = [name for name in EIGHT if name != "RBU"]
SIX = ["I-rec", "alpha-nDCG", "ERR-IA", "Q-IA", "D-nDCG", "D#-nDCG"]  # with scores of TREC 2012's runs
LONGER = potter("d1 d10 d9 d8"), potter("d1 d2 d9 d8")  # the opening pair, and two more pages below both
OF_GAINS = ["nDCG-IA", "D-nDCG", "D#-nDCG"]
SCALES = ["as it is", "range", "standard deviation"]


def _scores(row: BaseMetric, cutoff: int, readers: str = SHARES) -> np.ndarray:
    return np.round(np.asarray((row @ cutoff).scores(lists_for(cutoff, readers))[0], dtype=float), 10)


def any_two(length: int = 2) -> np.ndarray:
    """Return the places, in `every_list`, of all pairs of lists of so many pages."""
    return np.array([*combinations(range(perm(len(POTTER.docs), length)), 2)])


def turning_parts(
    one: str, other: str, length: int = 2, pairs: np.ndarray | None = None, lists: Batch | None = None
) -> Counter[tuple[str, str]]:
    """Count which parts turn the preference, on all lists of so many pages that are one edit apart.

    Where the two metrics disagree, each part of one is replaced with the other's: the key has the parts
    that turn the first metric, then those that turn the second. pairs and lists: as for `preferred_by`.
    """
    rows = metric(one), metric(other)
    signs = [preferred_by(row, length, pairs, lists) for row in rows]
    apart = signs[0] * signs[1] < 0
    turns = []
    for (row, donor), before in zip((rows, rows[::-1]), signs, strict=True):
        words = np.full(int(apart.sum()), "", dtype=object)
        for part in "NfwM":
            after = preferred_by(replace(row, **{part: getattr(donor, part)}), length, pairs, lists)
            words = words + np.where(after[apart] * before[apart] < 0, part, "")
        turns.append(words)
    return Counter(zip(*turns, strict=True))


def by_M(pages: int, readers: str = SHARES, name: str = "D-nDCG") -> tuple[int, int]:
    """Return how many pairs one edit apart split ERR-IA and a metric by M alone, and how many at all."""
    turning = turning_parts(name, "ERR-IA", pages, lists=lists_for(pages, readers))
    return turning["M", "M"], turning.total()


def M_alone(pages: int, readers: str, name: str) -> bool:
    """Return whether M alone turns both wherever ERR-IA and this metric split a pair one edit apart."""
    turned, split = by_M(pages, readers, name)
    return turned == split


def parts_of_longer() -> tuple[str, str]:
    """Return which parts turn D-nDCG, and which turn ERR-IA, on the two longer lists."""
    (turning,) = turning_parts("D-nDCG", "ERR-IA", 4, np.array([[0, 1]]), batch_lists(list(LONGER)))
    return turning


def differ_by_constant(phi: float, e: float, cutoff: int) -> bool:
    """Return whether iRBU-IA and RBU differ by the same number on all lists of so many pages."""
    rows = metric(f"iRBU-IA(phi={phi})"), metric(f"RBU(phi={phi},e={e})")
    return float(np.ptp(_scores(rows[0], cutoff) - _scores(rows[1], cutoff))) < 1e-8


@cache
def _in_units(name: str, cutoff: int, scale: str, gain: str, readers: str) -> np.ndarray:
    scores = _scores(metric(f"{name}(gain={gain})" if name in OF_GAINS else name), cutoff, readers)
    return scores / {"as it is": 1.0, "range": np.ptp(scores), "standard deviation": scores.std()}[scale]


def _largest_margin(one: str, other: str, cutoff: int, scale: str, gain: str, readers: str) -> float:
    """Return the largest smaller margin of two lists on which two metrics disagree; 0 if they never do."""
    both = [_in_units(name, cutoff, scale, gain, readers) for name in (one, other)]
    seen = np.unique(np.stack(both, axis=1), axis=0)
    first, second = np.subtract.outer(seen[:, 0], seen[:, 0]), np.subtract.outer(seen[:, 1], seen[:, 1])
    return float(np.minimum(first, -second).max())


def _margins(cutoff: int, scale: str, gain: str, readers: str) -> Iterator[tuple[float, str, str]]:
    for one, other in combinations(EIGHT, 2):
        yield _largest_margin(one, other, cutoff, scale, gain, readers), one, other


def none_further(cutoff: int, scale: str, gain: str, readers: str = SHARES) -> bool:
    """Return whether no two of the eight metrics can be further apart than S-recall and D-nDCG."""
    margins = {(one, other): most for most, one, other in _margins(cutoff, scale, gain, readers)}
    return margins["S-recall", "D-nDCG"] > max(margins.values()) - 1e-9


def picture() -> Figure:
    """Draw how far apart any two of the eight metrics can be, in shares of each score's range."""
    alt = import_optional("altair", "a chart")
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    found = list(_margins(3, "range", "linear", SHARES))
    both = [{"one": a, "other": b, "margin": margin} for margin, x, y in found for a, b in ((x, y), (y, x))]
    cells = pd.DataFrame(both + [{"one": name, "other": name, "margin": 0.0} for name in EIGHT])
    at = {"x": alt.X("other:N", sort=EIGHT, title=None), "y": alt.Y("one:N", sort=EIGHT, title=None)}
    grey = alt.Color("margin:Q", scale=alt.Scale(scheme="greys", domain=[0, 0.9]), legend=None)
    chart = alt.Chart(cells).encode(**at)
    ink = alt.condition("datum.margin > 0.45", alt.value("#fff"), alt.value("#222"))
    words = chart.mark_text(fontSize=12).encode(text=alt.Text("margin:Q", format=".2f"), color=ink)
    margin, one, other = max(found)
    title = f"{one} and {other} can be furthest apart: by {margin:.2f} of their ranges"
    says = "For each pair of eight metrics, the largest margin that both can reach; darker means larger."
    figure: Figure = charts.Figure.of(
        (chart.mark_rect().encode(color=grey) + words).properties(width=480, height=250),
        title,
        [says, "Lists of three, harry potter; margins as shares of each score's range."],
        says,
    )
    return figure


@cache
def _of_imine(language: str, cutoff: int) -> dict[str, pd.DataFrame]:
    return _by_metric(imine_scores(language), SEVEN, cutoff)


def in_imine(cutoff: int, language: str, topics: str = "all", *, tied: bool = True) -> pd.DataFrame:
    """Return how often two of seven metrics disagree on the runs of NTCIR-11 IMine.

    topics: all, or those of a type. tied: as for `_disagreements`.
    """
    scores = _of_imine(language, cutoff)
    if topics != "all":
        chosen = [topic for topic, kind in imine_types(language).items() if kind == topics]
        scores = {name: of[chosen] for name, of in scores.items()}
    return _disagreements(scores, tied)


def most_in_imine(*, tied: bool) -> list[float]:
    """Return how often the two that disagree most do so, by cutoff, language and kind of query."""
    ways = product([10, 20], ["en", "cn"], ["all", "ambiguous", "broad"])
    return [float(in_imine(*way, tied=tied).max().max()) for way in ways]


def most_in_trec2012(*, tied: bool) -> float:
    """Return how often two of six metrics disagree at most on eight runs on the topics of TREC 2012."""
    tables = starmap(trec2012_scores, product(["uniform", "nonuniform"], ["exponential", "binary"]))
    return max(float(_disagreements(_by_metric(of, SIX, 10), tied).max().max()) for of in tables)


def _by_metric(table: pd.DataFrame, names: Sequence[str], cutoff: int) -> dict[str, pd.DataFrame]:
    """Return the scores of each metric, (run, topic)."""
    return {
        name: table[table["metric"] == f"{name}@{cutoff}"].pivot(index="run", columns="topic", values="score")
        for name in names
    }


def _disagreements(scores: Mapping[str, pd.DataFrame], tied: bool) -> pd.DataFrame:
    """Return, in percent, on how many pairs of runs and topics two metrics disagree.

    tied: count the cases in which one of the two metrics has the runs tied, as agreements.
    """
    signs = {}
    for name, of in scores.items():
        first, second = np.array([*combinations(of.to_numpy(), 2)]).swapaxes(0, 1)
        signs[name] = np.sign(np.round(first - second, 9))

    def percent(one: np.ndarray, other: np.ndarray) -> float:
        both = one * other if tied else (one * other)[one * other != 0]
        return round(100 * float((both < 0).mean()), 1)

    return pd.DataFrame({a: {b: percent(signs[a], signs[b]) for b in scores} for a in scores})


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "ERR-IA still prefers A, but only just."
OTHER_MIX = Topic("other", (Intent("film", 1 / 2), Intent("book", 1 / 6), Intent("games", 1 / 3)))
GRADES = {"f1": {"film": 2}, "f2": {"film": 2}, "b": {"book": 2}}


@Check.number(-1, 1, decimals=4)
def margin_by_hand(answer: float) -> bool | str:
    """Check the margin of ERR-IA@2 of the two lists at the top, with another mix of readers."""
    lists = [RankedList(OTHER_MIX, docs, GRADES) for docs in (["f1", "b"], ["f1", "f2"])]  # type: ignore[arg-type]
    on_A, on_B = (float(metric("ERR-IA@2").score(each)) for each in lists)
    stayed = "most film readers have left before they reach the second film page"
    slips = {
        on_B - on_A: "that is B's score less A's",
        2 * (on_A - on_B): "rank 2 counts one half",
        (1 / 2 - 1 / 6) * 0.75 / 2: stayed,
        -(1 / 2 - 1 / 6) * 0.75 / 2: stayed,
    }
    return compare(answer, on_A - on_B, slips, within=0.0005, near=0.0005)


# Exercise 2
disagrees = Check.lists(
    POTTER,
    {"first": 2, "second": 2},
    Check.rule("first", "S-recall@2", ">", "second"),
    Check.rule("second", "ERR-IA@2", ">=", "first", more=0.2),
)

# Exercise 3
WHY_3 = "There must be a tie. Open the argument for the other possibility."


@Check.several(range(13), 3)
def three_sorts(counts: Sequence[int]) -> bool | str:
    """Check how many of 12 topics are of each of three sorts."""
    strict, tied_against, _ = counts
    if sum(counts) != 12 or min(counts) < 0:
        return f"that makes {sum(counts)} topics, not 12"
    found = 2 * strict + tied_against
    return found == 6 + 7 + 9 or f"that makes {found} disagreements, but the paper has {6 + 7 + 9}"
