"""Assignment 5: what is right follows from the student's own judgments, whatever they are."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from course.grading import data_draws, judge, ps5
from course.grading.course_files import Course, Release
from course.grading.known_submissions import literal
from course.grading.leaks import leaks
from course.grading.ps5_solutions import FIRST
from course.grading.release import generate
from course.grading.sandbox import RunResult
from divmetrics import meta
from divmetrics_widgets import handing_in

PS5 = ps5.ASSIGNMENT
LIBRARY = PS5.solutions["by library"]
POINTS = {question.name: 1.0 for question in PS5.questions}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS5, 2)


@pytest.fixture(scope="module", params=range(2))
def mine(release: Release, request: pytest.FixtureRequest) -> Any:
    wanted = release.data.DRAWS[request.param]
    students = (f"s{n}" for n in range(200))
    return next(data for data in map(release.data.of, students) if data.number == wanted)


Handed = dict[str, list[Any]]
Run = Callable[..., Handed]


@pytest.fixture
def run(release: Release, mine: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the notebook with a solution, some of its answers replaced, and return what it hands in."""
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: said.append(data))
    locked = {cell.id: cell.source for cell in release.notebook.cells}

    def ran(way: str, **instead: str) -> Handed:
        names: dict[str, Any] = {"dm": dm, "pd": pd, "mine": mine, "hand_in": handing_in.hand_in}
        names |= {"ps5_data": release.data, "meta": meta}
        handed: Handed = {}
        for question in PS5.questions:
            said.clear()
            exec(instead.get(question.name, PS5.solutions[way][question.name]), names)
            exec(locked[question.name], names)
            assert "Look again" not in said[-1]["text/plain"] or question.name in instead
            handed[question.name] = [json.loads(json.dumps(said[-1][handing_in.MIME]))]
        return handed

    return ran


def judged(mine: Any, handed: Handed) -> dict[str, judge.QuestionVerdict]:
    return {each.question: each for each in judge.judge(PS5, mine, RunResult(handed=handed), POINTS)}


def replaced(handed: Handed, question: str, answer: Any) -> Handed:
    """Replace one answer, as if it had been handed in."""
    return {
        **handed,
        question: [{"question": question, "value": json.loads(json.dumps(handing_in.written(answer)))}],
    }


def lost(verdicts: dict[str, judge.QuestionVerdict]) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict.points != 1}


@pytest.mark.parametrize("way", PS5.solutions)
def test_people_who_judge_differently_earn_all_points(mine: Any, run: Run, way: str) -> None:
    assert lost(judged(mine, run(way))) == set()


def test_the_two_solutions_judge_differently_and_have_other_numbers(mine: Any, run: Run) -> None:
    other = ps5.given(mine, {"q2": run("by hand")["q2"][0]["value"]})
    right = PS5.question("q5").right
    assert data_draws.apart(right(mine), right(other))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("way", PS5.solutions)
def test_any_judgments_can_be_graded(run: Run, mine: Any, way: str, seed: int) -> None:
    """Sparse and dense ones, so that lists tie and judges hardly agree."""
    chance = np.random.default_rng(seed)
    grades = chance.choice(3, size=(len(mine.docs), 3), p=[[0.9, 0.05, 0.05], [0.3, 0.3, 0.4]][seed % 2])
    grades[0] = 1 + np.arange(3) % 2
    table = f"pd.DataFrame({grades.tolist()}, mine.docs, list(ps5_data.READERS))"
    as_asked = f"judgments = {table}" + (".T.to_dict()" if way == "by library" else "")
    assert lost(judged(mine, run(way, q2=f"{PS5.solutions[way]['q2']}\n{as_asked}"))) == set()


@pytest.mark.parametrize(
    ("slip", "says"),
    [
        ("judgments[mine.docs[0]]['play'] = 3", "has 3 for play; grades are 0, 1 and 2"),
        ("judgments[mine.docs[0]]['play'] = 0.5", "has 0.5 for play"),
        ("del judgments[mine.docs[0]]", "rows asked for"),
        ("judgments[mine.docs[3]]['cook'] = 'some'", "number"),
        ("judgments = ...", "Not answered"),
    ],
)
def test_judgments_that_cannot_be_read_cost_what_builds_on_them(
    mine: Any, run: Run, slip: str, says: str
) -> None:
    kept = f"{LIBRARY['q2']}\nkept, judgments = judgments, {{doc: dict(judgments[doc]) for doc in mine.docs}}"
    verdicts = judged(mine, run("by library", q2=f"{kept}\n{slip}", q3=f"judgments = kept\n{LIBRARY['q3']}"))
    assert lost(verdicts) == {f"q{n}" for n in range(2, 9)}
    assert says in verdicts["q2"].reason
    for name in lost(verdicts) - {"q2"}:
        assert "builds on your judgments (q2)" in verdicts[name].reason


def test_judging_nothing_costs_its_own_points_only(mine: Any, run: Run) -> None:
    for slip in ("{doc: dict.fromkeys(readers, 1) for doc in mine.docs}", "dict(mine.second)"):
        handed = run("by library", q2=f"{LIBRARY['q2']}\njudgments = {slip}")
        assert lost(judged(mine, handed)) == {"q2"}


@pytest.mark.parametrize("way", PS5.solutions)
def test_every_slip_costs_its_own_points_and_is_named(mine: Any, run: Run, way: str) -> None:
    """Also where somebody judges otherwise than the key, so that the slips have other values."""
    handed = run(way)
    own = ps5.given(mine, {"q2": handed["q2"][0]["value"]})
    for question in PS5.questions:
        for wrong in question.wrong:
            value = wrong.value(own)
            if question.name == "q2" or not data_draws.apart(question.right(own), value):
                continue  # grades cost what builds on them; and a slip may happen to be right
            names = question.names(mine) if question.names else ()
            verdicts = judged(mine, replaced(handed, question.name, ast.literal_eval(literal(value, names))))
            assert lost(verdicts) == {question.name}
            assert wrong.says in verdicts[question.name].reason


def test_draws_have_what_they_promise(release: Release) -> None:
    for number in release.data.DRAWS:
        data = release.data.drawn(number)
        assert data_draws.separates_all(PS5, data)
        assert len(set(data.docs)) == 12
        assert set(data.a) | set(data.b) <= set(data.docs)
        liked = ps5.preferred(data)
        assert (liked["yours"] != liked["second"]) == (number % 4 > 0)


def test_the_texts_and_the_judges_are_complete(release: Release) -> None:
    grades = [*release.data.JUDGES.values(), FIRST]
    for each in grades:
        assert list(each) == list(release.data.TEXTS)
        assert {grade for row in each.values() for grade in row} == {0, 1, 2}
    assert len({json.dumps(each) for each in grades}) == 3


def test_the_form_is_code_with_a_place_for_every_grade(mine: Any) -> None:
    names: dict[str, Any] = {}
    exec(mine.form(), names)
    assert names["judgments"] == {doc: dict.fromkeys(("play", "fish", "cook"), 0) for doc in mine.docs}


def test_half_of_the_points_are_for_arguments(release: Release) -> None:
    points = release.points
    written = {each.name: sum(share for share, _ in each.rubric) for each in PS5.written}
    assert {name: points[name] for name in written} == written
    assert sum(written.values()) == sum(points[question.name] for question in PS5.questions) == 6
    assert leaks(release.folder, PS5) == []


@pytest.mark.parametrize("question", PS5.questions, ids=lambda question: question.name)
def test_no_answer_crashes_the_judge(mine: Any, question: Any) -> None:
    for value in (
        {"table": 3},
        [[0.5]],
        {"function": True},
        "0.5",
        10**400,
        {"values": [[1]]},
        [[10**400]] * 12,
    ):
        handed = {name: [{"question": name, "value": value}] for name in ("q2", question.name)}
        assert len(lost(judged(mine, handed))) == len(PS5.questions)
