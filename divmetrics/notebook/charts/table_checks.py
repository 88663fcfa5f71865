"""Tables as the functions of `divmetrics.research.meta` return them, looked at before they are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from pandas.api.types import is_numeric_dtype

from divmetrics.errors import DivmetricsError

MOST_TOLD = 12  # things listed in a description


def check_columns(table: pd.DataFrame, columns: Sequence[str], what: str, source: str) -> None:
    """Refuse a table that lacks a column or has no row. `what` it holds, plural; `source`: who returns it."""
    missing = [column for column in columns if column not in getattr(table, "columns", ())]
    if missing:
        raise DivmetricsError(
            f"the {what} have no column {', '.join(missing)}; expected the table that {source} returns, "
            f"with the columns {', '.join(columns)}"
        )
    if table.empty:
        raise DivmetricsError(f"the {what} hold no row; expected at least one")


def check_numbers(table: pd.DataFrame, *columns: str) -> None:
    """Refuse a column that holds something else than numbers."""
    for column in columns:
        if not is_numeric_dtype(table[column]):
            raise DivmetricsError(
                f"the column {column} holds {table[column].iloc[0]!r}, expected numbers; name another column"
            )


def count(number: int, thing: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def first_dozen(told: Sequence[str]) -> str:
    """The first dozen, and how many more there are."""
    more = [f"and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return "; ".join([*told[:MOST_TOLD], *more])
