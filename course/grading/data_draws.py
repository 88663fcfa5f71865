"""Which data may be given to students: none on which a slip that is known gives the right answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from types import ModuleType
from typing import Any

from course.grading.assignment import Answer, Assignment
from course.grading.tolerances import ANSWER_TOLERANCE

APART = 10  # tolerances between what is right and every answer that is known to be wrong


def accepted_numbers(
    assignment: Assignment, module: ModuleType, wanted: int, say: Callable[[str], None] = print
) -> tuple[int, ...]:
    """The first numbers whose data every known wrong answer can be told from the right one on.

    Says every hundredth, for it takes minutes.
    """
    accepted: list[int] = []
    for number in count():
        if separates_all(assignment, module.drawn(number)):
            accepted.append(number)
            if len(accepted) == wanted:
                break
            if len(accepted) % 100 == 0:
                say(f"  {len(accepted)} of {wanted}")
    return tuple(accepted)


def separates_all(assignment: Assignment, data: Any) -> bool:
    """Whether these data can be given to a student."""
    if assignment.sound and not assignment.sound(data):
        return False
    for question in assignment.questions:
        right = question.right(data)
        if not all(apart(right, wrong.value(data), question.within) for wrong in question.wrong):
            return False
    return True


def apart(right: Answer, wrong: Answer, within: float = ANSWER_TOLERANCE) -> bool:
    """Whether two answers differ by ten tolerances somewhere."""
    if isinstance(right, dict) and isinstance(wrong, dict):
        return any(apart(value, wrong[name], within) for name, value in right.items())
    if isinstance(right, (str, list)) or isinstance(wrong, (str, list)):
        return right != wrong
    return abs(right - wrong) >= APART * within  # type: ignore[operator] # both are numbers here
