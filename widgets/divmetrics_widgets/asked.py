"""What an exercise asks for, so that a page without a kernel can compare answers: every answer of that form.

A test is any function of Python's, and a page runs none. So when a page is made the test is put to each
answer that the form allows, and the page looks up what it said.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import groupby, product
from math import prod
from typing import Any

from divmetrics.core import checks
from divmetrics.errors import DivmetricsError

MOST = 40_000  # answers that are tried: each is a call of the test
WORD = re.compile(r"""[^\s,;"'()[\]{}]+""")  # by which a page takes an answer apart
Test = Callable[[Any], Any]


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high` with so many decimals at most; a whole one where there are none."""

    low: int
    high: int
    decimals: int

    @property
    def count(self) -> int:
        """How many answers there are."""
        return (self.high - self.low) * 10**self.decimals + 1

    def answers(self) -> Iterator[float]:
        """All of them, ascending."""
        scale = 10**self.decimals
        for step in range(self.low * scale, self.high * scale + 1):
            yield step / scale if self.decimals else step  # the very double that its text is read as

    @property
    def said(self) -> str:
        """What is expected."""
        kind = f"number with at most {self.decimals} decimals" if self.decimals else "whole number"
        return f"expected a {kind}, from {self.low} to {self.high}"

    def told(self) -> dict[str, Any]:
        """As a browser reads it."""
        return {"low": self.low, "high": self.high, "decimals": self.decimals}


@dataclass(frozen=True)
class Several:
    """So many things in order, each one of its options; `make` makes of them what the test takes."""

    options: tuple[tuple[Any, ...], ...]
    make: Callable[[tuple[Any, ...]], Any]

    @property
    def count(self) -> int:
        """How many answers there are."""
        return prod(map(len, self.options))

    def answers(self) -> Iterator[Any]:
        """All of them, the last thing changing first."""
        return map(self.make, product(*self.options))

    @property
    def said(self) -> str:
        """What is expected."""
        each = [" ".join(map(str, options)) for options in self.options]
        if len(each) == 1 or len(set(each)) > 1:
            return "expected " + ", then ".join(f"one of {names}" for names in each)
        return f"expected {len(each)} of these, in order: {each[0]}"

    def told(self) -> dict[str, Any]:
        """As a browser reads it."""
        return {"options": [[str(option) for option in each] for each in self.options], "word": WORD.pattern}


@dataclass(frozen=True)
class Asked:
    """A test of an answer that has this form."""

    test: Test
    form: Number | Several

    def __call__(self, answer: Any) -> Any:
        return self.test(answer)


def number(low: int, high: int, decimals: int = 0) -> Callable[[Test], Asked]:
    """Says of a test that it is of a number from low to high, with so many decimals at most.

    Raises DivmetricsError for what are no whole numbers, and where there are too many answers to try.
    """
    checks.whole("decimals", decimals, 0)
    checks.whole("high", high, checks.whole("low", low, -MOST))
    return _of_form(Number(low, high, decimals))


def several(
    options: Iterable[Any], length: int | None = None, make: Callable[[tuple[Any, ...]], Any] = list
) -> Callable[[Test], Asked]:
    """Says of a test that it is of so many things in order, each one of the options.

    length: without one, `options` are those of the first thing, of the second, and so on. make: from a tuple
    of the things to the answer. Raises DivmetricsError where there are too many answers to try, and for an
    option that a page cannot read in an answer: one with blanks, commas, quotes or brackets.
    """
    each = tuple(options)
    if length is None and any(isinstance(of_one, str) for of_one in each):
        raise DivmetricsError(
            "several: the options of each thing are a text, expected a list; options that all things have "
            "in common take a length"
        )
    if length is not None:
        checks.whole("length", length, 1)
    known = tuple(map(tuple, each)) if length is None else (each,) * length
    for option in dict.fromkeys(str(option) for of_one in known for option in of_one):
        if not WORD.fullmatch(option):
            raise DivmetricsError(
                f"several: the option {checks.shown(option)} is not one word without commas, quotes and "
                "brackets, which a page could not read in an answer: give it a shorter name, or leave the "
                "form out, and the answer is checked in Python alone"
            )
    return _of_form(Several(known, make))


def _of_form(form: Number | Several) -> Callable[[Test], Asked]:
    if not 1 <= form.count <= MOST:
        raise DivmetricsError(
            f"there are {form.count} answers of this form, expected 1 to {MOST}, which can all be tried: "
            "leave the form out, and the answer is checked in Python alone"
        )
    return lambda test: Asked(test, form)


def verdicts(test: Any, judge: Callable[[Any], tuple[str, str]]) -> dict[str, Any]:
    """What is said of every answer: `runs` of (how many, which of the `texts`), in the form's order.

    Nothing for a test that does not say what it is a test of.
    """
    if not isinstance(test, Asked):
        return {}
    texts: dict[tuple[str, str], int] = {}
    with warnings.catch_warnings(), redirect_stdout(None):  # who answers is told, not who makes the page
        warnings.simplefilter("ignore")
        told = [texts.setdefault(judge(answer), len(texts)) for answer in test.form.answers()]
    runs = [[len([*same]), place] for place, same in groupby(told)]
    none = judge(None)
    return {**test.form.told(), "expected": test.form.said, "runs": runs, "texts": list(texts), "none": none}
