"""Remarks on an answer that need no knowledge of the right one: its names, its size, whether it runs.

An answer is the result of `handing_in.written`. Nothing is rejected here: the student reads what differs from
the question, and the answer is handed in all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from divmetrics_widgets.answer_forms import (
    UnfitAnswer,
    cells_by_name,
    enumerate_names,
    label,
    lists_by_name,
    texts,
    values_by_name,
)


def find_oddity(value: Any, form: str | None, of: Any = None, length: int | None = None) -> str:
    """Return sentences on the first difference between an answer and the question; "" if there is none.

    value: the answer as JSON; form: as in `hand_in`; length: of a list. of: for "values" their names; for a
    "text" the possible words; for a "list" its possible members; for "lists" the members of each by name; for
    a "table" the names of its rows and those of its columns.
    """
    try:
        match form:
            case "text" if of is not None:
                return _text(value, [str(each) for each in of])
            case "values" if of is not None:
                values_by_name(value, [label(each) for each in of])
            case "list":
                return _list(texts(value), None if of is None else [str(each) for each in of], length)
            case "lists" if of is not None:
                return _lists(value, {str(name): [str(each) for each in docs] for name, docs in of.items()})
            case "table" if of is not None:
                rows, columns = of
                cells_by_name(value, [label(each) for each in rows], [label(each) for each in columns])
    except UnfitAnswer as unfit:
        return str(unfit)
    return ""


def describe_call(
    function: Callable[..., Any], example: Sequence[Any], describe: Callable[[Any], str]
) -> str:
    """Describe the result of a function on an example in a sentence; `describe` formats the result."""
    try:
        result = describe(function(*example))
    except Exception as error:
        return f"On the example it ends in {type(error).__name__}: {str(error)[:200]}"
    return f"On the example it returns {result}."


def _text(value: Any, words: list[str]) -> str:
    options = {word.strip().casefold() for word in words}
    return "" if value.strip().casefold() in options else f"It is none of the words {enumerate_names(words)}."


def _list(members: list[str], allowed: list[str] | None, length: int | None) -> str:
    remark = _check_members(members, allowed)
    if not remark and length is not None and len(members) != length:
        return f"Asked for are {length} names. It has {len(members)}."
    return remark


def _lists(value: Any, of: dict[str, list[str]]) -> str:
    for name, inside in lists_by_name(value, list(of)).items():
        missing = [doc for doc in of[name] if doc not in inside]
        remark = _check_members(inside, of[name])
        if remark or missing:
            return f"{name}: {remark or f'Missing: {enumerate_names(missing)}.'}"
    return ""


def _check_members(members: list[str], allowed: list[str] | None) -> str:
    """Describe members that a list holds twice, or that are not `allowed`; capitals do not count."""
    if twice := [name for name, times in Counter(members).items() if times > 1]:
        return f"In it more than once: {enumerate_names(twice)}."
    folded = None if allowed is None else {name.casefold() for name in allowed}
    strange = [name for name in members if folded is not None and name.casefold() not in folded]
    return f"Not among what it may hold: {enumerate_names(strange)}." if strange else ""
