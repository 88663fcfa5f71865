"""What tells a person that work goes on: a bar on a terminal, once it has taken a second."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from divmetrics import _threads

T = TypeVar("T")

DELAY = 1  # seconds before a bar appears, and between its looks at the clock


@contextlib.contextmanager
def progress_bar(total: int | None, unit: str, wanted: bool) -> Iterator[Callable[[int], object]]:
    """Gives what is called with a number when so many more of the `total` units are done.

    There is a bar on a terminal only. It counts the seconds also where nothing is done for long.
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
    """The same things, one done when the next is asked for."""
    with progress_bar(total, unit, wanted) as advance:
        for thing in things:
            yield thing
            advance(1)
