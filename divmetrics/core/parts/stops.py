"""The rank at which the user of an intent stops, if not at the cutoff."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part


@dataclass(frozen=True)
class PreferredRank(Part):
    """rp: the first rank with the list's highest grade for the intent; 0 if nothing is relevant to it.

    The user of a navigational intent stops there. The ranks are integers, (topic, run, intent).

    References
    ----------
    sakai2012

    Examples
    --------
    >>> PreferredRank()
    PreferredRank()
    """

    def __call__(self, batch: Batch) -> np.ndarray:
        if batch.depth == 0:
            return np.zeros(batch.linear.shape[:3], dtype=int)
        return np.where(batch.relevant.any(axis=-1), batch.linear.argmax(axis=-1) + 1, 0)
