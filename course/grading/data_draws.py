"""Choice of the data that students may get: they differ, and no known slip gives the right answer on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from types import ModuleType
from typing import Any

from course.grading.assignment import Answer, Assignment
from course.grading.tolerances import ANSWER_TOLERANCE

APART = 10  # tolerances between what is right and every answer that is known to be wrong
DIFFERENT = 8  # right answers that each question must have over all data sets


def acceptable_numbers(assignment: Assignment, module: ModuleType) -> Iterator[int]:
    """Yield the draws on which every known wrong answer differs from the right one, in order."""
    return (number for number in count() if separates_all(assignment, module.drawn(number)))


def accepted_numbers(
    assignment: Assignment, module: ModuleType, wanted: int, say: Callable[[str], None] = print
) -> tuple[int, ...]:
    """Return the first `wanted` acceptable draws.

    Reports every hundredth, since the search takes minutes.
    """
    accepted: list[int] = []
    for number in islice(acceptable_numbers(assignment, module), wanted):
        accepted.append(number)
        if len(accepted) % 100 == 0 and len(accepted) < wanted:
            say(f"  {len(accepted)} of {wanted}")
    return tuple(accepted)


def uniform_questions(assignment: Assignment, module: ModuleType, numbers: Iterable[int]) -> dict[str, int]:
    """Return the questions with too few different right answers on these draws, and how many they have.

    Questions that say why (`few`) are left out.
    """
    right_answers: dict[str, list[Answer]] = {each.name: [] for each in assignment.questions if not each.few}
    for number in numbers:
        wanting = [name for name, answers in right_answers.items() if len(answers) < DIFFERENT]
        if not wanting:
            break
        data = module.drawn(number)
        for name in wanting:
            right = assignment.question(name).right(data)
            if all(apart(right, other, assignment.question(name).within) for other in right_answers[name]):
                right_answers[name].append(right)
    return {name: len(answers) for name, answers in right_answers.items() if len(answers) < DIFFERENT}


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
        return right.keys() != wrong.keys() or any(
            apart(value, wrong[name], within) for name, value in right.items()
        )
    if isinstance(right, (str, list)) or isinstance(wrong, (str, list)):
        return right != wrong
    return abs(right - wrong) >= APART * within  # type: ignore[operator] # both are numbers here
