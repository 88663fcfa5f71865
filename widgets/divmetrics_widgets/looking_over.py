"""What can be said of an answer without knowing the right one: its names, its size, whether it runs.

An answer is what `handing_in.written` made of it. Nothing here is refused: a student is told what looks
unlike what was asked for, and the answer is handed in all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

MOST_NAMED = 6  # names in a sentence


def find_oddity(value: Any, form: str | None, of: Any = None, length: int | None = None) -> str:
    """The first thing that looks unlike what was asked for, as sentences; nothing where nothing does.

    value : the answer as JSON; form : as `hand_in` has it
    of : of "values" their names; of a "text" the words offered; of a "list" what may be in it, each once; of
        "lists" by name what has to be in each; of a "table" the names of its rows and those of its columns
    length : of a list
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


def describe_call(function: Callable[..., Any], example: Sequence[Any], told: Callable[[Any], str]) -> str:
    """What a function does on an example, in a sentence; `told` says what it returned."""
    try:
        result = told(function(*example))
    except Exception as error:
        return f"On the example it ends in {type(error).__name__}: {str(error)[:200]}"
    return f"On the example it returns {result}."


def label(name: Any) -> str:
    """A name of a value, as it is told."""
    if isinstance(name, (list, tuple)):
        return " and ".join(map(label, name))
    return f"{name:g}" if isinstance(name, float) else str(name)


def _text(value: Any, words: list[str]) -> str:
    known = {word.strip().casefold() for word in words}
    return "" if value.strip().casefold() in known else f"It is none of the words {_named(words)}."


def _values(value: Any, names: list[str]) -> str:
    if isinstance(value, list):
        if len(value) != len(names):
            return f"Asked for are {len(names)} values, in this order: {_named(names)}. It has {len(value)}."
        return _no_numbers(zip(names, value, strict=True))
    pairs = [(label(name), each) for name, each in value["values"]]
    found = [name for name, _ in pairs]
    return ("" if _counted(found, names) else _strangers(found, names)) or _no_numbers(pairs)


def _list(value: Any, known: list[str] | None, length: int | None) -> str:
    if not all(isinstance(each, str) for each in value):
        return "It has to be a list of names, as texts."
    told = _members([each.strip() for each in value], known)
    if not told and length is not None and len(value) != length:
        return f"Asked for are {length} names. It has {len(value)}."
    return told


def _lists(value: Any, of: Mapping[str, list[str]]) -> str:
    if isinstance(value, list):
        if len(value) != len(of):
            return f"Asked for are {len(of)} lists: {_named(of)}. It has {len(value)}."
        found = dict(zip(of, value, strict=True))
    elif "table" in value:
        columns = [label(name) for name in value["columns"]]
        found = dict(zip(columns, map(list, zip(*value["table"], strict=True)), strict=True))
    else:
        found = {label(name): each for name, each in value["values"]}
    if told := _strangers(list(found), list(of)):
        return told
    for name, docs in of.items():
        inside = found[name]
        if not isinstance(inside, list) or not all(isinstance(each, str) for each in inside):
            return f"{name} has to be a list of names, as texts."
        inside = [each.strip() for each in inside]
        missing = [doc for doc in docs if doc not in inside]
        told = _members(inside, docs) or (f"Missing: {_named(missing)}." if missing else "")
        if told:
            return f"{name}: {told}"
    return ""


def _table(value: Any, rows: list[str], columns: list[str]) -> str:
    if isinstance(value, list):
        sizes = {len(each) if isinstance(each, list) else 0 for each in value}
        shapes = [(len(rows), {len(columns)}), (len(columns), {len(rows)})]
        return "" if (len(value), sizes) in shapes else _of_table(rows, columns)
    cells = _cells(value)
    if cells is None:
        return ""
    found = [list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1)]
    for wanted in ([rows, columns], [columns, rows]):
        pairs = list(zip(found, wanted, strict=True))
        if all(not set(want) - set(names) or _counted(names, want) for names, want in pairs):
            return _no_numbers((row, cell) for row, _, cell in cells)
    return _of_table(rows, columns)


def _cells(value: Any) -> list[tuple[str, str, Any]] | None:
    """Row, column and content of each cell of a table; None where it is not written as rows and columns."""
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
    return f"The rows asked for are {_named(rows)}, the columns {_named(columns)}."


def _counted(found: list[str], names: list[str]) -> bool:
    """Whether the names are only those that pandas gives, which counts from 0."""
    return found == [str(k) for k in range(len(names))]


def _members(found: list[str], known: list[str] | None) -> str:
    """Whether a list holds a name twice, or one that is not among those known."""
    if twice := [name for name, times in Counter(found).items() if times > 1]:
        return f"In it more than once: {_named(twice)}."
    strange = [name for name in found if known is not None and name not in known]
    return f"Not among what it may hold: {_named(strange)}." if strange else ""


def _strangers(found: list[str], names: list[str]) -> str:
    missing = [name for name in names if name not in found]
    strange = [name for name in found if name not in names]
    said = [f"Missing: {_named(missing)}."] if missing else []
    said += [f"Not asked for: {_named(strange)}."] if strange else []
    return " ".join(said)


def _no_numbers(values: Iterable[tuple[str, Any]]) -> str:
    for name, each in values:
        if not isinstance(each, float):
            kind = "a text" if isinstance(each, str) else "no number"
            return f"{name} is {kind}; expected a number."
    return ""


def _named(names: Iterable[str]) -> str:
    """Some names, and how many more."""
    every = list(names)
    more = len(every) - MOST_NAMED
    return ", ".join(every if more <= 1 else every[:MOST_NAMED]) + (f" and {more} more" if more > 1 else "")
