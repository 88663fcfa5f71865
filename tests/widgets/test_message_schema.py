"""Messages of the browser, and what is set in Python: what cannot be is refused, and nothing is lost."""

from __future__ import annotations

from typing import Any

import ipywidgets
import numpy as np
import pytest

import divmetrics as dm
from divmetrics.notebook.magics.inspection import metric_at
from divmetrics.notebook.textformat.tokens import WordError, label, probability, scale
from divmetrics_widgets import ContributionsView, HierarchyLab, Predict, PreferenceJudge, RankedListLab
from divmetrics_widgets.tool import WidgetBase
from tools.explore.messages import SUBJECTS, broken, findings

POTTER = dm.datasets.harry_potter()
MANY = "9" * 5000


def test_every_widget_is_explored() -> None:
    def below(kind: type[WidgetBase]) -> set[str]:
        kinds = [k for k in kind.__subclasses__() if k.__module__.startswith("divmetrics_widgets")]
        return set().union(*map(below, kinds)) if kinds else {kind.__name__}

    assert below(WidgetBase) == set(SUBJECTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_bad_messages_leave_no_trace(name: str) -> None:
    assert list(findings(name, seed=1, tries=200)) == []


@pytest.mark.parametrize(
    ("without", "name"), [("set_state", "PreferenceJudge"), ("_handle_custom_msg", "MetricComposer")]
)
def test_the_exploration_finds_what_is_not_read(
    monkeypatch: pytest.MonkeyPatch, without: str, name: str
) -> None:
    monkeypatch.setattr(WidgetBase, without, getattr(ipywidgets.Widget, without))
    assert any(findings(name, seed=1, tries=200))


def test_the_exploration_finds_what_was_set_in_python_and_cannot_be() -> None:
    """A lab that took such a list would be of no use from then on."""
    lab = RankedListLab()
    assert broken(lab, ["a", "b"]) == ""
    lab._shown = {**lab._shown, "lists": {"A": [1, 2], "B": []}}
    assert "DivmetricsError: the page, lists" in broken(lab, ["a", "b"])


def edit(name: str = "1", **parts: Any) -> dict[str, Any]:
    return {"_edit": {"name": name, "on": "1", **parts}}


GOOD = edit(lists={"A": ["d1"], "B": []})
INFINITE = [{"id": "d1", "about": "", "grades": {"film": 1e400}}]
BAD = [
    (PreferenceJudge, {"answers": ["A"]}, {"answers": ["left"] * 20}),
    (PreferenceJudge, {"answers": [["left"]] * 20}, {"answers": ["same"] * 20}),
    (RankedListLab, {"_hand": {"side": 3}}, {"_hand": {"side": "A", "doc": "d1"}}),
    (RankedListLab, {"_hand": {"x": 1}, **GOOD}, GOOD),
    (RankedListLab, edit(lists={"A": ["nowhere"], "B": []}), {"_show_best": True, **GOOD}),
    (RankedListLab, edit(lists={"A": ["d1", "d1"], "B": []}), GOOD),
    (RankedListLab, edit(lists={"A": ["d1"]}), GOOD),
    (RankedListLab, edit(topic=None), {"_chosen": "ERR-IA@5"}),
    (RankedListLab, edit(docs=INFINITE), GOOD),
    (RankedListLab, edit(metrics=[5]), edit(metrics=["ERR-IA@5"])),
    (RankedListLab, {"_edit": 5}, GOOD),
    (RankedListLab, {"state": "nonsense"}, GOOD),
    (HierarchyLab, edit(lists={"A": [], "B": []}), edit(lists={"A": ["d1"]})),
    (Predict, {"answer": {"x": 1}}, {"answer": "that"}),
]


@pytest.mark.parametrize(("kind", "bad", "good"), BAD)
def test_a_refused_message_changes_nothing_and_the_next_one_is_taken(
    kind: Any, bad: dict[str, Any], good: dict[str, Any]
) -> None:
    widget = kind("Which?", ["this", "that"]) if kind is Predict else kind()
    before = {name: getattr(widget, name) for name in widget.keys if name != "_problem"}
    widget.set_state(bad)
    assert {name: getattr(widget, name) for name in before} == before
    assert "expected" in widget._problem
    assert "\n" not in widget._problem
    widget.set_state(good)
    assert {name: getattr(widget, name) for name in good} == good
    assert widget._problem == ""


def test_invalid_cells_are_not_selected() -> None:
    view = ContributionsView("ERR-IA@5", POTTER.list("A", "0083"))
    first = view.selected
    for bad in ([], ["film"], ["film", 99], ["film", "1"], [["film"], 1], ["film", 1, 1], "film"):
        view.set_state({"selected": bad})
        assert view.selected == first
    view.set_state({"selected": ["book", 2]})
    assert view.selected == ["book", 2]


def test_browser_cannot_write_read_only_traits() -> None:
    lab = RankedListLab()
    rows = lab._results["rows"]
    lab.set_state({"_results": {}, "_shown": {}, "_esm": "alert(1)", "nonsense": 1, **edit("2")})
    assert lab._results["rows"] == rows
    assert lab._results["of"] == "2"
    assert lab._esm == RankedListLab()._esm


WRONG: list[tuple[str, Any]] = [
    *(("a", value) for value in ([1, 2], "d1 d2", 5, None, {"d1"}, [["d1"]], ["d1", "d1"], ["\ud800"], [""])),
    *(("metrics", value) for value in ([3], 3, None, ["ERR-IA@0"], "nonsense")),
    *(("state", value) for value in (3, None, "nonsense", "topic 1\nscale 0")),
    *(("state", f"topic 1\n{line}") for line in ("intent a 1e99999999", f"intent a 1\ndoc d a:{MANY}")),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_lab_recovers_from_what_cannot_be_set(name: str, value: Any) -> None:
    lab = RankedListLab()
    state, scores = lab.state, lab.scores
    with pytest.raises(dm.DivmetricsError) as caught:
        setattr(lab, name, value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert lab.state == state
    assert lab.scores.equals(scores)
    lab.a = lab.a.docs[::-1]
    assert lab.state != state


def test_documents_may_come_in_any_order_of_python() -> None:
    lab = RankedListLab()
    for docs in (("d2", "d1"), np.array(["d2", "d1"]), iter(["d2", "d1"])):
        lab.a = docs
        assert lab.a.docs == ("d2", "d1")


def test_a_hierarchy_lab_recovers_too() -> None:
    lab = HierarchyLab()
    before = lab.ranked_list.docs
    for wrong in ([1, 2], "d1", None):
        with pytest.raises(dm.DivmetricsError):
            lab.ranked_list = wrong  # type: ignore[assignment]  # on purpose
        assert lab.ranked_list.docs == before


def slashed(first: str, second: str) -> dm.RankedList:
    children = (dm.Intent("c/d", 0.5), dm.Intent("e", 0.5))
    intents = [dm.Intent(name, 0.5, children=children) for name in (first, second)]
    topic = dm.Topic("1", tuple(intents))
    judgments = {"d1": {(first, "c/d"): 2, second: 1}, "d2": {(second, "e"): 1}}
    return dm.RankedList(topic, ["d1", "d2"], judgments)


def test_a_name_may_hold_a_slash() -> None:
    ranked = slashed("a/b", "x")
    lab = HierarchyLab(ranked, "ERR-IA@2")
    assert lab.scores["ERR-IA@2"] == pytest.approx(dm.metric("ERR-IA@2").score(ranked))
    assert lab.scores["ERR-IS@2"] == pytest.approx(dm.metric("ERR-IS@2").score(ranked))
    both = RankedListLab(ranked)
    assert RankedListLab(both.state).scores.equals(both.scores)
    with pytest.raises(dm.DivmetricsError, match=r"'a/c/d' may be read as an intent and as a subtopic below"):
        RankedListLab(slashed("a", "a/c/d"))


def test_a_first_level_grade_is_kept_beside_an_intent_with_a_slash() -> None:
    topic = dm.Topic("1", (dm.Intent("a/b", 0.5), dm.Intent("a", 0.5)))
    lab = RankedListLab(dm.RankedList(topic, ["d"], {"d": {"a/b": 2, "a": 1}}), metrics=["ERR-IA@1"])
    assert lab.a.judgments.labels("d") == {"a/b": 2, "a": 1}


@pytest.mark.parametrize(
    "text", ["1e99999999", "1e400", "1e-99999999", MANY, f"1/{MANY}", "nan", "inf", "1/0", "", "."]
)
def test_a_probability_has_no_more_digits_than_it_can_use(text: str) -> None:
    with pytest.raises(WordError, match=r"expected a number such as 0\.25 or 1/4") as caught:
        probability(text)
    assert len(str(caught.value)) < 200


def test_grades_and_scales_end_somewhere() -> None:
    assert label("a:0000000000002") == ("a", 2)
    assert label("a:999999999") == ("a", 999_999_999)
    assert scale(["2", "10"]) == (2, 10)
    for written in ("a:1000000000", "a:99999999999999999999", f"a:{MANY}"):
        with pytest.raises(WordError, match="is too high, expected at most 999,999,999"):
            label(written)
    for written in ("99999999999999999999", MANY, "0", "000"):
        with pytest.raises(WordError):
            scale([written])


@pytest.mark.parametrize(
    "name",
    [f"ERR-IA@{MANY}", "ERR-IA@1000001", f"RBU(e={MANY})@5", "RBU(e=1e400)@5", "x" * 5000, "(" * 999, "AP@²"],
)
def test_invalid_names_raise_a_short_sentence(name: str) -> None:
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.metric(name).score(POTTER.list("A", "0083"))
    assert len(str(caught.value)) < 600


def test_help_on_a_huge_cutoff_is_that_of_the_metric() -> None:
    text = f"dm.metric('ERR-IA@{MANY}')"
    assert metric_at({}, text, 14) == dm.metric("ERR-IA")
