"""Laws of a walk: its baskets are the score, its shares are shares, and no reader is lost on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.conventions.convention import conventions
from divmetrics.explanations.user_model import Walk
from divmetrics.explanations.user_model_texts import describe_users
from divmetrics.notebook.user_model_words import describe_basket, describe_walk
from divmetrics.parts import Cascade, FirstCover, Log2, Novelty, One, Probability, WrittenUtility
from tests.support.reference import INTENT_SQUARE
from tests.support.strategies import one_list, quick

NAMES = [(name, word) for word, found in conventions().items() for name in found.rows]
PICTURES = {
    "doors": "S-recall I-rec RR",
    "counters": "P-IA AP-IA Q-IA D-Q DIN-Q Ef-P Prec Q AP",
    "piles": "nDCG-IA D-nDCG DIN-nDCG nDCG",
    "leave": "ERR-IA RBP-IA EBR-IA iRBU-IA RBU D-ERR D-EBR D-RBP ERR EBR RBP iRBU",
    "fade": "alpha-DCG alpha-nDCG NRBP",
    "stop": "P+",
    "doors piles": "D#-nDCG DIN#-nDCG",
    "counters stop": "P+Q",
    "doors counters stop": "P+Q#",
}


def harry(run: str = "A") -> dm.RankedList:
    return dm.datasets.harry_potter().list(run, "0083")


def check(walk: Walk) -> None:
    score = walk.metric.score(walk.ranked)
    assert walk.baskets.sum() == pytest.approx(score, abs=1e-12)
    assert sum(track.earned.sum() for track in walk.tracks) == pytest.approx(score, abs=1e-9)
    for track in walk.tracks:
        assert track.start.sum() == pytest.approx(1, abs=0.002) or track.parent_intents[0] is not None
        for shares in (track.start, track.examination_probability, track.reach, track.users_at_rank):
            assert ((shares >= 0) & (shares <= 1 + 1e-12)).all()
        gone = track.users_satisfied + track.users_leaving
        assert (gone >= -1e-12).all()
        first = track.users_at_rank[:, 0]
        assert gone.sum(axis=1) + track.users_at_rank[:, -1] == pytest.approx(first)
        if track.cost is not None:
            assert track.gained - track.cost == pytest.approx(track.earned)


@pytest.mark.parametrize(("name", "word"), NAMES)
@quick(3)
@given(st.data())
def test_the_baskets_are_the_score_and_no_reader_is_lost(name: str, word: str, data: st.DataObject) -> None:
    sample = data.draw(one_list())
    ranked = sample.collection().list("A", sample.topics[0].id)
    check(Walk.of(dm.metric(name, convention=word) @ data.draw(st.integers(1, 8)), ranked))


@pytest.mark.parametrize("name", INTENT_SQUARE)
@quick(3)
@given(st.data())
def test_baskets_are_the_score_with_two_levels(name: str, data: st.DataObject) -> None:
    sample = data.draw(one_list(levels=2))
    ranked = sample.collection().list("A", sample.topics[0].id)
    walk = Walk.of(dm.metric(name) @ 7, ranked)
    check(walk)
    places = dict(enumerate(ranked.topic.intents))
    for track in walk.tracks:
        assert all(box in places for box in track.parent_intents)


@pytest.mark.parametrize("picture", PICTURES)
def test_every_row_has_the_picture_of_its_family(picture: str) -> None:
    topic = harry().topic.with_kinds({"film": "navigational"})
    ranked = dm.RankedList(topic, harry().docs, harry().judgments.with_topic(topic))
    for name in PICTURES[picture].split():
        tracks = Walk.of(dm.metric(name) @ 5, ranked).tracks
        assert " ".join(track.picture for track in tracks) == picture, name


@quick(20)
@given(st.data())
def test_what_readers_who_leave_are_worth_is_what_err_ia_earns(data: st.DataObject) -> None:
    """The definition, from the readers: 1/k for each whom rank k satisfies."""
    sample = data.draw(one_list())
    ranked = sample.collection().list("A", sample.topics[0].id)
    (track,) = Walk.of(dm.metric("ERR-IA@9"), ranked).tracks
    ranks = np.arange(1, track.earned.shape[1] + 1)
    assert track.users_satisfied / ranks == pytest.approx(
        track.earned, abs=2e-3
    )  # probabilities sum to 1 +- .001


def test_readers_of_the_papers_example_by_hand() -> None:
    """Grade 2 on a scale of 0 to 2 satisfies 3 of 4; film's readers are a third of all."""
    (track,) = Walk.of(dm.metric("ERR-IA@3"), harry()).tracks
    assert harry().judgments.scale == 2
    film = track.names.index("film")
    assert track.users_at_rank[film] == pytest.approx(
        harry().topic.intents[film].probability * 0.25 ** np.arange(4)
    )


def test_a_stop_line_jumps_to_each_higher_grade() -> None:
    topic = dm.Topic("7", (dm.Intent("home", 1.0, kind="navigational"),))
    ranked = dm.RankedList(topic, ["a", "b", "c", "d"], {"a": {"home": 1}, "c": {"home": 2}})
    (track,) = Walk.of(dm.metric("P+Q@4"), ranked).tracks
    assert track.stops is not None
    assert track.stops.tolist() == [[1, 1, 3, 3]]


def test_an_effort_runs_on_below_the_list() -> None:
    topic = dm.Topic("7", (dm.Intent("t", 1.0),))
    walk = Walk.of(dm.metric("RBU@9"), dm.RankedList(topic, ["a"], {"a": {"t": 1}}))
    (track,) = walk.tracks
    assert track.cost is not None
    assert (track.cost > 0).all()
    assert track.gained[0, 1:].tolist() == [0] * 8
    assert describe_walk(walk, 9)[9].startswith("Rank 9: the list has ended, and the rank costs ")


def test_a_navigational_intent_is_closed_after_its_first_page() -> None:
    intents = (dm.Intent("home", 0.5, kind="navigational"), dm.Intent("news", 0.5))
    grades = {"a": {"home": 1, "news": 1}, "b": {"home": 1, "news": 1}}
    ranked = dm.RankedList(dm.Topic("7", intents), ["a", "b"], grades)
    (track,) = Walk.of(dm.metric("DIN-nDCG@2"), ranked).tracks
    assert track.examination_probability.tolist() == [[1, 0, 0], [1, 1, 1]]
    closed = Walk.of(dm.metric("DIN-Q@2"), ranked).closed
    assert closed is not None
    assert closed.tolist() == [[False, True, True], [False, False, False]]


@pytest.mark.parametrize("name", ["nDCG-IA", "alpha-nDCG", "D-nDCG", "D#-nDCG", "alpha-nDCG-IS"])
def test_an_ideal_list_earns_all_there_is(name: str) -> None:
    walk = Walk.of(dm.metric(name) @ 4, harry())
    for track in walk.tracks:
        for ideal in track.ideals:
            weight = track.earned.sum() / track.row.score(harry()) if name == "D#-nDCG" else 1
            boxed = [walk.ranked.topic.intents[b].probability for b in track.parent_intents if b is not None]
            expected = weight if not boxed else None
            if expected is not None:
                assert ideal.earned.sum() == pytest.approx(expected)
    if name == "alpha-nDCG-IS":
        assert sum(ideal.earned.sum() for ideal in walk.tracks[0].ideals) == pytest.approx(1)


def test_walk_has_scores_for_gamma_0_and_1() -> None:
    ends = Walk.of(dm.metric("D#-nDCG(gamma=0.3)@5"), harry()).ends
    assert ends is not None
    expected = [dm.metric(name).score(harry()) for name in ("D-nDCG@5", "I-rec@5")]
    assert ends[:, -1].tolist() == pytest.approx(expected)
    assert Walk.of(dm.metric("ERR-IA@5"), harry()).ends is None


def test_a_metric_of_ones_own_gets_a_picture_and_a_sentence() -> None:
    pictures = {}
    for M in (Cascade(), FirstCover(), Novelty() * Cascade(), WrittenUtility("gain")):
        mine = dm.Metric("mine", N=One(), f=Probability(), w=Log2(), M=M)
        pictures[M] = Walk.of(mine @ 3, harry()).tracks[0].picture
        assert describe_users(mine).endswith(".")
        assert "\n" not in describe_users(mine)
    assert list(pictures.values()) == ["leave", "doors", "fade", "piles"]


def check_factors(metric: Any, ranked: dm.RankedList) -> None:
    table = dm.explain(metric, ranked, factors=True)
    columns = list(table.columns)
    factors = columns[columns.index("doc") + 1 : columns.index("contribution")]
    product = table[factors].astype(float).prod(axis=1)  # of those that the row has
    assert product.to_numpy() == pytest.approx(table["contribution"].to_numpy(), rel=1e-9, abs=1e-12)
    assert table["contribution"].sum() == pytest.approx(metric.score(ranked), abs=1e-9)


@pytest.mark.parametrize(("name", "word"), NAMES)
@quick(3)
@given(st.data())
def test_the_factors_of_a_table_multiply_to_the_contribution(
    name: str, word: str, data: st.DataObject
) -> None:
    sample = data.draw(one_list())
    metric = dm.metric(name, convention=word) @ data.draw(st.integers(1, 8))
    check_factors(metric, sample.collection().list("A", sample.topics[0].id))


@pytest.mark.parametrize("name", INTENT_SQUARE)
@quick(3)
@given(st.data())
def test_factors_multiply_with_two_levels(name: str, data: st.DataObject) -> None:
    sample = data.draw(one_list(levels=2))
    check_factors(dm.metric(name) @ 7, sample.collection().list("A", sample.topics[0].id))


def test_the_divisor_and_the_weight_of_a_term_are_factors_and_shares_of_readers_are_none() -> None:
    table = dm.explain("alpha-nDCG@5", harry(), factors=True)
    shares = ["share of readers", "still reading", "satisfied"]
    assert list(table.columns[4:]) == ["discount", "relevant", "novelty", "1/N", "contribution", *shares]
    assert table["1/N"].nunique() == 1
    table = dm.explain("D#-nDCG@5", harry(), factors=True)
    assert list(table.columns[4:6]) == ["weight of the term", "weight"]
    assert set(table["weight of the term"]) == {0.5}


@pytest.mark.parametrize(("name", "word"), NAMES)
def test_every_metric_says_what_its_reader_does(name: str, word: str) -> None:
    sentences = describe_users(dm.metric(name, convention=word))
    assert sentences[0].isupper() or sentences[0].isdigit()
    assert sentences.endswith(".")
    assert ".." not in sentences


def test_the_sentence_of_a_metric_names_its_settings() -> None:
    assert "0.3 of their interest" in describe_users(dm.metric("alpha-nDCG(alpha=0.7)"))
    assert "with probability 0.85" in describe_users(dm.metric("RBP-IA(phi=0.85)"))


def test_factors_are_a_table_that_sums_to_the_score() -> None:
    table = dm.explain("D#-ERR@4", harry(), factors=True)
    assert table["contribution"].sum() == pytest.approx(dm.metric("D#-ERR@4").score(harry()))
    assert set(table["intent"]) == {*(t.id for t in harry().topic.intents), "all intents"}
    first = table[(table["rank"] == 1) & (table["intent"] == "all intents")].iloc[0]
    assert first["still reading"] == 1
    assert first["satisfied"] == pytest.approx(first["chance to satisfy"])


@pytest.mark.parametrize("name", ["ERR@2", "D-ERR@2", "P+@2", "DIN-Q@2", "ERR-IS(leaf=self)@2"])
def test_a_lone_intent_keeps_its_name(name: str) -> None:
    topic = dm.Topic("7", (dm.Intent("home", 1.0, kind="navigational"),))
    ranked = dm.RankedList(topic, ["a", "b"], {"a": {"home": 1}, "b": {"home": 2}})
    walk = Walk.of(dm.metric(name), ranked)
    assert {of for track in walk.tracks for of in track.names} == {"home"}
    sentences = [*describe_walk(walk, 2), dm.explain_in_words(name, ranked)]
    assert "all intents" not in " ".join(sentences)


def test_walk_in_words() -> None:
    sentences = describe_walk(Walk.of(dm.metric("ERR-IA@5"), harry()), 5)
    assert sentences[0].startswith("A hundred readers stand above the list: 22.22 want series,")
    first = "Rank 1: d1 satisfies 25 of the 100 readers still here; its basket holds 0.2500."
    assert sentences[1].startswith(first)
    assert sentences[5].endswith(
        f"The baskets add up to ERR-IA@5 = {dm.metric('ERR-IA@5').score(harry()):.4f}."
    )


def test_what_a_grade_does_is_told_where_it_fills_the_baskets_alone() -> None:
    sentences = describe_basket(Walk.of(dm.metric("ERR-IA@5"), harry("D")), 5)
    assert sentences == (
        "Of the readers still here who want it, "
        "a document of grade 2 satisfies 75 %, one of grade 1 satisfies 25 %. "
        "A basket holds the share of the hundred who are satisfied there, times what the rank is worth."
    )
    irrelevant = harry().reordered(["d18"])
    assert describe_basket(Walk.of(dm.metric("ERR-IA@5"), irrelevant), 1) == ""
    # Other baskets hold gains, ratios or costs, or are filled by readers of many intents at once.
    for name in ("RBP-IA", "EBR-IA", "iRBU-IA", "RBU", "D-ERR", "ERR-IS", "alpha-nDCG", "D#-nDCG"):
        assert describe_basket(Walk.of(dm.metric(name) @ 5, harry("D")), 5) == "", name
