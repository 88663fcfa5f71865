"""Threads, which not every Python can start: in a browser it cannot."""

from __future__ import annotations

from functools import cache
from threading import Thread


@cache
def can_be_started() -> bool:
    """Whether there are threads; without, work is done one after the other, to the same result."""
    trial = Thread(target=int)
    try:
        trial.start()
    except RuntimeError:
        return False
    trial.join()
    return True
