"""Document ids that are encoded as numbers, so that they can be matched without comparing text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np


class EncodedIds(Sequence[str]):
    """Document ids read from files; the lists made of them are known to name no id twice."""

    @abstractmethod
    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list, the position in this sequence of each of its ids, or -1."""
