"""Conventions: tables of metrics, one row per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import divmetrics.exact_ideal  # noqa: F401  it makes ideal=exact known
from divmetrics.conventions.convention import Convention, convention

if TYPE_CHECKING:
    from divmetrics.conventions.printed_digits import as_printed as as_printed

__all__ = ["Convention", "as_printed", "convention"]


def __getattr__(name: str) -> Any:  # imported on first use
    if name != "as_printed":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from divmetrics.conventions.printed_digits import as_printed

    return as_printed
