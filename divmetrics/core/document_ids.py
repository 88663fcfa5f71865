"""Documents as numbers that stand for their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class CodedDocs(Sequence[str]):
    """A sequence of document ids, of which the i-th is `ids[codes[i]]`.

    ids: a pyarrow string array, often that of other runs, too. codes: numpy int32, read-only; -1 is a
    document whose id was not kept, and to ask for that is an IndexError.
    """

    ids: pa.StringArray
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
        import pyarrow as pa

        if not isinstance(at, slice):
            return self[at : at + 1 or None][0]
        codes = np.ascontiguousarray(self.codes[at])
        # From its buffer: pyarrow.array would import pandas first, to see whether it got something of pandas.
        rows = pa.Int32Array.from_buffers(pa.int32(), len(codes), [None, pa.py_buffer(codes)])
        return tuple(self.ids.take(rows).to_pylist())

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __reduce__(self) -> tuple[Any, ...]:  # arrays are sent to another process as ones that can be changed
        return type(self), (self.ids, self.codes)

    def among(self, ids: pa.StringArray) -> CodedDocs:
        """The same documents, with these ids only."""
        if self.ids[: len(ids)].equals(ids):
            return CodedDocs(ids, np.where(self.codes < len(ids), self.codes, -1))
        return CodedDocs(ids, places(self.ids, ids)[self.codes])


def places(ids: pa.StringArray, known: pa.StringArray) -> np.ndarray:
    """For each id its place among the known ones, int32, or -1; and at the end a -1, for the code -1."""
    import pyarrow.compute as pc

    found = pc.index_in(ids, value_set=known)
    valid, values = found.buffers()
    numbers = np.full(len(ids) + 1, -1, dtype=np.int32)
    numbers[:-1] = np.frombuffer(values, dtype=np.int32, count=len(ids))
    if found.null_count:
        known_at = np.unpackbits(np.frombuffer(valid, dtype=np.uint8), count=len(ids), bitorder="little")
        numbers[:-1][known_at == 0] = -1
    return numbers
