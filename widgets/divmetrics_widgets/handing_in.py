"""hand_in: writes the answer to a question of an assignment as JSON, for a grader."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import display

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, shorten
from divmetrics_widgets.answer_forms import label, number_of, unwrapped
from divmetrics_widgets.looking_over import describe_call, find_oddity

MIME = "application/vnd.divmetrics.answer+json"
MOST_VALUES = 10_000
MOST_LETTERS = 20_000
DEEPEST = 4  # lists within lists
LONGEST_LINE = 200  # characters of an answer that are repeated
FORMS = {
    "number": "a number",
    "text": "a text",
    "values": "values by name (a dict or a Series) or in the order of the question (a list)",
    "list": "a list",
    "lists": "lists by name: a dict of lists",
    "table": "a table: a DataFrame or a dict of dicts",
    "function": "a function",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {}  # submitted functions by question, for the grader to call


@public
def hand_in(
    question: str,
    answer: Any,
    form: str | None = None,
    of: Any = None,
    *,
    length: int | None = None,
    example: Sequence[Any] | None = None,
) -> None:
    """Display the answer to a question of an assignment as text, and as JSON for the grader to read.

    Nothing is compared with the right answer here; grading comes later. An unreadable answer is rejected with
    one sentence, without an exception. An answer that does not fit `form`, `of` and `length` in detail is
    written all the same, with a remark; without `form`, `of` and `length` are ignored.

    Parameters
    ----------
    question : str
        The name of the question, such as "q1".
    answer : object
        A finite number (neither True nor False), text, list or array, dict or Series, DataFrame or dict of
        dicts, or function; `...` or None before there is one.
    form : {"number", "text", "values", "list", "lists", "table", "function"}, optional
        The form of the answer, if only one form can be right; by default any form is accepted. A number,
        text, list or function is told from the others, and an answer of another kind is rejected; a number
        may be given as text. "values" are numbers by name (a dict or Series, or a list in the order of the
        question), "lists" are lists by name; these and a "table" also accept a list or a dict, and only with
        `of` does a remark say that it does not fit. A "list" is of names, each once.
    of : object, optional
        The names in the answer: the names of "values", the words to choose a "text" from, the possible
        members of a "list", the members of each of "lists" ({name: members}), or (rows, columns) of a
        "table". By default names are not compared.
    length : int, optional
        The expected length of a "list"; by default any.
    example : sequence, optional
        The arguments with which to call a function, to display its result; by default it is not called.

    Raises
    ------
    DivmetricsError
        If `form` is unknown.

    Examples
    --------
    >>> hand_in("q1", ...)  # doctest: +SKIP
    q1: not answered yet
    """
    if form is not None and form not in FORMS:
        raise DivmetricsError(f"hand_in: form is {form!r}; it is one of {', '.join(FORMS)}")
    FUNCTIONS.pop(str(question), None)
    record: dict[str, Any] = {"question": str(question)}
    if answer is None or answer is ...:
        text = f"{question}: not answered yet"
    else:
        try:
            value = _simplify(written(answer), form)
            _check(value, form)
        except DivmetricsError as error:
            record["refused"] = str(error)
            text = f"{question}: not handed in. {error}"
        else:
            record["value"] = value
            if value == {"function": True}:
                FUNCTIONS[str(question)] = answer
            text = f"{question}: handed in, {summarise(value)}{_remark(value, form, of, length)}"
    display({MIME: record, "text/plain": text}, raw=True)
    # Last, since a submitted function may do anything.
    if str(question) in FUNCTIONS and example is not None:
        outcome = describe_call(answer, example, lambda result: summarise(written(result)))
        display({"text/plain": f"    {outcome}"}, raw=True)


def _remark(value: Any, form: str | None, of: Any, length: int | None) -> str:
    """Return the remark below an answer that was handed in."""
    try:
        oddity = find_oddity(value, form, of, length)
    except Exception:  # an answer of an unforeseen form is left to the grader
        return ""
    return f"\n    Look again. {oddity}" if oddity else ""


def written(answer: Any) -> Any:
    """Convert the answer to JSON. Raises DivmetricsError if it cannot be read.

    Numbers, texts and lists stay themselves. A dict or Series becomes {"values": [[name, value], ...]}, a
    table {"rows": names, "columns": names, "table": lists}, a function {"function": true}.
    """
    remaining = [MOST_VALUES]
    try:
        return _written(answer, remaining)
    except DivmetricsError:
        raise
    except Exception as error:  # a user's own object may raise anything
        raise DivmetricsError(f"The answer cannot be read ({type(error).__name__}).") from None


def _written(answer: Any, remaining: list[int], depth: int = 0) -> Any:
    remaining[0] -= 1
    if remaining[0] < 0:
        raise DivmetricsError(f"The answer holds more than {MOST_VALUES} values.")
    if depth > DEEPEST:
        raise DivmetricsError(f"The answer holds lists within lists, more than {DEEPEST} deep.")
    if isinstance(answer, np.generic) or (isinstance(answer, np.ndarray) and answer.ndim == 0):
        answer = answer.item()
    if isinstance(answer, bool):
        raise DivmetricsError(f"The answer is {answer}; expected a number, a text or a table.")
    if isinstance(answer, (int, float, Fraction, Decimal)):
        number = float(answer)
        if not math.isfinite(number):
            raise DivmetricsError(f"The answer holds {number}, which is no finite number.")
        return number
    if isinstance(answer, str):
        if len(answer) > MOST_LETTERS:
            raise DivmetricsError(f"The answer is a text of more than {MOST_LETTERS} letters.")
        return str(answer)
    if type(answer).__name__ == "Styler":
        answer = answer.data  # pandas' own look of a table
    if isinstance(answer, pd.DataFrame):
        answer = _named_rows(answer)
        return {
            "rows": [_name(each) for each in answer.index],
            "columns": [_name(each) for each in answer.columns],
            "table": [[_written(x, remaining, depth + 1) for x in row] for row in answer.to_numpy().tolist()],
        }
    if isinstance(answer, (pd.Series, Mapping)):
        pairs = [[_name(key), _written(value, remaining, depth + 1)] for key, value in answer.items()]
        return {"values": pairs}
    if isinstance(answer, type) or not isinstance(answer, Iterable):
        if callable(answer) and not isinstance(answer, type):
            return {"function": True}
        docs = "; its documents, in order, are its .docs" if hasattr(answer, "docs") else ""
        raise DivmetricsError(
            f"The answer is of type {type(answer).__name__}; expected a number, a text, a list, a dict or a "
            f"table{docs}."
        )
    return [_written(each, remaining, depth + 1) for each in answer]


def _named_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Name the rows of a table after its only column of texts, which `reset_index` made of their names."""

    def is_name(cell: Any) -> bool:
        return isinstance(cell, str) and number_of(cell) is cell

    texts = [n for n in range(table.shape[1]) if all(map(is_name, table.iloc[:, n]))]
    if isinstance(table.index, pd.RangeIndex) and len(texts) == 1 < table.shape[1]:
        return table.set_index(table.columns[texts[0]])
    return table


def _name(key: Any) -> Any:
    """Convert the name of a row or value to a text, a finite number, or a list of these."""
    if isinstance(key, tuple):
        return [_name(each) for each in key]
    if isinstance(key, np.generic):
        key = key.item()
    return float(key) if isinstance(key, (int, float)) and math.isfinite(key) else str(key)


def _simplify(value: Any, form: str | None) -> Any:
    """Take an answer out of what holds nothing else: lists of one, a table of one row or column, a Series."""
    if form == "number":
        return number_of(unwrapped(value))
    if form == "text":
        return unwrapped(value)
    match value:
        case {"values": pairs} if form == "list":
            return [each for _, each in pairs]
        case {"columns": [_], "rows": rows, "table": table} if form == "values":
            return {"values": [[row, cell] for row, [cell] in zip(rows, table, strict=True)]}
        case {"columns": columns, "rows": [_], "table": [cells]} if form == "values":
            return {"values": [list(pair) for pair in zip(columns, cells, strict=True)]}
        case [[*_] as alone] if form in ("values", "list"):
            return alone
        case [[_], *_] if form == "values" and all(
            isinstance(each, list) and len(each) == 1 for each in value
        ):
            return [each for [each] in value]
    return value


def _check(value: Any, form: str | None) -> None:
    if form is None:
        return
    kinds = {float: "number", str: "text", list: "list"}
    kind = kinds.get(type(value)) or next(
        name for name in ("values", "table", "function") if isinstance(value, dict) and name in value
    )
    # Tables also come as lists of lists and dicts of dicts, values as lists in the order of the question.
    any_table = {"table", "values", "list"}
    fits = {"table": any_table, "lists": any_table, "values": {"values", "list"}}.get(form, {form})
    if kind not in fits:
        raise DivmetricsError(f"The answer is {FORMS[kind]}; expected {FORMS[form]}.")


def summarise(value: Any) -> str:
    """Format the answer in one line."""
    if isinstance(value, str):
        return repr(shorten(value))
    if value == {"function": True}:
        return "a function; it will be called on cases that are not shown"
    line = _in_a_line(value)
    if len(line) <= LONGEST_LINE:
        return line
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if "values" in value:
        return f"{len(value['values'])} values by name"
    return f"a table of {len(value['rows'])} rows and {len(value['columns'])} columns"


def _in_a_line(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return f"[{', '.join(map(_in_a_line, value))}]"
    if isinstance(value, dict):
        rows, columns = value.get("rows", []), value.get("columns", [])
        if rows == list(range(len(rows))) and columns == list(range(len(columns))) and rows:
            return _in_a_line(value["table"])  # default labels of pandas
        pairs = value.get("values") or (
            [row, {"values": list(zip(columns, cells, strict=True))}]
            for row, cells in zip(rows, value.get("table", []), strict=True)
        )
        return f"{{{', '.join(f'{label(name)}: {_in_a_line(each)}' for name, each in pairs)}}}"
    return str(value)
