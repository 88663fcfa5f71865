"""Lesson 24: passages judged for nuggets, made-up ones of several shapes, and the checks of its exercises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics.core import Batch, batch_lists
from divmetrics.core.judgments import Grades
from divmetrics_widgets import Check
from divmetrics_widgets.lessons.slips import compare

EXAMPLES = Path("../examples")
JUDGED, BANK = EXAMPLES / "bees_assigned.jsonl", EXAMPLES / "bees_nuggets.jsonl"
A_DOCS, B_DOCS = ["law", "hedge", "bargain", "queen"], ["calendar", "first-steps", "mites", "honey"]
DOCS = [*A_DOCS, *B_DOCS, "shopping", "my-bill", "winter", "cake"]
SCORES = {
    "All": "A", "Vital": "V", "Weighted": "W",
    "All Strict": "A_strict", "Vital Strict": "V_strict", "Weighted Strict": "W_strict",
}  # fmt: skip


@cache
def texts() -> dict[str, str]:
    """Return the passages by id."""
    lines = map(json.loads, JUDGED.read_text(encoding="utf-8").splitlines())
    return {line["docid"]: line["candidate_text"] for line in lines}


@cache
def bank() -> pd.DataFrame:
    """Return the sub-narrative, text and importance of each nugget, numbered from 1."""
    table = pd.DataFrame(json.loads(BANK.read_text(encoding="utf-8"))["nuggets"])
    table = table[["mapped_sub_narrative", "text", "importance"]]
    return table.set_axis(["sub-narrative", "nugget", "importance"], axis=1).set_axis(
        [str(number) for number in range(1, len(table) + 1)]
    )


def parts() -> list[list[str]]:
    """Return the numbers of the nuggets of each sub-narrative."""
    return [list(of_part) for of_part in bank().groupby("sub-narrative", sort=False).groups.values()]


def judged(topics: object, **options: int) -> tuple[dm.RankedList, dm.RankedList]:
    """Return A and B, judged for the nuggets of these topics."""
    pool = dm.load_collection(JUDGED, topics, **options).pools["bees"]
    return (
        dm.RankedList(pool.topic, A_DOCS, pool, run="A"),
        dm.RankedList(pool.topic, B_DOCS, pool, run="B"),
    )


@cache
def flat() -> tuple[dm.RankedList, dm.RankedList]:
    """Return A and B, judged for eleven nuggets."""
    return judged(dm.read_topics(JUDGED, "uniform"))


@cache
def in_parts(relevance_level: int = 1) -> tuple[dm.RankedList, dm.RankedList]:
    """Return A and B, judged for the nuggets of four sub-narratives.

    relevance_level: 1 if partial support is enough, 2 if only full support counts.
    """
    return judged(dm.read_topics(BANK, "uniform"), relevance_level=relevance_level)


@cache
def support() -> dict[str, Mapping[str, int]]:
    """Return the grades of each passage by nugget: 2 for full support, 1 for partial support."""
    return {doc: flat()[0].judgments.labels(doc) for doc in texts()}


def of_library(docs: Sequence[str]) -> dict[str, float]:
    """Return the six scores of nuggetizer for a list of passages, by their names in papers."""
    ranked = flat()[0].reordered(docs)
    return {name: dm.metric(f"nuggetizer:{row}@{len(docs)}").score(ranked) for name, row in SCORES.items()}


def fours() -> Iterator[tuple[str, ...]]:
    """Yield all sets of four passages."""
    return combinations(texts(), 4)


def opposed(one: Sequence[float], other: Sequence[float]) -> tuple[int, int]:
    """Return how many pairs two scores order oppositely, and the number of pairs."""
    x, y = np.asarray(one), np.asarray(other)
    i, j = np.triu_indices(len(x), 1)
    return int(((x[i] - x[j]) * (y[i] - y[j]) < -1e-12).sum()), len(i)


# -- real answers -------------------------------------------------------------------------------------------


@cache
def real() -> pd.DataFrame:
    """Return the six scores of three real systems, a row per topic and run."""
    scores = dm.datasets.rag2024_scores()
    wide = scores.pivot(index=["topic", "run"], columns="metric", values="score")
    return wide.rename(columns={f"nuggetizer:{row}": name for name, row in SCORES.items()})[list(SCORES)]


def opposed_answers(one: str, other: str) -> tuple[int, int]:
    """Return how many pairs of answers to a question two scores order oppositely, and how many there are."""
    counts = [opposed(list(of[one]), list(of[other])) for _, of in real().groupby(level="topic")]
    return sum(count for count, _ in counts), sum(pairs for _, pairs in counts)


def leads_apart() -> pd.DataFrame:
    """Test by how much the lead of one system over another differs between two scores, for all pairs of both.

    The column "of all" has the p-values, corrected for all of these tests by Holm's method.
    """
    pairs = combinations(SCORES, 2)
    apart = pd.DataFrame({f"{one} less {other}": real()[one] - real()[other] for one, other in pairs})
    scores = apart.melt(ignore_index=False, var_name="metric", value_name="score").reset_index()
    tests = dm.meta.paired_t_test(scores, correction="none")
    return tests.assign(**{"of all": dm.meta.holm(tests["p_value"].to_numpy())})


# -- made-up passages ---------------------------------------------------------------------------------------

SHAPES = (3, 20, 57)  # nuggets of a topic
CUTOFFS = (5, 10, 20)
SEEDS = range(6)
ONE, FEW, MANY = (1, 1), (1, 4), (3, 10)  # the least and the most nuggets of a passage


@cache
def _made_up(
    nuggets: int, cutoff: int, drawn: str, seed: int, carried: tuple[int, int]
) -> tuple[Batch, np.ndarray, np.ndarray]:
    """Return fifty random lists, and for each the number of its nuggets and of its distinct nuggets."""
    random = np.random.default_rng(seed)
    weights = np.ones(nuggets) if drawn == "evenly" else 1 / np.arange(1, nuggets + 1)
    sizes = np.minimum(random.integers(carried[0], carried[1] + 1, size=40), nuggets)
    passages = [random.choice(nuggets, size, replace=False, p=weights / weights.sum()) for size in sizes]
    topic = dm.Topic("made up", tuple(dm.Intent(str(n), 1 / nuggets) for n in range(nuggets)))
    labels: Grades = {f"p{d:02}": {str(n): 1 for n in each} for d, each in enumerate(passages)}
    every = dm.RankedList(topic, list(labels), labels)
    lists = [every.reordered(random.permutation(every.docs)[:cutoff]) for _ in range(50)]
    supported = [[n for doc in each.docs for n in labels[doc]] for each in lists]
    return (
        batch_lists(lists),
        np.array([*map(len, supported)]),
        np.array([len(set(each)) for each in supported]),
    )


_metric = cache(dm.metric)  # parsing looks for plugins, which takes longer than scoring


@cache
def _scores(
    name: str, nuggets: int, cutoff: int, drawn: str, seed: int, carried: tuple[int, int]
) -> np.ndarray:
    """Return the scores of a metric on the fifty lists."""
    batch, *_ = _made_up(nuggets, cutoff, drawn, seed, carried)
    return _metric(f"{name}@{cutoff}").scores(batch)[0]


def measured(
    nuggets: int,
    cutoff: int,
    drawn: str = "evenly",
    seed: int = 0,
    carried: tuple[int, int] = FEW,
    alphas: tuple[float, float] = (0, 0.9),
) -> dict[str, float]:
    """Measure fifty random lists of made-up passages.

    drawn: "evenly", or "by popularity": then nugget n is drawn in proportion to 1/n.
    carried: the least and the most nuggets of a passage.
    alphas: a pair flips if alpha-nDCG with the one and with the other alpha prefers different lists of it.
    """
    shape = (nuggets, cutoff, drawn, seed, carried)
    _, supported, distinct = _made_up(*shape)
    coverage = _scores("Coverage", *shape)
    low, high = (_scores(f"alpha-nDCG(alpha={alpha})", *shape) for alpha in alphas)
    i, j = np.triu_indices(50, 1)
    flipped = (low[i] - low[j]) * (high[i] - high[j]) < -1e-12
    repeats = supported > distinct
    return {
        "coverage": float(coverage.mean()),
        "pairs tied": float(np.isclose(coverage[i], coverage[j]).mean()),
        "nuggets repeated": float(1 - distinct.sum() / supported.sum()),
        "pairs flipped by alpha": float(flipped.mean()),
        "flipped without repetition": float((flipped & ~repeats[i] & ~repeats[j]).mean()),
    }


def means_without_repetition(alpha: float) -> tuple[float, float]:
    """Return the means of alpha-nDCG@3 of two systems over two questions, in whose lists no nugget repeats.

    Three passages support the only nugget of the first question. In the second each supports another one.
    """
    same: Grades = {doc: {"1": int(doc in "abc")} for doc in "abcjk"}
    other: Grades = {"a": {"1": 1}, "b": {"2": 1}, "c": {"3": 1}, "j": {"1": 0}}
    score = _metric(f"alpha-nDCG(alpha={alpha})@3").score
    totals = {"one": 0.0, "other": 0.0}
    for labels, lists in ((same, ("ajk", "jak")), (other, ("abj", "abc"))):
        nuggets = sorted({str(n) for of in labels.values() for n in of})
        topic = dm.Topic("made up", tuple(dm.Intent(n, 1 / len(nuggets)) for n in nuggets))
        for system, docs in zip(totals, lists, strict=True):
            totals[system] += float(score(dm.RankedList(topic, list(docs), labels))) / 2
    return totals["one"], totals["other"]


def shapes(cutoffs: Sequence[int] = (5, 20)) -> pd.DataFrame:
    """Return the means over six seeds, by cutoff, way of drawing and number of nuggets."""
    rows = {
        (f"@{cutoff}", drawn, nuggets): pd.DataFrame(
            [measured(nuggets, cutoff, drawn, seed) for seed in SEEDS]
        ).mean()
        for cutoff, drawn, nuggets in product(cutoffs, ("evenly", "by popularity"), SHAPES)
    }
    table = pd.DataFrame(rows).T.drop(columns="flipped without repetition")
    return table.rename_axis(["cutoff", "drawn", "nuggets"])


# -- the exercises ------------------------------------------------------------------------------------------


@cache
def _second_time() -> tuple[float, dict[float, str]]:
    mine = flat()[0].reordered(["calendar", "winter", "honey", "mites"])
    contributions = dm.explain("alpha-DCG@4", mine)
    right = float(contributions.loc[contributions["rank"] == 2, "contribution"].sum())
    return right, {
        right * np.log2(3): "the discount of rank 2 is missing",
        2 * right: "both nuggets are covered at rank 1: each counts half now",
    }


@Check.number(0, 2, decimals=4)
def second_time(answer: float) -> bool | str:
    """Check exercise 1 of lesson 24: what a passage adds whose nuggets are known."""
    return compare(answer, *_second_time(), within=1e-3, near=1e-3)


why_1 = "Two nuggets, each for the second time: twice a half, discounted."


@Check.several(sorted(DOCS), 4)
def all_vital(docs: Sequence[str]) -> bool | str:
    """Check exercise 2 of lesson 24: four passages that fully support all vital nuggets."""
    full = {n for doc in docs for n, grade in support()[doc].items() if grade == 2}
    vital = bank().query("importance == 'vital'")["nugget"]
    missing = [text for number, text in vital.items() if number not in full]
    if len(docs) != 4:
        return "expected four passages"
    return not missing or f"not fully supported: {'; '.join(missing)}"


why_2 = "No other four passages do."
