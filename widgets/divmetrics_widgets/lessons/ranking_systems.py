"""For lesson 17: rankings on halves of the topics, ties, and the checks of the exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import pandas as pd

import divmetrics as dm
from divmetrics import meta
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


def swapped_and_found(
    scores: pd.DataFrame, truth: str, metric: str, test: Callable[..., pd.DataFrame]
) -> tuple[int, int]:
    """Return how many pairs two metrics swap, and for how many the test finds a difference by either."""
    tested = test(scores, [truth, metric])
    wide = tested.pivot(index=["run_a", "run_b"], columns="metric")
    swapped = wide["difference"].to_numpy().prod(axis=1) < -1e-12
    significant = wide["asl"].to_numpy().min(axis=1) < 0.05
    return int(swapped.sum()), int((swapped & significant).sum())


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
