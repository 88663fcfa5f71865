"""Prepare the process of the command line: signals, memory and streams.

`prepare` runs before numpy is imported. Nothing here runs when divmetrics is imported as a library.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import sys
from types import FrameType
from typing import IO

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
ENDINGS = {signal.SIGINT: "stopped by Ctrl-C", signal.SIGTERM: "stopped from outside"}


def prepare() -> None:
    """Set up signals, threads, garbage collection and malloc for a process that runs one command."""
    _handle_signals()
    # No score uses numpy's threads for matrix products, and idle threads spin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Modules are not garbage, and scores hold no cycles: collect less often.
    gc.set_threshold(10_000)
    _keep_freed_memory()
    _open_streams()


def _handle_signals() -> None:
    """End the command on Ctrl-C with one line and status 130, also while modules load or threads work.

    An exception would print a traceback, or wait for the threads. A signal that was ignored
    before (nohup) stays ignored.
    """
    for number in ENDINGS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _keep_freed_memory() -> None:
    """Make the C library keep freed memory for reuse, where it can: new pages cost time.

    32 MB is the largest block that glibc takes from kept memory.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if set_option:
        for option, size in ((M_MMAP_THRESHOLD, 1 << 25), (M_TRIM_THRESHOLD, 1 << 28)):
            set_option(option, size)


def _open_streams() -> None:
    """Escape characters that a stream's encoding lacks; discard messages if stderr is closed."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open until the process ends
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """Ignore signals and skip garbage collection while Python shuts down, since everything is written."""
    gc.freeze()
    for number in ENDINGS:
        if signal.getsignal(number) is _end:
            signal.signal(number, signal.SIG_IGN)


def print_error(line: str) -> None:
    """Print a line on stderr; do nothing if stderr cannot be written."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: IO[str]) -> None:
    """Discard the buffered output of a stream, so that Python does not write it again at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    atomic = sys.modules.get("divmetrics.atomic_files")
    for path in tuple(atomic.unfinished) if atomic else ():
        with contextlib.suppress(OSError):
            os.unlink(path)
    with contextlib.suppress(OSError):
        bar = "\r\033[K" if os.isatty(2) else ""  # erase the rest of a progress bar
        os.write(2, f"{bar}divmetrics: {ENDINGS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)
