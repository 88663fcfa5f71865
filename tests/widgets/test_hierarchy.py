"""HierarchyLab: the library's numbers for both forms, who serves what, and what the words say."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics_widgets import HierarchyLab
from divmetrics_widgets.two_levels import subtopic_hits, with_square_forms_only
from tests.support.strategies import one_list, quick

TWO_LEVELS = [
    "harry potter",
    "Yu et al. 2017, query 0053",
    "Yu et al. 2017, query 0078",
    "Yu et al. 2017, query 0080",
]


def harry(run="A"):
    return dm.datasets.harry_potter().list(run, "0083")


def agrees(lab):
    """Scores are the library's; cells are those of explain, row by row, and add up to the score shown."""
    ranked, results = lab.ranked_list, lab._results
    flat, square = lab.scores
    assert (flat, square) == (results["chosen"], results["square"])
    assert lab.scores == {name: pytest.approx(dm.metric(name).score(ranked)) for name in (flat, square)}
    forms = {flat: (results["earned"]["A"], "cells"), square: (results["below"], "leaves")}
    for name, (printed, kind) in forms.items():
        table = dm.explain(name, ranked)
        key = table["intent"] + ("/" + table["subtopic"] if kind == "leaves" else "")
        topic = ranked.topic
        ids = [t.id for t in topic.intents]
        if kind == "leaves":
            ids = [f"{t.id}/{e.id}" for t in topic.intents for e in t.children]
        for row, own in zip(ids, printed[kind], strict=True):
            assert own == pytest.approx(table[key == row]["contribution"].tolist()[: len(own)])
        total = math.fsum(value for row in printed[kind] for value in row)
        assert printed["score"] == f"{total:.4f}" == f"{dm.metric(name).score(ranked):.4f}"


@pytest.mark.parametrize("start", TWO_LEVELS)
def test_presets_with_two_levels_are_measured(start):
    lab = HierarchyLab(start)
    agrees(lab)
    assert lab._problem == ""


@pytest.mark.parametrize("name", with_square_forms_only())
def test_every_metric_of_the_menu_has_its_form(name):
    lab = HierarchyLab(metric=f"{name}@5")
    agrees(lab)
    assert list(lab.scores) == [f"{name}@5", f"{name.removesuffix('-IA')}-IS@5"]


@quick(8)
@given(st.data())
def test_any_list_in_any_order(data):
    sample = data.draw(one_list(levels=2))
    ranked = sample.collection().list("A", sample.topics[0].id)
    if not len(ranked):
        return
    lab = HierarchyLab(ranked, "alpha-nDCG(alpha=0.3)@4")
    agrees(lab)
    lab.ranked_list = data.draw(st.permutations(ranked.docs))
    agrees(lab)
    page = lab.page
    for intent in ranked.topic.intents:
        at_most = [0] * len(lab.ranked_list)
        for child in intent.children:
            for rank, grade in subtopic_hits(page.docs, page.lists["A"], f"{intent.id}/{child.id}"):
                at_most[rank - 1] = max(at_most[rank - 1], grade)
        labels = [lab.ranked_list.judgments.labels(doc) for doc in lab.ranked_list.docs]
        assert all(low <= own.get(intent.id, 0) for low, own in zip(at_most, labels, strict=True))


def two_pages():
    """One intent, two aspects of it with equal weight: d1 and d2 serve the first, d3 the second."""
    aspects = (dm.Intent("watch", 0.5), dm.Intent("cast", 0.5))
    topic = dm.Topic("7", (dm.Intent("film", 1.0, children=aspects),))
    judged = {
        "d1": {("film", "watch"): 1},
        "d2": {("film", "watch"): 1},
        "d3": {("film", "cast"): 1},
    }
    return dm.RankedList(topic, ["d1", "d2", "d3"], judged)


def test_words_and_numbers_by_hand():
    """ERR-IA of grades 1 out of 1: 1/2, 1/2 x 1/4, 1/3 x 1/8; each aspect alone weighs half of that."""
    lab = HierarchyLab(two_pages(), "ERR-IA@3")
    assert lab._results["earned"]["A"]["cells"] == [pytest.approx([1 / 2, 1 / 8, 1 / 24])]
    watch, cast = lab._results["below"]["leaves"]
    assert watch == pytest.approx([1 / 4, 1 / 16, 0])
    assert cast == pytest.approx([0, 0, 1 / 12])
    assert lab._results["words"] == [
        "Rank 2 (d2) repeats film/watch, which rank 1 has. There it adds, for intent film: by ERR-IA@3, "
        "0.1250, half of what it would give with nothing relevant above; by ERR-IS@3, 0.0625, half of what "
        "it would give with nothing relevant above.",
        "Rank 3 (d3) brings film/cast: new below film, an intent that rank 1 has. There it adds, for intent "
        "film: by ERR-IA@3, 0.0417, a quarter of what it would give with nothing relevant above; by "
        "ERR-IS@3, 0.0833, exactly what it would give with nothing relevant above.",
    ]
    lab.ranked_list = ["d1"]
    assert lab._results["words"] == [
        "Down to rank 1 no document merely repeats or adds to an intent served above it."
    ]


@pytest.mark.parametrize("name", with_square_forms_only())
def test_words_give_the_numbers_of_any_metric(name):
    lab = HierarchyLab("Yu et al. 2017, query 0080", f"{name}@10")
    table = {form: dm.explain(form, lab.ranked_list) for form in lab.scores}
    assert len(lab._results["words"]) == 2
    for text in lab._results["words"]:
        rank = int(re.match(r"Rank (\d+)", text)[1])
        for form, cells in table.items():
            intent = re.search(r"for intent (\S+):", text)[1]
            number = re.search(rf"by {re.escape(form)}, (-?\d\.\d{{4}}|nothing)", text)[1]
            mine = cells[(cells["rank"] == rank) & (cells["intent"] == intent)]["contribution"].sum()
            assert number == ("nothing" if abs(mine) < 1e-9 else f"{mine:.4f}")


def test_list_and_metric_can_be_set_and_scores_observed():
    lab = HierarchyLab()
    seen = []
    lab.observe(lambda change: seen.append(change["new"]), "scores")
    lab.ranked_list = harry("C")
    assert lab.ranked_list.docs == harry("C").docs
    agrees(lab)
    lab.metric = dm.metric("D#-nDCG@10")
    assert str(lab.metric) == "D#-nDCG@10"
    agrees(lab)
    assert [list(scores) for scores in seen] == [["ERR-IA@5", "ERR-IS@5"], ["D#-nDCG@10", "D#-nDCG-IS@10"]]
    assert next(d["about"] for d in lab.page.docs if d["id"] == "d1")


def test_what_a_reader_without_a_kernel_sees():
    lab = HierarchyLab()
    page = lab.static_html()
    assert page.count("<table>") == 4
    for name, score in lab.scores.items():
        assert f"{name} = {score:.4f}" in page
    assert "<td>3</td><td>1</td><td>rank 1: 2, rank 3: 2, rank 6: 2</td>" in page
    assert "<td>7</td><td>1</td><td></td>" in page  # film: seven of the eight documents, from rank 1
    assert all(score in repr(lab) for score in ("0.2870", "0.1402"))


def test_bad_input_raises_one_sentence():
    for start, metric, pattern in (
        ("Sakai 2012, Figure 1", "ERR-IA@5", "has no second-level subtopics.*choose a topic with two levels"),
        ("harry", "ERR-IA@5", "there is no preset 'harry'"),
        (3, "ERR-IA@5", "expected a preset's name or a RankedList"),
        (harry().reordered([]), "ERR-IA@5", "is empty"),
        ("harry potter", "ERR-IX@5", "there is no metric 'ERR-IX'"),
        ("harry potter", "ERR-IS@5", "is already an intent-square form; give .* ERR-IA@5"),
        ("harry potter", "ERR@5", "no intent-square form of its own"),
        ("harry potter", "P-IA", "needs a cutoff"),
    ):
        with pytest.raises(dm.DivmetricsError, match=pattern):
            HierarchyLab(start, metric)
    lab = HierarchyLab()
    for name, value in (("metric", "ERR@5"), ("ranked_list", []), ("ranked_list", ["d1", "d1"])):
        with pytest.raises(dm.DivmetricsError):
            setattr(lab, name, value)
    agrees(lab)
    assert lab.ranked_list.docs == harry().docs


def test_an_intent_without_children_is_named():
    half = dm.Topic("8", (dm.Intent("a", 0.5, children=(dm.Intent("x", 1.0),)), dm.Intent("b", 0.5)))
    with pytest.raises(dm.DivmetricsError, match="topic 8 has no second-level subtopics below b"):
        HierarchyLab(dm.RankedList(half, ["d1"], {"d1": {("a", "x"): 1}}))


def test_names_are_escaped_in_html():
    topic = dm.Topic("7", (dm.Intent("<i>t", 1.0, children=(dm.Intent("<b>e", 1.0),)),))
    ranked = dm.RankedList(topic, ["<img src=x>"], {"<img src=x>": {("<i>t", "<b>e"): 1}})
    page = HierarchyLab(ranked).static_html()
    assert "<img" not in page
    assert "<i>" not in page
    assert "<b>e" not in page


def test_the_next_steps_are_measured_in_advance_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", float("inf"))  # however slow this machine is
    lab = HierarchyLab()
    docs, scores = lab.page.lists["A"], dict(lab.scores)
    lab.set_state({"_hand": {"side": "A", "doc": docs[0]}})
    (page,) = lab._ahead["pages"]
    assert lab.scores == scores
    moved = HierarchyLab()
    moved.set_state({"_edit": {"name": "x.1", "on": moved._shown["name"], "lists": page["lists"]}})
    assert {"of": "x.1", "rows": [], **page["results"]} == moved._results
    assert moved.scores != scores


def test_documents_may_be_described() -> None:
    lab = HierarchyLab(two_pages(), "ERR-IA@2", about={"d3": "who plays whom"})
    assert {doc["id"]: doc["about"] for doc in lab.page.docs} == {"d1": "", "d2": "", "d3": "who plays whom"}
