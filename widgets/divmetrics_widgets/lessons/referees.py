"""Lesson 19: metrics against gold standards, on made-up and real runs, and the checks of its exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import display

import divmetrics as dm
from divmetrics import meta
from divmetrics.research.datasets.trec2012 import PROBABILITIES
from divmetrics.research.meta.concordance import sign_test
from divmetrics_widgets import Check
from divmetrics_widgets.lessons.trials import Trials

LIBRARY = """topic lib "city library"
scale 3
intent hours .4 navigational "opening hours"
intent ebooks .3 informational "borrowing e-books"
intent past .3 informational "the building"
doc h1 hours:3 "Opening hours"
doc h2 hours:3 "Opening hours, for phones"
doc h3 hours:3 "Opening hours, on a map"
doc e1 ebooks:2 "E-books in five steps"
doc e2 ebooks:1 "Which readers open our e-books"
doc p1 past:1 "The reading room of 1911"
doc x1 "Jobs at the library"
doc x2 "A library in another city"
A h1 h2 e1 h3 e2
B h1 e1 p1 x1 x2
metrics D#-nDCG@5 DIN#-nDCG@5 P+Q#@5 alpha-nDCG@5 I-rec@5 Ef-P@5"""
METRICS = ["alpha-nDCG", "D#-nDCG", "DIN#-nDCG", "P+Q#"]
OTHER_HALVES = {"D#-nDCG": "D-nDCG", "DIN#-nDCG": "DIN-nDCG", "P+Q#": "P+Q"}
GOLDS = ["I-rec", "Ef-P"]
PRESET, GRADED = "trec-web-2009", {"scale": 3, "grades": (3, 2, 1)}
SEEDS = {5: range(2), 10: range(4), 20: range(2)}  # of the made-up collections, by cutoff


@cache
def collection(seed: int = 0, probabilities: str = "nonuniform", grades: str = "graded") -> dm.Collection:
    """Return a made-up collection with 20 systems."""
    knobs: dict[str, Any] = GRADED if grades == "graded" else {}
    return dm.datasets.synthetic(PRESET, seed=seed, probabilities=probabilities, runs=20, **knobs)


def _served_navigational(pool: dm.Judgments) -> bool:
    served = [any(grades) for grades in (pool.grades > 0).tolist()]
    return any(
        intent.kind == "navigational" and here
        for intent, here in zip(pool.topic.intents, served, strict=True)
    )


def scored(names: Sequence[str], of: dm.Collection, cutoff: int = 10) -> pd.DataFrame:
    """Return the scores of all runs on the topics with a navigational intent that is served.

    The names of the metrics have no cutoff.
    """
    scores = dm.evaluate(of, None, [f"{name}@{cutoff}" for name in names], gain="exponential")
    return _short(_with_navigational(scores, of))


def _with_navigational(scores: pd.DataFrame, of: dm.Collection) -> pd.DataFrame:
    chosen = [topic for topic, pool in of.pools.items() if _served_navigational(pool)]
    return scores[scores["topic"].isin(chosen)]


def _short(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(metric=scores["metric"].str.replace("@.*", "", regex=True))


@cache
def made_up_scores(
    seed: int = 0, probabilities: str = "nonuniform", grades: str = "graded", cutoff: int = 10
) -> pd.DataFrame:
    """Return scores of 20 made-up systems on made-up topics with a navigational intent."""
    return scored([*METRICS, *OTHER_HALVES.values(), *GOLDS], collection(seed, probabilities, grades), cutoff)


@cache
def real_scores(probabilities: str = "uniform", grades: str = "graded") -> pd.DataFrame:
    """Return scores of eight real runs on the topics of TREC Web 2012 with a navigational intent."""
    gain = "exponential" if grades == "graded" else "binary"
    topics = dm.datasets.trec2012_topics()
    scores = dm.datasets.trec2012_scores(probabilities, gain)
    return _short(scores[scores["topic"].isin(topics.loc[topics["navigational"] > 0, "topic"])])


def settings() -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Yield 36 settings and their scores: 32 made-up ones at three cutoffs, and four on TREC 2012."""
    for grades, probabilities in product(("graded", "binary"), PROBABILITIES):
        choice = {"grades": grades, "probabilities": probabilities}
        for cutoff, seeds in SEEDS.items():
            for seed in seeds:
                scores = made_up_scores(seed, probabilities, grades, cutoff)
                yield {"runs": "made-up", "cutoff": cutoff, **choice}, scores
        yield {"runs": "TREC 2012", "cutoff": 10, **choice}, real_scores(probabilities, grades)


def tried_on_runs(conclusion: Callable[[pd.DataFrame], object]) -> Trials:
    """Try a conclusion about scores in all settings."""
    every = list(settings())
    fails = tuple(choice for choice, scores in every if not conclusion(scores))
    names = every[0][0]
    return Trials(len(every), fails, {name: tuple({c[name]: None for c, _ in every}) for name in names})


def differences(scores: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return by how much a metric scores the first list of each pair higher than the second, by metric."""
    table = meta.score_table(scores)
    i, j = np.array(list(combinations(range(table.values.shape[2]), 2))).T
    gaps = (table.values[:, :, i] - table.values[:, :, j]).reshape(len(table.metrics), -1)
    return dict(zip(table.metrics, np.where(np.abs(gaps) < 1e-9, 0, gaps), strict=True))


def right_alone(scores: pd.DataFrame, gold: str, names: Sequence[str] = METRICS) -> pd.DataFrame:
    """Return the table of `meta.concordance` by pair of metrics."""
    return meta.concordance(scores, gold, list(names)).set_index(["metric_a", "metric_b"])


def beats(scores: pd.DataFrame, gold: str, winner: str, loser: str) -> bool:
    """Return whether one metric alone sides with a gold standard more often than the other alone."""
    row = right_alone(scores, gold, [winner, loser]).iloc[0]
    return bool(row["only_a"] > row["only_b"])


def by_topic(scores: pd.DataFrame, gold: str, a: str, b: str) -> tuple[int, int]:
    """Return on how many topics `a` is right alone more often than `b`, and on how many `b` is."""
    of = {name: np.sign(gaps) for name, gaps in differences(scores).items()}
    topics = scores["topic"].nunique()
    more = ((of[a] * of[b] < 0) * np.sign(of[a] * of[gold])).reshape(topics, -1).sum(axis=1)
    return int((more > 0).sum()), int((more < 0).sum())


def leads(scores: pd.DataFrame, gold: str, winner: str, loser: str) -> bool:
    """Return whether one metric leads on more topics than the other."""
    won, lost = by_topic(scores, gold, winner, loser)
    return won > lost


def leads_clearly(scores: pd.DataFrame, gold: str, winner: str, loser: str) -> bool:
    """Return whether it leads on significantly more topics: two-sided sign test, p < 0.05."""
    won, lost = by_topic(scores, gold, winner, loser)
    return won > lost and sign_test(won, lost) < 0.05


def least_concordance(scores: pd.DataFrame, gold: str) -> np.ndarray:
    """Return, for each pair of metrics, the concordance of the one that is right less often."""
    return right_alone(scores, gold)[["concordance_a", "concordance_b"]].min(axis=1).to_numpy()


# -- beside the paper ---------------------------------------------------------------------------------------

PAIRS = [("alpha-nDCG", "D#-nDCG"), ("D#-nDCG", "P+Q#"), ("DIN#-nDCG", "P+Q#"), ("D#-nDCG", "DIN#-nDCG")]


def beside_the_paper(scores: pd.DataFrame) -> pd.DataFrame:
    """Return "right alone" of pairs of metrics as Sakai (2012, Table 6) has it, on TREC 2012 and made up.

    In brackets: on how many topics the one is right alone more often, and the other.
    """
    rows = {}
    for gold, (a, b) in product(GOLDS, PAIRS):
        ours = {"TREC 2012": real_scores(), "made-up": scores}
        of_pair = {"Sakai (2012)": _printed(gold, a, b)}
        for name, table in ours.items():
            row = right_alone(table, gold, [a, b]).iloc[0]
            on_a, on_b = by_topic(table, gold, a, b)
            of_pair[name] = f"{row['only_a']:.0f} : {row['only_b']:.0f} ({on_a} : {on_b})"
        rows[gold, f"{a} : {b}"] = of_pair
    return pd.DataFrame(rows).T.rename_axis(["gold standard", "right alone"])


def _printed(gold: str, a: str, b: str) -> str:
    """Return the printed shares as numbers of pairs: `a` alone is right where `b` is not."""
    table = dm.datasets.sakai2012_tables()
    of_pair = table[(table["table"] == 6) & (table["metric_a"] == a) & (table["metric_b"] == b)]
    value = of_pair.set_index(["part", "quantity"])["printed"].astype(float)
    if (gold, "agrees a") not in value:
        return "lost in our copy"
    alone = (value["", "disagreements"] * (1 - value[gold, f"agrees {other}"]) for other in "ba")
    return " : ".join(f"{count:.0f}" for count in alone)


# -- what I-rec is a half of --------------------------------------------------------------------------------


def against_I_rec(scores: pd.DataFrame) -> pd.DataFrame:
    """Return on how many pairs of lists D-measures contradict I-rec, and on how many by more."""
    of = differences(scores)
    rows = {}
    for sharp, half in OTHER_HALVES.items():
        contradicts = of[half] * of["I-rec"] < 0
        by_more = contradicts & (np.abs(of[half]) > np.abs(of["I-rec"]))
        rows[half] = {
            "mean difference of two lists": round(float(np.abs(of[half]).mean()), 3),
            "contradicts I-rec": contradicts.sum(),
            "and by more": by_more.sum(),
            "mean with I-rec contradicts it": (of[sharp] * of["I-rec"] < 0).sum(),
        }
    return pd.DataFrame.from_dict(rows, "index")


def exactly_by_more(scores: pd.DataFrame) -> bool:
    """Return whether the mean with I-rec contradicts it exactly where the other half does so by more."""
    table = against_I_rec(scores)
    return bool((table.iloc[:, 2] == table.iloc[:, 3]).all())


def differs_by_less(scores: pd.DataFrame) -> bool:
    """Return whether two lists differ by less in P+Q than in D-nDCG, on average."""
    of = differences(scores)
    return bool(np.abs(of["P+Q"]).mean() < np.abs(of["D-nDCG"]).mean())


def follows_I_rec_more(scores: pd.DataFrame, gamma: float) -> bool:
    """Return whether D#-nDCG(gamma), made of its halves, leads P+Q# on more topics by I-rec."""
    table = scores.pivot(index=["run", "topic"], columns="metric", values="score")
    name = f"D#-nDCG(gamma={gamma})"
    table[name] = gamma * table["I-rec"] + (1 - gamma) * table["D-nDCG"]
    long = table.melt(value_name="score", ignore_index=False).reset_index()
    return leads(long, "I-rec", name, "P+Q#")


# -- D#-nDCG against DIN#-nDCG ------------------------------------------------------------------------------


def on_real_judgments() -> pd.DataFrame:
    """Return in how many of 12 draws DIN#-nDCG is ahead by Ef-P, on real judgments with made-up runs.

    The counts of pairs of lists are those at cutoff 10.
    """
    counts = dm.datasets.trec_navigational()
    counts["ahead"] = counts["only_DIN"] > counts["only_D"]
    choice = ["year", "grades", "shared"]
    at_10 = counts[counts["cutoff"] == 10].groupby(choice, sort=False).sum(numeric_only=True)
    share = at_10["shared_documents"] / at_10["documents"]
    ahead = counts.pivot_table(index=choice, columns="cutoff", values="ahead", aggfunc="sum")
    table = at_10[["only_D", "only_DIN"]].assign(share=share.map("{:.0%}".format))
    columns = {"share": "pages shared", "only_D": "D#-nDCG alone", "only_DIN": "DIN#-nDCG alone"}
    table = table[[*columns]].rename(columns=columns)
    return table.assign(**{f"ahead at {cutoff}": ahead[cutoff] for cutoff in ahead})


# -- a vote -------------------------------------------------------------------------------------------------

FRIEND = "alpha-nDCG(alpha=0.6)"
FRIENDS = [FRIEND, *(f"alpha-nDCG(alpha={alpha})" for alpha in (0.1, 0.4, 0.9))]


@cache
def with_friend(seed: int = 0, probabilities: str = "nonuniform", grades: str = "graded") -> pd.DataFrame:
    """Return the scores of the four metrics, and of others that are much like alpha-nDCG."""
    return scored([*METRICS, *FRIENDS], collection(seed, probabilities, grades))


def unanimity(scores: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    """Return the unanimity of each metric."""
    return meta.unanimity(scores, list(names)).set_index("metric")["unanimity"]


# -- the exercises ------------------------------------------------------------------------------------------

says = {"T": [1, 1, -1, 0], "S": [-1, 1, 1, 1], "gold": [0, -1, 1, 1]}
differ = [k for k in range(4) if says["T"][k] * says["S"][k] < 0]
correct = {who: sum(says[who][k] * says["gold"][k] >= 0 for k in differ) for who in "TS"}


@Check.several(range(5), 3, make=tuple)
def counted(answer: tuple[int, int, int]) -> bool | str:
    """Check exercise 1 of lesson 19: disagreements, and how often each is right."""
    disagreements, t, s = answer
    if disagreements != len(differ):
        return "the number of disagreements is not right: a tie in T or S is none"
    if (t, s) == (correct["T"] - 1, correct["S"] - 1):
        return "that is who is right alone; where the gold standard is tied both are right"
    return (t, s) == (correct["T"], correct["S"])


why_1 = "Where the gold standard is tied, both are right."


def alone(gamma: float) -> Mapping[str, tuple[int, int]]:
    """Return how often P+Q# and D#-nDCG(gamma) are right alone, by gold standard."""
    name = f"D#-nDCG(gamma={gamma})"
    both = pd.concat([made_up_scores(), scored([name], collection())])
    rows = {gold: right_alone(both, gold, ["P+Q#", name]).iloc[0] for gold in GOLDS}
    return {gold: (int(row["only_a"]), int(row["only_b"])) for gold, row in rows.items()}


@Check.number(0, 1, decimals=1)
def wins_both(gamma: float) -> bool | str:
    """Check exercise 2 of lesson 19: a gamma for which D#-nDCG beats P+Q# by both gold standards."""
    lost = [f"by {gold} P+Q# leads {a} to {b}" for gold, (a, b) in alone(gamma).items() if b <= a]
    return "; ".join(lost) or True


why_2 = "With a larger gamma P+Q# loses its lead."


def _sees(gold: str, *ways: Callable[[Sequence[str]], Sequence[str]]) -> bool:
    """Return whether a metric scores some list differently if it is cut, or ordered, in these two ways."""
    made = collection()
    run = next(iter(made.runs))
    for ranked in (made.list(run, topic) for topic, pool in made.pools.items() if _served_navigational(pool)):
        one, other = (dm.metric(gold).score(ranked.reordered(way(ranked.docs))) for way in ways)
        if abs(one - other) > 1e-9:
            return True
    return False


def with_referee(gold: str) -> bool | str:
    """Check exercise 3 of lesson 19: a gold standard for readers of the first two ranks."""
    if _sees(gold, list, lambda docs: docs[:2]):
        return "it sees what stands below rank 2, and your readers do not"
    if not _sees(gold, list, lambda docs: docs[:1]):
        return "it does not see rank 2, and your readers do"
    if _sees(gold, lambda docs: ["nothing", docs[0]], lambda docs: [docs[0], "nothing"]):
        return "one of the two ranks counts more, and how much more is open to dispute"
    new = _with_navigational(dm.evaluate(collection(), None, gold), collection())
    table = right_alone(pd.concat([made_up_scores(), new]), gold)
    display(table[["disagreements", "only_a", "only_b"]])
    return True


why_3 = "Now write down the three sentences."
