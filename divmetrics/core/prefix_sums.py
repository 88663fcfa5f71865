"""What happened above rank k: exclusive scans along the last axis ("given L^{k-1}" of Yu et al. 2017)."""

from __future__ import annotations

import numpy as np


def exclusive_cumsum(x: np.ndarray) -> np.ndarray:
    """sum_{j<k} x_j; 0 at rank 1. A count (int) for flags, else float."""
    out = np.zeros(x.shape, dtype=np.int32 if x.dtype == bool else np.float64)
    np.cumsum(x[..., :-1], axis=-1, out=out[..., 1:])
    return out


def exclusive_cumprod(x: np.ndarray) -> np.ndarray:
    """prod_{j<k} x_j; 1 at rank 1."""
    out = np.ones(x.shape)
    np.cumprod(x[..., :-1], axis=-1, out=out[..., 1:])
    return out
