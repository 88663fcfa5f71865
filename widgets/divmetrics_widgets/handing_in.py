"""hand_in: an answer of an assignment, written down so that somebody else can read it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import display

from divmetrics.errors import DivmetricsError
from divmetrics_widgets.looking_over import describe_call, find_oddity, label

MIME = "application/vnd.divmetrics.answer+json"
MOST_VALUES = 10_000
MOST_LETTERS = 20_000
DEEPEST = 4  # lists within lists
LONGEST_LINE = 200  # letters of an answer that are shown again
FORMS = {
    "number": "a number",
    "text": "a text",
    "values": "values by name (a dict or a Series) or in the order of the question (a list)",
    "list": "a list",
    "lists": "lists by name: a dict of lists",
    "table": "a table: a DataFrame or a dict of dicts",
    "function": "a function",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {}  # those handed in, by question: called on cases that come later


def hand_in(
    question: str,
    answer: Any,
    form: str | None = None,
    of: Any = None,
    *,
    length: int | None = None,
    example: Sequence[Any] | None = None,
) -> None:
    """Write down the answer to a question of an assignment, as JSON and as readable text.

    Nothing is compared with what is right: what is written is compared elsewhere, later.

    Parameters
    ----------
    question : its name, such as "q1"
    answer : a number, text, list or array, dict or Series, DataFrame, or function; `...` where there is none
        yet
    form : one of "number", "text", "values", "list", "lists", "table" and "function", where only that can be
        right
    of : what the question asks for by name: the names of "values", the words that a "text" is one of, what a
        "list" may hold, each once, what each of "lists" has to hold ({name: names}), or the names of the rows
        and those of the columns of a "table"
    length : how many names a list is to have
    example : what a function is called with, to show what it returns

    An answer that cannot be read is refused in one sentence; that ends no notebook. One that is unlike what
    `of` and `length` say is handed in all the same, with a remark. Raises DivmetricsError for a form that is
    none.
    """
    if form is not None and form not in FORMS:
        raise DivmetricsError(f"hand_in: form is {form!r}; it is one of {', '.join(FORMS)}")
    FUNCTIONS.pop(str(question), None)
    said: dict[str, Any] = {"question": str(question)}
    if answer is None or answer is ...:
        text = f"{question}: not answered yet"
    else:
        try:
            value = written(answer)
            _check(value, form)
        except DivmetricsError as error:
            said["refused"] = str(error)
            text = f"{question}: not handed in. {error}"
        else:
            said["value"] = value
            if value == {"function": True}:
                FUNCTIONS[str(question)] = answer
            text = f"{question}: handed in, {shown(value)}{_remark(value, form, of, length)}"
    display({MIME: said, "text/plain": text}, raw=True)
    # Only now, since a function may do what it likes.
    if str(question) in FUNCTIONS and example is not None:
        told = describe_call(answer, example, lambda result: shown(written(result)))
        display({"text/plain": f"    {told}"}, raw=True)


def _remark(value: Any, form: str | None, of: Any, length: int | None) -> str:
    """What is told below an answer that is handed in."""
    try:
        told = find_oddity(value, form, of, length)
    except Exception:  # an answer of a form that nobody thought of: whoever grades it will see
        return ""
    return f"\n    Look again. {told}" if told else ""


def written(answer: Any) -> Any:
    """The answer as JSON; raises DivmetricsError, one sentence, where it cannot be read.

    A number and a text stand for themselves and a list for a list. A dict or Series is {"values": [[name,
    value], ...]}, a table {"rows": names, "columns": names, "table": lists}, a function {"function": true}.
    """
    left = [MOST_VALUES]
    try:
        return _written(answer, left)
    except DivmetricsError:
        raise
    except Exception as error:  # whatever an object of somebody's own does when it is asked
        raise DivmetricsError(f"The answer cannot be read ({type(error).__name__}).") from None


def _written(answer: Any, left: list[int], depth: int = 0) -> Any:
    left[0] -= 1
    if left[0] < 0:
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
    if isinstance(answer, pd.DataFrame):
        return {
            "rows": [_name(each) for each in answer.index],
            "columns": [_name(each) for each in answer.columns],
            "table": [[_written(x, left, depth + 1) for x in row] for row in answer.to_numpy().tolist()],
        }
    if isinstance(answer, (pd.Series, Mapping)):
        pairs = [[_name(key), _written(value, left, depth + 1)] for key, value in answer.items()]
        return {"values": pairs}
    if isinstance(answer, type) or not isinstance(answer, Iterable):
        if callable(answer) and not isinstance(answer, type):
            return {"function": True}
        docs = "; its documents, in order, are its .docs" if hasattr(answer, "docs") else ""
        raise DivmetricsError(
            f"The answer is of type {type(answer).__name__}; expected a number, a text, a list, a dict or a "
            f"table{docs}."
        )
    return [_written(each, left, depth + 1) for each in answer]


def _name(key: Any) -> Any:
    """The name of a row or value: text, a finite number, or a list of these."""
    if isinstance(key, tuple):
        return [_name(each) for each in key]
    if isinstance(key, np.generic):
        key = key.item()
    return float(key) if isinstance(key, (int, float)) and math.isfinite(key) else str(key)


def _check(value: Any, form: str | None) -> None:
    if form is None:
        return
    kinds = {float: "number", str: "text", list: "list"}
    kind = kinds.get(type(value)) or next(
        name for name in ("values", "table", "function") if isinstance(value, dict) and name in value
    )
    # Tables come as lists of lists and dicts of dicts as well, values as lists in the order asked for.
    any_table = {"table", "values", "list"}
    fits = {"table": any_table, "lists": any_table, "values": {"values", "list"}}.get(form, {form})
    if kind not in fits:
        raise DivmetricsError(f"The answer is {FORMS[kind]}; expected {FORMS[form]}.")


def shown(value: Any) -> str:
    """What was handed in, in a line."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:59] + "…")
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
            return _in_a_line(value["table"])  # pandas has only counted
        pairs = value.get("values") or (
            [row, {"values": list(zip(columns, cells, strict=True))}]
            for row, cells in zip(rows, value.get("table", []), strict=True)
        )
        return f"{{{', '.join(f'{label(name)}: {_in_a_line(each)}' for name, each in pairs)}}}"
    return str(value)
