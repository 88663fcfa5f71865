"""Texts as a pyarrow array: three letters take the room of three, and to compare many takes little time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from divmetrics.core.texts import Coded, Texts


@dataclass(frozen=True, eq=False)
class ArrowTexts(Texts):
    """A string array in one piece."""

    array: pa.StringArray

    @classmethod
    def of(cls, values: Any) -> ArrowTexts:
        """From a list of str, or from a column of pandas."""
        if not isinstance(values, list):
            array = pa.array(values, pa.string())
            return cls(array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)
        # From buffers: pyarrow.array would import pandas first, to see whether it got something of pandas.
        encoded = [text.encode() for text in values]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
        buffers = pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))
        return cls(pa.StringArray.from_buffers(len(encoded), *buffers))

    @property
    def nbytes(self) -> int:
        return int(self.array.nbytes)

    def __len__(self) -> int:
        return len(self.array)

    def tolist(self) -> list[str]:
        return list(self.array.to_pylist())

    def none_empty(self) -> bool:
        """Whether each has a letter."""
        return bool((np.diff(self._ends()) > 0).all())

    def all_equal(self) -> bool:
        ends = self._ends()
        first = self.array[0].as_py().encode()
        letters = self.array.buffers()[2][int(ends[0]) : int(ends[-1])].to_pybytes()
        return bool((np.diff(ends) == len(first)).all()) and letters == first * len(self)

    def begin_with(self, known: ArrowTexts) -> bool:
        return bool(self.array[: len(known)].equals(known.array))

    def _ends(self) -> np.ndarray:
        """Where each text begins among the letters, and the last one ends."""
        ends = np.frombuffer(self.array.buffers()[1], np.int32)
        return ends[self.array.offset : self.array.offset + len(self) + 1]

    def take(self, places: np.ndarray) -> ArrowTexts:
        rows = np.ascontiguousarray(places)
        at = [None, pa.py_buffer(rows)]
        return ArrowTexts(
            self.array.take(pa.Array.from_buffers(pa.from_numpy_dtype(rows.dtype), len(rows), at))
        )

    def places(self, known: ArrowTexts) -> np.ndarray:
        found = pc.index_in(self.array, value_set=known.array)
        valid, values = found.buffers()
        numbers = np.full(len(self) + 1, -1, dtype=np.int32)
        numbers[:-1] = np.frombuffer(values, dtype=np.int32, count=len(self))
        if found.null_count:
            known_at = np.unpackbits(np.frombuffer(valid, dtype=np.uint8), count=len(self), bitorder="little")
            numbers[:-1][known_at == 0] = -1
        return numbers

    def encoded_with(self, others: Sequence[ArrowTexts]) -> list[Coded]:
        parts = [self, *others]
        encoded = pa.chunked_array([part.array for part in parts], pa.string()).dictionary_encode()
        chunks = [chunk for chunk in encoded.chunks if len(chunk)]  # of what is empty there may be none
        # The last has the texts of all before it, in the same places.
        distinct = ArrowTexts(chunks[-1].dictionary if chunks else self.array)
        codes = (np.from_dlpack(chunk.indices) for chunk in chunks)
        nothing = np.empty(0, dtype=np.int32)
        return [Coded(distinct, next(codes) if len(part) else nothing) for part in parts]
