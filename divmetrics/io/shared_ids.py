"""Let columns share their distinct strings, so that ids in many runs are in memory once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from divmetrics.io.string_column import DictionaryColumn, StringColumn

# Bytes of strings that are encoded together, which takes several times their memory, and that are shared
# before a new dictionary begins.
TOGETHER, MOST_SHARED = 1 << 24, 1 << 26


def share_ids(columns: Iterable[DictionaryColumn]) -> list[DictionaryColumn]:
    """Encode columns again, so that many of them share one `distinct`; the strings of each stay the same.

    Large collections get several such sets of strings, of about 64 MiB each. The result has the order of
    `columns`, which are read once.
    """
    shared: list[DictionaryColumn] = []
    group: list[np.ndarray] = []
    nothing = ids = StringColumn.of([])
    remaining = iter(columns)
    while batch := _batch(remaining, max(TOGETHER, ids.nbytes)):
        # The shared ids come first, so that they keep their codes.
        encoded = in_one_dictionary([DictionaryColumn(ids, np.arange(len(ids))), *batch])
        ids = encoded[0].distinct
        # Only the codes, since holding the ids of every batch would take more memory.
        group += [column.codes for column in encoded[1:]]
        if ids.nbytes > MOST_SHARED:
            shared += [DictionaryColumn(ids, codes) for codes in group]
            group, ids = [], nothing
    return shared + [DictionaryColumn(ids, codes) for codes in group]


def in_one_dictionary(columns: list[DictionaryColumn]) -> list[DictionaryColumn]:
    """Encode columns again with one `distinct` for all; the strings of each stay the same.

    It has the first column's distinct strings, then others in order of appearance.
    """
    parts = [column.distinct for column in columns]
    if all(part is parts[0] for part in parts):
        return columns
    together = StringColumn.joined(parts).encode()
    bounds = np.cumsum([len(part) for part in parts])[:-1]
    own_codes = [np.append(codes, np.int32(-1)) for codes in np.split(together.codes, bounds)]
    pairs = zip(own_codes, columns, strict=True)
    return [DictionaryColumn(together.distinct, own[column.codes]) for own, column in pairs]


def _batch(columns: Iterator[DictionaryColumn], size: int) -> list[DictionaryColumn]:
    """Return the next columns, until their strings have `size` bytes in total."""
    batch: list[DictionaryColumn] = []
    while size > 0 and (column := next(columns, None)) is not None:
        batch.append(column)
        size -= column.distinct.nbytes
    return batch
