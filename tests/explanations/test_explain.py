"""Explanations: the table sums to the score, and every product told in words comes out at what it says."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from tests.support.reference import ADHOC, DIVERSITY, GOLD, INTENT_SQUARE, NEED_A_CUTOFF
from tests.support.strategies import cutoffs, one_list, quick

CLOSE = 1e-9
NUMBER = r"(-?\d+(?:\.\d+)?(?:e[+-]\d+)?)"
RANK = re.compile(rf"\s*rank (\d+)  (\S.*?)  earns {NUMBER}")
PRODUCT = re.compile(rf"\s*(\S.*?): {NUMBER} = (.+?)(?: / {NUMBER})?")
FACTOR = re.compile(rf"(?:.*? )?{NUMBER}")
BY_INTENT = re.compile(rf"\s*{NUMBER}  (\S+)")
PRINTED = 5.1e-5  # contributions have four decimals
SIGNIFICANT = 5.1e-4  # factors have four significant digits, so each may be off by this share


def named(metrics, cutoff):
    if cutoff is None:
        return [name for name in metrics if name not in NEED_A_CUTOFF]
    return [f"{name}@{cutoff}" for name in metrics]


def draw_case(data, levels):
    """A list, and the metrics that can be asked about it."""
    sample = data.draw(one_list(levels=levels))
    metrics = INTENT_SQUARE if levels == 2 else [*DIVERSITY, *ADHOC, *GOLD]
    names = named(metrics, data.draw(st.none() | cutoffs))
    return sample.collection().list("A", sample.topics[0].id), names


@pytest.mark.parametrize("levels", [1, 2])
@quick(8)
@given(st.data())
def test_the_table_sums_to_the_score(levels, data):
    """One row per rank and intent with its document and grade, and contributions that sum to the score."""
    ranked, names = draw_case(data, levels)
    for name in names:
        table = dm.explain(name, ranked)
        columns = ["intent", "rank", "doc", "contribution", "grade"]
        assert [*table.columns] == columns + (["subtopic"] if levels == 2 else [])
        score = dm.metric(name).score(ranked)
        assert math.fsum(table["contribution"]) == pytest.approx(score, abs=CLOSE), name
        assert table["rank"].is_monotonic_increasing
        for row in table.itertuples():
            assert row.doc == (ranked.docs[row.rank - 1] if row.rank <= len(ranked) else "")
            if levels == 1:
                assert row.grade == ranked.judgments.labels(row.doc).get(row.intent, 0)
            if row.doc == "":
                assert name.startswith("RBU")
                assert row.contribution < 0


@pytest.mark.parametrize("levels", [1, 2])
@quick(8)
@given(st.data())
def test_words_end_in_the_numbers_they_say(levels, data):
    """Products come out at their contributions, these at what a rank earns, ranks at the score."""
    ranked, names = draw_case(data, levels)
    for name in names:
        check_words(dm.explain_in_words(name, ranked), dm.metric(name).score(ranked))


def check_words(words: str, score: float) -> None:
    """Read the explanation as a reader with a pocket calculator would."""
    head, _, tail = words.partition("By intent:")
    lines = head.splitlines()
    assert lines[0].endswith(f"= {score:.4f}")
    ranks, products = [], []
    for line in lines[1:]:
        if rank := RANK.fullmatch(line):
            check_rank(ranks, products)
            ranks.append(float(rank[3]))
            products = []
        elif ranks and (rank := PRODUCT.fullmatch(line)):
            factors = [float(FACTOR.fullmatch(factor)[1]) for factor in rank[3].split(" x ")]
            product = math.prod(factors) / float(rank[4] or 1)
            off = PRINTED + abs(product) * SIGNIFICANT * (len(factors) + 1)
            assert product == pytest.approx(float(rank[2]), abs=off), line
            products.append(float(rank[2]))
    check_rank(ranks, products)
    assert sum(ranks) == pytest.approx(score, abs=PRINTED * (len(ranks) + 1)), words
    intents = [float(BY_INTENT.fullmatch(line)[1]) for line in tail.splitlines() if line.strip()]
    assert intents
    assert sum(intents) == pytest.approx(score, abs=PRINTED * (len(intents) + 1)), words


def check_rank(ranks: list[float], products: list[float]) -> None:
    """The lines under the last rank sum to what it earns."""
    if ranks:
        assert products, "a rank that earns something says why"
        assert sum(products) == pytest.approx(ranks[-1], abs=PRINTED * (len(products) + 1))


def test_words_of_a_hand_worked_list():
    """ERR-IA@3 by hand: 0.6 x 1/1 x 3/4, then 0.4 x 1/2 x 1/4, then 0.6 x 1/3 x 1/4 x 1/4."""
    topic = dm.Topic("7", (dm.Intent("book", 0.6), dm.Intent("film", 0.4)), title="harry potter")
    judged = {"d1": {"book": 2}, "d2": {"film": 1}, "d3": {"book": 1}}
    ranked = dm.RankedList(topic, ["d1", "d2", "d3", "d4"], judged, run="mine")
    words = dm.explain_in_words("ERR-IA@3", ranked)
    assert dm.metric("ERR-IA@3").score(ranked) == pytest.approx(0.45 + 0.05 + 0.0125)
    assert "harry potter" in words
    assert "mine" in words
    for earned, rank in (("0.4500", 1), ("0.0500", 2), ("0.0125", 3)):
        assert re.search(rf"rank {rank}  d{rank}  earns {earned}", words)
    assert "d4" not in words
    check_words(words, 0.5125)


def test_effort_is_explained_below_the_end_of_the_list():
    """RBU charges every rank down to the cutoff, and the explanation says that there is no document."""
    topic = dm.Topic("7", (dm.Intent("t", 1.0),))
    ranked = dm.RankedList(topic, ["d1"], {"d1": {"t": 1}})
    words = dm.explain_in_words("RBU@3", ranked)
    assert words.count("(no document)") == 2
    check_words(words, dm.metric("RBU@3").score(ranked))
    table = dm.explain("RBU@3", ranked)
    assert table["rank"].tolist() == [1, 2, 3]
    assert table["doc"].tolist() == ["d1", "", ""]


def test_a_sum_with_a_square_metric_in_it():
    """Metrics composed in Python are told like any other."""
    topic = dm.Topic("7", (dm.Intent("t", 1.0, children=(dm.Intent("x", 0.5), dm.Intent("y", 0.5))),))
    ranked = dm.RankedList(topic, ["d1", "d2"], {"d1": {("t", "x"): 2}, "d2": {("t", "y"): 1}})
    both = 0.5 * dm.metric("ERR-IS@5") + 0.5 * dm.metric("ERR-IA@5")
    assert math.fsum(dm.explain(both, ranked)["contribution"]) == pytest.approx(both.score(ranked), abs=CLOSE)
    check_words(dm.explain_in_words(both, ranked), both.score(ranked))
