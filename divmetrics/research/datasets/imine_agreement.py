"""Do metrics agree with people? What `divmetrics` found on the preferences between IMine runs."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

DECIMALS = 6  # of what is not a count


def imine_agreement() -> pd.DataFrame:
    """How often 45 metrics at cutoffs 10 and 20 agree with people on pairs of Chinese IMine result lists.

    Three judges a pair said which of two runs' lists is better, from -4 to 4; five runs, 30 topics, 259 pairs
    that were both there. Counted against the majority's side where it has one (227 pairs), and under twelve
    other settings: see `divmetrics.research.papers.preferences.study`, where the columns are told. The judges'
    answers are not ours and not here; `python -m tools.imine_agreement FOLDER` computes all this from them.
    """
    return _table("agreement")


def imine_agreement_tests() -> pd.DataFrame:
    """Tests of one metric against another on the same preferences: flat or intent-square, IA or D#, D or D#.

    Columns as `divmetrics.research.papers.preferences.study` tells.
    """
    return _table("tests")


def imine_judges() -> pd.DataFrame:
    """Krippendorff's alpha of the judges of the same preferences: all, without each, by pair of runs.

    Columns as `divmetrics.research.papers.preferences.study` tells.
    """
    return _table("judges")


def _table(name: str) -> pd.DataFrame:
    import pandas as pd

    with files("divmetrics.research.datasets").joinpath(f"imine_agreement.{name}.csv.gz").open("rb") as file:
        return pd.read_csv(file, compression="gzip")
