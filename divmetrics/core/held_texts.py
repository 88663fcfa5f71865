"""How this installation holds texts: in pyarrow's arrays where it has pyarrow, else as Python's strings."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from divmetrics.core.texts import Texts


def texts(values: Any) -> Texts:
    """From a list of str, or a column of pandas that holds str; UnicodeEncodeError for half a character."""
    if has_pyarrow():
        from divmetrics.core.arrow_texts import ArrowTexts

        return ArrowTexts.of(values)
    from divmetrics.core.plain_texts import PlainTexts

    return PlainTexts.of(values)


@cache
def has_pyarrow() -> bool:
    """Whether pyarrow is installed: without it files are read more slowly, and to the same result."""
    return find_spec("pyarrow") is not None
