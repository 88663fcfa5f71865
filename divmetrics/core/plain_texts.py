"""Texts as Python's own strings, for where there is no pyarrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from divmetrics.core.texts import Coded, Texts


@dataclass(frozen=True, eq=False)
class PlainTexts(Texts):
    """A tuple of strings."""

    held: tuple[str, ...]

    @classmethod
    def of(cls, values: Any) -> PlainTexts:
        """From a list of str, or from a column of pandas."""
        held = tuple(values)
        "".join(held).encode()  # UnicodeEncodeError for half a character, as pyarrow has it
        return cls(held)

    @property
    def nbytes(self) -> int:
        return sum(map(sys.getsizeof, self.held))

    def __len__(self) -> int:
        return len(self.held)

    def tolist(self) -> list[str]:
        return list(self.held)

    def take(self, places: np.ndarray) -> PlainTexts:
        if (places < 0).any():
            raise IndexError("a place below 0")
        return PlainTexts(tuple(map(self.held.__getitem__, places.tolist())))

    def places(self, known: PlainTexts) -> np.ndarray:
        place = {text: i for i, text in enumerate(known.held)}
        return np.array([*(place.get(text, -1) for text in self.held), -1], dtype=np.int32)

    def all_equal(self) -> bool:
        return len(set(self.held)) == 1

    def begin_with(self, known: PlainTexts) -> bool:
        return self.held[: len(known)] == known.held

    def encoded_with(self, others: Sequence[PlainTexts]) -> list[Coded]:
        place: dict[str, int] = {}
        codes = [
            np.array([place.setdefault(text, len(place)) for text in part.held], dtype=np.int32)
            for part in (self, *others)
        ]
        distinct = PlainTexts(tuple(place))
        return [Coded(distinct, of_part) for of_part in codes]
