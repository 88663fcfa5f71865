"""Reading of an answer by the names that its question asks for, in any form that `hand_in` writes.

`hand_in` warns of an answer that cannot be read so, and the grader rejects it: both read it here. An answer
is the result of `handing_in.written`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import product
from typing import Any

MOST_NAMED = 6  # names in a sentence
# A comma is a decimal one: digits are not grouped in what is asked for.
WRITTEN = re.compile(r"([-+]?\d{1,20}(?:[.,]\d{0,20})?(?:[eE][-+]?\d{1,3})?)(?: ?/ ?(\d{1,20}))? ?(%?)")
LONG = {"doc", "intent", "contribution"}  # columns of the long table of `divmetrics.explain`


class UnfitAnswer(Exception):
    """Raised if an answer has not the form that its question asks for; its text says how, in a sentence."""


def label(name: Any) -> str:
    """Format the name of a value."""
    if isinstance(name, (list, tuple)):
        return " and ".join(map(label, name))
    return f"{name:g}" if isinstance(name, float) else str(name)


def unwrapped(value: Any) -> Any:
    """Take a value out of lists and tables that hold nothing else."""
    while True:
        match value:
            case [alone] | {"values": [[_, alone]]} | {"table": [[alone]]}:
                value = alone
            case _:
                return value


def number_of(text: Any) -> Any:
    """Return the number that a text writes ("0.75", "0,75", "75 %" or "3/4"), or else the value itself."""
    if not isinstance(text, str) or not (match := WRITTEN.fullmatch(text.strip())):
        return text
    digits, divisor, percent = match.groups()
    number = float(digits.replace(",", ".")) / (float(divisor or 1) or math.nan) / (100 if percent else 1)
    return number if math.isfinite(number) else text


def values_by_name(value: Any, names: list[str]) -> dict[str, float]:
    """Return numbers by name from a dict, a Series, or a list in the order of `names`."""
    if isinstance(value, list):
        if len(value) != len(names):
            expected = f"{len(names)} values, in this order: {enumerate_names(names)}"
            raise UnfitAnswer(f"Asked for are {expected}. It has {len(value)}.")
        by_name = dict(zip(names, value, strict=True))
    else:
        by_name = _by_name(value)
        if list(by_name) == _counted(names):
            by_name = dict(zip(names, by_name.values(), strict=True))
        _compare(by_name, names)
    return {name: _number(by_name[name], name) for name in names}


def cells_by_name(value: Any, rows: list[str], columns: list[str]) -> dict[tuple[str, str], float]:
    """Return numbers by row and column from a table in either orientation, without marginal sums.

    That is a DataFrame, a dict of dicts or lists, lists in the order of the names, or the long table of
    `divmetrics.explain`. Rows may be counted from 1, as ranks are.
    """
    cells = _cells(value, rows, columns)
    for turned in (False, True):
        present = [list(dict.fromkeys(cell[side] for cell in cells)) for side in (turned, not turned)]
        row_of, column_of = _renamed(present[0], rows, 1), _renamed(present[1], columns)
        named = {
            (row_of.get(cell[turned], cell[turned]), column_of.get(cell[not turned], cell[not turned])): each
            for cell, each in cells.items()
        }
        if all(cell in named for cell in product(rows, columns)):
            return {cell: _number(named[cell], cell[0]) for cell in product(rows, columns)}
    raise _other_table(rows, columns)


def lists_by_name(value: Any, names: list[str]) -> dict[str, list[str]]:
    """Return lists of texts by name from a dict, a DataFrame's columns, or lists in the order of `names`."""
    if isinstance(value, list):
        if len(value) != len(names):
            raise UnfitAnswer(
                f"Asked for are {len(names)} lists: {enumerate_names(names)}. It has {len(value)}."
            )
        by_name = dict(zip(names, value, strict=True))
    elif isinstance(value, dict) and "table" in value:
        tops = [label(name) for name in value["columns"]]
        by_name = {name: [cells[n] for cells in value["table"]] for n, name in enumerate(tops)}
    else:
        by_name = _by_name(value)
    _compare(by_name, names)
    return {name: texts(by_name[name], f"{name} has") for name in names}


def texts(value: Any, what: str = "It has") -> list[str]:
    """Return a list of texts without outer blanks."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UnfitAnswer(f"{what} to be a list of names, as texts.")
    return [each.strip() for each in value]


def enumerate_names(names: Iterable[str]) -> str:
    """List some names, and the number of the others."""
    every = list(names)
    more = len(every) - MOST_NAMED
    return ", ".join(every if more <= 1 else every[:MOST_NAMED]) + (f" and {more} more" if more > 1 else "")


def _by_name(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or "values" not in value:
        raise UnfitAnswer("It has no names: a dict or a Series has them.")
    return {label(name): each for name, each in value["values"]}


def _compare(present: Iterable[str], names: list[str]) -> None:
    missing = [name for name in names if name not in present]
    strange = [name for name in present if name not in names]
    sentences = [f"Missing: {enumerate_names(missing)}."] if missing else []
    sentences += [f"Not asked for: {enumerate_names(strange)}."] if strange else []
    if sentences:
        raise UnfitAnswer(" ".join(sentences))


def _number(value: Any, name: str) -> float:
    value = number_of(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        kind = "a text" if isinstance(value, str) else "no number"
        raise UnfitAnswer(f"{name} is {kind}; expected a number.")
    return float(value)


def _counted(names: list[str], start: int = 0) -> list[str]:
    return [str(number) for number in range(start, start + len(names))]


def _renamed(present: list[str], names: list[str], start: int = 0) -> dict[str, str]:
    """Return the name for each number that stands for one: pandas counts from 0, ranks count from 1."""
    counted = _counted(names) if present == _counted(names) else _counted(names, start)
    if start == 0 and counted != present:
        return {}
    return {number: name for number, name in zip(counted, names, strict=True) if number not in names}


def _other_table(rows: list[str], columns: list[str]) -> UnfitAnswer:
    return UnfitAnswer(
        f"The rows asked for are {enumerate_names(rows)}, the columns {enumerate_names(columns)}."
    )


def _cells(value: Any, rows: list[str], columns: list[str]) -> dict[tuple[str, str], Any]:
    """Return the cells of a table by the names of its own rows and columns."""
    if isinstance(value, list):
        sizes = (len(value), {len(each) if isinstance(each, list) else 0 for each in value})
        for tops, names in ((rows, columns), (columns, rows)):
            if sizes == (len(tops), {len(names)}):
                return dict(zip(product(tops, names), (cell for row in value for cell in row), strict=True))
        raise _other_table(rows, columns)
    if isinstance(value, dict) and "table" in value:
        tops = [label(name) for name in value["columns"]]
        if set(tops) >= LONG:
            at = [tops.index(name) for name in ("doc", "intent", "contribution")]
            return {(label(row[at[0]]), label(row[at[1]])): row[at[2]] for row in value["table"]}
        lines = zip(value["rows"], value["table"], strict=True)
        return {(label(row), top): cell for row, line in lines for top, cell in zip(tops, line, strict=True)}
    cells: dict[tuple[str, str], Any] = {}
    for name, inner in value["values"] if isinstance(value, dict) and "values" in value else ():
        if isinstance(inner, dict):
            cells |= {(label(name), other): each for other, each in _by_name(inner).items()}
        elif isinstance(inner, list):
            others = columns if label(name) in rows else rows
            cells |= {(label(name), other): each for other, each in zip(others, inner, strict=False)}
        elif isinstance(name, list) and len(name) == 2:
            cells[label(name[0]), label(name[1])] = inner
    return cells
