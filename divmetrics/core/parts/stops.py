"""Where the reader of an intent stops, if not at the cutoff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divmetrics.core.batch import Batch
from divmetrics.core.parts.part import Part, set_formula


@set_formula("rp, the first rank of the highest grade retrieved", "rp_i")
@dataclass(frozen=True)
class PreferredRank(Part):
    """rp: the first rank with the highest grade the list has for the intent; 0 without one (Sakai 2012)."""

    user_model: ClassVar[str] = (
        "they stop at the first document of the highest grade that the list has for them"
    )

    def __call__(self, view: Batch) -> np.ndarray:
        if view.depth == 0:
            return np.zeros(view.linear.shape[:3], dtype=int)
        return np.where(view.relevant.any(axis=-1), view.linear.argmax(axis=-1) + 1, 0)
