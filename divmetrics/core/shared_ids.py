"""Runs that share their document ids, so that an id which many of them list is kept once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from divmetrics.core.collection import Run
from divmetrics.core.document_ids import CodedDocs

if TYPE_CHECKING:
    import pyarrow as pa

# Bytes of ids: of the runs that wait to be looked at together, and of what is shared before it starts afresh,
# since pyarrow takes three times the room while it looks at them.
TOGETHER, MOST_SHARED = 1 << 25, 1 << 27


def with_shared_ids(runs: Iterable[Run]) -> list[Run]:
    """The same runs, whose `docs` are CodedDocs, with ids that all of them share."""
    import pyarrow as pa

    done: list[Run] = []
    group: list[Run] = []
    nothing = ids = pa.array([], pa.string())
    coming = iter(runs)
    while batch := _batch(coming, max(TOGETHER, ids.nbytes)):
        # In order of appearance, so that ids known before keep their places.
        encoded = pa.chunked_array([ids, *(_coded(run).ids for run in batch)]).dictionary_encode()
        chunks = encoded.chunks[-len(batch) :]
        ids = chunks[-1].dictionary
        for run, chunk in zip(batch, chunks, strict=True):
            place = np.from_dlpack(chunk.indices)
            # The ids come last: until then they grow, and every state of them would be kept.
            group.append(replace(run, docs=CodedDocs(nothing, place[_coded(run).codes])))
        if ids.nbytes > MOST_SHARED:
            done += _with_ids(group, ids)
            group, ids = [], nothing
    return done + _with_ids(group, ids)


def _batch(coming: Iterator[Run], size: int) -> list[Run]:
    """The next runs, until their ids take so many bytes."""
    batch: list[Run] = []
    while size > 0 and (run := next(coming, None)) is not None:
        batch.append(run)
        size -= _coded(run).ids.nbytes
    return batch


def _with_ids(runs: Iterable[Run], ids: pa.StringArray) -> list[Run]:
    return [replace(run, docs=CodedDocs(ids, _coded(run).codes)) for run in runs]


def _coded(run: Run) -> CodedDocs:
    return cast(CodedDocs, run.docs)
