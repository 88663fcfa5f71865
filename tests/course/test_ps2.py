"""Assignment 2: its key against its solutions, and what makes a pair of lists right."""

from __future__ import annotations

import re
from typing import Any

import pytest

import divmetrics as dm
from course.grading import data_draws, judge, ps2
from course.grading.course_files import Course, Release
from course.grading.leaks import leaks
from course.grading.release import generate
from course.grading.sandbox import RunResult
from course.grading.sandbox_runner import to_array
from divmetrics_widgets import handing_in
from divmetrics_widgets.handing_in import written

PS2 = ps2.ASSIGNMENT


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS2, 2)


@pytest.fixture(scope="module")
def mine(release: Release) -> Any:
    return release.data.of("a")


ASKED = {"q1": "ask_err", "q2": "ask_novelty"}


def rounded(table: str) -> Any:
    """The numbers of a table that is told, in four digits."""
    return [f"{float(each):.4f}" for each in re.findall(r"[\d.]+", table)]


def verdict(name: str, mine: Any, answer: Any) -> tuple[float, str]:
    """The verdict on an answer, as if it had been handed in and, if it is a function, called."""
    question = PS2.question(name)
    handed = {name: [{"question": name, "value": written(answer)}]}
    called = {}
    if question.cases:
        results = [answer(*map(to_array, case)) for case in question.cases(mine)]
        called = {name: [{"value": written(result)} for result in results]}
    return judge._verdict(question, mine, RunResult(handed=handed, called=called))


@pytest.mark.parametrize("way", PS2.solutions)
def test_the_key_agrees_with_every_solution(
    release: Release, mine: Any, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np
    import pandas as pd

    said: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: said.append(data))
    names = {"dm": dm, "np": np, "pd": pd, "mine": mine, "hand_in": handing_in.hand_in}
    locked = {cell.id: cell.source for cell in release.notebook.cells}
    for question in PS2.questions:
        exec(PS2.solutions[way][question.name], names)
        said.clear()
        exec(locked[question.name], names)
        told = "".join(each["text/plain"] for each in said)
        assert told.startswith(f"{question.name}: handed in, ")
        assert "Look again" not in told
        if question.cases:  # the example of the question
            (example,) = re.findall(r"`(\[\[.*\]\])`", locked[ASKED[question.name]])
            assert rounded(told.partition("returns ")[2].removesuffix(".")) == rounded(example)
        cell = next(cell for cell in release.notebook.cells if cell.id == f"{question.name}_answer")
        variable = cell.source.splitlines()[-1].partition(" =")[0]
        assert verdict(question.name, mine, names[variable]) == (True, "Right."), question.name


@pytest.mark.parametrize(
    "question", [each for each in PS2.questions if each.cases], ids=lambda each: each.name
)
def test_feedback_names_the_error_of_a_function(mine: Any, question: Any) -> None:
    for wrong in question.wrong:
        names: dict[str, Any] = {}
        exec(wrong.code, names)
        function = names["M_ERR" if question.name == "q1" else "M_alpha"]
        assert verdict(question.name, mine, function) == (False, f"Not right: {wrong.says}.")


def test_every_slip_is_told_apart_and_no_pair_that_slips_is_right(release: Release) -> None:
    for number in release.data.DRAWS:
        data = release.data.drawn(number)
        assert data_draws.separates_all(PS2, data)
        for name in ("q6", "q7"):
            for wrong in PS2.question(name).wrong:
                earned, reason = verdict(name, data, wrong.value(data))
                assert not earned
                assert wrong.says in reason


def test_malformed_answers_are_reported_before_submission(
    release: Release, mine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: said.append(data["text/plain"]))
    locked = {cell.id: cell.source for cell in release.notebook.cells}
    names: dict[str, Any] = {"np": __import__("numpy"), "mine": mine, "hand_in": handing_in.hand_in}
    docs = list(mine.a.docs)
    for question, code, remark in (
        ("q1", "M_ERR = lambda grades: grades", "On the example it ends in TypeError"),
        ("q2", "M_alpha = lambda grades, alpha: 1 / 0", "On the example it ends in ZeroDivisionError"),
        ("q3", "alpha_DCG = {'A': 4.4, 'C': 1}", "Missing: B. Not asked for: C."),
        ("q3", "alpha_DCG = {'A': 'about 4.4', 'B': 1}", "A is a text; expected a number."),
        ("q4", f"ideal = {docs[:2]}", "Asked for are 5 names. It has 2."),
        ("q4", "ideal = ['d0']", "Not among what it may hold: d0."),
        ("q4", f"ideal = {[docs[0]] * 5}", f"In it more than once: {docs[0]}."),
        ("q6", f"pair = {{'A': {docs[:1]}, 'B': ['d0']}}", "A: Missing: "),
        ("q7", "fewest = 'x'", "q7: not handed in."),
    ):
        said.clear()
        exec(f"{code}\n{locked[question]}", names)
        assert remark in " ".join(said)


def test_a_pair_by_more_moves_is_right_where_moves_are_not_counted(mine: Any) -> None:
    pair = ps2.by_more_moves(mine)
    assert verdict("q6", mine, pair) == (1.0, "Right.")
    assert verdict("q7", mine, pair) == (0.0, f"Not right: {ps2.TOO_MANY}.")


def test_the_library_proves_that_one_move_is_not_enough(mine: Any) -> None:
    found = dm.flip(ps2.alpha_ndcg(mine), mine.a, mine.b, keep=ps2.ERR_IA, edits=1, grades=False)
    assert not found
    assert found.exact
    right = ps2.parted(mine)
    assert verdict("q7", mine, [right["A"], right["B"]]) == (1.0, "Right.")


@pytest.mark.parametrize("value", [3, "d1", [["d1"]], {"A": ["d1"]}, {"A": ["d1"], "B": [2]}, [[], []]])
def test_invalid_pairs_of_lists_are_rejected(mine: Any, value: Any) -> None:
    earned, reason = verdict("q6", mine, value)
    assert not earned
    assert reason.startswith("Not right")


def test_half_of_the_points_are_for_arguments(release: Release) -> None:
    points = release.points
    by_hand = {each.name: sum(share for share, _ in each.rubric) for each in PS2.written}
    assert {name: points[name] for name in by_hand} == by_hand
    assert sum(by_hand.values()) == sum(points[question.name] for question in PS2.questions) == 7.5
    assert leaks(release.folder, PS2) == []
