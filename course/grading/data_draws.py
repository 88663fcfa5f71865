"""Choice of the data that students may get: no known slip gives the right answer on them."""

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
    """Return the first `wanted` draws on which every known wrong answer differs from the right one.

    Reports every hundredth, since the search takes minutes.
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
    """Return whether a student may get these data."""
    if assignment.sound and not assignment.sound(data):
        return False
    for question in assignment.questions:
        right = question.right(data)
        if not all(apart(right, wrong.value(data), question.within) for wrong in question.wrong):
            return False
    return True


def apart(right: Answer, wrong: Answer, within: float = ANSWER_TOLERANCE) -> bool:
    """Return whether two answers differ by ten tolerances somewhere."""
    if isinstance(right, dict) and isinstance(wrong, dict):
        return any(apart(value, wrong[name], within) for name, value in right.items())
    if isinstance(right, (str, list)) or isinstance(wrong, (str, list)):
        return right != wrong
    return abs(right - wrong) >= APART * within  # type: ignore[operator] # both are numbers here
