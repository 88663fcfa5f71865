"""Check: an exercise's answer, compared with what is right."""

from __future__ import annotations

import math
from fractions import Fraction
from html import escape
from typing import Any
from uuid import uuid4

from divmetrics.core.checks import check_number, is_number
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, TIE_TOLERANCE
from divmetrics.errors import DivmetricsError
from divmetrics_widgets import asked, in_book, scored

RIGHT, WRONG = "right", "not yet"


class Check:
    """Is the answer to an exercise right? Shown as "right", "not yet" or "not answered yet", with the reason.

    Parameters
    ----------
    answer : the reader's; `...` or None where there is none yet. Nothing is computed then
    expected : the right answer, or a test: a function of the answer that returns True, False, or a text that
        says what is missing. Decorated with `@Check.number(low, high, decimals)`,
        `@Check.each(names, low, high, decimals)` for a number under each name, or
        `@Check.several(options, length)` it says what it is a test of, and a page without a kernel has a
        field for the answer. So it has for `Check.lists(pool, {"yours": 5}, rules)`, a test of lists by what
        their scores must be, such as `Check.rule("yours", "ERR-IA@5", ">", D)`
    why : the reason, shown once the answer is right
    tolerance : a number may be off by so much

    `right` is True, False, or None without an answer. What the test cannot read is not right either, and the
    reason says so; no answer ends in an error. Raises DivmetricsError for a tolerance that is none.
    """

    number = staticmethod(asked.number)
    each = staticmethod(asked.each)
    several = staticmethod(asked.several)
    lists = staticmethod(scored.lists)
    rule = staticmethod(scored.rule)

    def __init__(self, answer: Any, expected: Any, why: str = "", *, tolerance: float = 0.0) -> None:
        check_number("tolerance", tolerance, 0)
        self._given = answer, expected, why, tolerance
        self.right: bool | None = None
        self.reason = ""
        if answer is None or answer is ...:
            return
        try:
            found = expected(answer) if callable(expected) else same(answer, expected, tolerance)
            missing = found if isinstance(found, str) else ""
            self.right = bool(found) and not missing
        except DivmetricsError as error:
            self.right, missing = False, str(error)
        except Exception as error:  # whatever a test does with an answer of another form
            self.right, missing = False, f"the answer cannot be read ({type(error).__name__}: {error})"
        self.reason = why if self.right else missing

    @property
    def verdict(self) -> str:
        """What it says, in two or three words."""
        return "not answered yet" if self.right is None else RIGHT if self.right else WRONG

    def __repr__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict

    def _repr_html_(self) -> str:
        return self._in_book() if in_book.is_enabled() else self._said()

    def _in_book(self) -> str:
        """A field for the answer, where the test says what it is a test of."""
        _, test, why, tolerance = self._given
        traits = {"_problem": "", "_place": "", "_marks": [], "answer": "", "_told": list(_told(self))}
        tables: dict[str, Any] = {}
        if isinstance(test, asked.AnswerTest | scored.ListsForm):

            def judge(test: asked.Test, answer: Any) -> tuple[str, str]:
                return _told(Check(answer, test, why, tolerance=tolerance))

            found = asked.verdicts(test, judge) if isinstance(test, asked.AnswerTest) else test.told()
            said = {"none": judge(test, None), "right": (RIGHT, why), "malformed": WRONG}
            tables = {**found, **said, "expected": test.said}
        traits["_asks"] = tables.get("expected", "")
        traits["_fields"] = test.fields if tables else []
        return in_book.element("check.js", traits, tables, self._said(), uuid4().hex)

    def _said(self) -> str:
        reason = f": {code_to_html(self.reason)}" if self.reason else ""
        return f"<p><b>{self.verdict}</b>{reason}</p>"


def _told(check: Check) -> tuple[str, str]:
    return check.verdict, check.reason


def same(given: Any, expected: Any, tolerance: float = 0.0) -> bool:
    """Equal; of two numbers, as close as the tolerance (rounding of floats apart)."""
    given, expected = (float(x) if isinstance(x, Fraction) else x for x in (given, expected))
    if is_number(given) and is_number(expected):
        return math.isclose(given, expected, rel_tol=CROSS_CHECK_TOLERANCE, abs_tol=tolerance + TIE_TOLERANCE)
    return bool(given == expected)


def code_to_html(text: str) -> str:
    """As HTML; what stands between backticks is code."""
    parts = text.split("`")
    return "".join(f"<code>{escape(p)}</code>" if i % 2 else escape(p) for i, p in enumerate(parts))
