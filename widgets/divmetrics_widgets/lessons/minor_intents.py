"""Lesson 07: best lists on real topics, the break-even probability, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pandas as pd

from divmetrics.core import batch_lists
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.notebook import charts
from divmetrics.registry.parse import metric
from divmetrics.research.counterfactual import reader_mix
from divmetrics.research.datasets import trec2009_best_lists
from divmetrics_widgets.check import Check
from divmetrics_widgets.lessons.ambiguous import SHARES, lists_for
from divmetrics_widgets.lessons.counting import LABELS
from divmetrics_widgets.lessons.lists import POTTER, every_list, potter
from divmetrics_widgets.lessons.slips import compare
from divmetrics_widgets.lessons.trials import Trials

SEVEN = ["P-IA", "AP-IA", "nDCG-IA", "Q-IA", "RBP-IA", "ERR-IA", "EBR-IA"]
VARIANTS = ["AP-IA(of=min)", "AP-IA(of=R)", "RBP-IA(phi=0.5)"]
ALL = ["P-IA", "AP-IA", *VARIANTS[:2], "nDCG-IA", "Q-IA", *VARIANTS[2:], "RBP-IA", "ERR-IA", "EBR-IA"]
FILMS, EVERYBODY = potter("d1 d2 d3", "film list"), potter("d7 d14 d17", "everybody")


@cache
def _best_lists() -> pd.DataFrame:
    return trec2009_best_lists()


def _chosen(probabilities: str, cutoff: int, top: int, search: str) -> pd.DataFrame:
    table = _best_lists()
    chosen = (table["probabilities"] == probabilities) & (table["cutoff"] == cutoff)
    return table[chosen & (table["top"] == top) & (table["search"] == search)]


def pages_of_topic(topic: str, metrics: Sequence[str]) -> pd.DataFrame:
    """Return how many of the best ten pages are relevant to each intent of a topic, a column per metric."""
    table = _chosen("nonuniform", 10, 1, "greedy")
    table = table[table["topic"] == topic].astype({"intent": int})
    judged = table.drop_duplicates("intent").set_index("intent")["judged"].sort_index()
    intents = (Intent(str(intent), 1 / len(judged)) for intent in judged.index)
    weighted = Topic(topic, tuple(intents)).nonuniform()
    pages = table.pivot(index="intent", columns="metric", values="pages").loc[judged.index, list(metrics)]
    pages.insert(0, "judged", judged)
    pages.insert(0, "p", [round(intent.probability, 3) for intent in weighted.intents])
    return pages.rename_axis(None, axis=1)


def served(
    probabilities: str = "nonuniform", cutoff: int = 10, top: int = 1, search: str = "greedy"
) -> pd.DataFrame:
    """Return the mean share of intents that each metric's best lists serve, and the topics with a loss."""
    table = _chosen(probabilities, cutoff, top, search).assign(here=lambda rows: rows["pages"] > 0)
    of_topic = table.groupby(["metric", "topic"], sort=False)["here"].mean()
    by_metric = of_topic.groupby("metric", sort=False)
    return pd.DataFrame(
        {"served": by_metric.mean(), "topics with a loss": by_metric.agg(lambda x: int((x < 1).sum()))}
    )


@cache
def left_out() -> pd.DataFrame:
    """Return the mean share of intents that best lists leave out: a row per combination of choices."""
    names = ["probabilities", "cutoff", "top", "search"]
    choices = [*_best_lists()[names].drop_duplicates().itertuples(index=False, name=None)]
    rows = [1 - served(*choice)["served"] for choice in choices]
    return pd.DataFrame(rows, pd.MultiIndex.from_tuples(choices, names=names))


def tried_on_topics(conclusion: Callable[[pd.Series], object]) -> Trials:
    """Try a conclusion about the shares of intents left out, by metric, under all choices in the table."""
    table = left_out()
    names = [str(name) for name in table.index.names]
    fails = table.index[[not conclusion(row) for _, row in table.iterrows()]]
    values = {name: tuple(table.index.unique(name)) for name in names}
    return Trials(len(table), tuple(dict(zip(names, choice, strict=True)) for choice in fails), values)


def served_figure(metrics: Sequence[str], title: str) -> charts.Figure:
    """Draw the mean share of intents that each metric's best lists of ten serve."""
    import altair as alt

    rows = served().loc[list(metrics), "served"].sort_values().rename_axis("metric").reset_index()
    order = rows["metric"].tolist()
    shares = "; ".join(f"{row.metric} {row.served:.0%}" for row in rows.itertuples())
    base = alt.Chart(rows).encode(y=alt.Y("metric:N", sort=order, title=None))
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1], grid=False)
    bars = base.mark_bar(color=charts.OKABE_ITO["blue"], height=14).encode(
        x=alt.X("served:Q", scale=alt.Scale(domain=[0, 1.08]), axis=axis, title="share of intents served")
    )
    labels = base.mark_text(align="left", dx=4, fontSize=12).encode(
        x="served:Q", text=alt.Text("served:Q", format=".0%")
    )
    subtitle = [
        "Mean over 48 topics of the TREC 2009 Web track, best lists of ten. The shares of readers fall by "
        "half from intent to intent, and R(1) = 1/2. AP-IA has N = l."
    ]
    layers = (bars + labels).properties(width=420, height=20 * len(rows))
    return charts.Figure.of(
        layers, title, subtitle, f"Share of intents served by each metric's best lists: {shares}."
    )


def earned(name: str, kinds: Sequence[str], intent: str, minor_pages: int = 1, top: int = 1) -> float:
    """Return T_i, what readers with that intent get from a list of "major" and "minor" pages.

    All major pages of a full list were judged, and `minor_pages` minor ones, all of grade 1; top is the top
    grade.
    """
    two = Topic("two", (Intent("major", 0.9), Intent("minor", 0.1)))
    numbers = {"major": len(kinds), "minor": minor_pages}
    judged: Grades = {f"{kind} {k}": {kind: 1} for kind, last in numbers.items() for k in range(1, last + 1)}
    docs = [f"{kind} {kinds[: k + 1].count(kind)}" for k, kind in enumerate(kinds)]
    ranked_list = RankedList(two, docs, Judgments.of(two, judged, scale=top))
    contributions = metric(f"{name}@{len(kinds)}").contributions(batch_lists([ranked_list]))[0, 0]
    place = ["major", "minor"].index(intent)
    return float(contributions[place].sum() / (0.9, 0.1)[place])


def break_even(name: str, k: int, minor_pages: int = 1, top: int = 1, n: int = 10) -> float:
    """Return the minor intent's probability at which a page for it at rank k is worth another major one."""
    before = ["major"] * n
    after = [*before[: k - 1], "minor", *before[k:]]
    loss = earned(name, before, "major", minor_pages, top) - earned(name, after, "major", minor_pages, top)
    return loss / (loss + earned(name, after, "minor", minor_pages, top))


def lowest_under_ERR(k: int, minor_pages: int, top: int) -> bool:
    """Return whether ERR-IA has the lowest break-even probability of all variants."""
    of = {name: break_even(name, k, minor_pages, top) for name in ALL}
    return min(of, key=lambda name: of[name]) == "ERR-IA"


def break_even_falls(name: str, minor_pages: int, top: int) -> bool:
    """Return whether the break-even probability falls at each of ten ranks."""
    line = [break_even(name, k, minor_pages, top) for k in range(1, 11)]
    return bool((np.diff(line) < -1e-9).all())


def break_even_figure(metrics: Sequence[str], title: str) -> charts.Figure:
    """Draw the break-even probability at each of ten ranks."""
    rows = [(name, k, break_even(name, k)) for name in metrics for k in range(1, 11)]
    table = pd.DataFrame(rows, columns=["metric", "rank", "break-even p"])
    return charts.variation(table, "rank", "break-even p").titled(title)


def turning_share(name: str) -> float:
    """Return the share of film readers above which a metric prefers the film list to the other list."""
    return float(reader_mix(f"{name}@3", FILMS, EVERYBODY, "film").crossings[0].share)


def _lists_of_three(name: str, readers: str = SHARES) -> tuple[np.ndarray, np.ndarray]:
    lists = lists_for(3, readers)
    served_intents = (lists.linear[0] > 0).any(axis=2).sum(axis=1)
    return metric(f"{name}@3").scores(lists)[0], served_intents


def below_film_list(name: str) -> int:
    """Count the lists of three for all five intents that a metric puts below the film list."""
    scores, intents = _lists_of_three(name)
    return int((scores[intents == 5] < metric(f"{name}@3").score(FILMS) - 1e-9).sum())


def prefers_one_to_all(name: str, readers: str) -> bool:
    """Return whether a metric puts some list of three for one intent above some list for all five."""
    scores, intents = _lists_of_three(name, readers)
    return bool(scores[intents == 1].max() > scores[intents == 5].min() + 1e-9)


def at_most_p(name: str, cutoff: int) -> bool:
    """Return whether no intent earns more than its probability, in any list of so many pages."""
    row = metric(f"{name}@{cutoff}")
    most = row.contributions(every_list(cutoff))[0].sum(axis=2).max(axis=0)
    return bool((most <= [intent.probability + 1e-9 for intent in POTTER.topic.intents]).all())


# Exercise 1
WHY_1 = "The more pages an intent has, the less each is worth."


@cache
def _right_and_slips() -> tuple[float, dict[float, str]]:
    p_star = break_even("nDCG-IA", 10, minor_pages=3)
    return p_star, {
        break_even("nDCG-IA", 10): "that is for one minor page; three make a larger ideal",
        0.5: "that would need ten minor pages, or no ideal at all",
        1 - p_star: "that is the probability of the major intent",
    }


@Check.number(0, 1, decimals=4)
def cancelled(answer: float) -> bool | str:
    """Compare the answer with the break-even of nDCG-IA for three minor pages."""
    return compare(answer, *_right_and_slips(), within=0.006, near=0.006)


# Exercise 2
WHY_2 = "It serves five kinds of reader, and scores less than a list for one."


@cache
def _score_of_films(name: str) -> float:
    return metric(name).score(FILMS)


@Check.several(list(POTTER.docs), 3)
def everybody_and_below(docs: Sequence[str]) -> bool | str:
    """Check that the list serves all intents and that nDCG-IA puts it below the film list."""
    if len(docs) != 3 or not set(docs) <= set(POTTER.docs):
        return "three different documents of d1 to d18, please"
    covered = {intent for doc in docs for intent in LABELS[doc]}
    missing = [intent.id for intent in POTTER.topic.intents if intent.id not in covered]
    if missing:
        return f"three documents for all five, please; not served: {', '.join(missing)}"
    mine, film = metric("nDCG-IA@3").score(potter(" ".join(docs))), _score_of_films("nDCG-IA@3")
    return bool(mine < film - 1e-9) or f"{mine:.4f}, the film list {film:.4f}; weaker pages, or d7 lower?"


# Exercise 3
WHY_3 = "Only the share of readers who are left counts."


def breaks_even(rule: Callable[[float, int], float]) -> bool | str:
    """Compare a rule for ERR-IA's break-even at the last of n ranks with the library."""
    for top in (1, 2, 4):
        for n in (2, 5, 10):
            right, answer = break_even("ERR-IA", n, top=top, n=n), rule(1 / 2**top, n)
            if abs(right + answer - 1) < 1e-6 and abs(right - answer) > 1e-6:
                return "that is the probability of the major intent"
            if abs(right - answer) > 1e-6:
                return f"r = 1/{2**top}, n = {n}: it gives {answer:.4f}, expected {right:.4f}"
    return True
