"""The command line as a process: how it is stopped, and what its streams can stand.

To be imported before anything else: where the process is the command line, that alone sets what Ctrl-C does,
how numpy starts and how often Python looks for garbage.
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


def guard() -> None:
    """From here on a Ctrl-C ends the command with one line and status 130, whatever it is at.

    That is while modules are loaded, while threads work and while Python shuts down: an exception would be
    told there in a traceback, or wait for the threads. A signal that was ignored before (nohup) stays so.
    """
    if _is_command():
        for number in ENDINGS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _end)


def spare_processors() -> None:
    """Let numpy start no threads for products of matrices: no score needs them, and they turn idly."""
    if _is_command():
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def spare_collections() -> None:
    """Let Python look for cycles of garbage less often: modules are no garbage, and scores hold no cycles."""
    if _is_command():
        gc.set_threshold(10_000)


def spare_pages() -> None:
    """Let freed memory be kept for what comes next, where the C library can: new pages cost time.

    32 MB are the most that glibc takes from what it keeps.
    """
    if _is_command():
        set_option = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
        if set_option:
            for option, size in ((M_MMAP_THRESHOLD, 1 << 25), (M_TRIM_THRESHOLD, 1 << 28)):
                set_option(option, size)


def open_streams() -> None:
    """Escape what a stream's encoding does not have; messages for a closed stderr go nowhere."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """All is done and written: a Ctrl-C that comes while Python ends changes nothing any more.

    Nor is anything looked through for garbage before the memory goes back.
    """
    gc.freeze()
    for number in ENDINGS:
        if signal.getsignal(number) is _end:
            signal.signal(number, signal.SIG_IGN)


def tell(line: str) -> None:
    """A line on stderr, if that can be written to."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: IO[str]) -> None:
    """Let nothing that is still buffered for a stream be tried again when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_command() -> bool:
    """Whether this process is `divmetrics ...` or `python -m divmetrics ...`, and not one that imports us."""
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    as_module = name == "-m" and "divmetrics" in sys.orig_argv
    return as_module or os.path.splitext(name)[0] == "divmetrics"


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    saving = sys.modules.get("divmetrics.saving")
    for path in tuple(saving.unfinished) if saving else ():
        with contextlib.suppress(OSError):
            os.unlink(path)
    with contextlib.suppress(OSError):
        bar = "\r\033[K" if os.isatty(2) else ""  # what a progress bar left on the line is wiped
        os.write(2, f"{bar}divmetrics: {ENDINGS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


guard()
spare_processors()
spare_collections()
spare_pages()
