"""Convert two lists of scores to levels, so that rounding does not break ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError


def float_array(name: str, values: object) -> np.ndarray:
    """Return the values as an array of floats; raises DivmetricsError about `name` if they are no numbers."""
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DivmetricsError(f"{name} are {values!r}, expected numbers, the same many in each row") from None


def paired_levels(
    a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray, tie: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return two lists of scores of the same runs as levels, (run,) each: integers, equal for tied scores.

    Scores that differ by at most `tie` are tied. Raises DivmetricsError if the lists differ in length or have
    fewer than 2 finite scores.
    """
    lists = [float_array("the scores", x) for x in (a, b)]
    shapes = [x.shape for x in lists]
    if shapes[0] != shapes[1] or lists[0].ndim != 1 or len(lists[0]) < 2:
        raise DivmetricsError(
            f"the two lists of scores have the shapes {shapes[0]} and {shapes[1]}, expected one score for "
            "each of the same 2 or more runs"
        )
    for x in lists:
        if not np.isfinite(x).all():
            where = int(np.flatnonzero(~np.isfinite(x))[0])
            raise DivmetricsError(
                f"score number {where + 1} of a list is {x[where]}, expected a finite number"
            )
    return dense_ranks(lists[0], tie), dense_ranks(lists[1], tie)
