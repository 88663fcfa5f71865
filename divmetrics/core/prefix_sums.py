"""Exclusive sums, products and maxima along the last axis, over the ranks above k (L^{k-1} in yu2017)."""

from __future__ import annotations

import numpy as np

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError


@public
def exclusive_cumsum(x: np.ndarray) -> np.ndarray:
    """Return the sum of the values above each rank, sum_{j<k} x_j; 0 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers or bool, of one or more axes; the last one is the rank.

    Returns
    -------
    numpy.ndarray
        A new array of the same shape: float64, or int32 if `x` is bool, of which True counts 1.

    Raises
    ------
    DivmetricsError
        If `x` is not an array of real numbers or bool with an axis.

    Examples
    --------
    >>> exclusive_cumsum(np.array([1.0, 2.0, 4.0])).tolist()
    [0.0, 1.0, 3.0]
    >>> exclusive_cumsum(np.array([True, True, False])).tolist()
    [0, 1, 2]
    """
    _check_numbers(x)
    out = np.zeros(x.shape, dtype=np.int32 if x.dtype == bool else np.float64)
    np.cumsum(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


@public
def exclusive_cumprod(x: np.ndarray) -> np.ndarray:
    """Return the product of the values above each rank, prod_{j<k} x_j; 1 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers or bool, of one or more axes; the last one is the rank.

    Returns
    -------
    numpy.ndarray
        A new array of the same shape, float64.

    Raises
    ------
    DivmetricsError
        If `x` is not an array of real numbers or bool with an axis.

    Examples
    --------
    >>> exclusive_cumprod(np.array([0.5, 0.5, 0.5])).tolist()
    [1.0, 0.5, 0.25]
    """
    _check_numbers(x)
    out = np.ones(x.shape)
    np.cumprod(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


def exclusive_cummax(x: np.ndarray) -> np.ndarray:
    """Return the largest of the values above each rank, max_{j<k} x_j; 0 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers of at least 0, of one or more axes; the last one is the rank.

    Returns
    -------
    numpy.ndarray
        A new array of the same shape, float64.

    Examples
    --------
    >>> exclusive_cummax(np.array([1.0, 0.5, 2.0])).tolist()
    [0.0, 1.0, 1.0]
    """
    out = np.zeros(x.shape)
    np.maximum.accumulate(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


def _check_numbers(x: np.ndarray) -> None:
    """Raise DivmetricsError unless `x` holds real numbers or bool, and has an axis."""
    if x.dtype.kind not in "biuf" or not x.ndim:
        raise DivmetricsError(
            f"x holds {x.dtype} in {x.ndim} axes, expected real numbers or bool in one or more"
        )
