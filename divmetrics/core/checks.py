"""What a value must be that somebody gives: each kind of check once, each refusal one sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import Any

import numpy as np

from divmetrics.errors import DivmetricsError

LINE_END = re.compile(r"\s*\n\s*")
LONGEST = 60  # characters of a value in a sentence


def quote(value: object) -> str:
    """A value as a sentence quotes it, on one line, cut where it is long."""
    try:
        text = LINE_END.sub(" ", repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # a whole number of thousands of digits has no repr, nor has every object of one's own
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]}...{text[-1]}"


def is_whole(value: object) -> bool:
    """A whole number of Python or numpy; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def is_number(value: Any) -> bool:
    """A finite number of Python or numpy; True and False are none."""
    if is_whole(value):
        return bool(abs(value) < 2**1023)  # larger ones are no floats
    return isinstance(value, (float, np.floating)) and math.isfinite(value)


def whole(what: str, value: Any, least: int, expected: str = "", most: int | None = None) -> int:
    """A whole number from `least` to `most`; `expected` says it in other words."""
    if not is_whole(value) or value < least or (most is not None and value > most):
        said = expected or f"a whole number of at least {least}"
        bound = "" if most is None else f" (and at most {most:,})"
        raise DivmetricsError(f"{what} is {quote(value)}, expected {said}{bound}")
    return int(value)


def check_number(
    what: str, value: Any, least: float = -math.inf, most: float = math.inf, expected: str = ""
) -> float:
    """A finite number from `least` to `most`; `expected` says it in other words."""
    if not is_number(value) or not least <= value <= most:
        above = "" if least == -math.inf else f" of at least {least:g}"
        said = f"a number{above if most == math.inf else f' from {least:g} to {most:g}'}"
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected or said}")
    return float(value)


def check_fraction(what: str, value: Any, expected: str = "a number from 0 to 1", ends: bool = True) -> float:
    """A number from 0 to 1; ends: may it be 0 or 1?"""
    if not is_number(value) or not 0 <= value <= 1 or (not ends and value in (0, 1)):
        raise DivmetricsError(f"{what} is {quote(value)}, expected {expected}")
    return float(value)


def check_choice(what: str, value: Any, choices: Collection[str]) -> None:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise DivmetricsError(f"{what} is {quote(value)}, expected one of {', '.join(choices)}")


def check_nonempty_text(what: str, value: Any) -> str:
    """An id or a name: text that is not empty."""
    if not isinstance(value, str) or not value:
        raise DivmetricsError(f"{what} is {quote(value)}, expected text that is not empty")
    return value
