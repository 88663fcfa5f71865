"""The command line as a process: how it is stopped, and what its streams can stand.

To be imported before anything else: where the process is the command line, that alone sets what Ctrl-C does
and how numpy starts.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import IO

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


def open_streams() -> None:
    """Escape what a stream's encoding does not have; messages for a closed stderr go nowhere."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """All is done and written: a Ctrl-C that comes while Python ends changes nothing any more."""
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
