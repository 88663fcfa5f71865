"""Files written whole or not at all: beside the old one, then put in its place in one step."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import IO

from divmetrics.errors import DivmetricsError

unfinished: set[str] = set()  # temporary files of this process; who ends it at once removes them


def save(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole (text as UTF-8), or leave what was there; raises DivmetricsError."""
    with atomic_writer(path) as file:
        file.write(content.encode(errors="backslashreplace") if isinstance(content, str) else content)


@contextlib.contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` at the end; after any failure the old one stays as it was.

    A link is followed, and the file it leads to keeps its permissions. What is no file (a pipe, /dev/stdout)
    is written directly. Raises DivmetricsError where the file cannot be written.
    """
    check_writable(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                yield file
            return
        target = os.path.realpath(path)
        beside = os.path.join(os.path.dirname(target), f".divmetrics-{os.urandom(6).hex()}.part")
        unfinished.add(beside)
        try:
            with open(beside, "xb") as file:
                _take_over(beside, target)
                yield file
                file.flush()
                os.fsync(file.fileno())  # else a crash of the machine could leave the name without content
            os.replace(beside, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            unfinished.discard(beside)
    except OSError as error:
        raise _cannot(path, error.strerror or str(error)) from None


def check_writable(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Refuse a place that cannot be written, and one that is itself an input, by whatever name or link."""
    if not os.fspath(path):
        raise DivmetricsError("the file to write to has no name; give the name of a file")
    for other in inputs:
        if os.path.isfile(path) and _is_same(path, other):
            raise DivmetricsError(
                f"{os.fspath(path)}: would be overwritten, but is also read ({os.fspath(other)}); "
                "name another file to write to"
            )
    try:
        folder = os.path.dirname(os.path.realpath(path))
    except (OSError, ValueError) as error:  # ValueError: a zero byte
        raise _cannot(path, str(error)) from None
    if not os.path.isdir(folder):
        raise _cannot(path, "no such folder")
    if os.path.isdir(path):
        raise _cannot(path, "it is a folder")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise _cannot(path, "it is protected against writing")
    is_file = os.path.isfile(path) or not os.path.exists(path)
    if is_file and not os.access(folder, os.W_OK | os.X_OK):
        raise _cannot(path, "no file can be made in its folder")


def _is_same(path: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):  # an input that cannot be looked at is refused by who reads it
        return False


def _take_over(beside: str, target: str) -> None:
    """Give the new file the permissions and, where that may be, the owner of the one that it replaces."""
    if os.path.exists(target):
        old = os.stat(target)
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):
                os.chown(beside, old.st_uid, old.st_gid)
        os.chmod(beside, stat.S_IMODE(old.st_mode))


def _cannot(path: str | os.PathLike[str], reason: str) -> DivmetricsError:
    return DivmetricsError(f"{os.fspath(path)}: cannot be written ({reason}); name a file that can")
