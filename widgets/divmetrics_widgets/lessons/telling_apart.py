"""For lesson 18: tests on many worlds at once, and the checks of the exercises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics import meta
from divmetrics.core.runs import RankedList
from divmetrics.optional import import_optional
from divmetrics_widgets import Check

stats = import_optional("scipy.stats", "lesson 18")

FIVE = ["ERR-IA", "alpha-nDCG", "nDCG-IA", "D#-nDCG", "S-recall"]
RUN, OTHER = "Sem13-D-E-1A", "Sem13-D-E-3A"


def nearest(value: float, choices: Sequence[str]) -> str:
    """Return the choice, a number as text, whose ratio to the value is nearest to 1."""
    return min(choices, key=lambda choice: abs(np.log(float(choice) / value)))


def settings() -> Iterator[tuple[str, np.ndarray]]:
    """Yield 20 tables of scores (topic, run) by name: five metrics, two cutoffs, two sets of queries."""
    for language in ("en", "cn"):
        scores = dm.datasets.imine_scores(language)
        for name in (f"{metric}@{cutoff}" for metric in FIVE for cutoff in (10, 20)):
            one = scores[scores["metric"] == name]
            yield (
                f"{name} {language}",
                one.pivot(index="topic", columns="run", values="score").to_numpy(),
            )


def _t_of_pairs(x: np.ndarray) -> np.ndarray:
    i, j = np.triu_indices(x.shape[-1], 1)
    z = x[..., i] - x[..., j]
    with np.errstate(divide="ignore", invalid="ignore"):
        return z.mean(axis=-2) / (z.std(axis=-2, ddof=1) / np.sqrt(z.shape[-2]))


def p_of_pairs(x: np.ndarray) -> np.ndarray:
    """Return p-values of the paired t-test, (..., pair), for scores (..., topic, run)."""
    return np.nan_to_num(2 * stats.t.sf(np.abs(_t_of_pairs(x)), x.shape[-2] - 1), nan=1.0)


def classical_hsd(x: np.ndarray, level: float = 0.05) -> np.ndarray:
    """Return the honestly significant difference of the classical Tukey test for scores (..., topic, run)."""
    topics, runs = x.shape[-2:]
    free = (topics - 1) * (runs - 1)
    rest = x - x.mean(axis=-2, keepdims=True) - x.mean(axis=-1, keepdims=True)
    rest = rest + x.mean(axis=(-2, -1), keepdims=True)
    return _studentized_range(level, runs, free) * np.sqrt((rest**2).sum(axis=(-2, -1)) / free / topics)


@cache
def _studentized_range(level: float, runs: int, free: int) -> float:
    return float(stats.studentized_range.ppf(1 - level, runs, free))


def error_rates(worlds: np.ndarray, tested: np.ndarray | None = None) -> tuple[float, float, float]:
    """Return how often single t-tests, Bonferroni and classical Tukey err in worlds without differences.

    `tested` marks the pairs that the t-tests test; without it they test all.
    """
    few_at_once = np.array_split(worlds, max(1, len(worlds) // 50))  # few fit into the processor's cache
    t = np.concatenate([_t_of_pairs(few) for few in few_at_once])
    t = t if tested is None else t[..., tested]
    pairs, topics = t.shape[-1], worlds.shape[-2]
    least = 2 * stats.t.sf(np.nan_to_num(np.abs(t), nan=0.0, posinf=np.inf).max(axis=-1), topics - 1)
    gap = np.ptp(worlds.mean(axis=-2), axis=-1)
    return (
        float(np.mean(least < 0.05)),
        float(np.mean(least * pairs < 0.05)),
        float(np.mean(gap > classical_hsd(worlds))),
    )


def seldom_tied(x: np.ndarray) -> np.ndarray:
    """Mark the pairs of runs, of scores (topic, run), that are tied on at most a third of the topics."""
    i, j = np.triu_indices(x.shape[1], 1)
    return np.isclose(x[:, i], x[:, j]).mean(axis=0) <= 1 / 3


def error_with_ties(x: np.ndarray, topics: np.ndarray) -> float:
    """Return how often Bonferroni errs in worlds without differences in which tied scores stay tied.

    x: the scores (topic, run). The mean of a pair's differences is taken away where they are not 0.
    topics: the topics that are drawn for each world, (world, topic).
    """
    i, j = np.triu_indices(x.shape[1], 1)
    z = x[:, i] - x[:, j]
    untied = ~np.isclose(z, 0)
    equal = np.where(untied, z - z.sum(axis=0, where=untied) / np.maximum(untied.sum(axis=0), 1), 0)
    p = stats.ttest_1samp(equal[topics], 0, axis=1).pvalue  # not a number where all drawn topics are ties
    return float(np.mean(np.nan_to_num(p, nan=1.0).min(axis=-1) * len(i) < 0.05))


def compare_tests(kinds: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return the share of worlds (world, topic, run) without differences in which each test errs, by kind."""
    rows = ["single t-tests", "Bonferroni or Holm", "classical Tukey HSD"]
    rates = {}
    for kind, worlds in kinds.items():
        parts = np.array_split(worlds, len(worlds) // 500)  # many worlds at once fill the memory
        # Where nothing differs, Holm's first step, which is Bonferroni's, decides.
        rates[kind] = np.mean([error_rates(part) for part in parts], axis=0)
    return pd.DataFrame(rates, rows).map("{:.1%}".format)


def randomised_errors(worlds: np.ndarray, ranges: Callable[..., np.ndarray]) -> float:
    """Return how often randomised Tukey HSD errs in worlds (world, topic, run) without differences.

    `ranges` returns the largest difference in each trial. Of 199 trials at most 9 may reach the observed one.
    """
    reached = [(ranges(w, 199, n) >= np.ptp(w.mean(axis=0))).sum() for n, w in enumerate(worlds)]
    return float(np.mean(np.array(reached) <= 9))


def power_of(pairs: pd.DataFrame) -> pd.Series:
    """Return the number of pairs that a test finds, by metric."""
    return meta.discriminative_power(pairs).set_index("metric")["significant"]


def leaders(metrics: Sequence[str], topics: int, seed: int, draws: int = 30) -> Counter[str]:
    """Count for which metric Holm finds the most pairs, over draws of some of the English topics."""
    table = meta.score_table(dm.datasets.imine_scores("en"), list(metrics))
    random = np.random.default_rng(seed)
    drawn = (random.choice(len(table.topics), topics, replace=False) for _ in range(draws))
    counts = [[(meta.holm(p) < 0.05).sum() for p in p_of_pairs(table.values[:, rows])] for rows in drawn]
    return Counter(table.metrics[np.argmax(of_draw)] for of_draw in counts)


# -- the exercises ------------------------------------------------------------------------------------------


@Check.number(0, 1, decimals=4)
def small_enough(level: float) -> bool | str:
    """Check exercise 1 of lesson 18: a p-value that no trial shows."""
    if not 0 < level < 1:
        return "a level lies between 0 and 1"
    missed = (1 - level) ** 5_000
    return abs(missed - 0.05) < 0.002 or f"then 5,000 draws miss it in {missed:.1%} of all experiments"


why_1 = (
    "So a p-value up to 0.0006 is possible: about 3, divided by the number of trials. A test that keeps its "
    "level reports (0 + 1) / (5,000 + 1) = 0.0002 instead."
)


@cache
def _scores_of_two_runs() -> pd.DataFrame:
    scores = dm.datasets.imine_scores("en")
    return scores[(scores["metric"] == "ERR-IA@20") & scores["run"].isin([RUN, OTHER])]


def asl_with(score: float, topic: str = "0078") -> float:
    """Return the ASL of the two runs if the first had this score on that topic."""
    scores = _scores_of_two_runs()
    here = (scores["run"] == RUN) & (scores["topic"] == topic)
    changed = scores.assign(score=scores["score"].mask(here, score))
    return float(meta.paired_bootstrap(changed, "ERR-IA@20", trials=10_000, workers=1)["asl"].item())


@cache
def answered(topic: str) -> RankedList:
    """Return the first run's list for a topic, rebuilt."""
    return dm.datasets.yu2017().list(RUN, topic)


@Check.several([list(answered("0053").docs[:10]), range(1, 11)], make=tuple, names=["document", "new rank"])
def one_move(move: tuple[str, int]) -> bool | str:
    """Check exercise 2 of lesson 18: a document and its new rank."""
    doc, rank = move
    ten, rest = answered("0053").docs[:10], answered("0053").docs[10:]
    others = [x for x in ten if x != doc]
    moved = answered("0053").reordered([*others[: rank - 1], doc, *others[rank - 1 :], *rest])
    asl = asl_with(dm.metric("ERR-IA@20").score(moved), "0053")
    return asl > 0.06 or f"the ASL is {asl:.3f}"


why_2 = "One document on one of 32 topics."


def silly(values: Sequence[float], noise: float = 0.0, seed: int = 0) -> pd.DataFrame:
    """Return scores of a metric that gives the runs, in alphabetical order, these values on every topic."""
    scores = dm.datasets.imine_scores("en")
    scores = scores[scores["metric"] == "ERR-IA@20"]
    names = sorted(scores["run"].unique())
    luck = np.random.default_rng(seed).normal(0, noise, len(scores)) if noise else 0
    of_run = dict(zip(names, map(float, values), strict=True))
    return scores.assign(metric="alphabet", score=scores["run"].map(of_run) + luck)


def told_apart(scores: pd.DataFrame) -> int:
    """Return how many pairs of runs randomised Tukey HSD finds."""
    return int(meta.discriminative_power(meta.tukey_hsd(scores, trials=5_000))["significant"].item())


@cache
def _equal_steps() -> int:
    return told_apart(silly(range(15)))


def sillier(values: Sequence[float]) -> bool | str:
    """Check exercise 3 of lesson 18: 15 numbers of which Tukey HSD tells more pairs apart."""
    if len(values) != 15:
        return f"expected 15 numbers, found {len(values)}"
    count = told_apart(silly(values))
    return count > _equal_steps() or f"it tells {count} pairs apart; equal steps tell {_equal_steps()}"


why_3 = "And it has still not seen a document."
