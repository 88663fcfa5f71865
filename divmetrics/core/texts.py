"""Columns of text, and texts as numbers that stand for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np


class Texts(ABC):
    """Texts that do not change, by their places from 0; an installation has one kind (see `held_texts`)."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """About how many bytes they take."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def tolist(self) -> list[str]:
        """All of them as Python's strings."""

    @abstractmethod
    def take(self, places: np.ndarray) -> Texts:
        """Those at these places; IndexError for a place below 0."""

    @abstractmethod
    def places(self, known: Any) -> np.ndarray:
        """For each text its place among the known ones, int32, or -1; and at the end a -1, for the code -1.

        known: Texts, each once.
        """

    @abstractmethod
    def encoded_with(self, others: Sequence[Any]) -> list[Coded]:
        """These Texts and others, with distinct texts in order of appearance, which all of them share."""

    @abstractmethod
    def begin_with(self, known: Any) -> bool:
        """Whether the known Texts are the first of these."""

    @abstractmethod
    def all_equal(self) -> bool:
        """Whether there is one text, as often as it may be."""

    def encoded(self) -> Coded:
        """Each text once, in order of appearance, and where it stands."""
        return self.encoded_with([])[0]


@dataclass(frozen=True, eq=False)
class Coded(Sequence[str]):
    """A sequence of texts, of which the i-th is `distinct[codes[i]]`.

    distinct: no text twice; often those of other sequences, too. codes: numpy int32, read-only; -1 is a text
    that was not kept, and to ask for that is an IndexError.
    """

    distinct: Texts
    codes: np.ndarray

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes, dtype=np.int32).view()
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if not isinstance(at, slice):
            return self[at : at + 1 or None][0]
        return tuple(self.distinct.take(self.codes[at]).tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __reduce__(self) -> tuple[Any, ...]:  # arrays are sent to another process as ones that can be changed
        return type(self), (self.distinct, self.codes)

    def take(self, rows: np.ndarray) -> Coded:
        """The texts in these rows."""
        return Coded(self.distinct, self.codes[rows])

    def among(self, known: Texts) -> Coded:
        """The same sequence, of which only the known texts are kept."""
        if self.distinct.begin_with(known):
            return Coded(known, np.where(self.codes < len(known), self.codes, -1))
        return Coded(known, self.distinct.places(known)[self.codes])
