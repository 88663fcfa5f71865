"""S-precision, WS-precision and S-recall at l_min: cases worked by hand, and the bounds of all of them."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import pytest

import divmetrics as dm
from divmetrics.conventions import paper
from divmetrics.exact_ideal import optimal_lists

# A greedy search takes the largest document first and then needs both others: three in place of two.
LARGEST, LEFT, RIGHT = "1245", "123", "456"
JUDGED = {name: dict.fromkeys(name, 1) for name in (LARGEST, LEFT, RIGHT)}
LIST = [LARGEST, LEFT, RIGHT]


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("S-precision", 2 / 3),  # two documents would do, the list needs three
        ("S-precision@2", 0),  # not reached
        ("S-precision(level=0.5)", 1),
        ("S-precision(level=0.8)", 2 / 2),  # five of six intents
        ("WS-precision", (2 + 6) / (3 + 10)),
        ("WS-precision(level=0.5)", (1 + 3) / (1 + 4)),  # the larger document costs more
        ("WS-precision(a=0)", 2 / 3),
        ("S-recall-lmin", 5 / 6),  # of the first two documents
        ("S-recall-lmin@1", 4 / 6),
    ],
)
def test_worked_by_hand(name, score):
    assert dm.score(name, LIST, JUDGED) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("name", ["S-precision", "WS-precision", "S-recall-lmin"])
def test_the_cheapest_list_scores_1(name):
    assert dm.score(name, [LEFT, "never judged", RIGHT], JUDGED) < 1
    assert dm.score(name, [LEFT, RIGHT], JUDGED) == pytest.approx(1)
    assert dm.score(name, [RIGHT, LEFT, LARGEST], JUDGED) == pytest.approx(1)


def test_the_position_of_the_contribution_is_where_the_level_is_reached():
    """The intents that are new at that rank share the score."""
    earned = dm.explain("S-precision", dm.RankedList(*ranked(LIST)))
    earned = earned[earned["contribution"] > 0]
    assert earned["rank"].tolist() == [3]
    assert earned["contribution"].sum() == pytest.approx(2 / 3)


def ranked(docs):
    topic = dm.Topic("1", tuple(dm.Intent(i, 1 / 6) for i in "123456"))
    return topic, docs, JUDGED


def test_uncovered_intents_do_not_count_and_topics_without_documents_score_0():
    """Recall of 1 is that of the intents for which there is a document."""
    judged = {"d": {"t": 1}, "x": {"u": 0}}
    weights = {"t": 0.5, "u": 0.5}
    for name in ("S-precision", "WS-precision", "S-recall-lmin"):
        assert dm.score(name, ["d"], judged, weights) == pytest.approx(1)
        assert dm.score(name, ["x"], {"x": {"t": 0}}, {"t": 1.0}) == 0


def test_many_intents():
    """More intents than a search over all sets of them could hold."""
    dice = random.Random(3)
    intents = [str(i) for i in range(20)]
    judged = {f"d{n}": dict.fromkeys(dice.sample(intents, dice.randint(1, 8)), 1) for n in range(100)}
    for name in ("S-precision(level=0.5)", "WS-precision(level=0.5)"):
        assert 0 < dm.score(name, list(judged), judged) <= 1


def test_a_cover_that_is_not_proved_is_named(monkeypatch):
    """Without time there is no proof, and a warning says so."""
    dice = random.Random(5)
    intents = [str(i) for i in range(40)]
    judged = {f"d{n}": dict.fromkeys(dice.sample(intents, 6), 1) for n in range(150)}
    search = optimal_lists.search_optimal_lists
    monkeypatch.setattr(
        optimal_lists,
        "search_optimal_lists",
        lambda *args, **options: search(*args, **{**options, "time_limit": 0}),
    )
    with pytest.warns(dm.DivmetricsWarning, match="are not proved to cost least"):
        dm.score("S-precision", list(judged), judged)


def test_only_ws_precision_needs_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert dm.score("S-precision", LIST, JUDGED) == pytest.approx(2 / 3)
    assert dm.score("S-recall-lmin", LIST, JUDGED) == pytest.approx(5 / 6)
    with pytest.raises(dm.DivmetricsError, match="WS-precision needs the package scipy"):
        dm.score("WS-precision", LIST, JUDGED)


def test_a_row_that_the_ideal_does_not_know_is_refused():
    row = replace(paper.S_precision, M=paper.P_IA.M)
    with pytest.raises(dm.DivmetricsError, match="SmallestCover divides rows with M=LevelReached"):
        row.score(dm.RankedList(*ranked(LIST)))
