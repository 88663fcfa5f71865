"""Check tables of `divmetrics.research.meta` before drawing, and count and list things in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from divmetrics.errors import DivmetricsError

MOST_LISTED = 12  # items in a description


def check_columns(table: pd.DataFrame, columns: Sequence[str], what: str, source: str) -> None:
    """Raise DivmetricsError for a table that lacks a column or has no row.

    In the message, `what` is the plural noun for the rows and `source` the function that returns the table.
    """
    missing = [column for column in columns if column not in getattr(table, "columns", ())]
    if missing:
        raise DivmetricsError(
            f"the {what} have no column {', '.join(missing)}; expected the table that {source} returns, "
            f"with the columns {', '.join(columns)}"
        )
    if table.empty:
        raise DivmetricsError(f"the {what} hold no row; expected at least one")


def check_numbers(table: pd.DataFrame, *columns: str) -> None:
    """Raise DivmetricsError for a column that holds something else than finite numbers and nan."""
    for column in columns:
        values = table[column]
        wrong = values[values.isin([np.inf, -np.inf])] if is_numeric_dtype(values) else values
        if len(wrong):
            raise DivmetricsError(
                f"the column {column} holds {wrong.tolist()[0]!r}, expected finite numbers; "
                "name another column"
            )


def count(number: int, thing: str) -> str:
    """Return the number with its noun, in the plural unless the number is 1: "1 run", "2 runs"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def first_dozen(items: Sequence[str]) -> str:
    """Join the first dozen items, and say how many more there are."""
    more = [f"and {len(items) - MOST_LISTED} more"] if len(items) > MOST_LISTED else []
    return "; ".join([*items[:MOST_LISTED], *more])
