"""For lesson 17: rankings on halves of the topics, ties, and the checks of the exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics import meta
from divmetrics.optional import import_optional
from divmetrics_widgets import Check
from divmetrics_widgets.lessons.slips import compare

FOUR = ["ERR-IA", "alpha-nDCG", "D#-nDCG", "S-recall"]


def matrices(scores: pd.DataFrame, metrics: Sequence[str]) -> dict[str, np.ndarray]:
    """Return an array of scores (topic, run) for each metric."""
    table = meta.score_table(scores, list(metrics))
    return dict(zip(table.metrics, table.values, strict=True))


def settings() -> Iterator[tuple[str, pd.DataFrame, list[str]]]:
    """Yield four settings by name, two sets of queries and two cutoffs: the scores, and the four metrics."""
    for language in ("en", "cn"):
        scores = dm.datasets.imine_scores(language)
        for cutoff in (10, 20):
            names = [f"{metric}@{cutoff}" for metric in FOUR]
            yield f"{language}, at {cutoff}", scores[scores["metric"].isin(names)], names


def orders_of(topics: int, splits: int = 500, seed: int = 0) -> list[np.ndarray]:
    """Return random orders of the topics, whose first and last halves are compared."""
    random = np.random.default_rng(seed)
    return [random.permutation(topics) for _ in range(splits)]


def summarised(taus: Sequence[float]) -> dict[str, float]:
    """Return the median of the values, and the ends of the middle 90 %."""
    low, middle, high = np.quantile(taus, [0.05, 0.5, 0.95])
    return {"tau": middle, "low": low, "high": high}


def nearer_than_other_topics(
    taus: Callable[..., list[float]], part: int | None = None
) -> tuple[list[float], dict[str, int]]:
    """Compare two metrics on one half of the topics with one of them on both halves, by median tau.

    With `part`, two parts of so many topics take the place of the halves.

    Returns each metric's median with itself, and in how many of 16 trials (four settings, two seeds, either
    metric as the one that is compared with itself) two metrics agree better than that. `taus` takes two
    arrays of scores, the topics of each, and the splits.
    """
    own: list[float] = []
    nearer = {" ".join(pair): 0 for pair in combinations(FOUR, 2)}
    for (_, scores, names), seed in product(settings(), (0, 1)):
        x = matrices(scores, names)
        topics = len(x[names[0]])
        splits, size = orders_of(topics, seed=seed), part or topics // 2
        first, last = slice(0, size), slice(size, 2 * size)
        itself = [float(np.median(taus(x[name], x[name], first, last, splits))) for name in names]
        own += itself
        for pair, (a, b) in zip(nearer, combinations(range(4), 2), strict=True):
            same_half = np.median(taus(x[names[a]], x[names[b]], first, first, splits))
            nearer[pair] += int(same_half > itself[a]) + int(same_half > itself[b])
    return own, nearer


def swaps(
    scores: pd.DataFrame, metrics: Sequence[str], tests: Sequence[str] = ("single tests", "Holm")
) -> pd.DataFrame:
    """Count, for each two metrics, the pairs of runs that they swap, and those that a test tells apart.

    "either" counts pairs that differ significantly by at least one of the two metrics, "both" those that
    differ significantly in opposite directions. The tests are paired t-tests, as they are ("single tests"),
    with Holm's correction ("Holm"), or with that of Benjamini and Hochberg ("BH").
    """
    stats = import_optional("scipy.stats", "the correction of Benjamini and Hochberg")
    single = meta.paired_t_test(scores, list(metrics), correction="none")
    by_metric = single.groupby("metric")["p_value"]
    p_values = {
        "single tests": lambda: single["p_value"],
        "Holm": lambda: meta.paired_t_test(scores, list(metrics))["asl"],
        "BH": lambda: by_metric.transform(stats.false_discovery_control),
    }
    columns = {how: p_values[how]() for how in tests}
    tested = single.assign(**columns).pivot(index=["run_a", "run_b"], columns="metric")
    difference = tested["difference"].round(12)
    rows = {}
    for one, other in combinations(metrics, 2):
        swapped = difference[one] * difference[other] < 0
        counts = {"swapped pairs": swapped.sum()}
        for how in tests:
            first, second = (tested[how][name] < 0.05 for name in (one, other))
            counts[f"either, {how}"] = (swapped & (first | second)).sum()
            counts[f"both, {how}"] = (swapped & first & second).sum()
        rows[one, other] = counts
    return pd.DataFrame.from_dict(rows, "index")


def every_two_metrics() -> pd.DataFrame:
    """Return `swaps` of each two flat metrics, at two cutoffs and on two sets of queries, by all tests."""
    tests, tables = ("single tests", "Holm", "BH"), []
    for language, cutoff in product(("en", "cn"), (10, 20)):
        scores = dm.datasets.imine_scores(language)
        names = [name for name in scores["metric"].unique() if name.endswith(f"@{cutoff}")]
        tables.append(swaps(scores, [name for name in names if "-IS" not in name], tests))
    return pd.concat(tables)


def by_topic(scores: pd.DataFrame, names: Sequence[str], shuffles: int = 1_000) -> pd.DataFrame:
    """Compare tau_ap with the first metric: of means, and averaged over topics for random orders of ties."""
    values = matrices(scores, names)
    truth = values.pop(names[0])
    runs = truth.shape[1]
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(runs), (shuffles, 1)), axis=1)
    rows = {}
    for name, x in values.items():
        shuffled = np.mean(
            [meta.tau_ap_of_orders(a, b, orders) for a, b in zip(truth, x, strict=True)], axis=0
        )
        of_means = meta.tau_ap(truth.mean(axis=0), x.mean(axis=0), ties="averaged")
        rows[name] = [of_means, shuffled.mean(), shuffled.min(), shuffled.max()]
    return pd.DataFrame.from_dict(
        rows, "index", columns=["of the means", "mean over topics", "lowest", "highest"]
    )


# -- the exercises ------------------------------------------------------------------------------------------

exact = meta.tau_ap([4, 3, 2, 1], [4, 1, 3, 2])
_slips = {
    meta.kendall([4, 3, 2, 1], [4, 1, 3, 2]): "that is tau",
    7 / 9: "double it and subtract 1",
    meta.tau_ap([4, 1, 3, 2], [4, 3, 2, 1]): "you walked down the truth",
}


@Check.number(-1, 2, decimals=4)
def walked(value: float) -> bool | str:
    """Check exercise 1 of lesson 17: a tau_ap by hand."""
    hint = "work out the shares at places 2, 3 and 4, and add them up"
    return compare(value, exact, _slips, within=0.005, near=0.005, otherwise=hint)


why_1 = "At place 4 one of three is right."


@Check.several("ABCDE", 5, make="".join)
def top_heavy(text: str) -> bool | str:
    """Check exercise 2 of lesson 17: a ranking whose tau_ap is well above its tau."""
    if sorted(text) != list("ABCDE"):
        return "expected the letters A to E, each once"
    scores = [5 - text.index(letter) for letter in "ABCDE"]
    tau, tau_ap = meta.kendall([5, 4, 3, 2, 1], scores), meta.tau_ap([5, 4, 3, 2, 1], scores)
    missing = "the other way round" if tau_ap < tau else "not far enough apart"
    return tau_ap - tau > 0.25 or f"tau is {tau:.2f}, tau_ap {tau_ap:.2f}: {missing}"


chinese, lengths = dm.datasets.imine_scores("cn"), dm.datasets.imine_lengths("cn")
nonempty = chinese[~chinese["topic"].isin(lengths.loc[lengths["documents"] == 0, "topic"])]


@cache
def _winners() -> tuple[str, ...]:
    return tuple(meta.means(x, "alpha-nDCG@20").set_index("rank")["run"][1] for x in (chinese, nonempty))


@Check.several(sorted(set(chinese["run"])), 2)
def before_and_after(names: Sequence[str]) -> bool | str:
    """Check exercise 3 of lesson 17: the best run with and without topics that some run did not answer."""
    answers = zip(("before", "after"), names, _winners(), strict=True)
    wrong = [when for when, name, right in answers if name != right]
    return not wrong or f"another run is first {' and '.join(wrong)}"


why_3 = "The winner of all topics falls to second place."
