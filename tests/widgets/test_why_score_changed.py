"""What the lab says of a list whose score moved although nobody touched it, and when it says nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.measuring import ListScorer
from tests.support.strategies import quick, samples

METRICS = ("ERR-IA@5", "nDCG-IA@5", "D#-nDCG@5", "alpha-nDCG@5", "P+Q@5", "D-Q@5", "AP-IA@5", "RBU@5")


def lab_of(*metrics: str) -> RankedListLab:
    topic = dm.Topic("1", (dm.Intent("film", 0.5), dm.Intent("book", 0.5)))
    grades = {"d1": {"film": 1}, "d2": {"book": 2}, "d3": {"film": 1}, "d4": {}}
    pool = dm.Judgments.of(topic, grades, scale=2)
    a, b = dm.RankedList(topic, ["d1", "d4"], pool, "A"), dm.RankedList(topic, ["d2", "d3"], pool, "B")
    return RankedListLab(a, b, metrics=metrics)


def edited(lab: RankedListLab, **parts: Any) -> str:
    """What the lab says after an edit as the browser makes it."""
    lab.set_state({"_edit": {"name": f"{lab._results['of']}+", "on": lab._shown["name"], **parts}})
    assert not lab._problem
    message: str = lab._results["moved"]
    return message


def graded(lab: RankedListLab, doc: str, **grades: int) -> list[Any]:
    docs = copy.deepcopy(lab.page.docs)
    next(d for d in docs if d["id"] == doc)["grades"] = grades
    return docs


@pytest.mark.parametrize(
    ("metric", "grades", "message"),
    [
        (
            "alpha-nDCG@3",
            {"film": 2, "book": 1},
            "B's alpha-nDCG@3 moved too: the ideal list changed (it now begins with d4 d1 d2).",
        ),
        ("nDCG-IA@3", {"film": 2}, "B's nDCG-IA@3 moved too: the ideal list of film changed."),
        (
            "Q-IA@3",
            {"film": 2},
            "B's Q-IA@3 moved too: the pool changed (film now has 3 relevant documents, not 2).",
        ),
        ("ERR-IA@3", {"film": 2, "book": 1}, ""),  # no ideal list: B's score stays
    ],
)
def test_a_grade_of_a_document_that_b_does_not_have(
    metric: str, grades: dict[str, int], message: str
) -> None:
    lab = lab_of(metric)
    before = lab._results["rows"][0]["scores"][1]
    assert edited(lab, docs=graded(lab, "d4", **grades)) == message
    assert (lab._results["rows"][0]["scores"][1] != before) == bool(message)


def test_no_reason_for_a_document_of_both_lists() -> None:
    lab = lab_of("alpha-nDCG@3")
    lab.a = ["d2", "d4"]
    assert edited(lab, docs=graded(lab, "d2", film=2, book=2)) == ""


def test_another_ideal_list_by_other_probabilities() -> None:
    lab = lab_of("D-nDCG@3")
    topic = copy.deepcopy(lab.page.topic)
    for intent, probability in zip(topic["intents"], (0.9, 0.1), strict=True):
        intent["probability"] = probability
    message = "D-nDCG@3 with these probabilities has another ideal list: it now begins with d1 d3 d2."
    assert edited(lab, topic=topic) == message


def test_the_line_stays_until_the_next_edit() -> None:
    lab = lab_of("alpha-nDCG@3", "ERR-IA@3")
    message = edited(lab, docs=graded(lab, "d4", film=2, book=1))
    assert message
    lab.set_state({"_chosen": "ERR-IA@3", "_edit": {**lab._edit, "name": "again"}})
    assert lab._results["moved"] == message
    lab.set_state({"_hand": {"side": "A", "doc": "d1"}})
    assert [page["results"]["moved"] for page in lab._ahead["pages"]] == [""]
    assert edited(lab, docs=lab.page.docs, lists={"A": ["d4", "d1"], "B": ["d2", "d3"]}) == ""


@quick(40)
@given(sample=samples(most_topics=1, most_runs=2), data=st.data())
def test_the_order_of_one_list_moves_no_score_of_the_other(sample: Any, data: st.DataObject) -> None:
    assume(len(sample.runs) == 2 and all(sample.runs.values()))
    (pool,) = sample.collection().pools.values()
    a, b = (next(iter(lists.values())) for lists in sample.runs.values())
    other = data.draw(st.permutations(a))[: data.draw(st.integers(0, len(a)))]
    scorer = ListScorer(pool)
    before = scorer.rows({"A": a, "B": b}, METRICS)
    after = scorer.rows({"A": other, "B": b}, METRICS)
    assert [row["scores"][1] for row in before] == [row["scores"][1] for row in after]
