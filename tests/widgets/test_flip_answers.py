"""The lab's smallest edits and its goals, without a browser."""

from __future__ import annotations

import random
import re
from itertools import count
from typing import Any

import pytest

import divmetrics as dm
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.research.counterfactual import Goal, NoFlip, flip
from divmetrics_widgets import RankedListLab
from divmetrics_widgets.flipping import flipped
from tests.support.asking import answers

METRICS = ["S-recall@3", "ERR-IA@5", "ndeval:alpha-nDCG@5", "D#-nDCG@5", "D-ERR@5", "DIN#-nDCG@4", "P+Q"]
TWO_LEVELS = [*METRICS, "ERR-IS@5", "D#-nDCG-IS@4"]
NUMBERS = count(1)


def a_page(dice: random.Random, *, levels: bool = False) -> str:
    """A lab's text: three intents of both kinds, documents of which some were never judged."""
    names = ["x", "y", "z"]
    lines = ["topic 1", f"scale {dice.randint(1, 3)}"]
    for name, weight in zip(names, ("0.5", "0.3", "0.2"), strict=True):
        lines.append(f"intent {name} {weight} {dice.choice(['informational', 'navigational'])}")
        lines += [f"  subtopic {e} 0.5" for e in "uv"] if levels else []
    keys = [f"{name}/{e}" for name in names for e in "uv"] if levels else names
    docs = [f"d{i}" for i in range(6)]
    for doc in docs:
        labels = " ".join(f"{key}:1" for key in keys if dice.random() < 0.4)
        lines.append(f"doc {doc} {labels}" if dice.random() < 0.8 else f"doc {doc} ?")
    lines += [f"{side} {' '.join(dice.sample(docs, dice.randint(2, 5)))}" for side in "AB"]
    chosen = TWO_LEVELS if levels else METRICS
    return "\n".join([*lines, f"metrics {' '.join(dice.sample(chosen, 4))}"])


def ask(lab: RankedListLab, metric: str, *, keep: bool = False) -> dict[str, Any]:
    """What a browser is told that wants this metric to be flipped."""
    (result,) = answers(lab, "flip", metric=metric, keep=keep)
    assert lab._problem == ""
    return dict(result.get("result") or {"words": result["error"]})


def take(lab: RankedListLab, found: dict[str, Any]) -> None:
    """What the browser does with an edit that is taken."""
    docs = [dict(doc) for doc in lab.page.docs]
    for change in found["grades"]:
        doc = next(doc for doc in docs if doc["id"] == change["doc"])
        grades = {**(doc["grades"] or {}), change["intent"]: change["grade"]}
        doc["grades"] = {key: grade for key, grade in grades.items() if grade}
    name = f"taken.{next(NUMBERS)}"
    lab.set_state({"_edit": {"name": name, "on": lab._shown["name"], "lists": found["lists"], "docs": docs}})
    assert lab._problem == ""


@pytest.mark.parametrize("levels", [False, True], ids=["one level", "two levels"])
@pytest.mark.parametrize("keep", [False, True], ids=["any", "the others stay"])
def test_an_edit_does_what_is_said_of_it(*, levels: bool, keep: bool) -> None:
    dice = random.Random(7)
    taken = refused = graded = 0
    for _ in range(12):
        lab = RankedListLab(a_page(dice, levels=levels))
        rows = {row["metric"]: row for row in lab._results["rows"]}
        for metric in lab.metrics:
            before = RankedListLab(lab.state)
            edits = ask(before, metric, keep=keep)
            others = [name for name in lab.metrics if name != metric] if keep else []
            if not rows[metric]["prefers"]:
                assert edits["words"].startswith(
                    f"{metric} prefers neither of the two lists, so there is not"
                )
                continue
            expected = flip(metric, before.a, before.b, keep=others)
            if isinstance(expected, NoFlip):
                assert edits["words"] == repr(expected)
                refused += 1
                continue
            assert edits["words"] == expected.words
            predicted = {row["metric"]: list(map(float, row["scores"])) for row in edits["rows"]}
            for scored, (_, after) in expected.scores.items():
                assert predicted[str(scored)] == pytest.approx(after, abs=0.00005 + 1e-9)  # shown rounded
            take(before, edits)
            assert before._results["rows"] == edits["rows"]
            now = {row["metric"]: row["prefers"] for row in edits["rows"]}
            assert {rows[metric]["prefers"], now[metric]} == {"A", "B"}
            assert all(now[name] == rows[name]["prefers"] for name in others)
            taken += 1
            graded += bool(edits["grades"])
    assert taken > 8
    assert levels or graded > 1
    assert refused or not keep


def test_metric_under_two_names_can_be_flipped() -> None:
    lab = RankedListLab(metrics=["ERR-IA@5", "paper:ERR-IA@5", "S-recall@5"])
    edits = ask(lab, "ERR-IA@5", keep=True)
    assert [row["prefers"] for row in edits["rows"]] == ["A", "A", "B"]


def test_unscorable_metric_does_not_prevent_other_flips() -> None:
    lab = RankedListLab(metrics=["ERR-IA@5", "P-IA"])
    assert "lists" in ask(lab, "ERR-IA@5", keep=True)
    assert ask(lab, "P-IA")["words"].startswith("P-IA needs a cutoff")
    assert "ERR-IAA" in ask(lab, "ERR-IAA@5")["words"]


def test_a_question_about_another_page_has_no_answer() -> None:
    lab = RankedListLab()
    question = {"metric": "ERR-IA@5", "keep": False}
    past = [{"error": "the page has changed since this was asked"}]
    assert answers(lab, "flip", of="before", **question) == past
    assert answers(lab, "flip", metric="ERR-IA@5") == []
    assert lab._problem.startswith("the request for flip is")


def test_nothing_is_searched_where_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    for name in ("flipped", "reached"):
        monkeypatch.setattr(f"divmetrics_widgets.lab.{name}", never)
    lab = RankedListLab()
    lab.a = lab.a.docs[::-1]
    assert "goal" not in lab._results
    assert lab.progress is None


def test_however_many_intents_there_are_the_pages_with_one_move_are_tried() -> None:
    intents = "\n".join(f"intent t{i} 1/60" for i in range(60))
    docs = "\n".join(f"doc d{i} t{i}:1" for i in range(1, 10)) + "\ndoc d0 t10:1 t11:1 t12:1"
    lists = "\n".join(
        f"{side} {' '.join(f'd{i}' for i in order)}"
        for side, order in (("A", range(10)), ("B", [1, 0, *range(2, 10)]))
    )
    lab = RankedListLab(f"topic 1\nscale 1\n{intents}\n{docs}\n{lists}\nmetrics ERR-IA@9")
    edits = flipped("ERR-IA@9", [], lab.a, lab.b, lab.metrics)
    assert edits["words"].startswith("Move d0 in ")
    assert "Exact: all " in edits["words"]


GOAL = Goal("ERR-IA@5", keep="D-nDCG@5", edits=2)
SENTENCE = "Make ERR-IA@5 prefer A in 2 moves; D-nDCG@5 must still prefer A."


def moved(lab: RankedListLab, doc: str, rank: int) -> None:
    docs = [other for other in lab.b.docs if other != doc]
    lab.b = [*docs[: rank - 1], doc, *docs[rank - 1 :]]


def test_a_goal_is_followed() -> None:
    lab = RankedListLab(goal=GOAL)
    assert lab.goal == GOAL
    before, start = lab.state, vars(lab.page)
    assert lab._goal == {"says": SENTENCE, "start": start}
    assert not lab.progress
    assert (False, "ERR-IA@5 has not flipped") in lab._results["goal"]["marks"]
    moved(lab, "d14", 1)
    progress = lab.progress
    assert progress
    assert (progress.moves, progress.flipped) == (1, True)
    assert lab._results["goal"] == {"marks": progress.marks, "reached": True}
    assert "✓ 1 of 2 moves" in str(progress)
    moved(lab, "d14", 4)
    assert lab.state == before
    assert not lab.progress
    lab.goal = None
    assert (lab.goal, lab.progress, lab._goal) == (None, None, {})
    assert "goal" not in lab._results


def test_a_goal_begins_where_it_is_set() -> None:
    lab = RankedListLab()
    moved(lab, "d14", 1)
    lab.goal = Goal("ERR-IA@5", edits=1)
    assert lab._goal["start"]["lists"] == lab.page.lists
    assert str(lab.progress) == "✗ ERR-IA@5 has not flipped; ✓ 0 of 1 moves"


def test_the_way_to_a_goal_cannot_be_cut_short() -> None:
    lab = RankedListLab(goal=GOAL)
    sentences = {
        "has other documents than at the start": {"lists": {**lab.page.lists, "B": ["d1"]}},
        "has other intents, weights, kinds or possible grades": {
            "topic": {**lab.page.topic, "scale": 3},
        },
    }
    for number, (sentence, parts) in enumerate(sentences.items()):
        lab.set_state({"_edit": {"name": f"b{number}", "on": lab._shown["name"], **parts}})
        assert sentence in lab._results["goal"]["problem"]
        with pytest.raises(dm.DivmetricsError, match=sentence):
            _ = lab.progress


def test_steps_that_are_measured_in_advance_know_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("divmetrics_widgets.bench.AT_MOST", float("inf"))
    lab = RankedListLab(goal=Goal("ERR-IA@5"))
    lab.set_state({"_hand": {"side": "A", "doc": lab.a.docs[0]}})
    (ahead,) = lab._ahead["pages"]
    assert (True, "1 move") in ahead["results"]["goal"]["marks"]


def test_invalid_goals_raise_one_sentence() -> None:
    lab = RankedListLab()
    with pytest.raises(
        dm.DivmetricsError, match=re.escape("the lab's goal is 'ERR-IA@5', expected None or a")
    ):
        lab.goal = "ERR-IA@5"  # type: ignore[assignment]
    for goal, sentence in {
        Goal("P-IA"): "P-IA needs a cutoff",
        Goal("ERR-IA@5"): "ERR-IA@5 prefers neither of the two lists",
    }.items():
        lab.b = lab.a.docs
        with pytest.raises(dm.DivmetricsError, match=sentence):
            lab.goal = goal
    assert lab.goal is None


def test_a_reader_without_a_kernel_reads_the_goal() -> None:
    assert SENTENCE in RankedListLab(goal=GOAL).static_html()
    assert "Goal" not in RankedListLab().static_html()


def test_a_page_as_text_holds_no_goal() -> None:
    lab = RankedListLab(goal=GOAL)
    assert lab.state == RankedListLab().state
    assert isinstance(RankedListLab(lab.state).page, LabState)
