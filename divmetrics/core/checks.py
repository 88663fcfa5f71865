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
    """Return the repr of a value on one line, shortened to `LONGEST_QUOTE` characters."""
    try:
        text = LINE_END.sub(" ", repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # integers of thousands of digits and some objects of users have no repr
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_QUOTE else shorten(text[:-1], LONGEST_QUOTE - 1) + text[-1]


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or numpy; True and False are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number of Python or numpy; True and False are not."""
    if is_whole(value):
        return bool(abs(value) < 2**1023)  # larger integers cannot be converted to float
    return isinstance(value, (float, np.floating)) and math.isfinite(value)


def check_whole(what: str, value: Any, least: int, expected: str = "", most: int | None = None) -> int:
    """Return an integer from `least` to `most` (by default the largest int64), else raise DivmetricsError.

    `what` names the value in the message; `expected` replaces "a whole number of at least ...".
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
    """Return a finite number from `least` to `most`, else raise DivmetricsError.

    `what` names the value in the message; `expected` describes the valid values.
    """
    if not is_number(value) or not least <= value <= most:
        above = "" if least == -math.inf else f" of at least {least:g}"
        words = f"a number{above if most == math.inf else f' from {least:g} to {most:g}'}"
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected or words}")
    return float(value)


def check_fraction(what: str, value: Any, expected: str = "a number from 0 to 1", ends: bool = True) -> float:
    """Return a number from 0 to 1 (without `ends`: neither 0 nor 1), else raise DivmetricsError.

    `what` names the value in the message; `expected` describes the valid values.
    """
    if not is_number(value) or not 0 <= value <= 1 or (not ends and value in (0, 1)):
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected}")
    return float(value)


def check_choice(what: str, value: Any, choices: Collection[str]) -> None:
    """Raise DivmetricsError, which calls the value `what`, unless it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise DivmetricsError(f"{what} is {quote(value)}, expected one of {', '.join(choices)}")


def check_flag(what: str, value: Any) -> None:
    """Raise DivmetricsError, which calls the value `what`, unless it is True or False."""
    if not isinstance(value, bool):
        raise DivmetricsError(f"{what} is {quote(value)}, expected True or False")


def check_nonempty_text(what: str, value: Any) -> str:
    """Return a text that is not empty, else raise DivmetricsError, which calls the value `what`."""
    if not isinstance(value, str) or not value:
        raise DivmetricsError(f"{what} is {quote(value)}, expected text that is not empty")
    return value


def check_text_fields(record: object, *fields: str) -> None:
    """Raise DivmetricsError unless these fields of a dataclass instance are text."""
    for field in fields:
        value = getattr(record, field)
        if not isinstance(value, str):
            raise DivmetricsError(f"{type(record).__name__}: {field} is {quote(value)}, expected text")


def check_ordered(what: str, values: Any, expected: str = "several in an order") -> None:
    """Raise DivmetricsError if `values` is a single text, a mapping or a set instead of an ordered sequence.

    `what` names the values in the message; `expected` describes the valid ones.
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
