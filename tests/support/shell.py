"""IPython's shell without a kernel, for one test."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


@contextmanager
def one_shell(**settings: Any) -> Iterator[InteractiveShell]:
    """A new shell, without history; settings: of InteractiveShell. In the end it is as if none had been."""
    InteractiveShell.clear_instance()
    gc.freeze()  # a shell that ends collects what is left of it, and of every test before
    config = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": settings})
    made = InteractiveShell.instance(config=config)
    yield made
    made.atexit_operations()
    gc.unfreeze()
    atexit.unregister(made.atexit_operations)
    InteractiveShell.clear_instance()
