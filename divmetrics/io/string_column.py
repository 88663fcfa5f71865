"""Columns of strings, plain and dictionary-encoded: the representation of document ids from file to score.

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

WORD, ROOM = 8, 64  # bytes
MIXER = 0x9E3779B97F4A7C15  # odd, so that multiplication is injective; its bits look random
HALF = np.uint64(32)
BATCH = 1 << 14  # strings whose bytes are copied at once
PIECE = 1 << 17  # strings that are parsed at once


def windows(buffer: np.ndarray, end: np.ndarray, size: int) -> np.ndarray:
    """Return the `size` bytes of `buffer` before each `end` as little-endian 64-bit words, (string, word).

    `size` is a multiple of 8, and no end is below it.
    """
    windows_at = np.ndarray(len(buffer) - size + 1, f"V{size}", buffer, strides=(1,))
    return windows_at[end - size].view("<u8").reshape(len(end), size // WORD)


@dataclass(frozen=True, eq=False)
class StringColumn:
    """An immutable column of strings: the i-th is `buffer[begin[i] : end[i]]`, in UTF-8.

    `buffer` is a numpy array of bytes, whose first `ROOM` (64) belong to no string; it may hold more than
    these strings, such as a whole file. `begin` and `end` are integer arrays, one number for each row.
    """

    buffer: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, values: Iterable[str]) -> StringColumn:
        """Make a column of strings, in their order; raise UnicodeEncodeError for a lone surrogate."""
        encoded = [text.encode() for text in values]
        buffer = np.frombuffer(bytes(ROOM) + b"".join(encoded), np.uint8)
        ends = np.cumsum([ROOM, *map(len, encoded)])
        return cls(buffer, ends[:-1], ends[1:])

    @classmethod
    def joined(cls, columns: Sequence[StringColumn]) -> StringColumn:
        """Return the rows of the columns (at least one), one column after the other; bytes are copied."""
        buffer = np.concatenate([column.buffer for column in columns])
        starts = np.cumsum([0, *(len(column.buffer) for column in columns)]).tolist()
        begin = np.concatenate([column.begin + at for column, at in zip(columns, starts, strict=False)])
        end = np.concatenate([column.end + at for column, at in zip(columns, starts, strict=False)])
        return cls(buffer, begin, end)

    @property
    def nbytes(self) -> int:
        """The size of the three arrays in bytes, with all of the buffer."""
        return self.buffer.nbytes + self.begin.nbytes + self.end.nbytes

    def __len__(self) -> int:
        return len(self.end)

    def __reduce__(self) -> tuple[Any, ...]:  # without cached values
        return type(self), (self.buffer, self.begin, self.end)

    def tolist(self) -> list[str]:
        """Return the strings as a list of str, row by row."""
        buffer = self.buffer.data
        return [
            str(buffer[a:b], "utf-8") for a, b in zip(self.begin.tolist(), self.end.tolist(), strict=True)
        ]

    def take(self, rows: np.ndarray) -> StringColumn:
        """Return a column of the rows at these indices, which shares the buffer.

        Raises IndexError for an index below 0 or after the last row.
        """
        if rows.min(initial=0) < 0:
            raise IndexError("a row below 0")
        return StringColumn(self.buffer, self.begin[rows], self.end[rows])

    def pieces(self) -> Iterator[StringColumn]:
        """Yield the rows, in order, in columns of at most 131,072 rows, which share the buffer."""
        for start in range(0, len(self), PIECE):
            rows = slice(start, start + PIECE)
            yield StringColumn(self.buffer, self.begin[rows], self.end[rows])

    def with_own_buffer(self) -> StringColumn:
        """Return an equal column whose buffer holds the bytes of its strings only, so that others can go."""
        pieces = [np.zeros(ROOM, dtype=np.uint8)]
        for start in range(0, len(self), BATCH):
            begin, lengths = self.begin[start : start + BATCH], self._lengths[start : start + BATCH]
            ends = np.cumsum(lengths)
            pieces.append(self.buffer[np.arange(ends[-1]) + np.repeat(begin - (ends - lengths), lengths)])
        ends = np.cumsum(np.concatenate([[ROOM], self._lengths]))
        return StringColumn(np.concatenate(pieces), ends[:-1], ends[1:])

    @cached_property
    def _lengths(self) -> np.ndarray:
        return np.asarray(self.end - self.begin)

    def _words(self) -> Iterator[tuple[np.ndarray | slice, int, np.ndarray]]:
        """Yield all bytes in words of eight: rows, the distance of a word's begin to the string's end, words.

        Bytes before a string are shifted out; a word can be 0.
        """
        lengths, rows = self._lengths, slice(None)  # type: tuple[np.ndarray, np.ndarray | slice]
        for back in range(0, int(lengths.max(initial=0)), ROOM):
            long = self._lengths[rows] > back
            if not long.all():
                rows = np.arange(len(self))[rows][long]
            lengths = self._lengths[rows] - back
            size = min(ROOM, -int(-lengths.max() // WORD) * WORD)
            words, shortest = windows(self.buffer, self.end[rows] - back, size), lengths.min()
            for word, most in enumerate(range(size, 0, -WORD)):
                if most <= shortest:
                    yield rows, back + most, words[:, word]
                else:
                    before = np.minimum(np.maximum(most - lengths, 0), WORD)
                    yield rows, back + most, words[:, word] >> 8 * before.astype(np.uint64)

    @cached_property
    def fingerprints(self) -> np.ndarray:
        """A hash of each row, uint64 (row,): equal for equal strings and different for nearly all others."""
        hashes = self._lengths.astype(np.uint64)
        for rows, before_end, word in self._words():
            mixed = word * np.uint64(MIXER * (2 * before_end + 1) % 2**64)  # 0 for no bytes
            mixed ^= mixed >> HALF
            mixed *= np.uint64(MIXER)
            hashes[rows] += mixed
        return hashes

    def equal(self, others: StringColumn) -> np.ndarray:
        """Return whether each row equals that of another column of the same length, bool (row,)."""
        same = self._lengths == others._lengths
        if not same.all():
            alike = np.flatnonzero(same)
            same[alike] = self.take(alike).equal(others.take(alike))
            return same
        for (rows, _, mine), (_, _, other) in zip(self._words(), others._words(), strict=True):
            same[rows] &= mine == other
        return same

    def alphabetical(self) -> np.ndarray:
        """Return the indices of the rows in the order of their strings by code points, as `argsort` does.

        Equal strings keep their order.
        """
        width = int(self._lengths.max(initial=1))
        if width * len(self) > 4 * self.nbytes or not self.buffer[ROOM:].all():
            # Padding with zeros would take much memory, or hide zeros at the end of a string.
            return np.argsort(np.array(self.tolist(), dtype=object), kind="stable")
        padded = np.zeros((len(self), width), dtype=np.uint8)
        for start in range(0, len(self), BATCH):
            rows = slice(start, start + BATCH)
            inside = np.arange(width) < self._lengths[rows, None]
            padded[rows][inside] = self.buffer[(self.begin[rows, None] + np.arange(width))[inside]]
        return np.argsort(padded.view(f"S{width}").ravel(), kind="stable")  # the bytes sort as the text does

    def all_equal(self) -> bool:
        """Return whether all rows hold the same string; False if there is no row."""
        return len(self._starts()) == 1

    def positions_in(self, distinct: StringColumn) -> np.ndarray:
        """Return, for each row, the row of `distinct` with the same string, or -1; int32.

        The result has one more number at the end, -1, which the code -1 of a `DictionaryColumn` selects.
        `distinct` must have distinct strings. The result is cached as long as `distinct` exists: do not
        change it.
        """
        if distinct in self._positions_in:
            return self._positions_in[distinct]
        positions = np.full(len(self) + 1, -1, dtype=np.int32)
        if distinct._index is None:
            position_of = {text: i for i, text in enumerate(distinct.tolist())}
            positions[:-1] = [position_of.get(text, -1) for text in self.tolist()]
        else:
            at = distinct._index.find(self.fingerprints)
            rows = np.flatnonzero(at >= 0)
            rows = rows[self.take(rows).equal(distinct.take(at[rows]))]
            positions[rows] = at[rows]
        self._positions_in[distinct] = positions
        return positions

    @cached_property
    def _positions_in(self) -> WeakKeyDictionary[StringColumn, np.ndarray]:
        return WeakKeyDictionary()

    @cached_property
    def _index(self) -> _Index | None:
        return _Index.of(self.fingerprints)

    def encode(self) -> DictionaryColumn:
        """Return the column dictionary-encoded: distinct strings, in order of appearance, and their codes."""
        starts = self._starts()  # rows often repeat the string above, such as a topic
        texts = self.take(starts)
        hashes = texts.fingerprints
        order = np.argsort(hashes)
        groups = np.flatnonzero(np.diff(hashes[order], prepend=~hashes[order[:1]]) != 0)
        first = np.minimum.reduceat(order, groups) if len(groups) else order
        appearance = np.argsort(first)
        codes = np.empty(len(order), dtype=np.int32)
        codes[order] = np.repeat(np.argsort(appearance), np.diff(groups, append=len(order)))
        distinct = texts.take(first[appearance])
        if not texts.equal(distinct.take(codes)).all():  # two different strings have the same fingerprint
            place: dict[str, int] = {}
            codes = np.array([place.setdefault(text, len(place)) for text in texts.tolist()], dtype=np.int32)
            distinct = StringColumn.of(place)
        codes = np.repeat(codes, np.diff(starts, append=len(self)))
        return DictionaryColumn(distinct.with_own_buffer(), codes)

    def _starts(self) -> np.ndarray:
        """Return the indices of the rows whose string differs from the row above."""
        differ = np.concatenate([[True], self._lengths[1:] != self._lengths[:-1]])[: len(self)]
        for rows, _, word in self._words():
            below = slice(1, None) if isinstance(rows, slice) else rows[1:]
            differ[below] |= word[1:] != word[:-1]
        return np.flatnonzero(differ)

    def encode_as(self, distinct: StringColumn) -> DictionaryColumn:
        """Return the column dictionary-encoded with the strings `distinct`; other strings get the code -1."""
        return DictionaryColumn(distinct, self.positions_in(distinct)[:-1])


@dataclass(frozen=True, eq=False)
class _Index:
    """An index of distinct 64-bit numbers by their highest bits.

    ascending: the numbers, then the largest possible one; place: the position of each before sorting, then
    -1; starts: for each value of the highest bits, the position in `ascending` of the first number with that
    value or a higher one; shift: how far right to shift a number to get its highest bits.
    """

    ascending: np.ndarray
    place: np.ndarray
    starts: np.ndarray
    shift: np.uint64

    @classmethod
    def of(cls, numbers: np.ndarray) -> _Index | None:
        """Return the index of some numbers, or None if two are equal."""
        order = np.argsort(numbers)
        ascending = np.append(numbers[order], ~np.uint64(0))
        if (ascending[1:-1] == ascending[:-2]).any():
            return None
        bits = (2 * len(numbers)).bit_length()  # so that few numbers share their highest bits
        shift = np.uint64(64 - bits)
        highest = (ascending[:-1] >> shift).astype(np.int64)
        ends = np.cumsum(np.bincount(highest, minlength=1 << bits), dtype=np.int32)
        return cls(ascending, np.append(order, -1), np.append(np.int32(0), ends[:-1]), shift)

    def find(self, numbers: np.ndarray) -> np.ndarray:
        """Return the position of each number among the indexed ones, or -1."""
        at = self.starts[(numbers >> self.shift).astype(np.int64)]
        while (before := self.ascending[at] < numbers).any():
            at += before
        return np.where(self.ascending[at] == numbers, self.place[at], -1)


@dataclass(frozen=True, eq=False)
class DictionaryColumn(EncodedIds):
    """A dictionary-encoded column: the i-th string is number `codes[i]` of `distinct`.

    It is a sequence of text and equals a tuple of the strings. `distinct` is a StringColumn of distinct
    strings, which other columns may share. `codes` is a read-only array of int32; -1 stands for a string that
    is not in `distinct`, and getting it raises IndexError.
    """

    distinct: StringColumn
    codes: np.ndarray

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes, dtype=np.int32).view()
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    @classmethod
    def of(cls, values: Sequence[str]) -> DictionaryColumn:
        """Return strings as a column, encoded in order of appearance; a DictionaryColumn is returned itself.

        Raises UnicodeEncodeError for a lone surrogate.
        """
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

    def __reduce__(self) -> tuple[Any, ...]:  # unpickled arrays are writeable until __post_init__
        return type(self), (self.distinct, self.codes)

    def take(self, rows: np.ndarray) -> DictionaryColumn:
        """Return a column of the rows at these indices, which shares `distinct`."""
        return DictionaryColumn(self.distinct, self.codes[rows])

    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list of strings, an array of int64: the row of each string in this column, or -1.

        This column must have no duplicate string.
        """
        position = np.full(len(self.distinct) + 1, -1, dtype=np.int64)  # the last for the code -1
        position[self.codes] = np.arange(len(self))
        return [
            position[listed._codes_in(self.distinct)]
            if isinstance(listed, DictionaryColumn)
            else np.array([self._position.get(text, -1) for text in listed], dtype=np.int64)
            for listed in lists
        ]

    def _codes_in(self, distinct: StringColumn) -> np.ndarray:
        return self.codes if self.distinct is distinct else self.distinct.positions_in(distinct)[self.codes]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {text: i for i, text in enumerate(self)}
