"""What an exercise asks for, so that a page without a kernel can compare answers: every answer of that form.

A test is any function of Python's, and a page runs none. So when a page is made the test is put to each
answer that the form allows, and the page looks up what it said.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product
from math import prod
from typing import Any

from divmetrics.core import checks
from divmetrics.errors import DivmetricsError

MOST = 160_000  # answers that are tried: each is a call of the test
SPAN = 12  # whole numbers in a row that are named one by one; of more, the first and the last
WORD = re.compile(r"""[^\s,;"'()[\]{}]+""")  # by which a page takes an answer apart
Test = Callable[..., Any]


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
    names: tuple[str, ...] = ()

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
        spans = [_span(options) for options in self.options]
        each = [f"one of {' '.join(map(str, options))}" for options in self.options]
        each = [span or one for span, one in zip(spans, each, strict=True)]
        if len(each) == 1 or len(set(each)) > 1:
            return f"expected {', then '.join(each)}"
        if spans[0]:
            return f"expected {len(each)} numbers, in order, each {spans[0]}"
        return f"expected {len(each)} of these, in order: {each[0].removeprefix('one of ')}"

    def told(self) -> dict[str, Any]:
        """As a browser reads it."""
        return {"options": [[str(option) for option in each] for each in self.options], "word": WORD.pattern}

    @property
    def fields(self) -> list[dict[str, Any]]:
        """A menu for each thing, where the things have names."""
        each = zip(self.names, self.told()["options"], strict=False)
        return [{"name": name, "options": options} for name, options in each]


@dataclass(frozen=True)
class Each:
    """A number for each of these names; the test is of one of them, with its name."""

    names: tuple[str, ...]
    number: Number

    @property
    def count(self) -> int:
        """How many calls of the test there are: each number is tried by itself."""
        return len(self.names) * self.number.count

    @property
    def said(self) -> str:
        """What is expected."""
        return f"{self.number.said}, for each of these: {', '.join(self.names)}"

    def told(self) -> dict[str, Any]:
        """As a browser reads it."""
        return {"each": self.number.told()}

    @property
    def fields(self) -> list[dict[str, Any]]:
        """A field for each number."""
        return [{"name": name} for name in self.names]


@dataclass(frozen=True)
class AnswerTest:
    """A test of an answer that has this form."""

    test: Test
    form: Number | Several | Each

    def __call__(self, answer: Any) -> Any:
        if not isinstance(self.form, Each):
            return self.test(answer)
        if not isinstance(answer, list | tuple) or len(answer) != len(self.form.names):
            return self.form.said
        found = (self.test(name, number) for name, number in zip(self.form.names, answer, strict=True))
        return next((said for said in found if isinstance(said, str) or not said), True)

    @property
    def said(self) -> str:
        """What is expected."""
        return self.form.said

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields of an answer that has more than one: their names and, of a menu, its options."""
        return [] if isinstance(self.form, Number) else self.form.fields


def number(low: int, high: int, decimals: int = 0) -> Callable[[Test], AnswerTest]:
    """Says of a test that it is of a number from low to high, with so many decimals at most.

    Raises DivmetricsError for what are no whole numbers, and where there are too many answers to try.
    """
    checks.check_whole("decimals", decimals, 0)
    checks.check_whole("high", high, checks.check_whole("low", low, -MOST))
    return _of_form(Number(low, high, decimals))


def each(
    names: Iterable[str], low: int, high: int, decimals: int = 0
) -> Callable[[Callable[..., Any]], AnswerTest]:
    """Says of a test that it is of a number for each name, and takes one of them: `test(name, number)`.

    An answer is a list or tuple of the numbers; the first that is not right is told. low, high and decimals
    are as of `number`, and so are the errors.
    """
    checks.check_whole("decimals", decimals, 0)
    checks.check_whole("high", high, checks.check_whole("low", low, -MOST))
    return _of_form(Each(tuple(names), Number(low, high, decimals)))


def several(
    options: Iterable[Any],
    length: int | None = None,
    make: Callable[[tuple[Any, ...]], Any] = list,
    names: Iterable[str] = (),
) -> Callable[[Test], AnswerTest]:
    """Says of a test that it is of so many things in order, each one of the options.

    length: without one, `options` are those of the first thing, of the second, and so on. make: from a tuple
    of the things to the answer. names: of the things; a page then has a menu for each. Raises DivmetricsError
    where there are too many answers to try, and for an option that a page cannot read in an answer: one with
    blanks, commas, quotes or brackets.
    """
    given = tuple(options)
    if length is None and any(isinstance(of_one, str) for of_one in given):
        raise DivmetricsError(
            "several: the options of each thing are a text, expected a list; options that all things have "
            "in common take a length"
        )
    if length is not None:
        checks.check_whole("length", length, 1)
    known = tuple(map(tuple, given)) if length is None else (given,) * length
    for option in dict.fromkeys(str(option) for of_one in known for option in of_one):
        if not WORD.fullmatch(option):
            raise DivmetricsError(
                f"several: the option {checks.quote(option)} is not one word without commas, quotes and "
                "brackets, which a page could not read in an answer: give it a shorter name, or leave the "
                "form out, and the answer is checked in Python alone"
            )
    called = tuple(names)
    if called and len(called) != len(known):
        raise DivmetricsError(f"several: {len(called)} names for {len(known)} things")
    return _of_form(Several(known, make, called))


def _of_form(form: Number | Several | Each) -> Callable[[Test], AnswerTest]:
    if not 1 <= form.count <= MOST:
        raise DivmetricsError(
            f"there are {form.count} answers of this form, expected 1 to {MOST}, which can all be tried: "
            "leave the form out, and the answer is checked in Python alone"
        )
    return lambda test: AnswerTest(test, form)


def verdicts(test: AnswerTest, judge: Callable[[Test, Any], tuple[str, str]]) -> dict[str, Any]:
    """What is said of every answer: `runs` of (how many, which of the `texts`), in the form's order.

    Where each number has a test of its own there are runs of each. judge: what a test says of an answer.
    """
    form = test.form
    texts: dict[tuple[str, str], int] = {}

    def runs(one: Test, of: Number | Several) -> list[list[int]]:
        told = (texts.setdefault(judge(one, answer), len(texts)) for answer in of.answers())
        return [[len([*same]), place] for place, same in groupby(told)]

    with warnings.catch_warnings(), redirect_stdout(None):  # who answers is told, not who makes the page
        warnings.simplefilter("ignore")
        if isinstance(form, Each):
            found: list[Any] = [runs(partial(test.test, name), form.number) for name in form.names]
        else:
            found = runs(test.test, form)
    return {**form.told(), "runs": found, "texts": list(texts)}


def _span(options: Sequence[Any]) -> str:
    """Of many whole numbers in a row what they are; else nothing."""
    whole = len(options) > SPAN and all(checks.is_whole(option) for option in options)
    if not whole or [*options] != [*range(options[0], options[0] + len(options))]:
        return ""
    return f"a whole number from {options[0]} to {options[-1]}"
