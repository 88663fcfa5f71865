"""The parts of an assignment: graded questions with right and known wrong answers, and written questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from course.grading.tolerances import ANSWER_TOLERANCE

Values = dict[Any, float]
Answer = float | str | list[str] | Values


@dataclass(frozen=True)
class WrongAnswer:
    """An answer known to be wrong: its name, its value for a student's data, the sentence for the student.

    code : of a function that is known to be wrong; `value` is what it returns on the cases
    """

    name: str
    value: Callable[[Any], Answer]
    says: str
    code: str = ""


@dataclass(frozen=True)
class Question:
    """A question that the program grades.

    name : also of its locked cell; that of its answer is `NAME_answer`
    right : of a student's data the right answer: a number, a text, texts in their order, or values by
        name
    names : of a student's data the names of the rows and columns of a table, in the order of the question
    cases : of a student's data the cases that a function is called on, in which a table of numbers arrives as
        an array; `right` gives what it must return on each, by the number of the case: a number, a text, or
        values by place, (row, column) from 0 in a table
    within : how far off a number may be
    judged : where many answers are right: of a student's data, what was handed in and what the function
        returned on its cases, the share of the points and the reason; raises judge.UnreadableAnswer
    of : the question whose function, called on that question's cases, `judged` looks at; its own without one
    """

    name: str
    right: Callable[[Any], Answer]
    wrong: tuple[WrongAnswer, ...] = ()
    names: Callable[[Any], tuple[list[Any], ...]] | None = None
    cases: Callable[[Any], list[list[Any]]] | None = None
    within: float = ANSWER_TOLERANCE
    judged: Callable[[Any, Any, list[Any]], tuple[float, str]] | None = None
    of: str = ""


@dataclass(frozen=True)
class WrittenQuestion:
    """A question that a person grades: its name, and the points with what each is given for."""

    name: str
    rubric: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Assignment:
    """What the grader knows about an assignment and students must not see.

    solutions : ways to solve it, each the code of every answer cell; all must earn all points
    sound : whether a draw is one that the assignment can be asked with; None where any is
    precomputed : compute from a draw what the data module gives students (GIVEN) so that they need not see
        how it is computed
    copies : of a release and students more copies whose points are known, to try the grader with
    """

    name: str
    title: str
    minutes: int
    goals: tuple[str, ...]
    questions: tuple[Question, ...]
    written: tuple[WrittenQuestion, ...]
    solutions: Mapping[str, Mapping[str, str]]
    sound: Callable[[Any], bool] | None = None
    precomputed: Callable[[Any], Any] | None = None
    copies: Callable[[Any, list[str]], Iterable[Any]] | None = None
    seconds: float = 20.0
    files: tuple[str, ...] = field(default=())

    def question(self, name: str) -> Question:
        """Return the question of that name; raises KeyError."""
        return {each.name: each for each in self.questions}[name]


def data_module(path: Path) -> ModuleType:
    """Load the module NAME_data of a release from its file."""
    spec = spec_from_file_location(f"released_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
