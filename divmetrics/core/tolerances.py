"""Ties (values that differ by no more than rounding errors), and every other tolerance.

Two sums of the same numbers in another order differ by about 1e-16 of their size; differences that matter are
far larger. So a tie is relative to a size. The size of gains, which are sums of terms of at least 0, is their
own, however small; scores may be differences of larger sums (RBU), so the size of scores is at least 1.
"""

from __future__ import annotations

import numpy as np

from divmetrics.core.checks import check_number

TIE_DIGITS = 12
TIE_TOLERANCE = 10.0**-TIE_DIGITS
CROSS_CHECK_TOLERANCE = 1e-9  # of one value computed in two ways, each with a long sum
STATISTIC_TOLERANCE = 1e-10  # of a test statistic, relative to its size: a quotient of such sums
ROUNDING_AT_ONE = 8 * 2.0**-52  # of a sum of quotients that is 1: each of them is rounded
SUM_TOLERANCE = 1e-3  # of probabilities: files print them with as few as four digits
SUM_QUIET = 1e-6  # a larger difference from 1 gets a warning
SUM_EXPECTED = f"1 (within {SUM_TOLERANCE:g})"


def sums_to_one(total: float | np.ndarray, within: float = SUM_TOLERANCE) -> np.ndarray:
    """Return whether sums of probabilities differ from 1 by at most `within`, bool of the same shape."""
    return np.abs(np.asarray(total) - 1) <= within + TIE_TOLERANCE  # 0.999 is within 0.001


def with_exact_ones(scores: np.ndarray) -> np.ndarray:
    """Return scores with 1 in place of those that differ from it by rounding errors, such as ideal lists'."""
    return np.where(np.abs(scores - 1) <= ROUNDING_AT_ONE, 1.0, scores)


def rounding_error(values: np.ndarray) -> float:
    """Return a bound on the effect of rounding on scores of this size and on their means, a scalar."""
    return TIE_TOLERANCE * max(1.0, float(np.abs(values).max(initial=0)))


def compare_scores(score: float, other: float = 0.0) -> int:
    """Return 1 if the score is above the other, -1 if it is below, 0 if they tie."""
    if abs(score - other) <= TIE_TOLERANCE * max(1.0, abs(score), abs(other)):
        return 0
    return 1 if score > other else -1


def score_preferences(scores: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return 1, -1 or 0 as `compare_scores` does, elementwise, as int64; the arrays broadcast."""
    size = np.maximum(1.0, np.maximum(np.abs(scores), np.abs(others)))
    ahead = scores - others
    return np.where(np.abs(ahead) <= TIE_TOLERANCE * size, 0, np.sign(ahead)).astype(np.int64)


def is_best(values: np.ndarray) -> np.ndarray:
    """Return whether each score ties with the highest, bool of the same shape."""
    level = dense_ranks(values)
    return level == level.max(initial=0)


def dense_ranks(values: np.ndarray, tie: float | None = None) -> np.ndarray:
    """Return the dense ranks of values, ascending from 0, of the same shape; ties share a rank.

    Neighbouring values tie if they differ by at most `tie`, by default `rounding_error(values)`.
    Raises DivmetricsError if `tie` is negative.
    """
    error = rounding_error(np.asarray(values, dtype=float)) if tie is None else check_number("tie", tie, 0)
    return _levels(values, error)


def dense_ranks_of_sums(sums: np.ndarray) -> np.ndarray:
    """Return `dense_ranks` of sums of nonnegative terms; ties are relative to the size of each sum."""
    return _levels(sums, None)


def _levels(values: np.ndarray, tie: float | None) -> np.ndarray:
    """Return dense ranks; `tie` is absolute, or None for TIE_TOLERANCE relative to each value."""
    flat = np.asarray(values, dtype=float).ravel()
    order = np.argsort(flat, kind="stable")
    ascending = flat[order]
    rises = np.diff(ascending) > (TIE_TOLERANCE * ascending[1:] if tie is None else tie)
    level = np.empty(len(flat), dtype=np.int64)
    level[order] = np.concatenate([np.zeros(min(len(flat), 1), dtype=np.int64), np.cumsum(rises)])
    return level.reshape(np.shape(values))
