"""Comparison of submitted answers with the right ones, outside the kernel that produced them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from course.grading.assignment import Answer, Assignment, Question, Values
from course.grading.sandbox import RunResult
from course.grading.tolerances import ANSWER_TOLERANCE


@dataclass(frozen=True)
class QuestionVerdict:
    """The points that a question earned, and the reason."""

    question: str
    points: float
    of: float
    reason: str


DIGITS = 4  # of points


class UnreadableAnswer(Exception):
    """Raised if an answer has not the form that the question asks for; its text says why."""


def judge(
    assignment: Assignment, data: Any, ran: RunResult, points: Mapping[str, float]
) -> list[QuestionVerdict]:
    """Return the verdict on every question that the program grades, for the data of one student."""
    if assignment.given:
        data = assignment.given(data, _readable_answers(assignment, ran))
    verdicts = []
    for question in assignment.questions:
        most = points[question.name]
        share, reason = _verdict(question, data, ran)
        verdicts.append(QuestionVerdict(question.name, round(most * share, DIGITS), most, reason))
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


DEEPEST, MOST = 12, 100_000  # levels and values of an answer
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

    Values by name may be a Series, a dict, or a list in the order of `names`; in two dimensions also a table
    in either orientation, a dict of dicts, or the long table of `divmetrics.explain`.
    """
    if isinstance(right, str):
        if not isinstance(value, str):
            raise UnreadableAnswer("Not right: a name was asked for, as text.")
        return value
    if isinstance(right, list):
        return texts(value)
    if not isinstance(right, dict):
        while isinstance(value, list) and len(value) == 1:
            value = value[0]
        return _number(value)
    if names is None or not 1 <= len(names) <= 2:
        raise TypeError("values by name need their names")
    values = _by_name(value, names[0]) if len(names) == 1 else _table(value, *names)
    if set(values) != set(right):
        missing = [key for key in right if key not in values]
        raise UnreadableAnswer(
            f"Not right: {len(missing)} of {len(right)} values are missing, or have another name."
        )
    return values


def texts(value: Any) -> list[str]:
    """Read a list of texts from a submitted value; raises UnreadableAnswer."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UnreadableAnswer("Not right: a list of names was asked for.")
    return [each.strip() for each in value]


def lists(value: Any, names: list[str]) -> dict[str, list[str]]:
    """Read lists of texts, keyed by their names or in the order of `names`; raises UnreadableAnswer."""
    pairs = _pairs(value)
    if pairs is not None:
        value = [dict(pairs).get(name) for name in names]
    elif isinstance(value, dict) and "table" in value:
        _, tops, table = _parts(value)
        value = [[row[tops.index(name)] for row in table] if name in tops else None for name in names]
    if not isinstance(value, list) or len(value) != len(names):
        raise UnreadableAnswer(f"Not right: the lists {' and '.join(names)} were asked for.")
    return {name: texts(each) for name, each in zip(names, value, strict=True)}


def _bounded(value: Any) -> None:
    """Raise UnreadableAnswer for what hand_in never writes: endless nesting, huge lists, huge integers."""
    level, seen = [value], 0
    for _ in range(DEEPEST):
        seen += len(level)
        if not level:
            return
        if seen > MOST or any(isinstance(each, int) and abs(each) > 2**53 for each in level):
            break
        inside = [each for each in level if isinstance(each, (list, dict))]
        level = [each for box in inside for each in (box.values() if isinstance(box, dict) else box)]
    raise UnreadableAnswer("Not right: the answer cannot be read.")


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise UnreadableAnswer("Not right: a number was asked for.")
    return float(value)


def _pairs(value: Any) -> list[tuple[str, Any]] | None:
    """Return names and values of a submitted dict or Series, or None for any other value."""
    pairs = value.get("values") if isinstance(value, dict) else None
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return None
    return [(_key(name), each) for name, each in pairs]


def _key(name: Any) -> Any:
    if isinstance(name, list):
        return tuple(_key(each) for each in name)
    return str(name)


def _by_name(value: Any, names: list[Any]) -> Values:
    if isinstance(value, dict) and "table" in value:  # a table of one column
        rows, columns, table = _parts(value)
        if len(columns) == 1:
            value = {"values": [[row, cells[0]] for row, cells in zip(rows, table, strict=True)]}
    if isinstance(value, list):
        if len(value) != len(names):
            raise UnreadableAnswer(f"Not right: {len(names)} values were asked for, {len(value)} handed in.")
        return {name: _number(each) for name, each in zip(names, value, strict=True)}
    pairs = _pairs(value)
    if pairs is None:
        raise UnreadableAnswer("Not right: values by name were asked for.")
    keys = _named([name for name, _ in pairs], names)
    return {name: _number(each) for name, (_, each) in zip(keys, pairs, strict=True)}


def _named(keys: list[Any], names: list[Any]) -> list[Any]:
    """Return `names` if the keys are pandas' default index 0, 1, ..., else the keys."""
    return names if keys == [str(float(k)) for k in range(len(names))] else keys


def _parts(value: dict[str, Any]) -> tuple[list[Any], list[Any], list[list[Any]]]:
    rows, columns, table = value.get("rows"), value.get("columns"), value.get("table")
    if not (
        isinstance(rows, list)
        and isinstance(columns, list)
        and isinstance(table, list)
        and len(rows) == len(table)
        and all(isinstance(cells, list) and len(cells) == len(columns) for cells in table)
    ):
        raise UnreadableAnswer("Not right: the table cannot be read.")
    return [_key(row) for row in rows], [_key(column) for column in columns], table


def _table(value: Any, rows: list[Any], columns: list[Any]) -> Values:
    """Read a table in either orientation as {(row, column): number}, without marginal sums."""
    if isinstance(value, list):
        if len(value) == len(columns) != len(rows):
            value = [list(each) for each in zip(*value, strict=False)] if all(map(_is_list, value)) else value
        if len(value) != len(rows) or not all(_is_list(each) and len(each) == len(columns) for each in value):
            raise UnreadableAnswer(
                f"Not right: a table of {len(rows)} rows and {len(columns)} columns was asked for."
            )
        cells = product(rows, columns)
        return dict(zip(cells, (_number(each) for row in value for each in row), strict=True))
    entries: dict[tuple[str, str], Any] = {}
    pairs = _pairs(value)
    if pairs is not None:
        for name, inner in pairs:
            if isinstance(name, tuple) and len(name) == 2:
                entries[name] = inner
            else:
                entries |= {(name, other): each for other, each in _pairs(inner) or []}
    elif isinstance(value, dict) and "table" in value:
        names, tops, table = _parts(value)
        if {"doc", "intent", "contribution"} <= set(tops):
            at = [tops.index(top) for top in ("doc", "intent", "contribution")]
            entries = {(str(row[at[0]]), str(row[at[1]])): row[at[2]] for row in table}
        else:
            entries = {
                (name, top): each
                for name, cells in zip(_named(names, rows), table, strict=True)
                for top, each in zip(_named(tops, columns), cells, strict=True)
            }
    else:
        raise UnreadableAnswer("Not right: a table was asked for.")
    turned = {(column, row): each for (row, column), each in entries.items()}
    # Documents may be named by their rank.
    numbered = {f"{k}.0": row for k, row in enumerate(rows, 1)}
    wanted = set(product(rows, columns))
    for each in (entries, turned):
        named = {(numbered.get(row, row), column): number for (row, column), number in each.items()}
        if wanted <= set(named):
            return {cell: _number(named[cell]) for cell in wanted}
    raise UnreadableAnswer("Not right: the rows and columns of the table are not those that were asked for.")


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
