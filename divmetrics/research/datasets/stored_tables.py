"""Reading of the tables that come with the library."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def read_table(name: str, **options: Any) -> pd.DataFrame:
    """Read a csv file of this package, plain or gz; the options are those of `pandas.read_csv`."""
    import pandas as pd

    with files("divmetrics.research.datasets").joinpath(name).open("rb") as file:
        table: pd.DataFrame = pd.read_csv(
            file, compression="gzip" if name.endswith(".gz") else None, **options
        )
    return table


def read_exactly(name: str) -> pd.DataFrame:
    """Read a csv file of this package, plain or gz, with all values as text; empty cells are nan.

    The parser of numbers in pandas can be off by the last bit, and so break a tie; `astype` is exact.
    """
    return read_table(name, dtype=str)


def tidy_scores(wide: pd.DataFrame) -> pd.DataFrame:
    """Turn columns run, topic and one per metric into rows with the columns run, topic, metric, score.

    Scores may be text; those of the result are float64.
    """
    tidy: pd.DataFrame = wide.melt(["run", "topic"], var_name="metric", value_name="score")
    return tidy.astype({"score": np.float64})
