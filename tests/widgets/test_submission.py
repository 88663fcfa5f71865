"""hand_in writes answers down as JSON that says what was meant, and refuses the rest in one sentence."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics import DivmetricsError
from divmetrics_widgets import hand_in, handing_in


class Stubborn:
    def __iter__(self) -> Any:
        raise RuntimeError("no")


@pytest.fixture
def message(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: outputs.append(data))
    return outputs


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (1, 1.0),
        (np.float32(0.5), 0.5),
        (np.array(2), 2.0),
        (Fraction(1, 4), 0.25),
        (Decimal("0.5"), 0.5),
        ("d1", "d1"),
        ((1, 2), [1.0, 2.0]),
        (np.arange(4).reshape(2, 2), [[0.0, 1.0], [2.0, 3.0]]),
        ({"a": 1, ("d", 2): 3}, {"values": [["a", 1.0], [["d", 2.0], 3.0]]}),
        (pd.Series([1.5], ["a"]), {"values": [["a", 1.5]]}),
        (pd.Series([1.0, 2.0], [0.5, np.nan]), {"values": [[0.5, 1.0], ["nan", 2.0]]}),
        ([[[[1]]]], [[[[1.0]]]]),
        (
            pd.DataFrame([[1, 2]], ["d"], ["i", "j"]),
            {"rows": ["d"], "columns": ["i", "j"], "table": [[1.0, 2.0]]},
        ),
        (lambda x: x, {"function": True}),
    ],
)
def test_an_answer_is_written_down_as_what_it_is(
    message: list[dict[str, Any]], answer: Any, value: Any
) -> None:
    hand_in("q1", answer)
    assert json.loads(json.dumps(message[0][handing_in.MIME])) == {"question": "q1", "value": value}
    assert message[0]["text/plain"].startswith("q1: handed in, ")


TABLE = pd.DataFrame([[0.5, 0.25]], pd.Index(["d1"], name="doc"), ["i", "j"])


@pytest.mark.parametrize(
    ("answer", "form", "value"),
    [
        (np.array([[0.5]]), "number", 0.5),
        ([0.5], "number", 0.5),
        ("0.5", "number", 0.5),
        (TABLE[["i"]], "values", {"values": [["d1", 0.5]]}),
        (TABLE["i"].reset_index(), "values", {"values": [["d1", 0.5]]}),
        (TABLE.reset_index(), "table", {"rows": ["d1"], "columns": ["i", "j"], "table": [[0.5, 0.25]]}),
    ],
)
def test_an_answer_in_a_wrapping_of_pandas_or_numpy_is_taken_out_of_it(
    message: list[dict[str, Any]], answer: Any, form: str, value: Any
) -> None:
    hand_in("q1", answer, form, of=(["d1"], ["i", "j"]) if form == "table" else ["d1"])
    assert message[0][handing_in.MIME]["value"] == value
    assert "Look again" not in message[0]["text/plain"]


@pytest.mark.parametrize(
    ("answer", "form", "sentence"),
    [
        (float("nan"), None, "The answer holds nan, which is no finite number."),
        (10**400, None, "The answer cannot be read (OverflowError)."),
        (True, None, "The answer is True; expected a number, a text or a table."),
        (
            object(),
            None,
            "The answer is of type object; expected a number, a text, a list, a dict or a table.",
        ),
        (int, None, "The answer is of type type; expected a number, a text, a list, a dict or a table."),
        (Stubborn(), None, "The answer cannot be read (RuntimeError)."),
        ([0] * 20_000, None, "The answer holds more than 10000 values."),
        ([[[[[1]]]]], None, "The answer holds lists within lists, more than 4 deep."),
        ("a half", "number", "The answer is a text; expected a number."),
        (
            dm.datasets.harry_potter().list("A", "0083"),
            "lists",
            "The answer is of type RankedList; expected a number, a text, a list, a dict or a table; its "
            "documents, in order, are its .docs.",
        ),
        (3, "text", "The answer is a number; expected a text."),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    message: list[dict[str, Any]], answer: Any, form: str | None, sentence: str
) -> None:
    hand_in("q1", answer, form)
    assert message[0] == {
        handing_in.MIME: {"question": "q1", "refused": sentence},
        "text/plain": f"q1: not handed in. {sentence}",
    }


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (0.12345678, "0.123457"),
        ("the text", "'the text'"),
        (["d1", "d2"], "[d1, d2]"),
        ({"A": 4.4, "B": 1}, "{A: 4.4, B: 1}"),
        ({"A": ["d1"], "B": ["d2"]}, "{A: [d1], B: [d2]}"),
        ({("a", "b"): 0.5}, "{a and b: 0.5}"),
        (pd.DataFrame([[1, 2]], ["g"], ["i", "j"]), "{g: {i: 1, j: 2}}"),
        ({"A": {"x": 1.0}}, "{A: {x: 1}}"),
        (pd.DataFrame([[1, 2]]), "[[1, 2]]"),
        (pd.Series([0.5, 1.5]), "{0: 0.5, 1: 1.5}"),
        ({}, "{}"),
        (list(range(1000)), "a list of 1000"),
        (pd.Series(range(1000)), "1000 values by name"),
        (pd.DataFrame(np.zeros((100, 2))), "a table of 100 rows and 2 columns"),
    ],
)
def test_a_short_answer_is_shown_again(message: list[dict[str, Any]], answer: Any, line: str) -> None:
    hand_in("q1", answer)
    assert message[0]["text/plain"] == f"q1: handed in, {line}"


AB = ["A", "B"]
FIVE = ["d1", "d2", "d3", "d4", "d5"]
GRID = (["g", "h"], ["x", "y", "z"])
LONG = pd.DataFrame(product(*GRID), columns=["doc", "intent"]).assign(contribution=0.5, rank=1)
ODD = [
    ({"A": 1, "C": 2}, "values", AB, "Missing: B. Not asked for: C."),
    ({"A": "one", "B": 2}, "values", AB, "A is a text; expected a number."),
    ({"A": [1.0], "B": 2}, "values", AB, "A is no number; expected a number."),
    ([1, 2, 3], "values", AB, "Asked for are 2 values, in this order: A, B. It has 3."),
    ({("a", "b"): 0.1}, "values", [("a", "b"), ("a", "c")], "Missing: a and c."),
    ({}, "values", range(9), "Missing: 0, 1, 2, 3, 4, 5 and 3 more."),
    ("zebra", "text", ("order", "mean"), "It is none of the words order, mean."),
    (["d1", "d9"], "list", FIVE, "Not among what it may hold: d9."),
    (["d1", "d1"], "list", FIVE, "In it more than once: d1."),
    ([1, 2], "list", FIVE, "It has to be a list of names, as texts."),
    (["d1", "d2"], "list", FIVE, "Asked for are 3 names. It has 2."),
    ({"A": ["d2", "d1"], "B": ["d3"]}, "lists", {"A": ["d1", "d2"], "B": ["d3", "d4"]}, "B: Missing: d4."),
    ({"A": ["d1"], "C": ["d3"]}, "lists", {"A": ["d1"], "B": ["d3"]}, "Missing: B. Not asked for: C."),
    ([["d1"], ["d1"]], "lists", {"A": ["d1"], "B": ["d3"]}, "B: Not among what it may hold: d1."),
    ([["d1"]], "lists", {"A": ["d1"], "B": ["d3"]}, "Asked for are 2 lists: A, B. It has 1."),
    ({"A": "d1", "B": ["d3"]}, "lists", {"A": ["d1"], "B": ["d3"]}, "A has to be a list of names, as texts."),
    ([[1, 2], [3, 4]], "table", GRID, "The rows asked for are g, h, the columns x, y, z."),
    ({"g": {"x": 1}}, "table", GRID, "The rows asked for are g, h, the columns x, y, z."),
    ({("g", "x"): 1}, "table", GRID, "The rows asked for are g, h, the columns x, y, z."),
    (LONG[1:], "table", GRID, "The rows asked for are g, h, the columns x, y, z."),
    (pd.DataFrame([["one", 2, 3], [4, 5, 6]], *GRID), "table", GRID, "g is a text; expected a number."),
]


@pytest.mark.parametrize(("answer", "form", "of", "sentence"), ODD)
def test_what_looks_unlike_the_question_is_handed_in_with_a_remark(
    message: list[dict[str, Any]], answer: Any, form: str, of: Any, sentence: str
) -> None:
    hand_in("q1", answer, form, of, length=3 if form == "list" else None)
    assert message[0]["text/plain"].partition("\n")[2] == f"    Look again. {sentence}"
    hand_in("q1", answer, form)
    assert message[0][handing_in.MIME] == message[1][handing_in.MIME]  # whoever grades it sees no difference


@pytest.mark.parametrize(
    ("answer", "form", "of"),
    [
        ({"B": 1, "A": 2}, "values", AB),
        (pd.Series([1.0, 2.0]), "values", AB),
        (np.array([1.0, 2.0]), "values", AB),
        ({("a", "b"): 0.1}, "values", [("a", "b")]),
        (" Order ", "text", ("order", "mean")),
        (np.array(FIVE[:3]), "list", FIVE),
        (
            pd.DataFrame({"A": ["d1", "d2"], "B": ["d3", "d4"]}),
            "lists",
            {"A": ["d2", "d1"], "B": ["d4", "d3"]},
        ),
        ((["d1"], ["d3"]), "lists", {"A": ["d1"], "B": ["d3"]}),
        (np.zeros((2, 3)), "table", GRID),
        (np.zeros((3, 2)), "table", GRID),
        (pd.DataFrame(np.zeros((2, 3)), *GRID), "table", GRID),
        (pd.DataFrame(np.zeros((2, 3)), *GRID).T, "table", GRID),
        (pd.DataFrame(np.zeros((2, 3))), "table", GRID),
        ({"g": dict.fromkeys("xyz", 1), "h": dict.fromkeys("xyz", 2)}, "table", GRID),
        (dict.fromkeys(product(*GRID), 1), "table", GRID),
        ({"g": [1, 2, 3], "h": [4, 5, 6]}, "table", GRID),
        (LONG, "table", GRID),
        (3, None, None),
    ],
)
def test_what_the_question_asks_for_gets_no_remark(
    message: list[dict[str, Any]], answer: Any, form: str | None, of: Any
) -> None:
    hand_in("q1", answer, form, of, length=3 if form == "list" else None)
    assert "Look again" not in message[0]["text/plain"]


def test_names_that_cannot_be_looked_at_keep_nothing_from_being_handed_in(
    message: list[dict[str, Any]],
) -> None:
    hand_in("q1", {"A": 1}, "values", of=3)
    assert message[0][handing_in.MIME] == {"question": "q1", "value": {"values": [["A", 1.0]]}}


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (lambda a, b: a + b, "On the example it returns 3."),
        (lambda a, b: [a, {"x": b}], "On the example it returns [1, {x: 2}]."),
        (lambda a: a, "On the example it ends in TypeError: "),
        (lambda a, b: a / 0, "On the example it ends in ZeroDivisionError: division by zero"),
        (lambda a, b: None, "On the example it ends in DivmetricsError: The answer is of type NoneType"),
    ],
)
def test_a_function_is_tried_on_the_example_once_it_is_handed_in(
    message: list[dict[str, Any]], function: Any, line: str
) -> None:
    hand_in("q1", function, "function", example=(1, 2))
    assert message[0][handing_in.MIME] == {"question": "q1", "value": {"function": True}}
    assert message[1]["text/plain"].strip().startswith(line)


def test_what_is_no_function_is_not_called(message: list[dict[str, Any]]) -> None:
    hand_in("q1", 3, "function", example=(1, 2))
    hand_in("q1", ..., "function", example=(1, 2))
    assert len(message) == 2


def test_missing_answer_is_not_submitted(message: list[dict[str, Any]]) -> None:
    hand_in("q1", ...)
    assert message[0] == {handing_in.MIME: {"question": "q1"}, "text/plain": "q1: not answered yet"}


def test_a_function_is_kept_until_another_answer_is_handed_in(message: list[dict[str, Any]]) -> None:
    hand_in("q1", abs, "function")
    assert handing_in.FUNCTIONS["q1"](-3) == 3
    hand_in("q1", 4)
    assert "q1" not in handing_in.FUNCTIONS


def test_invalid_forms_are_named() -> None:
    with pytest.raises(DivmetricsError, match="form is 'numbr'; it is one of number, text"):
        hand_in("q1", 1, "numbr")
