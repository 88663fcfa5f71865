"""hand_in writes answers down as JSON that says what was meant, and refuses the rest in one sentence."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from divmetrics import DivmetricsError
from divmetrics_widgets import hand_in, handing_in


class Stubborn:
    def __iter__(self) -> Any:
        raise RuntimeError("no")


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(handing_in, "display", lambda data, raw: shown.append(data))
    return shown


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
def test_an_answer_is_written_down_as_what_it_is(said: list[dict[str, Any]], answer: Any, value: Any) -> None:
    hand_in("q1", answer)
    assert json.loads(json.dumps(said[0][handing_in.MIME])) == {"question": "q1", "value": value}
    assert said[0]["text/plain"].startswith("q1: handed in, ")


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
        ("0.5", "number", "The answer is a text; expected a number."),
        (3, "text", "The answer is a number; expected a text."),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    said: list[dict[str, Any]], answer: Any, form: str | None, sentence: str
) -> None:
    hand_in("q1", answer, form)
    assert said[0] == {
        handing_in.MIME: {"question": "q1", "refused": sentence},
        "text/plain": f"q1: not handed in. {sentence}",
    }


def test_no_answer_yet(said: list[dict[str, Any]]) -> None:
    hand_in("q1", ...)
    assert said[0] == {handing_in.MIME: {"question": "q1"}, "text/plain": "q1: not answered yet"}


def test_a_function_is_kept_until_another_answer_is_handed_in(said: list[dict[str, Any]]) -> None:
    hand_in("q1", abs, "function")
    assert handing_in.FUNCTIONS["q1"](-3) == 3
    hand_in("q1", 4)
    assert "q1" not in handing_in.FUNCTIONS


def test_a_form_that_is_none_is_named() -> None:
    with pytest.raises(DivmetricsError, match="form is 'numbr'; it is one of number, text"):
        hand_in("q1", 1, "numbr")
