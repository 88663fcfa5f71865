"""Krippendorff's alpha: the agreement of judges with each other.

It is implemented here because the packages that have it are under licences that this project cannot adopt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.agreement import PAIR_COLUMNS, normalise_preferences
from divmetrics.research.meta.score_vectors import float_array

Level = Literal["nominal", "ordinal", "interval", "ratio"]


@public
def krippendorff_alpha(
    answers: pd.DataFrame | np.ndarray | Sequence[Sequence[float]], level: Level = "nominal"
) -> float:
    """Compute Krippendorff's alpha, 1 - observed / expected disagreement.

    Parameters
    ----------
    answers : DataFrame or array of shape (judge, unit)
        A number per answer, nan for no answer. A row is a judge, a column what is judged (a unit). Units with
        fewer than two answers do not count.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Distance of two answers: whether they differ, how many answers lie between them, their difference, or
        their difference divided by their sum.

    Returns
    -------
    float
        alpha: 1 if judges agree completely, 0 if they agree as often as by chance, below 0 if less often.

    Raises
    ------
    DivmetricsError
        If the answers are not numbers or not two-dimensional, no unit has two answers, all answers are equal,
        one is negative at the level "ratio", or the level is another word.

    References
    ----------
    krippendorff2018, chapter 12

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 1, 0, 1], [1, 1, 0, 0]]), 3)
    0.533
    """
    check_choice("level", level, get_args(Level))
    table = float_array("the answers", answers)
    if table.ndim != 2:
        raise DivmetricsError(f"the answers have {table.ndim} dimensions, expected 2: (judge, unit)")
    table = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    if not table.size:
        raise DivmetricsError(
            "no unit has answers of two judges, so agreement is not defined; take more judges"
        )
    values = np.unique(table[~np.isnan(table)])
    if len(values) == 1:
        raise DivmetricsError(
            f"all answers are {values[0]:g}, so none could have differed by chance and alpha is not defined"
        )
    if level == "ratio" and values[0] < 0:
        raise DivmetricsError(
            f'an answer is {values[0]:g}, expected none below 0 at level "ratio", where 0 means nothing; '
            'take level="interval"'
        )
    counts = np.array([(table == value).sum(axis=0) for value in values], dtype=float)  # (value, unit)
    # Pairs of answers (c, k) of different judges on a unit; the total weight of a unit with m answers is m.
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
    """Compute Krippendorff's alpha of all judges and, if there are more than two, without each of them.

    The judge without whom alpha is highest disagrees most with the others.

    Parameters
    ----------
    preferences : DataFrame
        Columns topic, left, right, judge, preference; one row per judge and pair of lists that he or she
        judged, as in `majority`.
    level : {"nominal", "ordinal", "interval", "ratio"}
        As in `krippendorff_alpha`.
    answer : {"side", "value"}
        Whether an answer is the side of a preference (1 for left, 0 for neither, -1 for right) or its value.

    Returns
    -------
    DataFrame
        First a row for all judges, then one without each of them. Columns left_out (the judge, "" in the
        first row), judges (the number of the others), units (pairs of lists with at least two answers),
        alpha.

    Raises
    ------
    DivmetricsError
        If the preferences cannot be used (as in `majority`), the table has no column judge or one judge only,
        a judge has two answers on a pair of lists, or `krippendorff_alpha` is not defined for a row.

    References
    ----------
    sakaizeng2019, Table 4

    Examples
    --------
    >>> judges = {"judge": ["x"] * 3 + ["y"] * 3 + ["z"] * 3, "preference": [1, -1, 1, 1, -1, 1, -1, -1, 1]}
    >>> table = pd.DataFrame({"topic": ["1", "2", "3"] * 3, "left": "A", "right": "B", **judges})
    >>> judges_alpha(table).round(3)
      left_out  judges  units  alpha
    0                3      3  0.600
    1        x       2      3  0.444
    2        y       2      3  0.444
    3        z       2      3  1.000
    """
    preferences = normalise_preferences(preferences)
    if "judge" not in preferences.columns:
        raise DivmetricsError("the table of preferences has no column 'judge'; say who answered")
    if answer not in ("side", "value"):
        raise DivmetricsError(f"answer is {answer!r}, expected side or value")
    twice = preferences.duplicated([*PAIR_COLUMNS, "judge"])
    if twice.any():
        row = preferences[twice].iloc[0]
        raise DivmetricsError(
            f"judge {row['judge']!r} answered twice on runs {row['left']!r} and {row['right']!r}, topic "
            f"{row['topic']!r}; keep one answer"
        )
    table = preferences.pivot(index="judge", columns=PAIR_COLUMNS, values="preference")
    answers = table.to_numpy(dtype=float)
    if answer == "side":
        answers = np.sign(answers)
    judges = [str(judge) for judge in table.index]
    if len(judges) < 2:
        raise DivmetricsError(f"there is one judge ({judges[0]!r}), and agreement needs two; ask another")
    rows = []
    for out in [None, *range(len(judges))] if len(judges) > 2 else [None]:
        rest = answers if out is None else np.delete(answers, out, axis=0)
        units = int(((~np.isnan(rest)).sum(axis=0) >= 2).sum())
        rows.append(("" if out is None else judges[out], len(rest), units, krippendorff_alpha(rest, level)))
    return pd.DataFrame(rows, columns=["left_out", "judges", "units", "alpha"])


def _distance(values: np.ndarray, n: np.ndarray, level: Level) -> np.ndarray:
    """Return the squared distance of every two values, (value, value); `n` are their numbers of answers."""
    if level == "nominal":
        different: np.ndarray = (values[:, None] != values[None, :]).astype(float)
        return different
    apart = values[:, None] - values[None, :]
    if level == "ordinal":
        # The number of answers between two values, with half of those at each end.
        middle = np.cumsum(n) - n / 2
        apart = middle[:, None] - middle[None, :]
    elif level == "ratio":
        total = values[:, None] + values[None, :]
        apart = np.divide(apart, total, out=np.zeros_like(apart), where=total > 0)
    return apart**2
