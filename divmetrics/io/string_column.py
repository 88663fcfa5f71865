"""Columns of strings, plain and dictionary-encoded: how document ids are held from a file to the scores.

Reading judgments and 48 runs of 50,000 lines with pandas (read_csv, factorize) took 2.6 times the processor
seconds and 1.9 times the peak memory of these columns, with pyarrow (dictionary encoding) 1.5 and 2.4 times;
pyarrow was faster, 0.6 times, only with judgments of 2.5 million lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload
from weakref import WeakKeyDictionary

import numpy as np

from divmetrics.core.ids import EncodedIds

WORD, ROOM = 8, 64  # bytes of UTF-8, called letters here
MIXER = 0x9E3779B97F4A7C15  # odd, so that no two numbers become the same; its bits look random
HALF = np.uint64(32)
FEW = 1 << 14  # strings whose letters are copied at once


def windows(letters: np.ndarray, end: np.ndarray, size: int) -> np.ndarray:
    """Return the `size` letters before each end as 64-bit numbers of eight letters each, (string, word).

    The first of eight letters is in the lowest bits.
    """
    every = np.ndarray(len(letters) - size + 1, f"V{size}", letters, strides=(1,))
    return every[end - size].view("<u8").reshape(len(end), size // WORD)


@dataclass(frozen=True, eq=False)
class StringColumn:
    """An immutable column of strings: the i-th is `letters[begin[i] : end[i]]`, in UTF-8.

    letters: numpy uint8, of which the first `ROOM` belong to no string. They may hold more than these
    strings, such as a whole file.
    """

    letters: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, values: Iterable[str]) -> StringColumn:
        """Make a column of Python's strings; raises UnicodeEncodeError for a lone surrogate."""
        encoded = [text.encode() for text in values]
        letters = np.frombuffer(bytes(ROOM) + b"".join(encoded), np.uint8)
        ends = np.cumsum([ROOM, *map(len, encoded)])
        return cls(letters, ends[:-1], ends[1:])

    @classmethod
    def joined(cls, columns: Sequence[StringColumn]) -> StringColumn:
        """Concatenate columns."""
        letters = np.concatenate([column.letters for column in columns])
        starts = np.cumsum([0, *(len(column.letters) for column in columns)]).tolist()
        begin = np.concatenate([column.begin + at for column, at in zip(columns, starts, strict=False)])
        end = np.concatenate([column.end + at for column, at in zip(columns, starts, strict=False)])
        return cls(letters, begin, end)

    @property
    def nbytes(self) -> int:
        """The bytes that the arrays take."""
        return self.letters.nbytes + self.begin.nbytes + self.end.nbytes

    def __len__(self) -> int:
        return len(self.end)

    def __reduce__(self) -> tuple[Any, ...]:  # without cached values
        return type(self), (self.letters, self.begin, self.end)

    def tolist(self) -> list[str]:
        """Return Python's strings."""
        letters = self.letters.data
        return [
            str(letters[a:b], "utf-8") for a, b in zip(self.begin.tolist(), self.end.tolist(), strict=True)
        ]

    def take(self, rows: np.ndarray) -> StringColumn:
        """Select rows, without copying letters; raises IndexError for a row below 0."""
        if rows.min(initial=0) < 0:
            raise IndexError("a row below 0")
        return StringColumn(self.letters, self.begin[rows], self.end[rows])

    def with_own_letters(self) -> StringColumn:
        """Copy the letters of these strings, so that no others are kept in memory."""
        pieces = [np.zeros(ROOM, dtype=np.uint8)]
        for few in range(0, len(self), FEW):
            begin, lengths = self.begin[few : few + FEW], self._lengths[few : few + FEW]
            ends = np.cumsum(lengths)
            pieces.append(self.letters[np.arange(ends[-1]) + np.repeat(begin - (ends - lengths), lengths)])
        ends = np.cumsum(np.concatenate([[ROOM], self._lengths]))
        return StringColumn(np.concatenate(pieces), ends[:-1], ends[1:])

    @cached_property
    def _lengths(self) -> np.ndarray:
        return np.asarray(self.end - self.begin)

    def _words(self) -> Iterator[tuple[np.ndarray | slice, int, np.ndarray]]:
        """Yield all letters, eight as a number: rows, how far before the strings' ends these begin, numbers.

        Letters before a string are shifted out; the number is 0 if all are.
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
        """A 64-bit hash of each string: the same for equal strings, different for nearly all others."""
        found = self._lengths.astype(np.uint64)
        for rows, before_end, word in self._words():
            mixed = word * np.uint64(MIXER * (2 * before_end + 1) % 2**64)  # 0 if there is no letter
            mixed ^= mixed >> HALF
            mixed *= np.uint64(MIXER)
            found[rows] += mixed
        return found

    def equal(self, others: StringColumn) -> np.ndarray:
        """Compare row by row with a column of the same length."""
        same = self._lengths == others._lengths
        if not same.all():
            alike = np.flatnonzero(same)
            same[alike] = self.take(alike).equal(others.take(alike))
            return same
        for (rows, _, mine), (_, _, other) in zip(self._words(), others._words(), strict=True):
            same[rows] &= mine == other
        return same

    def all_equal(self) -> bool:
        """Return whether all rows, of which there is at least one, hold the same string."""
        return len(self._starts()) == 1

    def positions_in(self, known: StringColumn) -> np.ndarray:
        """Return the position of each string in `known`, int32, or -1; and at the end a -1, for the code -1.

        known: a column without repeats. The answer is remembered as long as that lives.
        """
        if known in self._positions_in:
            return self._positions_in[known]
        found = np.full(len(self) + 1, -1, dtype=np.int32)
        if known._index is None:
            position = {text: i for i, text in enumerate(known.tolist())}
            found[:-1] = [position.get(text, -1) for text in self.tolist()]
        else:
            at = known._index.find(self.fingerprints)
            rows = np.flatnonzero(at >= 0)
            rows = rows[self.take(rows).equal(known.take(at[rows]))]
            found[rows] = at[rows]
        self._positions_in[known] = found
        return found

    @cached_property
    def _positions_in(self) -> WeakKeyDictionary[StringColumn, np.ndarray]:
        return WeakKeyDictionary()

    @cached_property
    def _index(self) -> _Index | None:
        return _Index.of(self.fingerprints)

    def encode(self) -> DictionaryColumn:
        """Encode as distinct strings, in order of appearance, and codes."""
        starts = self._starts()  # a string is often repeated in the next row, such as a topic
        texts = self.take(starts)
        marks = texts.fingerprints
        order = np.argsort(marks)
        groups = np.flatnonzero(np.diff(marks[order], prepend=~marks[order[:1]]) != 0)
        first = np.minimum.reduceat(order, groups) if len(groups) else order
        appearance = np.argsort(first)
        codes = np.empty(len(order), dtype=np.int32)
        codes[order] = np.repeat(np.argsort(appearance), np.diff(groups, append=len(order)))
        distinct = texts.take(first[appearance])
        if not texts.equal(distinct.take(codes)).all():  # two have the same fingerprint
            place: dict[str, int] = {}
            codes = np.array([place.setdefault(text, len(place)) for text in texts.tolist()], dtype=np.int32)
            distinct = StringColumn.of(place)
        codes = np.repeat(codes, np.diff(starts, append=len(self)))
        return DictionaryColumn(distinct.with_own_letters(), codes)

    def _starts(self) -> np.ndarray:
        """Return the rows whose string differs from that of the row above."""
        differ = np.concatenate([[True], self._lengths[1:] != self._lengths[:-1]])[: len(self)]
        for rows, _, word in self._words():
            below = slice(1, None) if isinstance(rows, slice) else rows[1:]
            differ[below] |= word[1:] != word[:-1]
        return np.flatnonzero(differ)

    def encode_as(self, known: StringColumn) -> DictionaryColumn:
        """Encode with the strings of a column without repeats; other strings are not kept."""
        return DictionaryColumn(known, self.positions_in(known)[:-1])


@dataclass(frozen=True, eq=False)
class _Index:
    """An index of distinct 64-bit numbers by their highest bits.

    ascending: the numbers, and the largest possible one behind them; place: where each stood, and -1; starts:
    by the highest bits, the first number that has these.
    """

    ascending: np.ndarray
    place: np.ndarray
    starts: np.ndarray
    shift: np.uint64

    @classmethod
    def of(cls, numbers: np.ndarray) -> _Index | None:
        """Index numbers; None if two are the same."""
        order = np.argsort(numbers)
        ascending = np.append(numbers[order], ~np.uint64(0))
        if (ascending[1:-1] == ascending[:-2]).any():
            return None
        bits = (4 * len(numbers)).bit_length()  # so that hardly any two begin with the same bits
        shift = np.uint64(64 - bits)
        counts = np.bincount((ascending[:-1] >> shift).astype(np.int64), minlength=1 << bits)
        return cls(ascending, np.append(order, -1), np.cumsum(counts) - counts, shift)

    def find(self, numbers: np.ndarray) -> np.ndarray:
        """Return the position of each number, or -1."""
        at = self.starts[(numbers >> self.shift).astype(np.int64)]
        while (before := self.ascending[at] < numbers).any():
            at += before
        return np.where(self.ascending[at] == numbers, self.place[at], -1)


@dataclass(frozen=True, eq=False)
class DictionaryColumn(EncodedIds):
    """A dictionary-encoded column of strings: the i-th is `distinct[codes[i]]`. It equals a tuple of these.

    distinct: a column without repeats, often that of other columns, too. codes: numpy int32, read-only; -1 is
    a string that was not kept, and asking for that is an IndexError.
    """

    distinct: StringColumn
    codes: np.ndarray

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes, dtype=np.int32).view()
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    @classmethod
    def of(cls, values: Sequence[str]) -> DictionaryColumn:
        """Encode Python's strings; a column that is encoded already is returned as it is."""
        return values if isinstance(values, cls) else StringColumn.of(values).encode()

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> DictionaryColumn: ...

    def __getitem__(self, at: int | slice) -> str | DictionaryColumn:
        if isinstance(at, slice):
            return DictionaryColumn(self.distinct, self.codes[at])
        return self.distinct.take(self.codes[at : at + 1 or None]).tolist()[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.distinct.take(self.codes).tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, DictionaryColumn)) and tuple(self) == tuple(other)

    def __reduce__(self) -> tuple[Any, ...]:  # arrays reach another process writeable
        return type(self), (self.distinct, self.codes)

    def take(self, rows: np.ndarray) -> DictionaryColumn:
        """Select rows."""
        return DictionaryColumn(self.distinct, self.codes[rows])

    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list, the position of every string in this column without repeats, or -1."""
        position = np.full(len(self.distinct) + 1, -1, dtype=np.int64)  # the last one is for the code -1
        position[self.codes] = np.arange(len(self))
        return [
            position[listed._codes_in(self.distinct)]
            if isinstance(listed, DictionaryColumn)
            else np.array([self._position.get(text, -1) for text in listed], dtype=np.int64)
            for listed in lists
        ]

    def _codes_in(self, known: StringColumn) -> np.ndarray:
        return self.codes if self.distinct is known else self.distinct.positions_in(known)[self.codes]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {text: i for i, text in enumerate(self)}
