"""Runs that share their document ids, so that an id which many of them list is kept once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from divmetrics.core.collection import Run
from divmetrics.core.texts import Coded, Texts

# Bytes of ids: of the runs that wait to be looked at together, and of what is shared before it starts afresh,
# since it takes several times their room to look at them.
TOGETHER, MOST_SHARED = 1 << 24, 1 << 26


def with_shared_ids(runs: Iterable[Run]) -> list[Run]:
    """The same runs, whose `docs` are Coded, with ids that all of them share."""
    done: list[Run] = []
    group: list[Run] = []
    nothing = ids = Texts.of([])
    coming = iter(runs)
    while batch := _batch(coming, max(TOGETHER, ids.nbytes)):
        # In order of appearance, so that ids known before keep their places.
        _, *encoded = ids.encoded_with([_coded(run).distinct for run in batch])
        ids = encoded[-1].distinct
        for run, own in zip(batch, encoded, strict=True):
            # The ids come last: until then they grow, and every state of them would be kept.
            group.append(replace(run, docs=Coded(nothing, own.codes[_coded(run).codes])))
        if ids.nbytes > MOST_SHARED:
            done += _with_ids(group, ids)
            group, ids = [], nothing
    return done + _with_ids(group, ids)


def _batch(coming: Iterator[Run], size: int) -> list[Run]:
    """The next runs, until their ids take so many bytes."""
    batch: list[Run] = []
    while size > 0 and (run := next(coming, None)) is not None:
        batch.append(run)
        size -= _coded(run).distinct.nbytes
    return batch


def _with_ids(runs: Iterable[Run], ids: Texts) -> list[Run]:
    return [replace(run, docs=Coded(ids, _coded(run).codes)) for run in runs]


def _coded(run: Run) -> Coded:
    return cast(Coded, run.docs)
