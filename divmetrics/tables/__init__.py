"""Conventions: each a table of rows, one row per metric."""

from __future__ import annotations

from divmetrics.tables.conventions import Convention, convention
from divmetrics.tables.printed_digits import as_printed

__all__ = ["Convention", "as_printed", "convention"]
