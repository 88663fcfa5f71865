"""What a tie is: values that differ by no more than rounding does are the same. And every other tolerance.

Two sums of the same numbers in another order differ by about 1e-16 of their size; what people tell apart
differs by far more. So a tie is relative to a size. Of gains, which are sums of terms of at least 0, that is
their own, however small; scores may be differences of larger sums (RBU), so theirs is at least 1.
"""

from __future__ import annotations

import numpy as np

from divmetrics.core.checks import check_number

TIE_DIGITS = 12
TIE_TOLERANCE = 10.0**-TIE_DIGITS
CROSS_CHECK_TOLERANCE = 1e-9  # what is worked out in two ways, with a long sum in each, is the same
STATISTIC_TOLERANCE = 1e-10  # a test statistic, relative to its size: a quotient of such sums
SUM_TOLERANCE = 1e-3  # of probabilities: files print them with as few as four digits
SUM_QUIET = 1e-6  # beyond it, it is said that they do not sum to exactly 1
SUM_EXPECTED = f"1 (within {SUM_TOLERANCE:g})"


def sums_to_one(total: float | np.ndarray, within: float = SUM_TOLERANCE) -> np.ndarray:
    """Are these the sums of distributions? A bool of the same shape."""
    return np.abs(np.asarray(total) - 1) <= within


def rounding_error(values: np.ndarray) -> float:
    """What rounding alone can do to scores of this size, and to their means: a scalar for any shape."""
    return TIE_TOLERANCE * max(1.0, float(np.abs(values).max(initial=0)))


def compare_scores(score: float, other: float = 0.0) -> int:
    """1 where the score is above the other, -1 where it is below, 0 where they tie."""
    if abs(score - other) <= TIE_TOLERANCE * max(1.0, abs(score), abs(other)):
        return 0
    return 1 if score > other else -1


def score_preferences(scores: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The same for arrays that broadcast: whole numbers -1, 0 and 1."""
    size = np.maximum(1.0, np.maximum(np.abs(scores), np.abs(others)))
    ahead = scores - others
    return np.where(np.abs(ahead) <= TIE_TOLERANCE * size, 0, np.sign(ahead)).astype(np.int64)


def is_best(values: np.ndarray) -> np.ndarray:
    """Which of these scores are the highest, bool; more than one where they tie."""
    level = dense_ranks(values)
    return level == level.max(initial=0)


def dense_ranks(values: np.ndarray, tie: float | None = None) -> np.ndarray:
    """Whole numbers from 0 that order the values, of any shape.

    The same number where neighbours differ by `tie` at most; None: by what rounding alone does.
    """
    given = rounding_error(np.asarray(values, dtype=float)) if tie is None else check_number("tie", tie, 0)
    return _levels(values, given)


def dense_ranks_of_sums(sums: np.ndarray) -> np.ndarray:
    """The same for sums of terms of at least 0, in which small sums are exact, too, beside large ones."""
    return _levels(sums, None)


def _levels(values: np.ndarray, tie: float | None) -> np.ndarray:
    flat = np.asarray(values, dtype=float).ravel()
    order = np.argsort(flat, kind="stable")
    ascending = flat[order]
    rises = np.diff(ascending) > (TIE_TOLERANCE * ascending[1:] if tie is None else tie)
    level = np.empty(len(flat), dtype=np.int64)
    level[order] = np.concatenate([np.zeros(min(len(flat), 1), dtype=np.int64), np.cumsum(rises)])
    return level.reshape(np.shape(values))
