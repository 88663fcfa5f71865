"""The parts of an assignment: graded questions with right and known wrong answers, and written questions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd

from course.grading.tolerances import ANSWER_TOLERANCE

Values = dict[Any, float]
Answer = float | str | list[str] | Values


@dataclass(frozen=True)
class WrongAnswer:
    """An answer known to be wrong: its name, its value for a student's data, the sentence for the student.

    code : the code of a wrong function; `value` then has its results on the cases
    """

    name: str
    value: Callable[[Any], Answer]
    says: str
    code: str = ""


@dataclass(frozen=True)
class Question:
    """A question that the program grades.

    name : the name of the question and of its locked cell; the answer's cell is `NAME_answer`
    right : compute the right answer from a student's data: a number, a text, an ordered list of texts, or
        values by name
    names : return the names of a table's rows and columns, in the order of the question
    cases : return the arguments of each call of a submitted function, tables of numbers as arrays; `right`
        then returns the expected results by the number of the case: a number, a text, or values by index, in
        a table by (row, column) from 0
    within : the tolerance of a number
    judged : for questions with many right answers: return the share of the points and the reason from a
        student's data, the submitted value and the function's results; raises judge.UnreadableAnswer
    of : the name of the question whose function and cases `judged` uses, by default this one
    few : why the question has fewer different right answers than others, such as yes or no
    lesson : the lesson and the section to read again, NAME#HEADING
    computation : return a table that leads to the right answer, for the feedback after the closing date
    """

    name: str
    right: Callable[[Any], Answer]
    wrong: tuple[WrongAnswer, ...] = ()
    names: Callable[[Any], tuple[list[Any], ...]] | None = None
    cases: Callable[[Any], list[list[Any]]] | None = None
    within: float = ANSWER_TOLERANCE
    judged: Callable[[Any, Any, list[Any]], tuple[float, str]] | None = None
    of: str = ""
    few: str = ""
    lesson: str = ""
    computation: Callable[[Any], pd.DataFrame] | None = None


@dataclass(frozen=True)
class WrittenQuestion:
    """A question that a person grades: its name, and the points with what each is given for."""

    name: str
    rubric: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Assignment:
    """What the grader knows about an assignment and students must not see.

    solutions : by name, solutions with the code of every answer cell; all must earn full points
    sound : return whether a draw is usable; None if every draw is
    precomputed : compute from a draw what the data module gives students (GIVEN) so that they need not see
        how it is computed
    given : return a student's data with what the student gave in answers, keyed by question, if what is right
        in other questions depends on it
    documents : return the names of the documents in a student's data, if they differ from student to student
    copies : return more copies with known points, for the trial of the grader, from a release and students
    in_groups : whether the students of a group (students.csv) hand in one notebook
    """

    name: str
    title: str
    questions: tuple[Question, ...]
    written: tuple[WrittenQuestion, ...]
    solutions: Mapping[str, Mapping[str, str]]
    sound: Callable[[Any], bool] | None = None
    precomputed: Callable[[Any], Any] | None = None
    given: Callable[[Any, Mapping[str, Any]], Any] | None = None
    documents: Callable[[Any], Iterable[str]] | None = None
    copies: Callable[[Any, list[str]], Iterable[Any]] | None = None
    in_groups: bool = False

    def question(self, name: str) -> Question:
        """Return the question of that name; raises KeyError."""
        return {each.name: each for each in self.questions}[name]


def data_module(path: Path) -> ModuleType:
    """Load the module NAME_data of a release from its file."""
    spec = spec_from_file_location(f"released_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
