"""Warn of assumptions about files; of many files read together, once for each kind of assumption."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from divmetrics.errors import DivmetricsWarning, some

_waiting: ContextVar[list[tuple[str, str, str]] | None] = ContextVar("warnings of files", default=None)


def warn_of_file(source: str, kind: str, message: str) -> None:
    """Warn (DivmetricsWarning) of a file: `source`, a colon and `message`.

    Within `warn_once`, nothing is shown before its end; `kind` is then equal for assumptions that share one
    warning.
    """
    waiting = _waiting.get()
    if waiting is None:
        warnings.warn(f"{source}: {message}", DivmetricsWarning, stacklevel=3)
    else:
        waiting.append((source, kind, message))


@contextmanager
def warn_once() -> Iterator[None]:
    """Let the files that are read in a `with` statement share one warning for each kind of assumption.

    It has the message of the first file, by name, and counts the others. This holds for threads that run in a
    copy of the context, too. The warnings are shown at the end, unless an exception ends the statement.
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
