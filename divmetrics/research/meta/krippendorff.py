"""Krippendorff's alpha: do the judges agree with each other?

Written out here since the packages that have it are under a licence that this one cannot take over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.agreement import PAIR, normalise_preferences
from divmetrics.research.meta.score_vectors import numbers

Level = Literal["nominal", "ordinal", "interval", "ratio"]


@public
def krippendorff_alpha(
    answers: pd.DataFrame | np.ndarray | Sequence[Sequence[float]], level: Level = "nominal"
) -> float:
    """Krippendorff's alpha, 1 - observed / expected disagreement (Krippendorff 2018, chapter 12).

    answers: (judge, unit), a number per answer, nan where a judge gave none. Units with fewer than two
    answers do not count. level: what makes two answers different. "nominal": that they are not the same;
    "ordinal": how many answers lie between them; "interval": their difference; "ratio": it in relation to
    their sum. Raises DivmetricsError where no unit has two answers, or all answers are the same.
    """
    check_choice("level", level, get_args(Level))
    given = numbers("the answers", answers)
    if given.ndim != 2:
        raise DivmetricsError(f"the answers have {given.ndim} dimensions, expected 2: (judge, unit)")
    known = ~np.isnan(given)
    given, known = given[:, known.sum(axis=0) >= 2], known[:, known.sum(axis=0) >= 2]
    if not given.size:
        raise DivmetricsError(
            "no unit has answers of two judges, so agreement cannot be seen; ask more judges"
        )
    values = np.unique(given[known])
    if len(values) == 1:
        raise DivmetricsError(
            f"all answers are {values[0]:g}, so none could have differed by chance and alpha is not defined"
        )
    counts = np.array([(given == value).sum(axis=0) for value in values], dtype=float)  # (value, unit)
    # Pairs of answers (c, k) of different judges on a unit; a unit with m answers weighs as m of them.
    per_unit = counts.sum(axis=0) - 1
    coincidences = (counts / per_unit) @ counts.T - np.diag((counts / per_unit).sum(axis=1))
    n = coincidences.sum(axis=1)
    expected = (np.outer(n, n) - np.diag(n)) / (n.sum() - 1)
    distance = _distance(values, n, level)
    return float(1 - (coincidences * distance).sum() / (expected * distance).sum())


@public
def judges_alpha(
    preferences: pd.DataFrame, level: Level = "nominal", *, answer: Literal["side", "value"] = "side"
) -> pd.DataFrame:
    """Krippendorff's alpha of all judges, and without each of them (Sakai & Zeng 2019, Table 4).

    preferences: columns topic, left, right, judge, preference. answer: take the "side" of a preference (left,
    neither, right) or its "value". Returns left_out ("" in the first row), judges, units (pairs of lists with
    at least two answers), alpha. The judge without whom alpha is highest disagrees with the others most.
    """
    preferences = normalise_preferences(preferences)
    if "judge" not in preferences.columns:
        raise DivmetricsError("the table of preferences has no column 'judge'; say who answered")
    if answer not in ("side", "value"):
        raise DivmetricsError(f"answer is {answer!r}, expected side or value")
    twice = preferences.duplicated([*PAIR, "judge"])
    if twice.any():
        row = preferences[twice].iloc[0]
        raise DivmetricsError(
            f"judge {row['judge']!r} answered twice on runs {row['left']!r} and {row['right']!r}, topic "
            f"{row['topic']!r}; keep one answer"
        )
    table = preferences.pivot(index="judge", columns=PAIR, values="preference")
    given = table.to_numpy(dtype=float)
    if answer == "side":
        given = np.sign(given)
    judges = [str(judge) for judge in table.index]
    if len(judges) < 2:
        raise DivmetricsError(f"there is one judge ({judges[0]!r}), and agreement needs two; ask another")
    rows = []
    for out in [None, *range(len(judges))] if len(judges) > 2 else [None]:
        kept = given if out is None else np.delete(given, out, axis=0)
        units = int(((~np.isnan(kept)).sum(axis=0) >= 2).sum())
        rows.append(("" if out is None else judges[out], len(kept), units, krippendorff_alpha(kept, level)))
    return pd.DataFrame(rows, columns=["left_out", "judges", "units", "alpha"])


def _distance(values: np.ndarray, n: np.ndarray, level: Level) -> np.ndarray:
    """How different two answers are, (value, value)."""
    if level == "nominal":
        different: np.ndarray = (values[:, None] != values[None, :]).astype(float)
        return different
    apart = values[:, None] - values[None, :]
    if level == "ordinal":
        # The answers from one value to the other, its own half.
        middle = np.cumsum(n) - n / 2
        apart = middle[:, None] - middle[None, :]
    elif level == "ratio":
        total = values[:, None] + values[None, :]
        apart = np.divide(apart, total, out=np.zeros_like(apart), where=total != 0)
    return apart**2
