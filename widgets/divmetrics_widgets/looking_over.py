"""Remarks on an answer that need no knowledge of the right one: its names, its size, whether it runs.

An answer is the result of `handing_in.written`. Nothing is rejected here: the student reads what differs from
the question, and the answer is handed in all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

MOST_NAMED = 6  # names in a sentence


def find_oddity(value: Any, form: str | None, of: Any = None, length: int | None = None) -> str:
    """Return sentences on the first difference between an answer and the question; "" if there is none.

    value: the answer as JSON; form: as in `hand_in`; length: of a list. of: for "values" their names; for a
    "text" the possible words; for a "list" its possible members; for "lists" the members of each by name; for
    a "table" the names of its rows and those of its columns.
    """
    match form:
        case "text" if of is not None:
            return _text(value, [str(each) for each in of])
        case "values" if of is not None:
            return _values(value, [label(each) for each in of])
        case "list":
            return _list(value, None if of is None else [str(each) for each in of], length)
        case "lists" if of is not None:
            return _lists(value, {str(name): [str(each) for each in docs] for name, docs in of.items()})
        case "table" if of is not None:
            rows, columns = of
            return _table(value, [label(each) for each in rows], [label(each) for each in columns])
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


def label(name: Any) -> str:
    """Format the name of a value."""
    if isinstance(name, (list, tuple)):
        return " and ".join(map(label, name))
    return f"{name:g}" if isinstance(name, float) else str(name)


def _text(value: Any, words: list[str]) -> str:
    known = {word.strip().casefold() for word in words}
    return "" if value.strip().casefold() in known else f"It is none of the words {_enumerate(words)}."


def _values(value: Any, names: list[str]) -> str:
    if isinstance(value, list):
        if len(value) != len(names):
            return (
                f"Asked for are {len(names)} values, in this order: {_enumerate(names)}. It has {len(value)}."
            )
        return _find_non_number(zip(names, value, strict=True))
    pairs = [(label(name), each) for name, each in value["values"]]
    present = [name for name, _ in pairs]
    return ("" if _has_default_names(present, names) else _compare_names(present, names)) or _find_non_number(
        pairs
    )


def _list(value: Any, known: list[str] | None, length: int | None) -> str:
    if not all(isinstance(each, str) for each in value):
        return "It has to be a list of names, as texts."
    remark = _check_members([each.strip() for each in value], known)
    if not remark and length is not None and len(value) != length:
        return f"Asked for are {length} names. It has {len(value)}."
    return remark


def _lists(value: Any, of: Mapping[str, list[str]]) -> str:
    if isinstance(value, list):
        if len(value) != len(of):
            return f"Asked for are {len(of)} lists: {_enumerate(of)}. It has {len(value)}."
        by_name = dict(zip(of, value, strict=True))
    elif "table" in value:
        columns = [label(name) for name in value["columns"]]
        by_name = dict(zip(columns, map(list, zip(*value["table"], strict=True)), strict=True))
    else:
        by_name = {label(name): each for name, each in value["values"]}
    if remark := _compare_names(list(by_name), list(of)):
        return remark
    for name, docs in of.items():
        inside = by_name[name]
        if not isinstance(inside, list) or not all(isinstance(each, str) for each in inside):
            return f"{name} has to be a list of names, as texts."
        inside = [each.strip() for each in inside]
        missing = [doc for doc in docs if doc not in inside]
        remark = _check_members(inside, docs) or (f"Missing: {_enumerate(missing)}." if missing else "")
        if remark:
            return f"{name}: {remark}"
    return ""


def _table(value: Any, rows: list[str], columns: list[str]) -> str:
    if isinstance(value, list):
        sizes = {len(each) if isinstance(each, list) else 0 for each in value}
        shapes = [(len(rows), {len(columns)}), (len(columns), {len(rows)})]
        return "" if (len(value), sizes) in shapes else _of_table(rows, columns)
    cells = _cells(value)
    if cells is None:
        return ""
    present = [list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1)]
    for wanted in ([rows, columns], [columns, rows]):
        pairs = list(zip(present, wanted, strict=True))
        if all(not set(want) - set(names) or _has_default_names(names, want) for names, want in pairs):
            return _find_non_number((row, cell) for row, _, cell in cells)
    return _of_table(rows, columns)


def _cells(value: Any) -> list[tuple[str, str, Any]] | None:
    """Return row, column and content of each cell of a table; None unless it has rows and columns."""
    if "table" in value:
        columns = [label(each) for each in value["columns"]]
        if {"doc", "intent", "contribution"} <= set(columns):
            return None  # the long table of `divmetrics.explain`
        rows = zip(value["rows"], value["table"], strict=True)
        return [(label(row), *each) for row, cells in rows for each in zip(columns, cells, strict=True)]
    if not all(_by_name(inner) for _, inner in value["values"]):
        return None  # by pairs of names
    return [
        (label(row), label(column), cell)
        for row, inner in value["values"]
        for column, cell in inner["values"]
    ]


def _by_name(value: Any) -> bool:
    return isinstance(value, dict) and "values" in value


def _of_table(rows: list[str], columns: list[str]) -> str:
    return f"The rows asked for are {_enumerate(rows)}, the columns {_enumerate(columns)}."


def _has_default_names(present: list[str], names: list[str]) -> bool:
    """Return whether the names are pandas' default ones, which count from 0."""
    return present == [str(k) for k in range(len(names))]


def _check_members(members: list[str], known: list[str] | None) -> str:
    """Describe members that a list holds twice, or that are not among `known`."""
    if twice := [name for name, times in Counter(members).items() if times > 1]:
        return f"In it more than once: {_enumerate(twice)}."
    strange = [name for name in members if known is not None and name not in known]
    return f"Not among what it may hold: {_enumerate(strange)}." if strange else ""


def _compare_names(present: list[str], names: list[str]) -> str:
    missing = [name for name in names if name not in present]
    strange = [name for name in present if name not in names]
    sentences = [f"Missing: {_enumerate(missing)}."] if missing else []
    sentences += [f"Not asked for: {_enumerate(strange)}."] if strange else []
    return " ".join(sentences)


def _find_non_number(values: Iterable[tuple[str, Any]]) -> str:
    for name, each in values:
        if not isinstance(each, float):
            kind = "a text" if isinstance(each, str) else "no number"
            return f"{name} is {kind}; expected a number."
    return ""


def _enumerate(names: Iterable[str]) -> str:
    """List some names, and the number of the others."""
    every = list(names)
    more = len(every) - MOST_NAMED
    return ", ".join(every if more <= 1 else every[:MOST_NAMED]) + (f" and {more} more" if more > 1 else "")
