"""Forms of an exercise's answer, so that a page without a kernel can check every possible answer.

A test is an arbitrary Python function, which a page cannot run. While the page is built, the test is
therefore run on each answer of the form; the page looks the verdict up.
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

MOST = 160_000  # answers to try; each is a call of the test
SPAN = 12  # a longer range of whole numbers is described by its ends
WORD = re.compile(r"""[^\s,;"'()[\]{}]+""")  # the pattern by which a page splits an answer
Test = Callable[..., Any]


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high` with at most `decimals` decimals; a whole number if `decimals` is 0."""

    low: int
    high: int
    decimals: int

    @property
    def count(self) -> int:
        """The number of possible answers."""
        return (self.high - self.low) * 10**self.decimals + 1

    def answers(self) -> Iterator[float]:
        """Yield all answers, ascending."""
        scale = 10**self.decimals
        for step in range(self.low * scale, self.high * scale + 1):
            yield step / scale if self.decimals else step  # the same double as the parsed text

    @property
    def expectation(self) -> str:
        """The sentence on the expected form."""
        kind = f"number with at most {self.decimals} decimals" if self.decimals else "whole number"
        return f"expected a {kind}, from {self.low} to {self.high}"

    def to_json(self) -> dict[str, Any]:
        """Convert to plain values for the browser."""
        return {"low": self.low, "high": self.high, "decimals": self.decimals}


@dataclass(frozen=True)
class Several:
    """Several items in order, each one of its options; `make` makes the test's argument of them."""

    options: tuple[tuple[Any, ...], ...]
    make: Callable[[tuple[Any, ...]], Any]
    names: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The number of possible answers."""
        return prod(map(len, self.options))

    def answers(self) -> Iterator[Any]:
        """Yield all answers; the last item changes first."""
        return map(self.make, product(*self.options))

    @property
    def expectation(self) -> str:
        """The sentence on the expected form."""
        spans = [_span(options) for options in self.options]
        each = [f"one of {' '.join(map(str, options))}" for options in self.options]
        each = [span or one for span, one in zip(spans, each, strict=True)]
        if len(each) == 1 or len(set(each)) > 1:
            return f"expected {', then '.join(each)}"
        if spans[0]:
            return f"expected {len(each)} numbers, in order, each {spans[0]}"
        return f"expected {len(each)} of these, in order: {each[0].removeprefix('one of ')}"

    def to_json(self) -> dict[str, Any]:
        """Convert to plain values for the browser."""
        return {"options": [[str(option) for option in each] for each in self.options], "word": WORD.pattern}

    @property
    def fields(self) -> list[dict[str, Any]]:
        """A menu for each item, if the items have names."""
        each = zip(self.names, self.to_json()["options"], strict=False)
        return [{"name": name, "options": options} for name, options in each]


@dataclass(frozen=True)
class Each:
    """A number for each of these names; the test takes a name and its number."""

    names: tuple[str, ...]
    number: Number

    @property
    def count(self) -> int:
        """The number of calls of the test, which tries each number by itself."""
        return len(self.names) * self.number.count

    @property
    def expectation(self) -> str:
        """The sentence on the expected form."""
        return f"{self.number.expectation}, for each of these: {', '.join(self.names)}"

    def to_json(self) -> dict[str, Any]:
        """Convert to plain values for the browser."""
        return {"each": self.number.to_json()}

    @property
    def fields(self) -> list[dict[str, Any]]:
        """An input field for each number."""
        return [{"name": name} for name in self.names]


@dataclass(frozen=True)
class AnswerTest:
    """A test of an answer of this form."""

    test: Test
    form: Number | Several | Each

    def __call__(self, answer: Any) -> Any:
        if not isinstance(self.form, Each):
            return self.test(answer)
        if not isinstance(answer, list | tuple) or len(answer) != len(self.form.names):
            return self.form.expectation
        results = (self.test(name, number) for name, number in zip(self.form.names, answer, strict=True))
        return next((result for result in results if isinstance(result, str) or not result), True)

    @property
    def expectation(self) -> str:
        """The sentence on the expected form."""
        return self.form.expectation

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields of an answer with several of them: their names and, for a menu, the options."""
        return [] if isinstance(self.form, Number) else self.form.fields


def number(low: int, high: int, decimals: int = 0) -> Callable[[Test], AnswerTest]:
    """Declare the form of a test's answer: a number from `low` to `high`.

    The form is for a page without a kernel; in Python the test gets every answer.

    Parameters
    ----------
    low, high : int
        The smallest and the largest number.
    decimals : int
        The largest number of decimals; 0 for whole numbers.

    Returns
    -------
    callable
        A decorator for the test, a function of the number; the result can be passed to `Check`.

    Raises
    ------
    DivmetricsError
        If an argument is no whole number, `high` is below `low`, or there are more than 160,000 answers to
        try.
    """
    checks.check_whole("decimals", decimals, 0)
    checks.check_whole("high", high, checks.check_whole("low", low, -MOST))
    return _of_form(Number(low, high, decimals))


def each(
    names: Iterable[str], low: int, high: int, decimals: int = 0
) -> Callable[[Callable[..., Any]], AnswerTest]:
    """Declare the form of a test's answer: a list of numbers, one for each name.

    The test takes one of them, `test(name, number)`; the first number that is not right decides the verdict.

    Parameters
    ----------
    names : iterable of str
        The names of the numbers.
    low, high : int
        The smallest and the largest value of each number.
    decimals : int
        The largest number of decimals; 0 for whole numbers.

    Returns
    -------
    callable
        A decorator for the test, a function of a name and its number; the result can be passed to `Check`.

    Raises
    ------
    DivmetricsError
        If an argument is no whole number, `high` is below `low`, or there are more than 160,000 answers to
        try.
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
    """Declare the form of a test's answer: several items in order, each one of its options.

    Parameters
    ----------
    options : iterable
        The options of every item or, without `length`, a sequence of options for each item.
    length : int, optional
        The number of items; by default that of `options`, which then has a sequence for each item.
    make : callable
        Makes the argument of the test from a tuple of the items.
    names : iterable of str
        The names of the items; a page then has a menu for each. By default items have no names.

    Returns
    -------
    callable
        A decorator for the test, a function of what `make` returns; the result can be passed to `Check`.

    Raises
    ------
    DivmetricsError
        If there are no answers to try or more than 160,000, an option has blanks, commas, quotes or brackets,
        or there is not one name for each item.
    """
    choices = tuple(options)
    if length is None and any(isinstance(item, str) for item in choices):
        raise DivmetricsError(
            "several: the options of each thing are a text, expected a list; options that all things have "
            "in common take a length"
        )
    if length is not None:
        checks.check_whole("length", length, 1)
    item_options = tuple(map(tuple, choices)) if length is None else (choices,) * length
    for option in dict.fromkeys(str(option) for item in item_options for option in item):
        if not WORD.fullmatch(option):
            raise DivmetricsError(
                f"several: the option {checks.quote(option)} is not one word without commas, quotes and "
                "brackets, which a page could not read in an answer: give it a shorter name, or leave the "
                "form out, and the answer is checked in Python alone"
            )
    item_names = tuple(names)
    if item_names and len(item_names) != len(item_options):
        raise DivmetricsError(f"several: {len(item_names)} names for {len(item_options)} things")
    return _of_form(Several(item_options, make, item_names))


def _of_form(form: Number | Several | Each) -> Callable[[Test], AnswerTest]:
    if not 1 <= form.count <= MOST:
        raise DivmetricsError(
            f"there are {form.count} answers of this form, expected 1 to {MOST}, which can all be tried: "
            "leave the form out, and the answer is checked in Python alone"
        )
    return lambda test: AnswerTest(test, form)


def verdicts(test: AnswerTest, judge: Callable[[Test, Any], tuple[str, str]]) -> dict[str, Any]:
    """Run a test on every answer of its form: `runs` of (length, index into `texts`), in the form's order.

    If each number has a test of its own there are runs of each. judge: the verdict of a test on an answer.
    """
    form = test.form
    texts: dict[tuple[str, str], int] = {}

    def runs(one: Test, of: Number | Several) -> list[list[int]]:
        places = (texts.setdefault(judge(one, answer), len(texts)) for answer in of.answers())
        return [[len([*same]), place] for place, same in groupby(places)]

    with warnings.catch_warnings(), redirect_stdout(None):  # the build has no use for warnings and output
        warnings.simplefilter("ignore")
        if isinstance(form, Each):
            all_runs: list[Any] = [runs(partial(test.test, name), form.number) for name in form.names]
        else:
            all_runs = runs(test.test, form)
    return {**form.to_json(), "runs": all_runs, "texts": list(texts)}


def _span(options: Sequence[Any]) -> str:
    """Describe a long range of consecutive whole numbers; return an empty text for other options."""
    whole = len(options) > SPAN and all(checks.is_whole(option) for option in options)
    if not whole or [*options] != [*range(options[0], options[0] + len(options))]:
        return ""
    return f"a whole number from {options[0]} to {options[-1]}"
