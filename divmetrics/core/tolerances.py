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
    """Return whether a sum of probabilities, or each of an array, differs from 1 by at most `within`.

    The result is numpy bool, of the shape of `total`. The default of `within` is 0.001.
    """
    return np.abs(np.asarray(total) - 1) <= within + TIE_TOLERANCE  # 0.999 is within 0.001


def with_exact_ones(scores: np.ndarray) -> np.ndarray:
    """Return a copy of scores with 1.0 for those that differ from 1 by rounding errors (at most 2e-15)."""
    return np.where(np.abs(scores - 1) <= ROUNDING_AT_ONE, 1.0, scores)


def rounding_error(values: np.ndarray) -> float:
    """Return the largest difference that rounding makes between scores as large as `values`, or their means.

    It is one number for all: 1e-12 times the largest absolute value, but at least 1e-12.
    """
    return TIE_TOLERANCE * max(1.0, float(np.abs(values).max(initial=0)))


def compare_scores(score: float, other: float = 0.0) -> int:
    """Return 1 if a score is above the other, -1 if it is below, 0 if they tie, as in `score_preferences`."""
    if abs(score - other) <= TIE_TOLERANCE * max(1.0, abs(score), abs(other)):
        return 0
    return 1 if score > other else -1


def score_preferences(scores: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return 1 where a score is above the other, -1 where it is below, 0 where they tie, as int64.

    The arrays, of finite numbers, broadcast. Two scores tie if they differ by at most 1e-12 times the larger
    absolute value, or by at most 1e-12 if that is below 1.
    """
    size = np.maximum(1.0, np.maximum(np.abs(scores), np.abs(others)))
    ahead = scores - others
    return np.where(np.abs(ahead) <= TIE_TOLERANCE * size, 0, np.sign(ahead)).astype(np.int64)


def is_best(values: np.ndarray) -> np.ndarray:
    """Return whether each score has the highest of the `dense_ranks`, bool of the same shape."""
    level = dense_ranks(values)
    return level == level.max(initial=0)


def dense_ranks(values: np.ndarray, tie: float | None = None) -> np.ndarray:
    """Return the rank of each value, int64 of the same shape: 0 for the lowest, without gaps; ties share one.

    Values that are neighbours in ascending order tie if they differ by at most `tie`, by default
    `rounding_error(values)`. Raises DivmetricsError if `tie` is negative or no number.
    """
    error = rounding_error(np.asarray(values, dtype=float)) if tie is None else check_number("tie", tie, 0)
    return _levels(values, error)


def dense_ranks_of_sums(sums: np.ndarray) -> np.ndarray:
    """Return `dense_ranks`; neighbours tie if they differ by at most 1e-12 times the larger one.

    Fit for sums of terms of at least 0, whose rounding errors are relative to the sum, however small it is.
    """
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
