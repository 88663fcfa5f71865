"""Document ids encoded as numbers, to match them without comparing text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np


class EncodedIds(Sequence[str]):
    """A sequence of document ids that are stored as numbers, so that they are matched without comparing text.

    `Judgments` and `Run` take it as it is: unlike other sequences of ids, it is not made a tuple, and its
    lists are not searched for duplicates, which the readers of files have done.
    """

    @abstractmethod
    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list of ids, an integer array: the position of each id in this sequence, or -1."""
