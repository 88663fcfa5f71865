"""Check: an exercise without an answer fails nothing, and a wrong answer is told why where that is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import divmetrics as dm
from divmetrics_widgets import Check


@pytest.mark.parametrize("answer", [..., None])
def test_unanswered_check_says_so(answer: Any) -> None:
    def test(_: Any) -> bool:
        raise AssertionError("nothing is computed for no answer")

    check = Check(answer, test, "For a reason.")
    assert repr(check) == "not answered yet"
    assert check._repr_html_() == "<p><b>not answered yet</b></p>"
    assert check.right is None


@pytest.mark.parametrize(
    ("answer", "expected", "tolerance", "right"),
    [
        (2, 2, 0, True),
        (2, 3, 0, False),
        (0.1 + 0.2, 0.3, 0, True),
        (0.4, 0.4004, 0.0005, True),
        (0.4, 0.4006, 0.0005, False),
        (0, 0.0, 0, True),
        ("d1", "d1", 0, True),
        ("d1", "D1", 0, False),
        (["d1", "d2"], ["d1", "d2"], 0, True),
        ("2", 2, 0, False),
        (True, 1, 0, True),
        ([0.1 + 0.2], [0.3], 0, True),
        ([0.31], [0.3], 0.02, True),
        ([0.33], [0.3], 0.02, False),
        ([0.3], [0.3, 0.3], 0.02, False),
        ([0.3], (0.3,), 0.02, False),
        ({"a": (1, 0.31)}, {"a": (1, 0.3)}, 0.02, True),
        ({"b": 0.3}, {"a": 0.3}, 0.02, False),
        (np.array([[1, 2]]), np.array([[1, 2]]), 0, True),
        (np.array([1, 2]), [1, 3], 0, False),
        (np.array([1, 2]), 1, 0, False),
    ],
)
def test_a_value(answer: Any, expected: Any, tolerance: float, right: bool) -> None:
    check = Check(answer, expected, "For a reason.", tolerance=tolerance)
    assert check.right is right
    assert repr(check) == ("right: For a reason." if right else "not yet")


def test_a_test_may_say_what_is_missing() -> None:
    def longer(docs: list[str]) -> bool | str:
        return len(docs) == 3 or f"it has {len(docs)} documents, not `3`"

    assert repr(Check(["a", "b", "c"], longer)) == "right"
    wrong = Check(["a"], longer, "For a reason.")
    assert wrong.right is False
    assert repr(wrong) == "not yet: it has 1 documents, not `3`"
    assert wrong._repr_html_() == "<p><b>not yet</b>: it has 1 documents, not <code>3</code></p>"


def test_an_answer_that_cannot_be_read_is_not_yet_right() -> None:
    def named(answer: Any) -> bool:
        return dm.metric(answer) == dm.metric("ERR-IA@5")

    assert Check("ERR-IA@5", named).right is True
    unknown = Check("ERR-IAA@5", named)
    assert unknown.right is False
    assert "did you mean 'ERR-IA'" in repr(unknown)
    odd = Check(5, lambda docs: docs[0] == "d1")
    assert repr(odd) == "not yet: the answer cannot be read (TypeError: 'int' object is not subscriptable)"


def test_its_words_are_text() -> None:
    check = Check(1, 1, "<img src=x onerror=alert(1)>")
    assert "<img" not in check._repr_html_()


@pytest.mark.parametrize("tolerance", [-0.1, float("nan"), "small"])
def test_invalid_tolerances_are_rejected(tolerance: Any) -> None:
    with pytest.raises(dm.DivmetricsError, match="expected a number of at least 0"):
        Check(..., 1, tolerance=tolerance)
