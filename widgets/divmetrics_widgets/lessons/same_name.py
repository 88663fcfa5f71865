"""Lesson 16: its topics, what programs print, the choices to try, and the checks of its exercises."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from math import isclose
from typing import Literal, cast

import numpy as np
import pandas as pd

from divmetrics.conventions import adhoc, as_printed, convention
from divmetrics.core import batch_lists
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Grades
from divmetrics.core.metric import Metric
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsWarning
from divmetrics.evaluation import evaluate
from divmetrics.explanations import explain
from divmetrics.io.run_loading import load_runs
from divmetrics.parts import One
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual import Goal
from divmetrics.research.datasets import trec2012_scores
from divmetrics.research.identify import identify_score
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.lists import every_list

NAV: Literal["navigational"] = "navigational"  # the others are informational
FOUR = (
    Intent("planet", 0.25),
    Intent("singer", 0.25, NAV),
    Intent("metal", 0.25),
    Intent("carmaker", 0.25, NAV),
)
TWO = Intent("insect", 0.7), Intent("car", 0.3, NAV)
TOPICS = [Topic("101", FOUR, "mercury"), Topic("102", TWO, "beetle")]
MERCURY: Grades = {
    "d1": {"planet": 2},
    "d2": {"planet": 1, "singer": 1},
    "d3": {"metal": 3},
    "d4": {"singer": 1},
    "d5": {"planet": 0, "carmaker": 0},
}
BEETLE: Grades = {"e1": {"insect": 1, "car": 1}, "e2": {"car": 1}}
JUDGMENTS = {"101": MERCURY, "102": BEETLE}
LISTS = {"101": ["d2", "d9", "d1", "d5", "d3", "d4"], "102": ["e2", "e1"]}
TOY = Collection.of(TOPICS, JUDGMENTS, {"A": LISTS})
A = TOY.list("A", "101")
B = A.reordered(["d3", "d9", "d1", "d5", "d2", "d4"], run="B")
ABOUT = {
    "d1": "facts about the planet",
    "d2": "what the word can mean",
    "d3": "element 80, explained in full",
    "d4": "a fan club",
    "d5": "a page that only sells domains",
    "d9": "a page that nobody judged",
}
THREE = {"papers": "ERR-IA@10", "ndeval": "ndeval:ERR-IA@10", "NTCIREVAL": "ntcireval:ERR-IA@10"}
ROWS = {whose: cast(Metric, metric(name)) for whose, name in THREE.items()}
GOAL = Goal(THREE["NTCIREVAL"], keep=[THREE["papers"], THREE["ndeval"]], edits=1)
NAMES = ["ERR-IA@10", "nERR-IA@10", "alpha-DCG@10", "alpha-nDCG@10", "NRBP", "P-IA@10", "I-rec@10"]
NAMES += ["nDCG-IA@10", "RBP-IA@10", "D-nDCG@10", "D#-nDCG@10", "D-ERR@10", "P+Q@10"]
PROGRAMS = ("paper", "ndeval", "ntcireval")


def grades(ranked: RankedList = A) -> dict[str, list[int]]:
    """Return the grades of a list for each intent, rank by rank; 0 for a document that nobody judged."""
    return {
        intent.id: [ranked.judgments.labels(doc).get(intent.id, 0) for doc in ranked.docs] for intent in FOUR
    }


def alike(peculiar: Sequence[str]) -> str:
    """Return which of three peculiarities changes no score: grades, the carmaker, the unjudged page.

    Each is taken away: all grades become 1, the carmaker is no intent, the page is judged not relevant.
    """
    flat = {doc: {intent: min(grade, 1) for intent, grade in own.items()} for doc, own in MERCURY.items()}
    three = Topic("101", tuple(Intent(each.id, 1 / 3, each.kind) for each in FOUR[:3]), "mercury")
    served: Grades = {doc: own for doc, own in MERCURY.items() if doc != "d5"}
    judged: Grades = {**MERCURY, "d9": {"planet": 0}}
    changed = [
        RankedList(TOPICS[0], A.docs, flat),
        RankedList(three, A.docs, served),
        RankedList(TOPICS[0], A.docs, judged),
    ]
    same = [
        what
        for what, each in zip(peculiar, changed, strict=True)
        if all(isclose(row.score(A), row.score(each)) for row in ROWS.values())
    ]
    return same[0]


# -- different winners --------------------------------------------------------------------------------------


def opposite(one: str, other: str, length: int = 6) -> float:
    """Return the share of the pairs of lists of which two metrics prefer different ones.

    The lists are the orders of this many of the six documents.
    """
    lists = batch_lists([A.reordered(list(docs)) for docs in permutations(A.docs, length)])
    first, second = (metric(name).scores(lists)[0].round(9) for name in (one, other))
    signs = np.sign(first[:, None] - first) * np.sign(second[:, None] - second)
    return float((signs < 0).sum()) / (len(first) * (len(first) - 1))


def earned(doc: str) -> float:
    """Return what a document of list A earns in the papers' ERR-IA."""
    cells = explain(ROWS["papers"], A)
    return round(float(cells.loc[cells["doc"] == doc, "contribution"].sum()), 9)


def _opposite_runs(one: tuple[str, str], other: tuple[str, str]) -> tuple[int, int]:
    """Count the comparisons of two TREC 2012 runs by ERR-IA@10 that two choices turn round, and all.

    A choice is the probabilities and the gain.
    """
    first, second = (
        trec2012_scores(*choice)
        .query("metric == 'ERR-IA@10'")
        .pivot(index="topic", columns="run", values="score")
        .round(9)
        for choice in (one, other)
    )
    signs = [
        np.sign(first[a] - first[b]) * np.sign(second[a] - second[b])
        for a, b in combinations(first.columns, 2)
    ]
    return sum(int((each < 0).sum()) for each in signs), sum(map(len, signs))


def turned_on_runs() -> dict[str, set[int]]:
    """Return how many comparisons of runs grades turn round, how many the probabilities, and of how many."""
    weighings, gains = ("uniform", "nonuniform"), ("exponential", "binary")
    by_grades = {_opposite_runs(*((weighing, gain) for gain in gains)) for weighing in weighings}
    by_weighing = {_opposite_runs(*((weighing, gain) for weighing in weighings)) for gain in gains}
    return {
        "grades": {turned for turned, _ in by_grades},
        "probabilities": {turned for turned, _ in by_weighing},
        "of": {every for _, every in by_grades | by_weighing},
    }


# -- part by part -------------------------------------------------------------------------------------------

SAYS = {
    "N": "what it is divided by",
    "f": "which intents count, and how much",
    "w": "what a rank counts",
    "M": "what a document is worth",
}


def steps(name: str) -> Iterator[tuple[str, str, float, float]]:
    """Yield the parts that turn the papers' row into a program's, and the scores of A before and after each.

    Raises ValueError if the row is not the program's in the end.
    """
    theirs, row = (cast(Metric, metric(each)) for each in (name, name.split(":")[1]))
    for part in "fwMN":
        new = getattr(theirs, part)
        if getattr(row, part) != new:
            before = float(row.score(A))
            row = replace(row, **{part: new})
            yield part, SAYS[part], before, float(row.score(A))
    if row != theirs:
        raise ValueError(f"the parts of {name} do not make it")


def walk(names: list[str]) -> pd.DataFrame:
    """Return those steps on the way to several programs' metrics."""
    rows = [(name, part, says, before, after) for name in names for part, says, before, after in steps(name)]
    columns = ["on the way to", "part", "it says", "before", "after"]
    return pd.DataFrame(rows, columns=columns).set_index("on the way to").round(4)


def shared() -> list[str]:
    """Return the programs' names of all metrics of four parts that the papers have, too."""
    paper = convention("paper").rows
    return [
        f"{whose}:{name}"
        for whose in PROGRAMS[1:]
        for name, row in convention(whose).rows.items()
        if isinstance(row, Metric) and isinstance(paper.get(name), Metric)
    ]


def is_made_of_parts(name: str) -> bool:
    """Return whether replacing parts turns the papers' row into the program's."""
    theirs, row = (cast(Metric, metric(each)) for each in (name, name.split(":")[1]))
    return replace(row, **{part: getattr(theirs, part) for part in "fwMN"}) == theirs


# -- thirteen names -----------------------------------------------------------------------------------------


def _programs_of(name: str) -> list[str]:
    """Return the conventions that have a metric of this name."""
    return [whose for whose in PROGRAMS if name.split("@")[0] in convention(whose).rows]


def shared_names() -> list[str]:
    """Return the names, at cutoff 10, of the diversity metrics that two or three conventions have."""
    one_intent = {row.name for row in adhoc.ROWS}
    names = {name for whose in PROGRAMS for name in convention(whose).rows} - one_intent
    return [f"{name}@10" for name in sorted(names) if len(_programs_of(name)) > 1]


def agree_on_potter(name: str) -> bool:
    """Return whether the conventions that have a metric agree on all lists of three pages of harry potter."""
    cut = f"{name.split('@')[0]}@3"
    first, *others = (metric(f"{whose}:{cut}").scores(every_list(3))[0] for whose in _programs_of(name))
    return all(np.allclose(first, each) for each in others)


def scores_of_A() -> pd.DataFrame:
    """Return the scores of list A under thirteen names in each convention that has them."""
    table = pd.DataFrame("", NAMES, list(PROGRAMS))
    for name in NAMES:
        for whose in _programs_of(name):
            table.loc[name, whose] = f"{metric(f'{whose}:{name}').score(A):.4f}"
    return table


def every_order() -> list[RankedList]:
    """Return all lists of one to six documents of mercury."""
    return [A.reordered(list(docs)) for n in range(1, 7) for docs in permutations(A.docs, n)]


def agree(name: str, lists: Sequence[RankedList]) -> bool:
    """Return whether all conventions that have a metric give each of these lists the same score."""
    batch = batch_lists(lists)
    first, *others = (metric(f"{whose}:{name}").scores(batch)[0] for whose in _programs_of(name))
    return all(np.allclose(first, each) for each in others)


# -- what the programs printed ------------------------------------------------------------------------------

PRINTED = """\
ndeval:ERR-IA@10      0.589170 0.631254    ndeval:nERR-IA@10    0.877612 0.777778
ndeval:alpha-DCG@10   0.609685 0.632348    ndeval:alpha-nDCG@5  0.851623 0.840606
ndeval:alpha-nDCG@10  0.909145 0.840606    ndeval:NRBP          0.550781 0.656250
ndeval:nNRBP          0.819767 0.777778    ndeval:MAP-IA        0.566667 0.750000
ndeval:P-IA@10        0.166667 0.150000    ndeval:strec@10      1.000000 1.000000
ntcireval:D-Q@10     0.7293 0.8250  ntcireval:D-nDCG@10     0.7935 0.7828  ntcireval:D-RBP@10    0.1170 0.0625
ntcireval:D-ERR@10   0.4044 0.3625  ntcireval:D-EBR@10      0.5534 0.5225  ntcireval:I-rec@10    1.0000 1.0000
ntcireval:D#-Q@10    0.8646 0.9125  ntcireval:D#-nDCG@10    0.8967 0.8914  ntcireval:DIN-nDCG@10 0.7309 0.6236
ntcireval:ERR-IA@10  0.2933 0.3625  ntcireval:nERR-IA@10    0.4333 0.6500  ntcireval:nDCG-IA@10  0.4947 0.7416
ntcireval:P+Q@10     0.5625 0.7667  ntcireval:DIN#-nDCG@10  0.8655 0.8118
"""


def printed() -> Iterator[tuple[str, str]]:
    """Yield each number that a program printed for the two topics, and ours."""
    words = PRINTED.split()
    for place in range(0, len(words), 3):
        name, *theirs = words[place : place + 3]
        row = metric(name) if name.startswith("ndeval") else as_printed(metric(name))
        for number, topic in zip(theirs, LISTS, strict=True):
            yield number, f"{row.score(TOY.list('A', topic)):.{len(number) - 2}f}"


def readings_of(number: str) -> int:
    """Count the readings of ERR-IA@10 of list A that give a number."""
    return len(identify_score(TOY, TOY.runs["A"], number, "ERR-IA@10", topic="101").matches)


# -- before the formula -------------------------------------------------------------------------------------


def readings() -> pd.DataFrame:
    """Return the score of the same files under different readings, a line for each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)  # d9 was never judged, and we know
        rows = [*_orders(), *_means(), *_intents(), *_levels(), *_scales()]
    return pd.DataFrame(rows, columns=["", "reading", "score"]).set_index("").round(4)


def _orders() -> Iterator[tuple[str, str, float]]:
    columns = {"doc": ["d1", "d2", "d3"], "rank": [2, 3, 1], "score": [4.0, 5.0, 5.0]}
    odd = pd.DataFrame({"run": "odd", "topic": "101"} | columns)
    kinds = {"score": "score, ties by id descending (paper)", "rank": "rank column (ndeval)"}
    kinds["file"] = "as in the file (NTCIREVAL)"
    for order, how in kinds.items():
        docs = load_runs(odd, order)[0].list("101")  # type: ignore[arg-type]
        yield "order", how, ROWS["ndeval"].score(A.reordered(docs))
    ascending = A.reordered(["d2", "d3", "d1"])
    yield "order", "score, ties by id ascending (pyndeval)", ROWS["ndeval"].score(ascending)


def _means() -> Iterator[tuple[str, str, float]]:
    half = Run.of("half", {"101": A.docs})
    means = {"judged": "all judged topics (paper, NTCIREVAL)", "both": "answered topics (ndeval)"}
    for mean_over, how in means.items():
        scores = evaluate(TOY, half, ["ndeval:ERR-IA@10"], mean_over=mean_over)  # type: ignore[arg-type]
        yield "mean", how, scores["score"].mean()


def _intents() -> Iterator[tuple[str, str, float]]:
    qrels = pd.DataFrame([["1", "film", "b", 1]], columns=["topic", "intent", "doc", "grade"])
    found = Run.of("found", {"1": ["b"]})
    named = {"1": {"film": 0.5, "book": 0.5}}
    sources = {"as judged (ndeval)": None, "a topics file (paper); S-recall@1 in both lines": named}
    for how, known in sources.items():
        yield "intents", how, evaluate(qrels, found, "S-recall@1", known)["score"][0]


def from_grade(level: int) -> dict[str, tuple[float, float]]:
    """Return the three scores of lists A and B if lower grades count as not relevant."""
    judged = [("101", intent, doc, grade) for doc, own in MERCURY.items() for intent, grade in own.items()]
    qrels = pd.DataFrame(judged, columns=["topic", "intent", "doc", "grade"])
    runs = [Run.of(ranked.run, {"101": ranked.docs}) for ranked in (A, B)]
    known = {"101": {intent.id: intent.probability for intent in FOUR}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)  # d9 was never judged
        scores = evaluate(qrels, runs, [*THREE.values()], known, relevance_level=level)
    of = scores.set_index(["metric", "run"])["score"].to_dict()
    return {whose: (of[name, "A"], of[name, "B"]) for whose, name in THREE.items()}


def _levels() -> Iterator[tuple[str, str, float]]:
    for level, how in {1: "every positive grade counts (all three)", 2: "grades from 2 on count"}.items():
        yield "relevance", how, from_grade(level)["ndeval"][0]


def _scales() -> Iterator[tuple[str, str, float]]:
    for how, collection in {"Y from all topics": TOY, "Y from topic 102 alone": _alone()}.items():
        score = ROWS["papers"].score(collection.list("A", "102"))
        yield "scale", f"{how}: {collection.scale} (papers' ERR-IA, topic 102)", score


def _alone(scale: int | None = None) -> Collection:
    return Collection.of(TOPICS[1:], {"102": BEETLE}, {"A": LISTS}, scale=scale)


def same_with_a_scale() -> bool:
    """Return whether the score of topic 102 does not depend on the other topic once Y is stated."""
    both = [Collection.of(TOPICS, JUDGMENTS, {"A": LISTS}, scale=3), _alone(3)]
    one, other = (float(ROWS["papers"].score(each.list("A", "102"))) for each in both)
    return isclose(one, other)


OF_PYNDEVAL = {"ERR-IA@1": 2.0, "alpha-DCG@1": 2.0, "ERR-IA@2": 0.5333333333333333}


def undivided(name: str) -> float:
    """Return a metric of list A without its normaliser."""
    return float(replace(cast(Metric, metric(name)), N=One()).score(A))


def of_pyndeval() -> dict[str, float]:
    """Return what the Python package pyndeval gives list A: as computed here if it is installed."""
    try:
        import pyndeval  # type: ignore[import-untyped]
    except ImportError:
        return dict(OF_PYNDEVAL)
    judged = [("101", i, doc, g) for doc, own in MERCURY.items() for i, g in own.items()]
    listed = [("101", doc, -rank) for rank, doc in enumerate(A.docs)]
    scores: dict[str, float] = pyndeval.RelevanceEvaluator(judged, list(OF_PYNDEVAL)).evaluate(listed)["101"]
    return scores


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Three conventions, three numbers, and one and the same satisfied reader."
_RIGHT = {whose: float(row.score(A.reordered(["d4"]))) for whose, row in ROWS.items()}
_SLIPS = {
    0.25 / 7: "that divides by 2^Y - 1",
    0.0625: "h is the top grade of that intent: 1",
    0.5: "weigh the intent: 0.25",
    0.125: "that is R(1) without the intent's weight",
    1 / 3: "the sum runs over ten ranks",
    0.75 * _RIGHT["ndeval"]: "ndeval does not count the carmaker",
}


@Check.each(ROWS, 0, 1, decimals=4)
def one_document(name: str, given: float) -> bool | str:
    """Check the score of `d4` alone under a convention."""
    near = [why for slip, why in _SLIPS.items() if abs(given - slip) < 0.0005]
    return abs(given - _RIGHT[name]) <= 0.0005 or f"{name}: {(near or ['not this number'])[0]}"


# Exercise 2
two_winners = Check.lists(
    A,
    {"first": (1, 4), "second": (1, 4)},
    Check.rule("first", ROWS["ndeval"], ">", "second", "ndeval does not prefer the first"),
    Check.rule("first", ROWS["NTCIREVAL"], "<", "second", "NTCIREVAL does not prefer the second"),
    docs=["d1", "d2", "d3", "d4"],
)
