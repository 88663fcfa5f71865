"""Document ids that find each other without being compared as text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np


class EncodedIds(Sequence[str]):
    """Document ids as a reader of files holds them; their lists have been checked to name no id twice."""

    @abstractmethod
    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list, the position of every id among these, or -1."""
