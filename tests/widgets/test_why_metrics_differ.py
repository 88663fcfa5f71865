"""What the lab says of two metrics that part, and when it says nothing."""

from __future__ import annotations

import re

from hypothesis import given

import divmetrics as dm
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.parting import explain_metric_conflict
from tests.support.strategies import Sample, quick, samples

METRICS = ("ERR-IA@5", "nDCG-IA@5", "D#-nDCG@5", "alpha-nDCG@5", "P+Q@5", "D-Q@5", "AP-IA@5", "RBU@5")
NUMBER = r"(-?\d+\.\d+)"
SENTENCE = re.compile(
    r"(\S+) prefers ([AB]) because (\S+)(?: and (\S+))? (?:together )?earns? "
    rf"{NUMBER} there and {NUMBER} in ([AB])\."
)


def test_each_metric_names_what_it_counts() -> None:
    A, B, *_ = dm.datasets.harry_potter().lists("0083")
    lab = RankedListLab(A, B, metrics=["ERR-IA@5", "S-recall@5", "D#-nDCG@5"])
    assert lab._results["parts"] == (
        "ERR-IA@5 prefers A because film earns 0.2870 there and 0.0208 in B. "
        "S-recall@5 prefers B because series and book together earn 0.4000 there and 0.0000 in A."
    )


def test_an_intent_that_is_a_number_is_called_an_intent() -> None:
    topic = "topic t\nscale 2\nintent 1 1/2\nintent 2 1/2\ndoc w 2:2\ndoc x 1:1\ndoc y 2:1\ndoc z 2:2\n"
    lab = RankedListLab(topic + "A x y\nB w z\nmetrics S-recall@2 D-nDCG@2")
    assert lab._results["parts"] == (
        "S-recall@2 prefers A because intent 1 earns 0.5000 there and 0.0000 in B. "
        "D-nDCG@2 prefers B because intent 2 earns 1.0000 there and 0.1934 in A."
    )


def test_metrics_that_agree_say_nothing() -> None:
    A, B, *_ = dm.datasets.harry_potter().lists("0083")
    lab = RankedListLab(A, B, metrics=["S-recall@5", "D#-nDCG@5"])
    assert lab._results["parts"] == ""


@given(samples(most_topics=1))
@quick(60)
def test_named_intents_favour_the_preferred_list(sample: Sample) -> None:
    """Law: of what is said, `explain` gives each number, and the list that is preferred earns more of it."""
    (pool,) = sample.collection().pools.values()
    lists = {"A": pool.docs[::2], "B": pool.docs[1::2]}
    scorer = ListScorer(pool)
    rows = scorer.rows(lists, METRICS)
    sentence = explain_metric_conflict(rows, METRICS[0], scorer, lists)
    preferred = {row["prefers"] for row in rows if row.get("prefers")}
    assert bool(sentence) == (len(preferred) == 2)
    clauses = SENTENCE.findall(sentence)
    assert len(clauses) == 2 * bool(sentence)
    assert {winner for _, winner, *_ in clauses} == (preferred if sentence else set())
    for name, winner, one, other, more, less, loser in clauses:
        sums = {}
        for side, text in ((winner, more), (loser, less)):
            table = dm.explain(name, dm.RankedList(pool.topic, lists[side], pool, side))
            sums[side] = table[table["intent"].isin([one, other])]["contribution"].sum()
            assert abs(sums[side] - float(text)) <= 0.5001 * 10.0 ** -len(text.partition(".")[2])
        assert sums[winner] > sums[loser]
