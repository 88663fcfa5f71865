"""What a lab measures before a document has another grade: what it says once it has, and no trace of it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from divmetrics.notebook.textformat.lab_state import LabState, label_keys
from divmetrics.notebook.textformat.lab_text import write_page
from divmetrics.research.counterfactual import Goal
from divmetrics_widgets import HierarchyLab, RankedListLab
from divmetrics_widgets.bench import EditableLists
from tests.support.asking import answers
from tests.support.strategies import quick
from tests.widgets.test_lab import edit, pages

METRICS = ["ERR-IA@5", "alpha-nDCG@5", "D#-nDCG@5", "ERR-IS@5", "Q-IA@5", "S-recall@2", "P-IA"]
PATIENT = float("inf")


@pytest.fixture(autouse=True, scope="module")
def _patient() -> Any:
    """However slow this machine is, other grades are measured."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("divmetrics_widgets.bench.AT_MOST", PATIENT)
        yield


def ask(lab: EditableLists, doc: str, *grades: dict[str, int], of: str | None = None) -> list[dict[str, Any]]:
    """What the browser asks of a label, and what it is told."""
    results = answers(lab, "grades", of=of or lab._results["of"], doc=doc, grades=[*grades])
    return [answer["result"] for answer in results if "result" in answer]


def regraded(page: LabState, doc: str, grades: dict[str, int]) -> list[dict[str, Any]]:
    return [{**other, "grades": grades} if other["id"] == doc else other for other in page.docs]


@st.composite
def graded_pages(draw: st.DrawFn) -> tuple[LabState, list[tuple[str, dict[str, int]]]]:
    """A page, and documents of it with other grades, one after the other."""
    page = draw(pages().filter(lambda page: page.docs))
    keys = [key for intent in page.topic["intents"] for key in label_keys(intent)]
    grades = st.dictionaries(st.sampled_from(keys), st.integers(1, page.topic["scale"]), max_size=3)
    edits = st.tuples(st.sampled_from([doc["id"] for doc in page.docs]), grades)
    chosen = draw(st.lists(st.sampled_from(METRICS), min_size=1, unique=True))
    return replace(page, metrics=chosen), draw(st.lists(edits, min_size=2, max_size=4))


@quick(60)
@given(drawn=graded_pages(), walk=st.sampled_from(["", "A", "B"]), best=st.booleans())
def test_prefetched_grades_equal_later_scores(drawn: Any, walk: str, best: bool) -> None:
    page, edits = drawn
    labs = [RankedListLab(write_page(page)) for _ in range(3)]
    for lab in labs:
        lab.set_state({"_walk": walk, "_show_best": best})
        edit(lab)
    prefetching, made, never = labs
    for doc, grades in edits:
        assume(not prefetching._problem)
        before = deepcopy((prefetching._results, prefetching.state, prefetching._ahead))
        identities = [*map(id, (prefetching._before, prefetching._last, prefetching._cached))]
        replies = ask(prefetching, doc, {}, grades)
        assert (prefetching._results, prefetching.state, prefetching._ahead) == before
        assert [*map(id, (prefetching._before, prefetching._last, prefetching._cached))] == identities
        for lab in labs:
            edit(lab, docs=regraded(lab.page, doc, grades))
        foreseen = [page_scores["results"] for page_scores in replies if page_scores["grades"] == grades]
        assert bool(made._problem) != bool(foreseen)
        of = {"of": made._results["of"]}
        for results in foreseen:
            assert {**results, **of} == made._results
        # and whoever was asked says afterwards what one says that never was
        assert {**prefetching._results, **of} == {**never._results, **of} == made._results


def test_the_goal_and_a_hierarchy_are_foreseen_too() -> None:
    lab, made = (RankedListLab(goal=Goal("ERR-IA@5")) for _ in range(2))
    doc = lab.page.docs[0]["id"]
    (reply,) = ask(lab, doc, {"film": 1})
    edit(made, docs=regraded(made.page, doc, {"film": 1}))
    assert reply["results"]["goal"] == made._results["goal"] != lab._results["goal"]
    two, after = HierarchyLab(), HierarchyLab()
    scores = dict(two.scores)
    (reply,) = ask(two, doc, {})
    assert two.scores == scores
    after.set_state(
        {"_edit": {"name": "x", "on": after._shown["name"], "docs": regraded(after.page, doc, {})}}
    )
    assert {"of": "x", **reply["results"]} == after._results
    assert after.scores != scores


def test_each_answer_is_sent_before_the_next_page_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = RankedListLab()
    doc = lab.page.docs[0]["id"]
    steps: list[str] = []
    fill = RankedListLab._add_scores
    monkeypatch.setattr(RankedListLab, "_add_scores", lambda *args: (steps.append("measured"), fill(*args)))
    monkeypatch.setattr(lab, "send", lambda content: steps.append("sent"))
    args = {"of": lab._results["of"], "doc": doc, "grades": [{"film": 2}, {"film": 1}, {}]}
    lab._handle_custom_msg({"id": "x", "kind": "grades", "args": args}, [])
    assert steps == ["measured", "sent"] * 3


def test_invalid_or_stale_requests_are_not_scored() -> None:
    lab = RankedListLab()
    doc = lab.page.docs[0]["id"]
    assert ask(lab, doc, {"film": 1}, of="another page") == []
    assert ask(lab, "nowhere", {"film": 1}) == []
    replies = ask(lab, doc, {"nothing": 1}, {"film": 99}, {"film": 1})
    assert [reply["grades"] for reply in replies] == [{"film": 1}]
    assert lab._problem == ""


def test_only_what_is_quick_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a move is quick, since its judgments are measured already."""
    lab = RankedListLab()
    doc = lab.page.docs[0]["id"]
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", 1.0)
    lab._seconds, lab._first_seconds = 0.0, 2.0
    assert ask(lab, doc, {"film": 1}) == []
    lab._seconds, lab._first_seconds = 2.0, 0.0
    assert ask(lab, doc, {"film": 1}) == []
    lab._seconds = 0.0
    seconds = iter([0.0, 0.5, 1.5])  # when it begins, and before each page
    monkeypatch.setattr("divmetrics_widgets.bench.perf_counter", lambda: next(seconds))
    assert len(ask(lab, doc, {"film": 1}, {"film": 2}, {"film": 3})) == 1
