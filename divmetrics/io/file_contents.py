"""Open a file, plain or gz, or raise an error of one sentence that says why it cannot be read."""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from divmetrics.errors import DivmetricsError, did_you_mean

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WIDE_MARKS = {  # UTF-32 first: its little-endian mark begins like that of UTF-16
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
LINE_END = re.compile(rb"\r\n|\r|\n")
GZ = b"\x1f\x8b"
LARGEST = 1 << 30  # bytes, decompressed; a limit for endless sources and gz bombs
PIECE = 1 << 20
HEAD = 1 << 16
GZ_PIECE = 1 << 14  # small, since the rest of a piece is copied at the end of every gz member in it
OTHER_COMPRESSION = {
    b"PK\x03\x04": "zip",
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def format_error(where: str, what: str, expected: str, remedy: str) -> DivmetricsError:
    """Return the error for a file: its place `where`, the fault `what`, what was expected, and the remedy."""
    return DivmetricsError(f"{where}: {what}; expected {expected}; {remedy}")


@dataclass(frozen=True)
class Contents:
    """The bytes of a text file, decompressed, without byte order mark; never empty, no zero bytes.

    A line ends in a line feed, a carriage return or both. `source` is the path that messages show,
    `first_line` the number, in the file, of the line that `data` begins with.
    """

    source: str
    data: bytes
    first_line: int = 1

    def starts_with(self, *marks: bytes) -> bool:
        """Return whether one of the marks follows the white space at the beginning."""
        return re.match(rb"\s*(?:%s)" % b"|".join(map(re.escape, marks)), self.data) is not None

    def without_first_line(self) -> Contents:
        """Return the contents below the first line."""
        line_end = LINE_END.search(self.data)
        return self.from_byte(line_end.end() if line_end else len(self.data))

    def from_byte(self, start: int) -> Contents:
        """Return the contents from the byte at index `start` on, which may be in the middle of a line."""
        return Contents(self.source, self.data[start:], self._line_of(start))

    def text(self) -> str:
        """Decode the contents; raises DivmetricsError, naming the line, if they are not UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            what = f"is not UTF-8 (a byte is 0x{self.data[error.start]:02x})"
            where = self.at_byte(error.start)
        raise format_error(where, what, "UTF-8 text", "save the file as UTF-8")

    def at_byte(self, position: int) -> str:
        """Return `file:line` of the byte at an index of `data`."""
        return f"{self.source}:{self._line_of(position)}"

    def line(self, row: int) -> str:
        """Return `file:line` of a row; rows are the lines that are not blank, counted from 0."""
        numbered = enumerate(self.data.splitlines(), self.first_line)
        rows = [number for number, line in numbered if line.strip()]
        return f"{self.source}:{rows[row]}"

    def _line_of(self, position: int) -> int:
        return self.first_line + len(LINE_END.findall(self.data, 0, position))


def open_contents(path: str | os.PathLike[str], expected: str) -> Contents:
    """Read a file, plain or gz; raises DivmetricsError if it cannot be read.

    `expected` describes the expected format in the message.
    """
    try:
        source = os.fspath(path)
    except TypeError:
        what = f"{type(path).__name__} object"
        raise format_error(what, "is not a path", f"the path of {expected}", "give a path") from None
    if not source:
        raise format_error("the path ''", "is empty", f"the path of {expected}", "give a path")
    try:
        data = _decompressed(source, _read(source, expected), expected)
    except MemoryError:
        what = "is too large for the memory there is"
        raise format_error(source, what, expected, "give a shorter file, or free memory") from None
    wide = next((name for mark, name in WIDE_MARKS.items() if data.startswith(mark)), None)
    if wide is not None:
        raise format_error(source, f"is {wide} text", f"{expected} in UTF-8", "save it as UTF-8")
    data = data.removeprefix(BYTE_ORDER_MARK)
    if not data or data.isspace():
        raise format_error(source, "is empty", expected, "check where the file came from")
    zero = data.find(b"\0")
    if zero >= 0:
        line = len(data[: zero + 1].splitlines())
        what = f"is binary, not text (byte {zero + 1} of the file is zero)"
        raise format_error(f"{source}:{line}", what, expected, "give the text file, plain or gz")
    return Contents(source, data)


def read_head(path: str | os.PathLike[str]) -> bytes:
    """Return the first `HEAD` bytes of a regular file, decompressed; empty for all that cannot be read twice.

    Pipes and devices are among these: reading their beginning would take it away.
    """
    if not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
        if head.startswith(GZ):
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD)
    except (OSError, zlib.error):
        return b""
    return head.removeprefix(BYTE_ORDER_MARK)


def _read(source: str, expected: str) -> bytes:
    path = Path(source)
    try:
        with path.open("rb", buffering=0) as file:
            size = min(os.fstat(file.fileno()).st_size, LARGEST)  # 0 for a pipe or device
            pieces = [file.read(max(PIECE, size + 1))]
            read = len(pieces[0])
            while piece := file.read(PIECE):
                pieces.append(piece)
                if b"\0" in piece and not pieces[0].startswith(GZ):
                    break  # not text, and perhaps endless like /dev/zero
                read += len(piece)
                if read > LARGEST:
                    raise _too_large(source, expected)
            return b"".join(pieces)
    except DivmetricsError:
        raise
    except FileNotFoundError:
        if path.is_symlink():
            what = f"is a link to {os.readlink(source)}, which does not exist"
        else:
            what = f"does not exist{did_you_mean(path.name, _names_in(path.parent))}"
        raise format_error(source, what, expected, "check the path") from None
    except IsADirectoryError:
        raise format_error(source, "is a directory", f"a file, {expected}", "name the files in it") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        what = f"cannot be read ({reason})"
        raise format_error(source, what, expected, "check the path and its permissions") from None


def _names_in(folder: Path) -> list[str]:
    """Return the names in a folder; empty if it cannot be listed."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _too_large(source: str, expected: str) -> DivmetricsError:
    what = f"holds more than {LARGEST:,} bytes of text"
    remedy = "cut it to the topics and ranks that are measured"
    return format_error(source, what, f"{expected} of at most so many", remedy)


def _decompressed(source: str, raw: bytes, expected: str) -> bytes:
    for mark, name in OTHER_COMPRESSION.items():
        if raw.startswith(mark):
            what = f"is compressed with {name}"
            raise format_error(source, what, f"{expected}, plain or gz", "decompress it first")
    if not raw.startswith(GZ):
        return raw
    parts: list[bytes] = []
    room, member = LARGEST, zlib.decompressobj(wbits=31)
    for start in range(0, len(raw), GZ_PIECE):
        piece = raw[start : start + GZ_PIECE]
        # A gz file may be a sequence of gz members, padded with zeros.
        while piece := piece.lstrip(b"\0") if member.eof else piece:
            if member.eof:
                member = zlib.decompressobj(wbits=31)
            try:
                parts.append(member.decompress(piece, room + 1))
            except zlib.error as error:
                what = f"is a damaged gz file ({error})"
                raise format_error(source, what, expected, "fetch it or compress it again") from None
            room -= len(parts[-1])
            if room < 0:
                raise _too_large(source, expected)
            piece = member.unused_data
    if not member.eof:
        lines = b"".join(parts).count(b"\n")
        what = f"is a truncated gz file (it breaks off after line {lines})"
        raise format_error(source, what, expected, "fetch it or compress it again")
    return b"".join(parts)
