"""Lesson 09: its topics, the choices its conclusions are tried under, and the checks of its exercises."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from math import log2
from random import Random
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists, make_batch
from divmetrics.core.batch import Batch
from divmetrics.core.metric import Metric
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.evaluation import evaluate
from divmetrics.optional import import_optional
from divmetrics.parts import ExactIdeal, FirstCover, Graded, GreedyIdeal, One, Reciprocal
from divmetrics.registry.parse import metric
from divmetrics.research import datasets
from divmetrics_widgets.check import Check

if TYPE_CHECKING:
    from divmetrics.notebook.charts import Figure

Served = Mapping[str, Any]  # what each document serves: intents, or grades by intent

ABOUT = {
    "a": "the band's song about a car",
    "b": "why planet and element share a name",
    "c": "the messenger of the gods",
    "d": "how the band found its name",
    "e": "liquid metal in the band's video",
}
MERCURY = {
    "a": ["band", "car"],
    "b": ["planet", "element"],
    "c": ["god"],
    "d": ["god", "band"],
    "e": ["element", "band"],
}
SECOND = {"a": list("stwz"), "b": list("uvx"), "c": list("svwx"), "d": list("twxyz")}
TOPICS = {"mercury": MERCURY, "second topic": SECOND}
TIES = ["ties=ascending", "ties=descending", "ideal=exact"]
WHY_ABOVE = "Greedy begins with e, which takes something from each of a, b and d."
WHY_BROKEN = "A poor first page uses up the intent."


def judged_list(served: Served, name: str = "made up") -> RankedList:
    """Return a list of all documents of a topic whose intents are equally likely."""
    judged = {doc: x if isinstance(x, dict) else dict.fromkeys(x, 1) for doc, x in served.items()}
    ids = sorted({intent for grades in judged.values() for intent in grades})
    topic = Topic(name, tuple(Intent(i, 1 / len(ids)) for i in ids))
    return RankedList(topic, sorted(judged), judged)


FIVE, FOUR = judged_list(MERCURY, "mercury"), judged_list(SECOND, "second topic")


def best_score(served: Served, by: str, alpha: float = 0.5, cutoff: int = 3) -> float:
    """Return the highest alpha-nDCG of all lists, with this rule for ties or ideal list."""
    ranked = judged_list(served)
    lists = batch_lists([ranked.reordered(docs) for docs in permutations(ranked.docs, cutoff)])
    return float(metric(f"alpha-nDCG({by},alpha={alpha})@{cutoff}").scores(lists).max())


def best_docs(rounded: float) -> set[str]:
    """Return the lists of three about mercury with this alpha-DCG@3, if none has a higher one."""
    scores = {docs: metric("alpha-DCG@3").score(FIVE.reordered(docs)) for docs in permutations(FIVE.docs, 3)}
    highest = round(float(max(scores.values())), 4)
    return {"".join(docs) for docs, score in scores.items() if round(float(score), 4) == highest == rounded}


def never_above_1(topic: str, by: str, alpha: float, cutoff: int) -> bool:
    """Return whether no list scores above 1."""
    return best_score(TOPICS[topic], by, alpha, cutoff) < 1 + 1e-9


def ties_table() -> pd.DataFrame:
    """Return alpha-nDCG@3 of the best list of both topics, a column per rule."""
    rows = {"mercury: a b d": FIVE.reordered(list("abd")), "second topic: d b a": FOUR.reordered(list("dba"))}
    table = {name: [metric(f"alpha-nDCG({by})@3").score(each) for by in TIES] for name, each in rows.items()}
    return pd.DataFrame.from_dict(table, "index", columns=TIES).round(4)


# -- greedy against exact -----------------------------------------------------------------------------------

COLLECTIONS = {"small, mixed": 100, "trec-web-2009": 50, "intent-1": 100}


@cache
def _made(collection: str, seed: int) -> Any:
    preset = None if "," in collection else collection
    return datasets.synthetic(preset, topics=COLLECTIONS[collection], seed=seed)


@cache
def _ideals(collection: str, seed: int, cutoff: int, alpha: float) -> np.ndarray:
    """Return what the ideal lists earn, (greedy ascending, greedy descending, exact) by topic."""
    judged = make_batch(_made(collection, seed))
    rows = [cast(Metric, metric(f"alpha-nDCG({by},alpha={alpha})@{cutoff}")) for by in TIES]
    return np.array([cast(Any, row.N)(judged, row).ravel() for row in rows])


def misses(collection: str, seed: int = 0, cutoff: int = 10, alpha: float = 0.5) -> tuple[int, int]:
    """Return on how many topics the greedy list is not the best, under both rules for ties."""
    up, down, exact = _ideals(collection, seed, cutoff, alpha)
    return int((up < exact - 1e-9).sum()), int((down < exact - 1e-9).sum())


def best_by_greedy(collection: str, seed: int = 0, cutoff: int = 10, alpha: float = 0.5) -> float:
    """Return the largest ratio of the best list to the greedy list, over topics and both rules."""
    up, down, exact = _ideals(collection, seed, cutoff, alpha)
    return float((exact / np.minimum(up, down)).max())


def most_lost(cutoff: int, alpha: float, seed: int = 0) -> float:
    """Return the largest ratio of the best list to the greedy list in a sample of the three collections."""
    return round(max(best_by_greedy(name, seed, cutoff, alpha) for name in COLLECTIONS), 4)


def is_proved(alpha: float, seconds: float) -> bool:
    """Return whether so many seconds are enough to prove the best list of ten of the hardest topic.

    With alpha=1, 30 seconds are not enough.
    """
    made = _made("intent-1", 0)
    row = cast(Metric, metric(f"alpha-nDCG(alpha={alpha})@10"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ExactIdeal(time_limit=seconds)(make_batch(made, topics=["094"]), row)
    return not caught


def misses_table(alphas: Sequence[float]) -> pd.DataFrame:
    """Return on how many topics greedy misses the best list of ten, and by how much at most."""
    columns = {"topics": pd.Series(COLLECTIONS)}
    for alpha in alphas:
        of = {name: (*misses(name, alpha=alpha), best_by_greedy(name, alpha=alpha)) for name in COLLECTIONS}
        columns[f"missed, alpha = {alpha}"] = pd.Series(
            {name: max(up, down) for name, (up, down, _) in of.items()}
        )
        columns[f"best / greedy, alpha = {alpha}"] = pd.Series(
            {name: f"{x:.4f}" for name, (_, _, x) in of.items()}
        )
    return pd.DataFrame(columns)


def runs_above_1(alpha: float, seed: int) -> int:
    """Return how many lists of simulated runs score above 1, under the rule for ties that has more."""
    counts = []
    for by in TIES[:2]:
        name = f"alpha-nDCG({by},alpha={alpha})@10"
        scores = np.concatenate([evaluate(_made(each, seed), None, [name])["score"] for each in COLLECTIONS])
        counts.append(int((scores > 1 + 1e-9).sum()))
    return max(counts)


# -- the promise --------------------------------------------------------------------------------------------

PROMISED = 1 - (1 - 1 / 3) ** 3  # of the best list of three


@cache
def _random_topics(seed: int, count: int) -> list[tuple[int, Batch]]:
    """Return all lists of three of random topics of at most seven pages, with the number of sets of three."""
    rng, made = Random(seed), []
    for _ in range(count):
        grades = {d: {i: rng.choice([1, 2]) for i in "uvwxyz" if rng.random() < 0.35} for d in "abcdefg"}
        ranked = judged_list({d: g for d, g in grades.items() if g})
        sets = [*combinations(ranked.docs, 3)]
        if sets:
            orders = [ranked.reordered(docs) for three in sets for docs in permutations(three)]
            made.append((len(sets), batch_lists(orders)))
    return made


def _row(name: str, **parts: Any) -> Metric:
    return replace(cast(Metric, metric(f"{name}@3")), **parts)


ROWS = {
    "novelty, w = 1: G": _row("alpha-DCG", w=One()),
    "novelty, w = 1/log₂(k+1): alpha-DCG": _row("alpha-DCG"),
    "novelty with alpha = 0.9, w = 1/k": _row("alpha-DCG(alpha=0.9)", w=Reciprocal()),
    "first cover: S-recall": _row("S-recall"),
    "cascade, w = 1": _row("ERR-IA", w=One()),
    "cascade, w = 1/k: ERR-IA": _row("ERR-IA"),
    "gain, w = 1/log₂(k+1): D-nDCG's": _row("D-nDCG", N=One()),
    "grade of the first page, w = 1": _row("alpha-DCG", w=One(), M=Graded() * FirstCover()),
}
FIRST_PAGES = "grade of the first page, w = 1"
ASKED = {
    "ERR-IA": "cascade, w = 1/k: ERR-IA",
    "D-nDCG": "gain, w = 1/log₂(k+1): D-nDCG's",
    "first pages": FIRST_PAGES,
}


@cache
def worst(row: str, seed: int = 0, count: int = 100) -> tuple[float, bool]:
    """Return the lowest ratio of the greedy list to the best, and whether order never changes the sum."""
    ratio, same, of = 1.0, True, ROWS[row]
    for sets, lists in _random_topics(seed, count):
        scores = of.scores(lists)[0].reshape(sets, 6)
        same &= bool((np.ptp(scores, axis=1) < 1e-9).all())
        ratio = min(ratio, float(GreedyIdeal()(lists, of).item() / scores.max()))
    return ratio, same


def keeps_promise(row: str, seed: int) -> bool:
    """Return whether greedy never gets less of the best list of three than the theorem promises."""
    return worst(row, seed)[0] > PROMISED - 1e-9


def worst_table() -> pd.DataFrame:
    """Return the lowest ratio of greedy to best in 100 random topics, a row per row."""
    of = {name: worst(name) for name in ROWS}
    rows = {name: ["yes" if same else "no", f"{ratio:.4f}"] for name, (ratio, same) in of.items()}
    return pd.DataFrame.from_dict(rows, "index", columns=["a set function?", "greedy / best, at worst"])


def increasing(divisor: str, pages: int, own: int = 2, further: int = 0) -> float:
    """Return greedy / best under AP-IA, for pages that serve intents of their own and as many that share one.

    own: how many intents of its own each of the first kind has; further: how many more pages each of these
    intents has. The best list may be better than those that we compare, and the ratio lower.
    """
    served = {f"a{n}": [f"x{n} {i}" for i in range(own)] for n in range(pages)}
    served |= {f"b{n}": ["z"] for n in range(pages)}
    served |= {f"{i} {m}": [i] for n in range(pages) for i in served[f"a{n}"] for m in range(further)}
    both, row = judged_list(served), metric(f"AP-IA(of={divisor})@{pages}")
    docs: list[str] = []
    while len(docs) < pages:
        left = [doc for doc in served if doc not in docs]
        docs.append(
            left[int(row.scores(batch_lists([both.reordered([*docs, doc]) for doc in left])).argmax())]
        )
    tried = [[f"{kind}{n}" for n in range(pages)] for kind in "ab"]
    if further:
        tried.append(["a0", *(f"x0 0 {m}" for m in range(further))][:pages])
    return round(float(row.score(both.reordered(docs)) / max(row.score(both.reordered(x)) for x in tried)), 4)


def curve(collection: str = "intent-1") -> Figure:
    """Draw G of the best and of the greedy sets of a topic, and what the theorem promises."""
    alt = import_optional("altair", "a chart")
    charts = import_optional("divmetrics.notebook.charts", "a chart")
    up, _, exact = _ideals(collection, 0, 10, 0.5)
    made = _made(collection, 0)
    judged = make_batch(made, topics=[made.topics[int((exact / up).argmax())].id]).judged
    rows, least = [], 1.0
    for pages in range(1, 11):
        row = replace(cast(Metric, metric(f"alpha-DCG@{pages}")), w=One())
        greedy, most = (float(ideal.value(judged, row).item()) for ideal in (GreedyIdeal(), ExactIdeal()))
        promised, least = (1 - (1 - 1 / pages) ** pages) * most, min(least, greedy / most)
        rows += [("best", pages, most), ("greedy", pages, greedy), ("promised", pages, promised)]
    table = pd.DataFrame(rows, columns=["list", "pages", "G"])
    colour = alt.Color("list:N", title=None, scale=alt.Scale(range=["#0072B2", "#E69F00", "#777777"]))
    x = alt.X("pages:O", title="pages in the set", axis=alt.Axis(labelAngle=0))
    y = alt.Y("G:Q", title="novelty gain G of the set")
    lines = alt.Chart(table).mark_line(point=True).encode(x=x, y=y, color=colour, strokeDash="list:N")
    says = "G of the best sets and of the greedy list, and the least that the theorem promises."
    title = f"On this topic, greedy gets at least {least:.4f} of the best set"
    figure: Figure = charts.Figure.of(lines.properties(width=480, height=230), title, [says], says)
    return figure


# -- a metric written in the lesson -------------------------------------------------------------------------

Adds = Callable[[str, Sequence[str], Served, float], float]


def _random_served(seed: int, count: int) -> Iterator[dict[str, list[str]]]:
    rng = Random(seed)
    for _ in range(count):
        served = {d: [i for i in "uvwxyz" if rng.random() < 0.35] for d in "abcde"}
        yield {d: intents for d, intents in served.items() if intents}


def as_library(adds: Adds, alpha: float, seed: int) -> bool:
    """Return whether what documents add, discounted by rank, is alpha-DCG@3 on random topics."""
    row = metric(f"alpha-DCG(alpha={alpha})@3")
    for served in _random_served(seed, 20):
        ranked = judged_list(served)
        lists = [*permutations(ranked.docs, min(3, len(ranked.docs)))]
        ours = [
            sum(adds(d, docs[:k], served, alpha) / log2(k + 2) for k, d in enumerate(docs)) for docs in lists
        ]
        if not np.allclose(ours, row.scores(batch_lists([ranked.reordered(docs) for docs in lists]))[0]):
            return False
    return True


def diminishing(adds: Adds, alpha: float, seed: int) -> bool:
    """Return whether a document never adds more below one document more, nor less than 0."""
    for served in _random_served(seed, 20):
        for size in range(len(served)):
            for above in combinations(served, size):
                rest = [doc for doc in served if doc not in above]
                for doc, more in permutations(rest, 2):
                    less, few = adds(doc, [*above, more], served, alpha), adds(doc, above, served, alpha)
                    if not 0 <= less <= few + 1e-12:
                        return False
    return True


def sum_of_sets(adds: Adds, topic: str) -> bool:
    """Return whether alpha-DCG@3 is the sum of what its first sets are worth, with w(k) - w(k + 1)."""
    served, w = TOPICS[topic], [1, 1 / log2(3), 1 / 2, 0]
    for docs in permutations(served, 3):
        worth = np.cumsum([adds(d, docs[:k], served, 0.5) for k, d in enumerate(docs)])
        total = sum((w[k] - w[k + 1]) * worth[k] for k in range(3))
        if abs(total - metric("alpha-DCG@3").score(judged_list(served).reordered(docs))) > 1e-12:
            return False
    return True


# -- the exercises ------------------------------------------------------------------------------------------

# Exercise 1
WHY_1 = "Below it, a first; above it, no repetition."
COVER = judged_list({"a": "uvxy", "b": "uvw", "c": "xyz"})


def difference(alpha: float) -> float:
    """Return how far the list b, c is ahead of a, b."""
    row = metric(f"alpha-DCG(alpha={alpha})@2")
    return float(row.score(COVER.reordered(list("bc"))) - row.score(COVER.reordered(list("ab"))))


@Check.number(0, 1, decimals=2)
def turns_at(alpha: float) -> bool | str:
    """Check from which alpha on the list b, c is better."""
    if abs(1 - alpha - log2(3) / 2) < 0.005:
        return "that is 1 - alpha"
    if abs(difference(alpha)) < 0.005:
        return True
    leader = "b, c" if difference(alpha) > 0 else "a, b"
    return f"there, {leader} is ahead by {abs(difference(alpha)):.3f}"


# Exercise 2
WHY_2 = "At l = 2 the bound is 1 - (1 - 1/2)^2, and it is reached."
SOME = ["".join(letters) for size in range(1, 5) for letters in combinations("uvwx", size)]
TWO_RANKS = replace(cast(Metric, metric("alpha-DCG(alpha=1)@2")), w=One())


def _greedy_and_best(served: Served, row: Metric, length: int) -> tuple[float, float]:
    topic = judged_list(served)
    lists = [topic.reordered(docs) for docs in permutations(topic.docs, min(length, len(topic.docs)))]
    batch = batch_lists(lists)
    return float(GreedyIdeal()(batch, row).item()), float(row.scores(batch).max())


@Check.several(SOME, 3, make=lambda letters: dict(zip("abc", letters, strict=True)), names="abc")
def as_bad(served: Served) -> bool | str:
    """Check a topic on which greedy gets three quarters of the best pair."""
    greedy, best = _greedy_and_best(served, TWO_RANKS, 2)
    if greedy == best:
        return f"greedy finds the best pair, worth {best:g}"
    short = f"greedy has {greedy:g} of {best:g}, {greedy / best:.4f}: make its first choice spoil more"
    return greedy / best < 0.75 + 1e-9 or short


# Exercise 3
WHY_3 = "One poor page closes the doors of three good ones."


def no_promise(served: Mapping[str, Mapping[str, int]]) -> bool | str:
    """Check a topic on which the greedy list of three gets at most half of the best."""
    if not {grade for grades in served.values() for grade in grades.values()} <= {1, 2}:
        return "grades 1 and 2 only, please"
    greedy, best = _greedy_and_best(served, ROWS[FIRST_PAGES], 3)
    return greedy <= best / 2 + 1e-9 or f"greedy has {greedy:g} of {best:g}"
