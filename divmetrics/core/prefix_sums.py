"""Exclusive sums, products and maxima along the last axis, over the ranks above k (L^{k-1} in yu2017)."""

from __future__ import annotations

import numpy as np

from divmetrics.core.calls import public


@public
def exclusive_cumsum(x: np.ndarray) -> np.ndarray:
    """Return the sums of the values above each rank, sum_{j<k} x_j; 0 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers or flags, with ranks on the last axis.

    Returns
    -------
    numpy.ndarray
        Of the same shape; counts (int32) for flags, else float.

    Examples
    --------
    >>> exclusive_cumsum(np.array([1.0, 2.0, 4.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    out = np.zeros(x.shape, dtype=np.int32 if x.dtype == bool else np.float64)
    np.cumsum(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


@public
def exclusive_cumprod(x: np.ndarray) -> np.ndarray:
    """Return the products of the values above each rank, prod_{j<k} x_j; 1 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers, with ranks on the last axis.

    Returns
    -------
    numpy.ndarray
        Floats, of the same shape.

    Examples
    --------
    >>> exclusive_cumprod(np.array([0.5, 0.5, 0.5])).tolist()
    [1.0, 0.5, 0.25]
    """
    out = np.ones(x.shape)
    np.cumprod(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


def exclusive_cummax(x: np.ndarray) -> np.ndarray:
    """Return the largest of the values above each rank, max_{j<k} x_j, but at least 0; 0 at rank 1.

    Parameters
    ----------
    x : numpy.ndarray
        Numbers of at least 0, with ranks on the last axis.

    Returns
    -------
    numpy.ndarray
        Floats, of the same shape.

    Examples
    --------
    >>> exclusive_cummax(np.array([1.0, 0.5, 2.0])).tolist()
    [0.0, 1.0, 1.0]
    """
    out = np.zeros(x.shape)
    np.maximum.accumulate(x[..., :-1], axis=-1, out=out[..., 1:])
    return out
