"""Warn of assumptions about files; of many files read together, once for each kind of assumption."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from divmetrics.errors import DivmetricsWarning, some

_waiting: ContextVar[list[tuple[str, str, str]] | None] = ContextVar("warnings of files", default=None)


def warn_of_file(source: str, kind: str, message: str) -> None:
    """Warn of a file, or wait with it for the end of `warn_once`; `kind` is equal for equal assumptions."""
    waiting = _waiting.get()
    if waiting is None:
        warnings.warn(f"{source}: {message}", DivmetricsWarning, stacklevel=3)
    else:
        waiting.append((source, kind, message))


@contextmanager
def warn_once() -> Iterator[None]:
    """Let files that are read inside, also in threads with a copy of this context, share one warning a kind.

    It has the message of the first file, by name, and counts the others.
    """
    waiting: list[tuple[str, str, str]] = []
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
    by_kind: dict[str, list[tuple[str, str]]] = {}
    for source, kind, message in sorted(waiting):
        by_kind.setdefault(kind, []).append((source, message))
    for kind, ((first, message), *others) in by_kind.items():
        more = (
            f"; so do {len(others)} other file(s) ({some([other for other, _ in others])})" if others else ""
        )
        warn_of_file(first, kind, f"{message}{more}")
