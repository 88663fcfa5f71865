"""Lesson 08: its lists, the choices that its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.judgments import Grades
from divmetrics.core.metric import Metric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.optional import import_optional
from divmetrics.parts import ExactIdeal, FirstCover, Novelty, Relevant
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual import Goal
from divmetrics.research.datasets import harry_potter
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import unseen
from divmetrics_widgets.lessons.counting import LABELS
from divmetrics_widgets.lessons.lists import POTTER, every_list, potter, ranked
from divmetrics_widgets.lessons.slips import compare

__all__ = ["unseen"]  # the lesson takes it from here

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

LIST_C, LIST_D = harry_potter().list("C", "0083"), harry_potter().list("D", "0083")
FIVE_FILMS = potter("d1 d2 d3 d4 d5", "five film pages")
ONE_EACH = potter("d1 d9 d18", "one film page, one book page")
ALPHAS = [step / 100 for step in range(101)]
PHIS = [0.5, 0.8, 0.95]
OF_NOVELTY = ["alpha-DCG@3", "alpha-nDCG@3", "NRBP@3", "S-recall@3"]


def repeated(alphas: Sequence[float]) -> pd.DataFrame:
    """Return M of four pages for one intent, a row per alpha."""
    pages = ["first page", "second", "third", "fourth"]
    lists = batch_lists([ranked(pages, {page: {"film": 1} for page in pages}, {"film": 1.0})])
    rows = {f"alpha = {alpha}": Novelty(alpha)(lists)[0, 0, 0] for alpha in alphas}
    return pd.DataFrame.from_dict(rows, "index", columns=pages).round(4)


def ends_meet() -> bool:
    """Return whether novelty at alpha 0 and 1 counts pages and first covers, in all lists of three."""
    lists = every_list(3)
    ends = [(Novelty(0), Relevant()), (Novelty(1), FirstCover())]
    return all(bool((one(lists) == other(lists)).all()) for one, other in ends)


def _lists_of_three() -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield, for each list of three pages, the intents that each page serves."""
    serves = {doc: tuple(labels) for doc, labels in LABELS.items()}
    yield from (tuple(serves[doc] for doc in docs) for docs in permutations(POTTER.docs, 3))


def as_library(by_hand: Callable[..., float], alpha: float) -> bool:
    """Return whether a function of the intents of pages computes alpha-DCG@3 of all lists of three."""
    ours = [by_hand(pages, alpha) for pages in _lists_of_three()]
    return np.allclose(ours, metric(f"alpha-DCG(alpha={alpha})@3").scores(every_list(3))[0])


def is_union() -> bool:
    """Return whether S-recall is the share of intents in the union, in all lists of three."""
    union = [len(set().union(*pages)) / len(POTTER.topic.intents) for pages in _lists_of_three()]
    return np.allclose(union, metric("S-recall@3").scores(every_list(3))[0])


def same_order(ideal: str) -> bool:
    """Return whether alpha-nDCG with this ideal list orders the lists of three as alpha-DCG does."""
    plain, divided = (
        metric(name).scores(every_list(3))[0] for name in ("alpha-DCG@3", f"alpha-nDCG({ideal})@3")
    )
    ratio = plain[divided > 0] / divided[divided > 0]
    return np.allclose(ratio, ratio[0])


def lead(alpha: float, cutoff: int = 5) -> float:
    """Return by how much five film pages are ahead of one for films and one for books."""
    row = metric(f"alpha-DCG(alpha={alpha})@{cutoff}")
    return round(float(row.score(FIVE_FILMS) - row.score(ONE_EACH)), 9)


def turning_point(cutoff: int = 5) -> float:
    """Return the lowest alpha, in hundredths, at which the five film pages are behind."""
    return next(alpha for alpha in ALPHAS if lead(alpha, cutoff) < 0)


def crossing() -> Figure:
    """Draw the scores of both lists against alpha."""
    alt = import_optional("altair", "a chart")
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    rows = [
        {"alpha": alpha, "score": float(metric(f"alpha-DCG(alpha={alpha})@5").score(each)), "list": each.run}
        for alpha in ALPHAS
        for each in (FIVE_FILMS, ONE_EACH)
    ]
    x, y = alt.X("alpha:Q"), alt.Y("score:Q", title="alpha-DCG@5")
    dash = alt.StrokeDash("list:N", title=None).legend(orient="top", symbolSize=1500, symbolStrokeWidth=2)
    lines = alt.Chart(pd.DataFrame(rows)).mark_line(color="#0072B2").encode(x=x, y=y, strokeDash=dash)
    at = turning_point()
    turns = alt.Chart(pd.DataFrame({"alpha": [at]})).mark_rule(color="#777").encode(x=x)
    chart = (lines + turns).properties(width=480, height=210)
    says = "The five film pages fall as alpha rises; the other list stays, and they cross once."
    figure: Figure = charts.Figure.of(
        chart, f"From alpha = {at:g} on, two intents beat five pages", [says], says
    )
    return figure


def largest_of(n: int, alpha: float, phi: float, intents: int = 1) -> float:
    """Return the NRBP of a list of n documents that serve all intents."""
    wants = {f"intent {i}": 1 / intents for i in range(intents)}
    grades: Grades = {f"p{k}": dict.fromkeys(wants, 1) for k in range(n)}
    return float(metric(f"NRBP(alpha={alpha},beta={phi})").score(ranked(list(grades), grades, wants)))


def best_in_pool(alpha: float = 0.5, phi: float = 0.5) -> float:
    """Return the NRBP of the best list of all 18 pages for harry potter."""
    row = cast(Metric, metric(f"NRBP(alpha={alpha},beta={phi})"))
    lists = batch_lists([LIST_C])
    return float((ExactIdeal()(lists, row) / row.N(lists, row)).item())


# -- java ---------------------------------------------------------------------------------------------------

SENSES = ["island", "language", "coffee", "dance", "band", "car", "chess", "type", "ship", "apple"]


def java(senses: int = 5) -> tuple[RankedList, RankedList]:
    """Return one page for all senses of grade 1, and a page for each sense of grade 2."""
    chosen = SENSES[:senses]
    topic = Topic("java", tuple(Intent(sense, 1 / senses) for sense in chosen))
    grades = {"all senses": dict.fromkeys(chosen, 1)} | {f"on {sense}": {sense: 2} for sense in chosen}
    one_page = RankedList(topic, ["all senses"], grades, run="A")  # type: ignore[arg-type]
    return one_page, one_page.reordered([f"on {sense}" for sense in chosen])


ONE_PAGE, FIVE_PAGES = java()
GOAL = Goal("ERR-IA@5", keep=["alpha-nDCG@5", "NRBP"], edits=1, grades=True)


def prefers_one_page(name: str, senses: int) -> bool:
    """Return whether a metric gives more to the one page about all senses."""
    one, many = (float(metric(f"{name}@{senses}").score(each)) for each in java(senses))
    return one > many + 1e-9


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Grades do not count; ranks and repetition do."


@Check.number(0, 10, decimals=3)
def score_of_D(answer: float) -> bool | str:
    """Check alpha-DCG@3 of list D."""
    right = float(metric("alpha-DCG@3").score(LIST_D))
    slips = {
        4.5: "ranks are discounted, too",
        4.1309: "`d4` repeats the film: one half",
        5.6309: "grades do not count here: relevant is 1",
    }
    if 0.005 <= abs(answer - right) < 0.05:
        return "close, but not right to two decimals"
    return compare(answer, right, slips, within=0.005, near=0.005, otherwise="add up w M, rank by rank")


# Exercise 2
WHY_2 = "A high rank pays more than a new intent further down."
fewer_and_more = Check.lists(
    POTTER,
    {"first": 3, "second": 3},
    Check.rule("first", "S-recall@3", "<", "second"),
    Check.rule("first", "alpha-nDCG@3", ">", "second", "{left} and {right}: look at rank 1 of both"),
)

# Exercise 3
WHY_3 = "The topic and the two parameters decide; the list cannot."


def largest(best: Callable[[int, float, float], float]) -> bool | str:
    """Check a function that computes the largest NRBP for n relevant documents, alpha and phi."""
    for n, alpha, phi in ((1, 0.5, 0.5), (2, 0.5, 0.5), (4, 0.5, 0.5), (3, 0.2, 0.8), (5, 0.9, 0.6)):
        right, answer, r = largest_of(n, alpha, phi), best(n, alpha, phi), (1 - alpha) * phi
        slips = {
            r**n: "that is what is missing",
            (1 - r**n) / (1 - r): "now divide by N",
            1 - phi**n: "and novelty?",
            1 - (1 - alpha) ** n: "and the ranks?",
        }
        verdict = compare(answer, right, slips, within=1e-9, near=1e-9)
        if verdict is not True:
            at = f"n = {n}, alpha = {alpha}, phi = {phi}: {answer:.4f}, expected {right:.4f}"
            return f"{at}; {verdict}" if verdict else at
    return True
