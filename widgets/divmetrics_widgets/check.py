"""Check: compares the answer to an exercise with the expected one."""

from __future__ import annotations

import math
from fractions import Fraction
from html import escape
from typing import Any
from uuid import uuid4

import numpy as np

from divmetrics.core.checks import check_number, is_number
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, TIE_TOLERANCE
from divmetrics.errors import DivmetricsError
from divmetrics_widgets import in_book, possible_answers, scored

RIGHT, WRONG = "right", "not yet"


class Check:
    """The verdict on an exercise's answer: "right", "not yet" or "not answered yet", with the reason.

    Parameters
    ----------
    answer : object
        The reader's answer; `...` or None before there is one, and then nothing is computed.
    expected : object or callable
        The right answer (no DataFrame or Series: give a test for one), or a test: a function of the answer
        that returns True, False, or a text about what is missing, which makes the answer wrong. An array
        equals a list of its items, a tuple does not; nan equals nothing. The decorators `Check.number`,
        `Check.each` and `Check.several` declare the form of the answer, so that a page without a kernel has
        an input field; `Check.lists` makes a test of lists by their scores.
    why : str
        The reason, displayed once the answer is right; "" by default.
    tolerance : float
        The largest error of a number that counts as right, also inside a list, tuple, dict or array; 0 by
        default, which still allows for rounding. A test ignores it.

    Raises
    ------
    DivmetricsError
        If the tolerance is not a number of at least 0.

    Notes
    -----
    `right` is True, False, or None without an answer. `reason` is `why` for a right answer, else what is
    missing, or "". An answer that makes the test raise an exception is not right, and `reason` says why, with
    the message of the exception.

    Examples
    --------
    >>> Check(0.25, 1 / 4, "One of four intents is served.")
    right: One of four intents is served.
    """

    number = staticmethod(possible_answers.number)
    each = staticmethod(possible_answers.each)
    several = staticmethod(possible_answers.several)
    lists = staticmethod(scored.lists)
    rule = staticmethod(scored.rule)

    def __init__(self, answer: Any, expected: Any, why: str = "", *, tolerance: float = 0.0) -> None:
        check_number("tolerance", tolerance, 0)
        self._arguments = answer, expected, why, tolerance
        self.right: bool | None = None
        self.reason = ""
        if answer is None or answer is ...:
            return
        try:
            result = expected(answer) if callable(expected) else same(answer, expected, tolerance)
            missing = result if isinstance(result, str) else ""
            self.right = bool(result) and not missing
        except DivmetricsError as error:
            self.right, missing = False, str(error)
        except Exception as error:  # a test may raise anything for an answer of another form
            self.right, missing = False, f"the answer cannot be read ({type(error).__name__}: {error})"
        self.reason = why if self.right else missing

    @property
    def verdict(self) -> str:
        """The verdict: "right", "not yet" or "not answered yet"."""
        return "not answered yet" if self.right is None else RIGHT if self.right else WRONG

    def __repr__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, str], dict[str, Any]]:
        page = {in_book.PAGE_TYPE: self._in_book()} if in_book.is_enabled() else {}
        return {"text/html": self._repr_html_(), "text/plain": repr(self), **page}, {}

    def _in_book(self) -> str:
        """Return the HTML for a page without a kernel, with an input field if the test declares a form."""
        _, test, why, tolerance = self._arguments
        traits = {
            "_problem": "",
            "_place": "",
            "_marks": [],
            "answer": "",
            "_told": list(_verdict_and_reason(self)),
        }
        tables: dict[str, Any] = {}
        if isinstance(test, possible_answers.AnswerTest | scored.ListsForm):

            def judge(test: possible_answers.Test, answer: Any) -> tuple[str, str]:
                return _verdict_and_reason(Check(answer, test, why, tolerance=tolerance))

            table = (
                possible_answers.verdicts(test, judge)
                if isinstance(test, possible_answers.AnswerTest)
                else test.to_json()
            )
            texts = {"none": judge(test, None), "right": (RIGHT, why), "malformed": WRONG}
            tables = {**table, **texts, "expected": test.expectation}
        traits["_asks"] = tables.get("expected", "")
        traits["_fields"] = test.fields if tables else []
        return in_book.element("check.js", traits, tables, self._repr_html_(), uuid4().hex)

    def _repr_html_(self) -> str:
        reason = f": {code_to_html(self.reason)}" if self.reason else ""
        return f"<p><b>{self.verdict}</b>{reason}</p>"


def _verdict_and_reason(check: Check) -> tuple[str, str]:
    return check.verdict, check.reason


def same(value: Any, expected: Any, tolerance: float = 0.0) -> bool:
    """Return whether two values are equal: numbers within the tolerance, up to rounding.

    This holds also for the items of lists, tuples, dicts and arrays; an array equals a list of its items.
    """
    value, expected = map(_plain, (value, expected))
    if is_number(value) and is_number(expected):
        return math.isclose(value, expected, rel_tol=CROSS_CHECK_TOLERANCE, abs_tol=tolerance + TIE_TOLERANCE)
    if isinstance(value, dict) and isinstance(expected, dict):
        return value.keys() == expected.keys() and all(
            same(value[key], expected[key], tolerance) for key in expected
        )
    if isinstance(value, list | tuple) and type(value) is type(expected):
        return len(value) == len(expected) and all(
            same(one, other, tolerance) for one, other in zip(value, expected, strict=True)
        )
    return bool(value == expected)


def _plain(value: Any) -> Any:
    """Return a fraction as a float, and an array as a list."""
    if isinstance(value, Fraction):
        return float(value)
    return value.tolist() if isinstance(value, np.ndarray) else value


def code_to_html(text: str) -> str:
    """Convert a text to HTML, with code between backticks."""
    parts = text.split("`")
    return "".join(f"<code>{escape(part)}</code>" if i % 2 else escape(part) for i, part in enumerate(parts))
