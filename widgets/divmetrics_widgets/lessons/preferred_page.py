"""Lesson 13: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.batch import Batch
from divmetrics.core.judgments import Grades
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.explanations import explain
from divmetrics.optional import import_optional
from divmetrics.registry.parse import metric
from divmetrics.research.datasets import trec2012_scores
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons import navigational
from divmetrics_widgets.lessons.counting import LABELS, MIXES
from divmetrics_widgets.lessons.lists import POTTER
from divmetrics_widgets.lessons.navigational import COPY, turned_lists, turned_runs
from divmetrics_widgets.lessons.slips import compare

__all__ = ["COPY", "turned_lists", "turned_runs"]  # the lesson takes them from here

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

Row = Callable[[Sequence[float], Sequence[float]], float]

OTHERS = [f"other{n}" for n in range(1, 11)]
ABOUT = {**navigational.ABOUT, **dict.fromkeys(OTHERS, "a page about something else")}
PARK = Topic("park", (Intent("park", 1.0, "navigational"),))
JUDGED: Grades = {
    "home": {"park": 2},
    "mirror": {"park": 2},
    "blog": {"park": 1},
    **{doc: {} for doc in OTHERS},
}
BLOG_ONLY = RankedList(PARK, ["blog", *OTHERS[:4]], JUDGED, run="A")
HOME_ADDED = BLOG_ONLY.reordered(["blog", *OTHERS[:3], "home"], run="B")
HOME_AND_MIRROR = BLOG_ONLY.reordered(["blog", "other1", "home", "mirror", "other2"], run="home and mirror")
WHY_TURN = "Below that, the list with the blog alone scores higher."


# -- the rows -----------------------------------------------------------------------------------------------


def _gain(gain: str, grade: int) -> int:
    return grade if gain == "linear" else 2**grade - 1


def _gains(docs: Sequence[str], intent: str, gain: str) -> list[int]:
    return [_gain(gain, LABELS[doc].get(intent, 0)) for doc in docs]


def _ideal(intent: str, gain: str, cutoff: int) -> list[int]:
    return sorted(_gains(POTTER.docs, intent, gain), reverse=True)[:cutoff]


@cache
def _lists(navigational: str, cutoff: int) -> Batch:
    """Return all lists of so many pages for harry potter, where these intents alone are navigational."""
    intents = tuple(
        replace(intent, kind="navigational" if intent.id in navigational.split() else "informational")
        for intent in POTTER.topic.intents
    )
    pool = replace(POTTER, topic=replace(POTTER.topic, intents=intents))
    return batch_lists([RankedList(pool.topic, docs, pool) for docs in permutations(pool.docs, cutoff)])


def adds_up(P_plus: Row, Q: Row, navigational: str, gain: str, cutoff: int) -> bool:
    """Return whether P+Q is P+ for these intents and Q for the others, on all lists of so many pages.

    The share of P+ and of Q for each intent is compared, so that no two errors cancel.
    """
    theirs = metric(f"P+Q(gain={gain})@{cutoff}").contributions(_lists(navigational, cutoff))[0].sum(axis=-1)
    for place, (intent, p) in enumerate(MIXES["3 : 2 : 2 : 1 : 1"].items()):
        row, ideal = P_plus if intent in navigational.split() else Q, _ideal(intent, gain, cutoff)
        ours = [p * row(_gains(docs, intent, gain), ideal) for docs in permutations(POTTER.docs, cutoff)]
        if not np.allclose(theirs[:, place], ours):
            return False
    return True


# -- a better page is added ---------------------------------------------------------------------------------


def _pool(copies: int, grades: tuple[int, int], others: int) -> Grades:
    blog, best = grades
    return {
        **{"blog": {"park": blog}, "home": {"park": best}},
        **{f"copy{n}": {"park": best} for n in range(copies)},
        **{f"other{n}": {} for n in range(others)},
    }


def _changes(
    gain: str,
    beta: float,
    copies: int,
    deepest: int,
    at: int = 1,
    grades: tuple[int, int] = (1, 2),
    poor: int = 1,
) -> np.ndarray:
    """Return by how much P+ of the blog alone changes if `home` is added at a rank below it, down to deepest.

    at: the rank of the blog. grades: of the blog and of `home`. poor: how many pages like the blog are there,
    one below the other.
    """
    blogs, others = [f"blog{n}" for n in range(poor)], [f"other{n}" for n in range(deepest)]
    pool: Grades = {**_pool(copies, grades, deepest), **{blog: {"park": grades[0]} for blog in blogs[1:]}}
    above = [*others[: at - 1], "blog", *blogs[1:], *others[at - 1 :]]
    last = at + poor - 1
    lists = [RankedList(PARK, [*above[: rank - 1], "home"], pool) for rank in range(last + 1, deepest + 1)]
    row = metric(f"P+(gain={gain},beta={beta})@{deepest}")
    return row.scores(batch_lists(lists))[0] - row.score(RankedList(PARK, above[:last], pool))


def hurts_from(gain: str, beta: float, copies: int) -> int | None:
    """Return the first rank down to 80 at which `home` lowers P+ of the blog alone, None if none does.

    copies: how many copies of `home` were judged.
    """
    ranks = np.flatnonzero(_changes(gain, beta, copies, 80) < -1e-12)
    return int(ranks[0]) + 2 if len(ranks) else None


def helps_to() -> int:
    """Return the last rank at which `home` raises P+ of the blog alone."""
    return int(np.flatnonzero(_changes("linear", 1, 1, 10) > 1e-12)[-1]) + 2


def hurts_by(
    choice: tuple[int, int, int], gain: str, beta: float, copies: int, grades: tuple[int, int] = (1, 2)
) -> bool:
    """Return whether `home` lowers P+ of the blog alone at some rank down to a certain one.

    choice: that rank, the rank of the blog, and how many pages like the blog are there, one below the other.
    grades: of the blog and of `home`.
    """
    rank, at, poor = choice
    return bool((_changes(gain, beta, copies, rank, at, grades, poor) < -1e-12).any())


def hurts_table(gain: Sequence[str], beta: Sequence[float], copies: Sequence[int]) -> pd.DataFrame:
    """Return from which rank on `home` lowers P+ of the blog alone: a row per gain and beta."""
    return _ranks_table(hurts_from, gain, beta, copies)


def _ranks_table(
    first: Callable[[str, float, int], int | None],
    gain: Sequence[str],
    beta: Sequence[float],
    copies: Sequence[int],
) -> pd.DataFrame:
    index = pd.MultiIndex.from_product([gain, beta], names=["gain", "beta"])
    rows = [[first(*choice, n) or "never" for n in copies] for choice in product(gain, beta)]
    return pd.DataFrame(rows, index, pd.Index(copies, name="copies"))


def as_home_moves() -> Figure:
    """Draw P+@10 with the blog and `home`, and with each alone, against the rank of `home`."""
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    row, rows = metric("P+@10"), []
    for rank in range(2, 11):
        below = [*OTHERS[: rank - 2], "home", *OTHERS[rank - 2 : 8]]
        lists = {
            "blog, then home": ["blog", *below],
            "blog only": ["blog", *OTHERS[:9]],
            "home only": [OTHERS[9], *below],
        }
        rows += [(name, rank, row.score(BLOG_ONLY.reordered(docs))) for name, docs in lists.items()]
    drawn = pd.DataFrame(rows, columns=["metric", "rank of home", "P+@10"])
    figure: Figure = charts.variation(drawn, "rank of home", "P+@10")
    return figure.titled(
        f"With linear gains and one copy, the best page lowers the score from rank {helps_to() + 1} on"
    )


# -- who looks ahead ----------------------------------------------------------------------------------------

EARLIER = ["S-recall", "P-IA", "AP-IA", "nDCG-IA", "Q-IA", "ERR-IA", "RBP-IA", "EBR-IA", "alpha-nDCG", "NRBP"]
EARLIER += ["D-nDCG", "D-Q", "D-ERR", "D-EBR", "D-RBP", "D#-nDCG", "DIN-nDCG", "DIN#-nDCG"]


def looks_ahead(name: str, navigational: str) -> bool:
    """Return whether what ranks 1 and 2 earn depends on rank 3, in lists for harry potter.

    navigational: the intents that are; the others are informational.
    """
    earned = metric(f"{name}@3").contributions(_lists(navigational, 3))[0][..., :2].round(12)
    earned = earned.reshape(18 * 17, 16, -1)  # the lists that begin with the same two pages
    return bool((earned != earned[:, :1]).any())


# -- the site first, or the blog first ----------------------------------------------------------------------


def of_potter(first: str, second: str, rank: int, name: str = "") -> RankedList:
    """Return a list for harry potter with these two pages at `rank` and below; no other is about the park."""
    above = [doc for doc in ("d1", "d2", "d9", *POTTER.docs) if "themepark" not in LABELS[doc]]
    docs = [*dict.fromkeys(above)][: rank - 1]
    return RankedList(POTTER.topic, [*docs, first, second], POTTER, run=name)


SITE_FIRST = of_potter("d14", "d15", 4, "site first")
BLOG_FIRST = of_potter("d15", "d14", 4, "blog first")
WHY_SITE = "The site's ratio is 3/7 at rank 4. If the blog is there, it has 2/7, and the site below it 5/8."


def site_first_by_DIN(gain: str, rank: int) -> bool:
    """Return whether DIN-nDCG prefers the list for harry potter with the site first, at `rank`."""
    row = metric(f"DIN-nDCG(gain={gain})@{rank + 1}")
    return bool(row.score(of_potter("d14", "d15", rank)) > row.score(of_potter("d15", "d14", rank)) + 1e-12)


GRADES = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]  # of the blog and the site


@cache
def _lead_of_blog(gain: str, beta: float, copies: int, grades: tuple[int, int] = (1, 2)) -> np.ndarray:
    """Return P+ with the blog at rank k and the site below it, less P+ the other way round, k = 1 to 20."""
    pool, others = _pool(copies, grades, 19), [f"other{n}" for n in range(19)]
    row = metric(f"P+(gain={gain},beta={beta})@21")
    blog, site = (
        row.scores(batch_lists([RankedList(PARK, [*others[:k], *docs], pool) for k in range(20)]))[0]
        for docs in (("blog", "home"), ("home", "blog"))
    )
    return np.asarray(blog - site)


def blog_first_from(gain: str, beta: float, copies: int) -> int | None:
    """Return the rank from which on P+ prefers the blog, then the site, down to 20; None if it never does."""
    (ranks,) = np.nonzero(_lead_of_blog(gain, beta, copies) > 1e-12)
    return int(ranks[0]) + 1 if len(ranks) else None


def never_blog_first(gain: str, beta: float, copies: int, grades: tuple[int, int]) -> bool:
    """Return whether P+ never prefers the blog, then the site, at ranks 1 to 20."""
    return bool((_lead_of_blog(gain, beta, copies, grades) <= 1e-12).all())


def gains_decide(gain: str, beta: float, copies: int, grades: tuple[int, int]) -> bool:
    """Return whether at rank 20 the blog first wins just where the site gains less than 2 g + 1/beta."""
    blog, site = (_gain(gain, grade) for grade in grades)
    wins = _lead_of_blog(gain, beta, copies, grades)[-1] > 1e-12
    return bool(wins == (beta * site < 2 * beta * blog + 1))


def blog_first_table(gain: Sequence[str], beta: Sequence[float], copies: Sequence[int]) -> pd.DataFrame:
    """Return from which rank on P+ prefers the blog first: a row per gain and beta."""
    return _ranks_table(blog_first_from, gain, beta, copies)


# -- on TREC 2012 -------------------------------------------------------------------------------------------


@cache
def _with_labels_and_without(probabilities: str, gain: str) -> pd.DataFrame:
    scores = trec2012_scores(probabilities, gain)
    scores = scores.pivot(index=["topic", "run"], columns="metric", values="score").round(12)
    return (scores["P+Q@10"] - scores["Q-IA@10"]).unstack()


def of_labels(probabilities: str, gain: str) -> dict[str, int]:
    """Count what the labels change: P+Q against Q-IA, for which no intent is navigational.

    Of eight runs on 50 topics: lists with a higher and a lower P+Q, topics with such a list, runs with a
    higher mean P+Q, and pairs of lists and of runs that turn, beside those that DIN-nDCG's reset turns.
    """
    change, ways = _with_labels_and_without(probabilities, gain), (probabilities, gain)
    return {
        "P+Q higher": int((change > 0).to_numpy().sum()),
        "P+Q lower": int((change < 0).to_numpy().sum()),
        "topics": int((change != 0).any(axis=1).sum()),
        "runs higher": int((change.mean() > 0).sum()),
        "pairs of lists": turned_lists(*ways, "P+Q"),
        "by DIN-nDCG": turned_lists(*ways, "DIN-nDCG"),
        "pairs of runs": turned_runs(*ways, "P+Q"),
    }


def labels_table(probabilities: Sequence[str], gain: Sequence[str]) -> pd.DataFrame:
    """Return `of_labels`, a row per choice."""
    index = pd.MultiIndex.from_product([probabilities, gain], names=["probabilities", "gain"])
    return pd.DataFrame([of_labels(*choice) for choice in index], index)


def means_rise() -> tuple[float, float]:
    """Return the least and the greatest rise of a run's mean from Q-IA to P+Q."""
    every = product(("uniform", "nonuniform"), ("exponential", "binary"))
    rises = [rise for choice in every for rise in _with_labels_and_without(*choice).mean()]
    return round(min(rises), 3), round(max(rises), 3)


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Nothing below the preferred rank counts."


@cache
def _right_and_slips() -> tuple[float, dict[float, str]]:
    ranked = BLOG_ONLY.reordered(["other1", "blog", "mirror", "home", "other2"])
    right, Q = (float(metric(name).score(ranked)) for name in ("P+@5", "Q@5"))
    ratios = explain("P+@5", ranked)["contribution"] * 2
    return right, {
        Q: "that is Q: where does the highest grade first appear?",
        right * 2: "now the mean",
        right * 2 / 3: "divide by C(rp), not by all relevant pages",
        **dict.fromkeys(ratios, "that is one of the blended ratios: P+ is a mean"),
    }


@Check.number(0, 3, decimals=4)
def by_hand_1(answer: float) -> bool | str:
    """Compare the answer with P+@5 of other1, blog, mirror, home, other2."""
    right, slips = _right_and_slips()
    if 0.006 <= abs(answer - right) < 0.022:
        return "nearly: two decimals, please"
    return compare(
        answer, right, slips, within=0.006, near=0.006, otherwise="work out BR at each relevant page"
    )


# Exercise 2
WHY_2 = "They divide by different numbers, and end at different ranks."
_BOTH = "P+Q@4 is {left}, Q-IA@4 {right}"
above_and_below = Check.lists(
    COPY,
    {"above": 4, "below": 4},
    Check.rule("above", "P+Q@4", ">", ("above", "Q-IA@4"), f"above: {_BOTH}; what does Q divide by?"),
    Check.rule("below", "P+Q@4", "<", ("below", "Q-IA@4"), f"below: {_BOTH}; what does P+ not read?"),
)
