"""Opening a file, plain or gz, and saying in one sentence why it cannot be read."""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from divmetrics.errors import DivmetricsError, did_you_mean

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
LINE_END = re.compile(rb"\r\n|\r|\n")
GZ = b"\x1f\x8b"
OTHER_COMPRESSION = {
    b"PK\x03\x04": "zip",
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def refusal(where: str, what: str, expected: str, remedy: str) -> DivmetricsError:
    """The one sentence in which a reader refuses: where, what it found, what it expected, what to do."""
    return DivmetricsError(f"{where}: {what}; expected {expected}; {remedy}")


def shown(value: object) -> str:
    """A value as an error message quotes it, cut when it is long."""
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    quoted = repr(text)
    return quoted if len(quoted) <= 60 else f"{quoted[:56]}...'"


@dataclass(frozen=True)
class Contents:
    """The text of a file as bytes, decompressed, without byte order mark; never empty, no zero bytes.

    A line ends in a line feed, a carriage return or both. `first_line` is the number, in the file, of the
    line that `data` begins with.
    """

    source: str
    data: bytes
    first_line: int = 1

    def starts_with(self, *marks: bytes) -> bool:
        """Whether one of the marks is the first thing in the file but white space."""
        return re.match(rb"\s*(?:%s)" % b"|".join(map(re.escape, marks)), self.data) is not None

    def after(self, end: int) -> Contents:
        """What follows the line that contains the byte at `end`."""
        line_end = LINE_END.search(self.data, end)
        stop = line_end.end() if line_end else len(self.data)
        return Contents(self.source, self.data[stop:], self.first_line + len(self.data[:stop].splitlines()))

    def line(self, row: int) -> str:
        """`file:line` of a row, rows being the lines that are not blank, counted from 0."""
        numbered = enumerate(self.data.splitlines(), self.first_line)
        rows = [number for number, line in numbered if line.strip()]
        return f"{self.source}:{rows[row]}"


def open_contents(path: str | os.PathLike[str], expected: str) -> Contents:
    """Read a file; `expected` says in words what it should hold, for the sentence that refuses it."""
    try:
        source = os.fspath(path)
    except TypeError:
        raise refusal(
            f"{type(path).__name__} object", "is not a path", f"the path of {expected}", "give a path"
        ) from None
    data = _decompressed(source, _read(source, expected), expected)
    if data.startswith(UTF_16_MARKS):
        raise refusal(source, "is UTF-16 text", f"{expected} in UTF-8", "save it as UTF-8")
    data = data.removeprefix(BYTE_ORDER_MARK)
    if not data or data.isspace():
        raise refusal(source, "is empty", expected, "check where the file came from")
    zero = data.find(b"\0")
    if zero >= 0:
        line = len(data[: zero + 1].splitlines())
        raise refusal(
            f"{source}:{line}",
            f"is binary, not text (byte {zero + 1} of the file is zero)",
            expected,
            "give the text file, plain or gz",
        )
    return Contents(source, data)


def _read(source: str, expected: str) -> bytes:
    path = Path(source)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        raise refusal(
            source, f"does not exist{did_you_mean(path.name, siblings)}", expected, "check the path"
        ) from None
    except IsADirectoryError:
        raise refusal(source, "is a directory", f"a file, {expected}", "name the files in it") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(
            source, f"cannot be read ({reason})", expected, "check the path and its permissions"
        ) from None


def _decompressed(source: str, raw: bytes, expected: str) -> bytes:
    for mark, name in OTHER_COMPRESSION.items():
        if raw.startswith(mark):
            raise refusal(
                source, f"is compressed with {name}", f"{expected}, plain or gz", "decompress it first"
            )
    if not raw.startswith(GZ):
        return raw
    parts = []
    while raw:  # a gz file may be several, one after the other, padded with zeros
        member = zlib.decompressobj(wbits=31)
        try:
            parts.append(member.decompress(raw))
        except zlib.error as error:
            raise refusal(
                source, f"is a damaged gz file ({error})", expected, "fetch it or compress it again"
            ) from None
        if not member.eof:
            lines = b"".join(parts).count(b"\n")
            raise refusal(
                source,
                f"is a truncated gz file (it breaks off after line {lines})",
                expected,
                "fetch it or compress it again",
            )
        raw = member.unused_data.lstrip(b"\0")
    return b"".join(parts)
