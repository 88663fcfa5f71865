"""What the questions of the lab's examples take for granted is true of their pages."""

from __future__ import annotations

import math
from typing import Any

import pytest

import divmetrics as dm
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.presets import OWN, PRESETS, preset


def preferences(lab: RankedListLab) -> dict[str, str]:
    """By `evaluate` on the lists as they stand: the list that each metric prefers, "" for neither."""
    collection = lab._scorer().collection(lab.page.lists)
    runs = list(collection.runs.values())
    rows = dm.evaluate(collection, runs, list(lab.metrics))
    scores = {(row.run, row.metric): row.score for row in rows.itertuples() if row.topic == lab.a.topic.id}
    by_metric = {}
    for metric in lab.metrics:
        a, b = scores["A", metric], scores["B", metric]
        by_metric[metric] = "" if abs(a - b) < 1e-9 else "A" if a > b else "B"
    return by_metric


# Of each example, every metric that it shows: a question that says less is no question of these numbers.
EXPECTED: dict[str, dict[str, str]] = {
    "harry potter": {
        "S-recall@5": "B",
        "ERR-IA@5": "B",
        "alpha-nDCG@5": "B",
        "D#-nDCG@5": "B",
        "ERR-IS@5": "A",
    },
    "Yu et al. 2017, query 0053": {
        **{"S-recall@10": "", "S-recall-IS@10": "", "ERR-IA@10": "B", "ERR-IS@10": "A"},
        **{"nDCG-IA@10": "B", "nDCG-IS@10": "A"},
    },
    "Yu et al. 2017, query 0078": {
        **{"S-recall@10": "", "S-recall-IS@10": "B", "ERR-IA@10": "B", "ERR-IS@10": "B"},
        **{"nDCG-IA@10": "B", "nDCG-IS@10": "B"},
    },
    "Yu et al. 2017, query 0080": {
        **{"S-recall@10": "", "S-recall-IS@10": "B", "ERR-IA@10": "B", "ERR-IS@10": "A"},
        **{"nDCG-IA@10": "B", "nDCG-IS@10": "B"},
    },
    "Sakai et al. 2010, topic 21": {
        **{"I-rec@10": "", "alpha-nDCG@10": "B", "nDCG-IA@10": "A", "D-nDCG@10": "A", "D#-nDCG@10": "A"},
    },
    "Sakai et al. 2010, topic 38": {
        **{"I-rec@10": "B", "alpha-nDCG@10": "B", "nDCG-IA@10": "A", "D-nDCG@10": "A", "D#-nDCG@10": "B"},
    },
    "Sakai 2012, Figure 1": {
        **{"D-nDCG@5": "A", "DIN-nDCG@5": "B", "Q-IA@5": "B", "P+Q@5": "B", "Ef-P@5": "B"},
    },
    "synthetic": dict.fromkeys(("S-recall@10", "ERR-IA@10", "alpha-nDCG@10", "D#-nDCG@10"), "A"),
    "one page for everybody": {
        **{"S-recall@5": "", "ERR-IA@5": "A", "alpha-nDCG@5": "A", "D#-nDCG@5": "A", "Prec@5": "B"},
    },
    "java": {
        **{"S-recall@3": "", "alpha-nDCG@3": "A", "ERR-IA@3": "B", "D-nDCG@3": "B", "D#-nDCG@3": "B"},
    },
    "redundancy": {
        **{"S-recall@5": "B", "D-nDCG@5": "A", "ERR-IA@5": "B", "alpha-nDCG@5": "B", "D#-nDCG@5": "B"},
    },
    "who comes first": {
        **{"S-recall@5": "", "alpha-nDCG@5": "", "ERR-IA@5": "A", "nDCG-IA@5": "A", "D-nDCG@5": "A"},
    },
}


@pytest.mark.parametrize("name", PRESETS)
def test_metrics_prefer_on_the_page_what_makes_its_question_one(name: str) -> None:
    assert preferences(RankedListLab(name)) == EXPECTED[name]


@pytest.mark.parametrize("name", PRESETS)
def test_a_question_names_its_source_and_metrics_and_documents_that_are_there(name: str) -> None:
    of, lab = PRESETS[name], RankedListLab(name)
    assert of.question.endswith("?")
    assert of.first.endswith(".")
    assert of.group == OWN or "(201" in of.source
    assert "  " not in f"{of.question} {of.source} {of.first}"
    words = [word.strip(".,;:“”") for word in of.first.split()]
    assert {word for word in words if "@" in word} <= set(lab.metrics)


def test_questions_are_read_in_python() -> None:
    table = RankedListLab.questions()
    assert tuple(table.example) == RankedListLab.presets() == tuple(PRESETS)
    assert list(table.columns) == ["example", "question", "source", "try first"]
    assert table.question.is_unique
    lab = RankedListLab("java")
    assert lab.question == PRESETS["java"].question
    lab.a = lab.b
    lab.metrics = ["ERR-IA@3"]
    assert lab.question == PRESETS["java"].question  # edited as it may be
    lab.state = RankedListLab("redundancy").state  # another page
    assert lab.question == ""
    assert RankedListLab(lab.a, lab.b).question == ""
    assert PRESETS["java"].question in RankedListLab("java").static_html()


def served(lab: RankedListLab, side: str, depth: int | None = None) -> list[set[str]]:
    """What each document of a list is relevant to: intents, and second-level subtopics as intent/subtopic."""
    grades = {doc["id"]: doc["grades"] or {} for doc in lab.page.docs}
    return [
        {key for key, grade in grades[doc].items() if grade} | {k.split("/")[0] for k in grades[doc]}
        for doc in lab.page.lists[side][:depth]
    ]


def intents(found: list[set[str]]) -> set[str]:
    return {key for keys in found for key in keys if "/" not in key}


def children(found: list[set[str]]) -> set[str]:
    return {key for keys in found for key in keys if "/" in key}


def test_one_intent_from_every_side_or_three() -> None:
    lab = RankedListLab("harry potter")
    a, b = served(lab, "A", 5), served(lab, "B", 5)
    film = next(t for t in lab.page.topic["intents"] if t["id"] == "film")
    assert intents(a) == {"film"}
    assert children(a) == {f"film/{child['id']}" for child in film["children"]}
    assert len(intents(b)) == 3


def test_the_same_subtopics_in_another_order() -> None:
    lab = RankedListLab("Yu et al. 2017, query 0053")
    a, b = served(lab, "A", 10), served(lab, "B", 10)
    assert (intents(a), children(a)) == (intents(b), children(b))
    assert lab.page.lists["B"].index("d15") == 1  # where there is a way down


def test_two_intents_of_three() -> None:
    lab = RankedListLab("Yu et al. 2017, query 0078")
    a, b = served(lab, "A", 10), served(lab, "B", 10)
    assert intents(a) == intents(b)
    assert (len(intents(a)), len(lab.page.topic["intents"])) == (2, 3)
    assert children(a) < children(b)


def test_documents_for_both_that_repeat_a_subtopic() -> None:
    lab = RankedListLab("Yu et al. 2017, query 0080")
    first = served(lab, "B", 3)
    assert all({"t1", "t2"} <= keys for keys in first)
    assert set.intersection(*({k for k in keys if k.startswith("t2/")} for keys in first)) == {"t2/e1"}
    assert not any("t2" in keys for keys in served(lab, "A", 3))


def test_one_document_for_many_or_two_for_few() -> None:
    lab = RankedListLab("Sakai et al. 2010, topic 21")
    share = {t["id"]: t["probability"] * 31 for t in lab.page.topic["intents"]}
    (a,), b = (list(filter(None, served(lab, side))) for side in "AB")
    assert share[a.pop()] == pytest.approx(16)
    assert b == [{"i5"}, {"i5"}]
    assert share["i5"] == pytest.approx(1)


def test_six_documents_or_four_and_a_rare_intent() -> None:
    lab = RankedListLab("Sakai et al. 2010, topic 38")
    share = {t["id"]: t["probability"] for t in lab.page.topic["intents"]}
    a, b = (list(filter(None, served(lab, side))) for side in "AB")
    assert a == [{"i1"}] * 6
    assert sorted(b, key=len) == [{"i1"}, {"i1"}, {"i1"}, {"i1", "i3"}]
    assert max(share, key=lambda intent: share[intent]) == "i1"
    assert share["i3"] == min(share.values()) == pytest.approx(1 / 7)


def test_a_second_page_for_who_wants_one() -> None:
    lab = RankedListLab("Sakai 2012, Figure 1")
    intent = next(t for t in lab.page.topic["intents"] if t["id"] == "j")
    assert intent["kind"] == "navigational"
    assert "j" in served(lab, "A")[1]  # there is a page for j above d4
    assert earned("D-nDCG@5", lab.a, "d4", "j") > 0
    assert earned("DIN-nDCG@5", lab.a, "d4", "j") == 0


def test_all_agree_where_one_list_serves_more_intents() -> None:
    lab = RankedListLab("synthetic")
    lacks = intents(served(lab, "A")) - intents(served(lab, "B"))
    assert lacks  # so that a document for one of them can be added


def earned(metric: str, ranked: dm.RankedList, doc: str, intent: str = "") -> float:
    table = dm.explain(metric, ranked)
    rows = table[(table.doc == doc) & ((table.intent == intent) | (intent == ""))]
    return float(rows.contribution.sum())


def regraded(name: str, grades: dict[str, dict[str, int]]) -> dict[str, str]:
    lab = RankedListLab(name)
    docs = [{**doc, "grades": grades.get(doc["id"], doc["grades"])} for doc in lab.page.docs]
    lab.set_state({"_edit": {"name": "regraded", "on": lab._shown["name"], "docs": docs}})
    assert not lab._problem
    return preferences(lab)


def test_one_perfect_page_or_two_good_ones() -> None:
    lab = RankedListLab("one page for everybody")
    top = lab.page.topic["scale"]
    page = {doc["id"]: doc["grades"] for doc in lab.page.docs}
    assert set(page["both"].values()) == {top}
    assert {t["probability"] for t in lab.page.topic["intents"]} == {0.5}
    after = regraded("one page for everybody", {"cat": {"animal": top}, "motor": {"car": top}})
    assert after == preferences(lab)  # whether any metric changes sides: none does


def test_names_or_depth() -> None:
    every = dict.fromkeys(("language", "island", "coffee"), 2)
    assert regraded("java", {"names": every})["ERR-IA@3"] == "B"
    assert regraded("java", {"names": dict.fromkeys(every, 3)})["ERR-IA@3"] == "A"


def test_what_a_copy_earns() -> None:
    lab = RankedListLab("redundancy")
    page = {doc["id"]: doc["grades"] for doc in lab.page.docs}
    assert page["copy"] == page["review"]
    first, copy = (earned("D-nDCG@5", lab.a, doc) for doc in ("review", "copy"))
    assert copy / first == pytest.approx(1 / math.log2(3))  # by its rank alone: nothing looks back
    assert copy > earned("D-nDCG@5", lab.b, "novel")
    assert earned("ERR-IA@5", lab.a, "copy") < earned("ERR-IA@5", lab.b, "novel")


def test_the_order_of_film_and_novel_follows_what_is_likely() -> None:
    lab = RankedListLab("who comes first")
    before = preferences(lab)
    topic: dict[str, Any] = lab.page.topic
    turned = [{**t, "probability": 1 - t["probability"]} for t in topic["intents"]]
    lab.set_state(
        {"_edit": {"name": "turned", "on": lab._shown["name"], "topic": {**topic, "intents": turned}}}
    )
    assert not lab._problem
    assert preferences(lab) == {name: {"A": "B", "": ""}[side] for name, side in before.items()}
    assert [t["probability"] for t in preset("who comes first").topic["intents"]] == [0.6, 0.4]
