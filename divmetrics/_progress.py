"""A progress bar on a terminal for work that takes longer than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from divmetrics import _threads

T = TypeVar("T")

DELAY = 1  # seconds before the bar appears, and between its updates


@contextlib.contextmanager
def progress_bar(total: int | None, unit: str, wanted: bool) -> Iterator[Callable[[int], object]]:
    """Show a progress bar in a `with` statement, after a second, if `wanted` and on a terminal only.

    `total` is the number of units (None: not known), `unit` what they are called. The statement gets a
    function that adds to the number of units done.
    """
    if not (wanted and sys.stderr.isatty() and _threads.can_start()):
        yield lambda done: None
        return
    from tqdm import tqdm

    over = threading.Event()
    with tqdm(total=total, delay=DELAY, unit=unit, leave=False) as bar:

        def tick() -> None:
            while not over.wait(DELAY):
                bar.refresh()

        ticking = threading.Thread(target=tick, daemon=True)
        ticking.start()
        try:
            yield bar.update
        finally:
            over.set()
            ticking.join()


def track_progress(things: Iterable[T], total: int | None, unit: str, wanted: bool) -> Iterator[T]:
    """Yield the things, with `progress_bar`; each counts as done when the next one is requested."""
    with progress_bar(total, unit, wanted) as advance:
        for thing in things:
            yield thing
            advance(1)
