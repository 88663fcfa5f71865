"""Checks of values that users pass; each failure raises DivmetricsError with one sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from divmetrics.errors import DivmetricsError, shorten

LINE_END = re.compile(r"\s*\n\s*")
LONGEST_QUOTE = 60  # characters of a value in a sentence
UNORDERED = (set, frozenset)  # their iteration order differs from one process to the next


def quote(value: object) -> str:
    """Return the repr of a value on one line, shortened to 60 characters; it never raises."""
    try:
        text = LINE_END.sub(" ", repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # integers of thousands of digits and some objects of users have no repr
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_QUOTE else shorten(text[:-1], LONGEST_QUOTE - 1) + text[-1]


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or numpy; True and floats such as 2.0 are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number of Python or numpy that a float can hold; True is none."""
    if is_whole(value):
        return bool(abs(value) < 2**1023)  # larger integers cannot be converted to float
    return isinstance(value, (float, np.floating)) and math.isfinite(value)


def check_whole(what: str, value: Any, least: int, expected: str = "", most: int | None = None) -> int:
    """Return the value as int; raise DivmetricsError unless it is an integer from `least` to `most`.

    `most` is by default 2^63 - 1. Floats such as 2.0 and True are no integers. In the message, `what` names
    the value, and `expected` replaces "a whole number of at least ...".
    """
    limit = 2**63 - 1 if most is None else most
    if not is_whole(value) or not least <= value <= limit:
        words = expected or f"a whole number of at least {least}"
        bound = f" (and at most {limit:,})" if most is not None or (is_whole(value) and value > limit) else ""
        raise DivmetricsError(f"{what} is {quote(value)}, expected {words}{bound}")
    return int(value)


def check_number(
    what: str, value: Any, least: float = -math.inf, most: float = math.inf, expected: str = ""
) -> float:
    """Return the value as float; raise DivmetricsError unless it is a finite number from `least` to `most`.

    In the message, `what` names the value, and `expected` replaces "a number of at least ...".
    """
    if not is_number(value) or not least <= value <= most:
        above = "" if least == -math.inf else f" of at least {least:g}"
        words = f"a number{above if most == math.inf else f' from {least:g} to {most:g}'}"
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected or words}")
    return float(value)


def check_fraction(what: str, value: Any, expected: str = "a number from 0 to 1", ends: bool = True) -> float:
    """Return the value as float; raise DivmetricsError unless it is a number from 0 to 1.

    If `ends` is False, 0 and 1 are refused, too. In the message, `what` names the value, and `expected`
    describes the valid ones.
    """
    if not is_number(value) or not 0 <= value <= 1 or (not ends and value in (0, 1)):
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected}")
    return float(value)


def check_choice(what: str, value: Any, choices: Collection[str]) -> None:
    """Raise DivmetricsError, which calls the value `what`, unless it is text and one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise DivmetricsError(f"{what} is {quote(value)}, expected one of {', '.join(choices)}")


def check_flag(what: str, value: Any) -> None:
    """Raise DivmetricsError, which calls the value `what`, unless it is True or False."""
    if not isinstance(value, bool):
        raise DivmetricsError(f"{what} is {quote(value)}, expected True or False")


def check_nonempty_text(what: str, value: Any) -> str:
    """Return the value; raise DivmetricsError, which calls it `what`, unless it is text and not empty."""
    if not isinstance(value, str) or not value:
        raise DivmetricsError(f"{what} is {quote(value)}, expected text that is not empty")
    return value


def check_text_fields(record: object, *fields: str) -> None:
    """Raise DivmetricsError, which names the class and the field, unless these attributes of it are text."""
    for field in fields:
        value = getattr(record, field)
        if not isinstance(value, str):
            raise DivmetricsError(f"{type(record).__name__}: {field} is {quote(value)}, expected text")


def check_ordered(what: str, values: Any, expected: str = "several in an order") -> None:
    """Raise DivmetricsError if `values` is text, bytes, a mapping or a set, or cannot be iterated over.

    Its items are not looked at. In the message, `what` names the values, and `expected` describes valid ones.
    """
    if isinstance(values, (tuple, list)):  # the usual case, without the slower checks
        return
    if isinstance(values, (str, bytes, Mapping, *UNORDERED)) or not isinstance(values, Iterable):
        unordered = "; a set has no order" if isinstance(values, UNORDERED) else ""
        raise DivmetricsError(f"{what} is {quote(values)}, expected {expected}{unordered}")


def check_mapping(what: str, mapping: Any, kind: type) -> None:
    """Raise DivmetricsError unless `mapping` is a mapping whose values are all instances of `kind`.

    `what` names it in the message.
    """
    if not isinstance(mapping, Mapping) or not all(isinstance(value, kind) for value in mapping.values()):
        raise DivmetricsError(f"{what} is {quote(mapping)}, expected a Mapping to {kind.__name__} objects")
