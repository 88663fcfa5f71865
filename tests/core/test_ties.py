"""Ties are relative to the size of what is compared: small probabilities are told apart like large ones."""

from __future__ import annotations

import numpy as np
import pytest

import divmetrics as dm
from divmetrics import meta
from divmetrics.core.ideal import sorted_order
from divmetrics.core.tolerances import dense_ranks, dense_ranks_of_sums, with_exact_ones
from divmetrics.notebook.magics.diveval_magic import Evaluation
from divmetrics.parts import Graded, GreedyIdeal, Log2, Novelty, Probability
from divmetrics.research.meta.score_table import score_table


def small(size: float) -> dm.RankedList:
    """All that is relevant is so to an intent as unlikely as `size`; the best comes last by id."""
    topic = dm.Topic("7", (dm.Intent("rare", size), dm.Intent("likely", 1 - size)))
    grades = {"a": {"rare": 1}, "b": {"rare": 2}, "z": {"rare": 3}}
    return dm.RankedList(topic, ["z", "b", "a"], grades)


@pytest.mark.parametrize("size", [0.1, 1e-9, 1e-13, 1e-200])
@pytest.mark.parametrize("name", ["D-nDCG", "D-nDCG@1", "DIN-nDCG@2", "D-Q@3", "nDCG-IA(gain=exponential)@3"])
def test_the_best_list_scores_1_however_unlikely_its_intent(size: float, name: str) -> None:
    ranked = small(size)
    expected = size if name.startswith("nDCG-IA") else 1.0
    assert dm.metric(name).score(ranked) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("size", [0.1, 1e-13])
def test_a_greedy_ideal_takes_the_best_however_unlikely_its_intent(size: float) -> None:
    row = dm.Metric("mine", N=GreedyIdeal(), f=Probability(), w=Log2(), M=Graded())
    assert row.score(small(size)) == pytest.approx(1.0, rel=1e-12)


def test_sums_that_differ_by_rounding_stay_tied_at_every_size() -> None:
    """0.1 + 0.2 and 0.3 are one gain: the id decides, and no score hangs on the order of an addition."""
    for size in (1.0, 1e-13, 1e13):
        first, second = size * (0.1 + 0.2), size * 0.3
        assert first != second
        assert dense_ranks(np.array([first, second])).tolist() == [0, 0]
        assert dense_ranks_of_sums(np.array([first, second])).tolist() == [0, 0]
        assert dense_ranks_of_sums(size * np.array([0.3, 0.30001, 0.2])).tolist() == [1, 2, 0]
    assert dense_ranks(np.array([])).tolist() == []


def test_a_small_sum_is_told_apart_beside_a_large_one() -> None:
    sums = np.array([5.0, 1e-13, 2e-13])
    assert dense_ranks_of_sums(sums).tolist() == [2, 0, 1]
    assert dense_ranks(sums).tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("gap", "better"), [(0.0, ""), (4e-13, ""), (3e-12, "A"), (1e-10, "A"), (-1e-10, "B")]
)
def test_everyone_agrees_on_what_a_tie_is(gap: float, better: str) -> None:
    """The lab, %diveval, the comparison of runs and their rank correlation, at the boundary of a tie."""
    from divmetrics_widgets.measuring import ListScorer

    topic = dm.Topic("7", (dm.Intent("first", 0.5 + gap), dm.Intent("second", 0.5 - gap)))
    a = dm.RankedList(topic, ["d1"], {"d1": {"first": 1}, "d2": {"second": 1}}, run="A")
    b = a.reordered(["d2"], "B")
    winners = {0: "", 1: "A", -1: "B"}
    (row,) = ListScorer(a.judgments).rows({"A": a.docs, "B": b.docs}, ["P-IA@1"])
    evaluation = Evaluation.of({"A": a, "B": b}, [dm.metric("P-IA@1")], ["P-IA@1"])
    scores = evaluation.tidy
    assert row["prefers"] == better
    assert evaluation.best["P-IA@1"] == (tuple(better) or ("A", "B"))
    assert winners[int(score_table(scores).decisions[0, 0, 0])] == better
    assert winners[int(meta.kendall(scores["score"], [1, 0], method="tau"))] == better
    assert meta.compare_runs(scores, "A", "B")["better"].tolist() == [better]


def test_of_documents_tied_below_others_the_first_intent_decides() -> None:
    topic = dm.Topic("7", (dm.Intent("t", 0.5), dm.Intent("u", 0.5)))
    grades = {"a": {"u": 1}, "b": {"t": 1}, "c": {"t": 1, "u": 1}}
    pool = dm.core.batch_lists([dm.RankedList(topic, ["a"], grades)]).judged
    order = sorted_order(pool, Novelty(0.5), Probability())
    assert [sorted(grades)[position] for position in order[0]] == ["c", "b", "a"]


def test_an_ideal_list_of_many_intents_scores_exactly_one() -> None:
    """Its quotients sum to 1 up to rounding; a greedy list that really is above 1 stays there."""
    for n in range(1, 60):
        topic = dm.Topic("q", tuple(dm.Intent(f"{i}", 1 / n) for i in range(n)))
        judgments = {f"d{k:02}": {f"{i}": (i * k) % 4 for i in range(n)} for k in range(1, 40)}
        gains = {doc: sum(labels.values()) for doc, labels in judgments.items()}
        ideal = dm.RankedList(topic, sorted(gains, key=lambda doc: (-gains[doc], doc)), judgments)
        if any(gains.values()):
            assert [dm.metric(f"D-nDCG{at}").score(ideal) for at in ("", "@10")] == [1, 1]
    above = np.array([1 + 1e-14, 1 - 1e-14])
    assert with_exact_ones(above).tolist() == above.tolist()
