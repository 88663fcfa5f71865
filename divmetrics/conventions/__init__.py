"""Conventions: tables of metrics, one row per metric."""

from __future__ import annotations

import divmetrics.exact_ideal  # noqa: F401  it makes ideal=exact known
from divmetrics.conventions.convention import Convention, convention
from divmetrics.conventions.printed_digits import as_printed

__all__ = ["Convention", "as_printed", "convention"]
