"""Scores as levels, so that rounding does not break ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divmetrics.errors import DivmetricsError

# Two sums of the same numbers in another order differ by about 1e-16; scores that people tell apart by far
# more.
TIE = 1e-12


def rounding(values: np.ndarray) -> float:
    """What rounding alone can do to scores of this size, and to their means: a scalar for any shape.

    `TIE`, times the largest score where that is above 1: a float holds about 16 digits, however large.
    """
    return TIE * max(1.0, float(np.abs(values).max(initial=0)))


def levels(values: np.ndarray, tie: float | None = None) -> np.ndarray:
    """Whole numbers from 0 that order the values, of any shape.

    The same number where neighbours differ by `tie` at most; None: by what rounding alone does.
    """
    flat = np.asarray(values, dtype=float).ravel()
    if tie is None:
        tie = rounding(flat)
    ascending = np.argsort(flat, kind="stable")
    level = np.empty(len(flat), dtype=np.int64)
    level[ascending] = np.concatenate([[0], np.cumsum(np.diff(flat[ascending]) > tie)]) if len(flat) else []
    return level.reshape(np.shape(values))


def numbers(what: str, given: object) -> np.ndarray:
    """What was given as an array of floats; `what` it is is said of anything that is none."""
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise DivmetricsError(
            f"{what} are {given!r}, expected numbers, the same many in each row"
        ) from None


def paired_levels(
    a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray, tie: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Two lists of scores of the same runs as levels, (run,) each."""
    lists = [numbers("the scores", x) for x in (a, b)]
    shapes = [x.shape for x in lists]
    if shapes[0] != shapes[1] or lists[0].ndim != 1 or len(lists[0]) < 2:
        raise DivmetricsError(
            f"the two lists of scores have the shapes {shapes[0]} and {shapes[1]}, expected one score for "
            "each "
            "of the same 2 or more runs"
        )
    for x in lists:
        if not np.isfinite(x).all():
            where = int(np.flatnonzero(~np.isfinite(x))[0])
            raise DivmetricsError(
                f"score number {where + 1} of a list is {x[where]}, expected a finite number"
            )
    return levels(lists[0], tie), levels(lists[1], tie)
