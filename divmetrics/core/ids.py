"""Document ids encoded as numbers, to match them without comparing text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np


class EncodedIds(Sequence[str]):
    """Document ids read from files; each list of them is known to have no duplicate id."""

    @abstractmethod
    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list, an array with the position in this sequence of each of its ids, or -1."""
