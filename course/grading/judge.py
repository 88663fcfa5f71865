"""Comparison of submitted answers with the right ones, outside the kernel that produced them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from course.grading.assignment import Answer, Assignment, Question
from course.grading.sandbox import RunResult
from course.grading.tolerances import ANSWER_TOLERANCE
from divmetrics_widgets.answer_forms import (
    UnfitAnswer,
    cells_by_name,
    label,
    lists_by_name,
    texts,
    unwrapped,
    values_by_name,
)


@dataclass(frozen=True)
class QuestionVerdict:
    """The points that a question earned, the reason, and the answer as handed in, if it can be read."""

    question: str
    points: float
    of: float
    reason: str
    answer: Any = None


DIGITS = 4  # of points


class UnreadableAnswer(Exception):
    """Raised if an answer has not the form that the question asks for; its text says why."""


def judge(
    assignment: Assignment, data: Any, ran: RunResult, points: Mapping[str, float]
) -> list[QuestionVerdict]:
    """Return the verdict on every question that the program grades, for the data of one student."""
    answers = _readable_answers(assignment, ran)
    if assignment.given:
        data = assignment.given(data, answers)
    verdicts = []
    for question in assignment.questions:
        name, most = question.name, points[question.name]
        share, reason = _verdict(question, data, ran)
        earned = round(most * share, DIGITS)
        verdicts.append(QuestionVerdict(name, earned, most, reason, answers.get(name)))
    return verdicts


def _readable_answers(assignment: Assignment, ran: RunResult) -> dict[str, Any]:
    """Return the values that were handed in, keyed by question, as far as they are bounded."""
    values = {}
    for question in assignment.questions:
        answer = _handed_in(question.name, ran)
        if answer is not None and "value" in answer:
            with suppress(UnreadableAnswer):
                _bounded(answer["value"])
                values[question.name] = answer["value"]
    return values


def _handed_in(name: str, ran: RunResult) -> dict[str, Any] | None:
    """Return what the cell of a question handed in last, or None."""
    answers = [each for each in ran.handed.get(name, []) if isinstance(each, dict)]
    return next((each for each in reversed(answers) if each.get("question") == name), None)


def _verdict(question: Question, data: Any, ran: RunResult) -> tuple[float, str]:
    """Return the share of the points, and the reason."""
    name = question.name
    for cell in (f"{name}_answer", name):
        if cell in ran.left_out:
            return False, f"Your cell was left out, since {ran.left_out[cell]}."
    error = ran.errors.get(f"{name}_answer") or ran.errors.get(name)
    answer = _handed_in(name, ran)
    if answer is None:
        return (
            False,
            f"Nothing was handed in: your cell ended in {error}." if error else "Nothing was handed in.",
        )
    if "refused" in answer:
        return False, f"It could not be read: {str(answer['refused'])[:300]}"
    if "value" not in answer:
        after = f": your cell ended in {error}." if error else "."
        return False, f"Not answered{after}"
    try:
        _bounded(answer["value"])
        if question.judged:
            called = question.of or name
            if f"call {called}" in ran.left_out:
                return False, f"Your function was called on cases, and {ran.left_out[f'call {called}']}."
            return question.judged(data, answer["value"], ran.called.get(called, []))
        if question.cases:
            return _function(question, data, answer["value"], ran)
        return _compared(question, data, answer["value"])
    except UnreadableAnswer as unreadable:
        return False, str(unreadable)


def _compared(question: Question, data: Any, value: Any) -> tuple[bool, str]:
    right = question.right(data)
    answer = read(value, right, question.names(data) if question.names else None)
    if agree(answer, right, question.within):
        return True, "Right."
    if slip := _slip(question, data, answer):
        return False, slip
    if isinstance(right, dict) and isinstance(answer, dict):
        off = [key for key in right if not agree(answer[key], right[key], question.within)]
        return False, f"Not right: {len(off)} of {len(right)} values differ."
    return False, "Not right."


def _slip(question: Question, data: Any, answer: Any) -> str:
    """Return the sentence for a known wrong answer, or an empty text."""
    says = (wrong.says for wrong in question.wrong if agree(answer, wrong.value(data), question.within))
    return next((f"Not right: {each}." for each in says), "")


def _function(question: Question, data: Any, value: Any, ran: RunResult) -> tuple[bool, str]:
    if value != {"function": True}:
        raise UnreadableAnswer("Not right: a function was asked for.")
    if f"call {question.name}" in ran.left_out:
        return False, f"Your function was called on cases, and {ran.left_out[f'call {question.name}']}."
    results = ran.called.get(question.name, [])
    right = question.right(data)
    if not isinstance(right, dict):
        raise TypeError(f"{question.name}: what is right of a function is given by case")
    answers: dict[Any, Any] = {}
    errors = []
    for number, expected in right.items():
        result = results[number] if number < len(results) and isinstance(results[number], dict) else {}
        if "error" in result:
            # Only the name of an error of Python's own, since any other text could carry a case out.
            errors.append(str(result["error"]) if str(result["error"]) in ERRORS else "an error of its own")
        else:
            try:
                _bounded(result)
                answers[number] = read(result.get("value"), expected, _places(expected))
            except UnreadableAnswer:
                continue
    good = sum(number in answers and agree(answers[number], each) for number, each in right.items())
    if good == len(right):
        return True, "Right."
    if slip := _slip(question, data, answers):
        return False, slip
    ended = f"; {len(errors)} ended in an error, the first in {errors[0]}" if errors else ""
    return False, f"Not right: {good} of {len(right)} cases are right{ended}."


def _places(expected: Answer) -> tuple[list[Any], ...] | None:
    """Return the indices, from 0, of the values that a function returns: one axis, or rows and columns."""
    if not isinstance(expected, dict):
        return None
    if not all(isinstance(place, tuple) for place in expected):
        return (list(expected),)
    rows, columns = (list(dict.fromkeys(places)) for places in zip(*expected, strict=True))
    return rows, columns


def numbers(results: list[Any], wanted: int) -> list[float | None]:
    """Return a function's results on `wanted` cases as numbers, None where a result is no number."""
    values: list[float | None] = []
    for number in range(wanted):
        result = results[number] if number < len(results) else None
        try:
            _bounded(result)
            values.append(_number(result.get("value") if isinstance(result, dict) else None))
        except UnreadableAnswer:
            values.append(None)
    return values


DEEPEST, MOST = 12, 100_000  # levels of an answer; its values, and the letters of each
ERRORS = frozenset(
    name for name, value in vars(__import__("builtins")).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)  # fmt: skip


def agree(answer: Any, right: Any, within: float = ANSWER_TOLERANCE) -> bool:
    """Compare answers: numbers within a tolerance, texts without case and outer blanks, others by element."""
    if isinstance(right, dict):
        return isinstance(answer, dict) and all(
            key in answer and agree(answer[key], right[key], within) for key in right
        )
    if isinstance(right, list):
        return isinstance(answer, list) and len(answer) == len(right) and all(map(agree, answer, right))
    if isinstance(right, str):
        return isinstance(answer, str) and answer.strip().casefold() == right.strip().casefold()
    return isinstance(answer, float) and abs(answer - right) <= within


def read(value: Any, right: Answer, names: tuple[list[Any], ...] | None) -> Any:
    """Convert a submitted value to the form of the right answer; raises UnreadableAnswer.

    `names` are those of values, or of the rows and columns of a table.
    """
    with _rejection(value):
        if isinstance(right, str):
            if not isinstance(value, str):
                raise UnfitAnswer("A name was asked for, as text.")
            return value
        if isinstance(right, list):
            return texts(value)
        if not isinstance(right, dict):
            return _number(unwrapped(value))
        if names is None or not 1 <= len(names) <= 2:
            raise TypeError("values by name need their names")
        labels = [[label(name) for name in axis] for axis in names]
        by_label = values_by_name(value, *labels) if len(names) == 1 else cells_by_name(value, *labels)
        every = names[0] if len(names) == 1 else product(*names)
        return dict(zip(every, by_label.values(), strict=True))


def lists(value: Any, names: list[str]) -> dict[str, list[str]]:
    """Read lists of texts, keyed by their names or in the order of `names`; raises UnreadableAnswer."""
    with _rejection(value):
        return lists_by_name(value, names)


@contextmanager
def _rejection(value: Any) -> Iterator[None]:
    """Raise UnreadableAnswer for an unfit answer, and for what hand_in does not write."""
    if not _is_answer(value):
        raise UnreadableAnswer("Not right: the answer cannot be read.")
    try:
        yield
    except UnfitAnswer as unfit:
        raise UnreadableAnswer(f"Not right. {unfit}") from None


def _is_answer(value: Any) -> bool:
    match value:
        case str():
            return True
        case int() | float():
            return not isinstance(value, bool) and math.isfinite(value)
        case list():
            return all(map(_is_answer, value))
        case {"values": list() as pairs}:
            return all(isinstance(pair, list) and len(pair) == 2 and _is_answer(pair) for pair in pairs)
        case {"rows": list() as rows, "columns": list() as columns, "table": list() as table}:
            whole = len(rows) == len(table) and all(isinstance(row, list) for row in table)
            return (
                whole
                and all(len(row) == len(columns) for row in table)
                and _is_answer([rows, columns, table])
            )
    return False


def _bounded(value: Any) -> None:
    """Raise UnreadableAnswer for what hand_in never writes: endless nesting, huge lists, texts, integers."""
    level, seen = [value], 0
    for _ in range(DEEPEST):
        seen += len(level)
        if not level:
            return
        if seen > MOST or any(isinstance(each, int) and abs(each) > 2**53 for each in level):
            break
        if any(isinstance(each, str) and len(each) > MOST for each in level):
            break
        inside = [each for each in level if isinstance(each, (list, dict))]
        level = [each for box in inside for each in (box.values() if isinstance(box, dict) else box)]
    raise UnreadableAnswer("Not right: the answer cannot be read.")


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise UnreadableAnswer("Not right: a number was asked for.")
    return float(value)
