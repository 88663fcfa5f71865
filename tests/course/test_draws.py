"""Choosing the data that students may get."""

from __future__ import annotations

from itertools import islice
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from course.grading import data_draws, ps1
from course.grading.assignment import Assignment, Question, data_module
from course.grading.course_files import Course

ASSIGNMENTS = Course().settings["assignments"]


def test_choosing_takes_the_first_that_fit_and_says_every_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("data")
    module.drawn = lambda number: number  # type: ignore[attr-defined] # as an assignment's module has it
    monkeypatch.setattr(data_draws, "separates_all", lambda assignment, data: data % 2 == 1)
    said: list[str] = []
    assert data_draws.accepted_numbers(ps1.ASSIGNMENT, module, 200, said.append) == tuple(range(1, 400, 2))
    assert said == ["  100 of 200"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_question_has_many_right_answers_or_says_why_not(name: str) -> None:
    course = Course()
    assignment, module = course.assignment(name), data_module(course.source(name) / f"{name}_data.py")
    draws = islice(data_draws.acceptable_numbers(assignment, module), 400)
    assert data_draws.uniform_questions(assignment, module, draws) == {}


def of_number(name: str, right: Any, few: str = "") -> Question:
    return Question(name, lambda data: right(data.number), few=few)


def test_questions_with_few_right_answers_are_found() -> None:
    module = ModuleType("data")
    module.drawn = lambda number: SimpleNamespace(number=number)  # type: ignore[attr-defined]
    questions = (
        of_number("constant", lambda n: 0.5),
        of_number("rounding", lambda n: 0.5 + n * 1e-12),
        of_number("seven", lambda n: n % 7.0),
        of_number("eight", lambda n: n % 8.0),
        of_number("names", lambda n: {f"d{n}": 0.5}),
        of_number("yes or no", lambda n: "yes" if n % 2 else "no", few="yes or no"),
    )
    assignment = Assignment("a", "", questions, (), {})
    few = data_draws.uniform_questions(assignment, module, range(400))
    assert few == {"constant": 1, "rounding": 1, "seven": 7}
