"""Columns of text, and texts as numbers that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

WORD, ROOM = 8, 64  # letters, which are bytes of UTF-8 here
MIXER = 0x9E3779B97F4A7C15  # odd, so that no two numbers become the same; its bits look random
HALF = np.uint64(32)
FEW = 1 << 14  # texts whose letters are copied at once


def windows(letters: np.ndarray, end: np.ndarray, size: int) -> np.ndarray:
    """The letters before each end as numbers of 64 bits, eight letters each, (text, word); size: of letters.

    The first of eight letters is in the lowest bits.
    """
    every = np.ndarray(len(letters) - size + 1, f"V{size}", letters, strides=(1,))
    return every[end - size].view("<u8").reshape(len(end), size // WORD)


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts that do not change, by their places from 0: the i-th is `letters[begin[i] : end[i]]`, in UTF-8.

    letters: numpy uint8, of which the first `ROOM` belong to no text. They may hold more than these texts,
    such as a whole file.
    """

    letters: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, values: Iterable[str]) -> Texts:
        """From strings; UnicodeEncodeError for half a character."""
        encoded = [text.encode() for text in values]
        letters = np.frombuffer(bytes(ROOM) + b"".join(encoded), np.uint8)
        ends = np.cumsum([ROOM, *map(len, encoded)])
        return cls(letters, ends[:-1], ends[1:])

    @property
    def nbytes(self) -> int:
        """How many bytes they take."""
        return self.letters.nbytes + self.begin.nbytes + self.end.nbytes

    def __len__(self) -> int:
        return len(self.end)

    def __reduce__(self) -> tuple[Any, ...]:  # without what is remembered
        return type(self), (self.letters, self.begin, self.end)

    def tolist(self) -> list[str]:
        """All of them as Python's strings."""
        letters = self.letters.data
        return [
            str(letters[a:b], "utf-8") for a, b in zip(self.begin.tolist(), self.end.tolist(), strict=True)
        ]

    def take(self, places: np.ndarray) -> Texts:
        """Those at these places, which keep the letters of all; IndexError for a place below 0."""
        if places.min(initial=0) < 0:
            raise IndexError("a place below 0")
        return Texts(self.letters, self.begin[places], self.end[places])

    def with_own_letters(self) -> Texts:
        """The same texts, which keep no others in memory."""
        pieces = [np.zeros(ROOM, dtype=np.uint8)]
        for few in range(0, len(self), FEW):
            begin, lengths = self.begin[few : few + FEW], self._lengths[few : few + FEW]
            ends = np.cumsum(lengths)
            pieces.append(self.letters[np.arange(ends[-1]) + np.repeat(begin - (ends - lengths), lengths)])
        ends = np.cumsum(np.concatenate([[ROOM], self._lengths]))
        return Texts(np.concatenate(pieces), ends[:-1], ends[1:])

    @cached_property
    def _lengths(self) -> np.ndarray:
        return np.asarray(self.end - self.begin)

    def _words(self) -> Iterator[tuple[np.ndarray | slice, int, np.ndarray]]:
        """All letters, eight as a number: rows, how far before the ends of their texts these begin, numbers.

        Letters before a text are shifted out; the number is 0 where all are.
        """
        lengths, rows = self._lengths, slice(None)  # type: tuple[np.ndarray, np.ndarray | slice]
        for back in range(0, int(lengths.max(initial=0)), ROOM):
            long = self._lengths[rows] > back
            if not long.all():
                rows = np.arange(len(self))[rows][long]
            lengths = self._lengths[rows] - back
            size = min(ROOM, -int(-lengths.max() // WORD) * WORD)
            found, shortest = windows(self.letters, self.end[rows] - back, size), lengths.min()
            for word, most in enumerate(range(size, 0, -WORD)):
                if most <= shortest:
                    yield rows, back + most, found[:, word]
                else:
                    before = np.minimum(np.maximum(most - lengths, 0), WORD)
                    yield rows, back + most, found[:, word] >> 8 * before.astype(np.uint64)

    @cached_property
    def fingerprints(self) -> np.ndarray:
        """A number for each text, uint64: the same for equal texts, and another for nearly all others."""
        found = self._lengths.astype(np.uint64)
        for rows, before_end, word in self._words():
            mixed = word * np.uint64(
                MIXER * (2 * before_end + 1) % 2**64
            )  # nothing, where there is no letter
            mixed ^= mixed >> HALF
            mixed *= np.uint64(MIXER)
            found[rows] += mixed
        return found

    def equal(self, others: Texts) -> np.ndarray:
        """Text by text, of as many others: are they the same?"""
        same = self._lengths == others._lengths
        if not same.all():
            alike = np.flatnonzero(same)
            same[alike] = self.take(alike).equal(others.take(alike))
            return same
        for (rows, _, mine), (_, _, other) in zip(self._words(), others._words(), strict=True):
            same[rows] &= mine == other
        return same

    def all_equal(self) -> bool:
        """Whether there is one text, as often as it may be."""
        pairs = zip(self._words(), self.take(np.zeros(1, dtype=np.int64))._words(), strict=False)
        return bool((self._lengths == self._lengths[0]).all()) and all(
            (mine == first).all() for (_, _, mine), (_, _, first) in pairs
        )

    def places(self, known: Texts) -> np.ndarray:
        """For each text its place among the known ones, int32, or -1; and at the end a -1, for the code -1.

        known: each once.
        """
        found = np.full(len(self) + 1, -1, dtype=np.int32)
        index = known._index
        if index is None:
            place = {text: i for i, text in enumerate(known.tolist())}
            found[:-1] = [place.get(text, -1) for text in self.tolist()]
            return found
        at = index.find(self.fingerprints)
        rows = np.flatnonzero(at >= 0)
        rows = rows[self.take(rows).equal(known.take(at[rows]))]
        found[rows] = at[rows]
        return found

    @cached_property
    def _index(self) -> _Index | None:
        return _Index.of(self.fingerprints)

    def encoded(self) -> Coded:
        """Each text once, in order of appearance, and where it stands."""
        starts = self._starts()  # a text often stands below itself, such as a topic
        texts = self.take(starts)
        marks = texts.fingerprints
        order = np.argsort(marks)
        groups = np.flatnonzero(np.diff(marks[order], prepend=~marks[order[:1]]) != 0)
        first = np.minimum.reduceat(order, groups) if len(groups) else order
        appearance = np.argsort(first)
        codes = np.empty(len(order), dtype=np.int32)
        codes[order] = np.repeat(np.argsort(appearance), np.diff(groups, append=len(order)))
        distinct = texts.take(first[appearance])
        if not texts.equal(distinct.take(codes)).all():  # two have one fingerprint
            place: dict[str, int] = {}
            codes = np.array([place.setdefault(text, len(place)) for text in texts.tolist()], dtype=np.int32)
            distinct = Texts.of(place)
        return Coded(distinct.with_own_letters(), np.repeat(codes, np.diff(starts, append=len(self))))

    def _starts(self) -> np.ndarray:
        """The rows of texts that do not stand in the row above."""
        differ = np.concatenate([[True], self._lengths[1:] != self._lengths[:-1]])[: len(self)]
        for rows, _, word in self._words():
            below = slice(1, None) if isinstance(rows, slice) else rows[1:]
            differ[below] |= word[1:] != word[:-1]
        return np.flatnonzero(differ)

    def encoded_with(self, others: Sequence[Texts]) -> list[Coded]:
        """These Texts and others, with distinct texts in order of appearance, which all of them share."""
        parts = [self, *others]
        letters = np.concatenate([part.letters for part in parts])
        ends = np.cumsum([len(part.letters) for part in parts])
        moved = [(part, end - len(part.letters)) for part, end in zip(parts, ends.tolist(), strict=True)]
        together = Texts(
            letters,
            np.concatenate([part.begin + by for part, by in moved]),
            np.concatenate([part.end + by for part, by in moved]),
        ).encoded()
        bounds = np.cumsum([len(part) for part in parts])[:-1]
        return [Coded(together.distinct, codes) for codes in np.split(together.codes, bounds)]

    def among(self, known: Texts) -> Coded:
        """These texts, of which only the known ones are kept; known: Texts, each once."""
        return Coded(known, self.places(known)[:-1])


@dataclass(frozen=True, eq=False)
class _Index:
    """Where numbers stand that all differ, found by their highest bits.

    ascending: the numbers, and the largest of all behind them; place: where each stood, and -1; starts: by
    the highest bits, where the numbers with these begin.
    """

    ascending: np.ndarray
    place: np.ndarray
    starts: np.ndarray
    shift: np.uint64

    @classmethod
    def of(cls, numbers: np.ndarray) -> _Index | None:
        """None where two are the same."""
        order = np.argsort(numbers)
        ascending = np.append(numbers[order], ~np.uint64(0))
        if (ascending[1:-1] == ascending[:-2]).any():
            return None
        bits = (4 * len(numbers)).bit_length()  # so that hardly any two begin with the same bits
        shift = np.uint64(64 - bits)
        counts = np.bincount((ascending[:-1] >> shift).astype(np.int64), minlength=1 << bits)
        return cls(ascending, np.append(order, -1), np.cumsum(counts) - counts, shift)

    def find(self, numbers: np.ndarray) -> np.ndarray:
        """Their places, or -1."""
        at = self.starts[(numbers >> self.shift).astype(np.int64)]
        while (before := self.ascending[at] < numbers).any():
            at += before
        return np.where(self.ascending[at] == numbers, self.place[at], -1)


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
