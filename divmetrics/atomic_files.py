"""Atomic writing of files: a temporary file beside the old one replaces it in one step."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import IO

from divmetrics.errors import DivmetricsError

# Temporary files of this process, to be removed by code that ends it without unwinding.
unfinished: set[str] = set()


def save(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write `content` to a file in one step; after a failure the old file is unchanged.

    Text is written as UTF-8, lone surrogates are escaped. Raises DivmetricsError if the file
    cannot be written.
    """
    with atomic_writer(path) as file:
        file.write(content.encode(errors="backslashreplace") if isinstance(content, str) else content)


@contextlib.contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a new file for bytes, in a `with` statement, that replaces `path` at the end of the statement.

    After any exception the old file is unchanged. A link is followed, and its target keeps its permissions.
    Pipes and devices (/dev/stdout) are written directly. Raises DivmetricsError if the file cannot be
    written.
    """
    check_writable(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                yield file
            return
        target = os.path.realpath(path)
        temporary = os.path.join(os.path.dirname(target), f".divmetrics-{os.urandom(6).hex()}.part")
        unfinished.add(temporary)
        try:
            with open(temporary, "xb") as file:
                _copy_permissions(temporary, target)
                yield file
                file.flush()
                os.fsync(file.fileno())  # a crash of the machine must not leave an empty file
            os.replace(temporary, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            unfinished.discard(temporary)
    except OSError as error:
        raise _not_writable(path, error.strerror or str(error)) from None


def check_writable(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Raise DivmetricsError if no file can be written to a path, or the path leads to one of `inputs`.

    Files are compared, not names, so a link to an input is refused, too. Nothing is written.
    """
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
        raise _not_writable(path, str(error)) from None
    if not os.path.isdir(folder):
        raise _not_writable(path, "no such folder")
    if os.path.isdir(path):
        raise _not_writable(path, "it is a folder")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise _not_writable(path, "it is protected against writing")
    is_file = os.path.isfile(path) or not os.path.exists(path)
    if is_file and not os.access(folder, os.W_OK | os.X_OK):
        raise _not_writable(path, "no file can be made in its folder")


def _is_same(path: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether two paths lead to the same file; False if one cannot be read."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):  # reading an unreadable input raises its own error
        return False


def _copy_permissions(temporary: str, target: str) -> None:
    """Give the new file the permissions and, if allowed, the owner of the file that it replaces."""
    if os.path.exists(target):
        old = os.stat(target)
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):
                os.chown(temporary, old.st_uid, old.st_gid)
        os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _not_writable(path: str | os.PathLike[str], reason: str) -> DivmetricsError:
    return DivmetricsError(f"{os.fspath(path)}: cannot be written ({reason}); name a file that can")
