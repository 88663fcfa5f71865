"""Open a file, plain or gz, or raise an error of one sentence that names what it is instead."""

from __future__ import annotations

import os
import re
import sys
import zlib
from dataclasses import dataclass
from functools import cached_property

from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.io.file_warnings import warn_of_file

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MARKED_LINE = re.compile(rb"(\A|[\r\n])(?:%s)+" % BYTE_ORDER_MARK)  # within files that were joined, too
EXCEL_SEPARATOR = re.compile(rb'\A"?sep=.?"?[ \t]*(?=[\r\n])', re.IGNORECASE)
WIDE_MARKS = {  # UTF-32 first: its little-endian mark begins like that of UTF-16
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
LINE_END = re.compile(rb"\r\n|\r|\n")
COMMENT = re.compile(rb"(\A|[\r\n])[ \t]*#[^\r\n]*")
BEFORE_COMMENT = (b"\n#", b"\r#", b" #", b"\t#")
GZ = b"\x1f\x8b"
LARGEST = 1 << 30  # bytes, decompressed; a limit for endless sources and gz bombs
PIECE = 1 << 20
HEAD = 1 << 16
GZ_PIECE = 1 << 14  # small, since the rest of a piece is copied at the end of every gz member in it
DECOMPRESS, AS_TEXT = "decompress it first", "save it as text with tabs between the columns"
AS_FRAME = "read it with pandas and give the DataFrame"
WEB_PAGE, OFFICE = "is a web page", "is an Excel workbook or another Office file"
# The beginnings of files that are no text of measurements; the first that matches names the file.
OTHER_FORMATS = tuple(
    (re.compile(beginning, re.DOTALL), what, remedy)
    for beginning, what, remedy in (
        (rb"PK\x03\x04.{,4000}(?:\[Content_Types\]|xl/)", OFFICE, AS_TEXT),
        (rb"\xd0\xcf\x11\xe0", OFFICE, AS_TEXT),
        (rb"PK\x03\x04", "is compressed with zip", DECOMPRESS),
        (rb"BZh[1-9]1AY&SY", "is compressed with bzip2", DECOMPRESS),
        (rb"\xfd7zXZ", "is compressed with xz", DECOMPRESS),
        (rb"\x28\xb5\x2f\xfd", "is compressed with zstd", DECOMPRESS),
        (rb"\x04\x22\x4d\x18", "is compressed with lz4", DECOMPRESS),
        (rb"7z\xbc\xaf\x27\x1c", "is a 7z archive", "give a file that is in it"),
        (rb".{257}ustar", "is a tar archive", "give a file that is in it"),
        (rb"PAR1", "is a Parquet file", AS_FRAME),
        (rb"ARROW1\0", "is an Arrow file", AS_FRAME),
        (rb"\x89HDF", "is an HDF5 file", AS_FRAME),
        (rb"SQLite format 3\0", "is an SQLite database", AS_FRAME),
        (rb"\x80[\x02-\x05]", "is a pickle of Python", "load it if you trust it, and give the object"),
        (rb"\x93NUMPY", "is an array of numpy", "load it and give a table of it"),
        (rb"%PDF-", "is a PDF file", "give the text file"),
        (rb"version https://git-lfs", "is a Git LFS pointer, not the file", "fetch it with `git lfs pull`"),
        (rb"\S{,9}/annex/objects/", "is a git-annex pointer, not the file", "fetch it with `git annex get`"),
        (
            rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?i:!doctype\s+html|html|head|body)\b",
            WEB_PAGE,
            "download the file itself",
        ),
    )
)
PAGE_TITLE = re.compile(rb"(?is)<title[^>]*>\s*(.{1,60}?)\s*</title>")
XML_ENCODING = re.compile(r"(\s*<\?xml[^>]*?)\sencoding\s*=\s*[\"'][^\"'>]*[\"']")


class StandardInput(str):
    """The path `-` of the command line, as text; its bytes are read once, however often it is opened."""

    @cached_property
    def data(self) -> bytes:
        """The bytes of standard input, at most 1 GiB and one more; b"" if it is closed."""
        return b"" if sys.stdin is None else sys.stdin.buffer.read(LARGEST + 1)


def file_stem(path: str | os.PathLike[str]) -> str:
    """Return the name of a file without folder, `.gz` and last ending: the name of a run without tag."""
    name = os.path.basename(path).removesuffix(".gz")
    return name.rsplit(".", 1)[0] if "." in name.strip(".") else name


def format_error(where: str, what: str, expected: str, remedy: str) -> DivmetricsError:
    """Return, not raise, the error "where: what; expected ...; remedy".

    where: the file, perhaps with the line; what: the fault; remedy: what to do, as an order.
    """
    return DivmetricsError(f"{where}: {what}; expected {expected}; {remedy}")


@dataclass(frozen=True)
class Contents:
    """The bytes of a text file, or of its end; `open_contents` makes them. They are not changed in place.

    `data` are the bytes, decompressed, without byte order mark and zero bytes. A line ends in a line feed, a
    carriage return or both. `source` is the path that messages show, `first_line` the number, in the file, of
    the line that `data` begins with.
    """

    source: str
    data: bytes
    first_line: int = 1

    def starts_with(self, *marks: bytes) -> bool:
        """Return whether the data begin with one of `marks`, perhaps after white space."""
        return re.match(rb"\s*(?:%s)" % b"|".join(map(re.escape, marks)), self.data) is not None

    @property
    def first_line_bytes(self) -> bytes:
        """The bytes of the first line of `data`, which may be blank, without its end."""
        line_end = LINE_END.search(self.data)
        return self.data if line_end is None else self.data[: line_end.start()]

    def from_first_text(self) -> Contents:
        """Return the contents from the first character on that is not white space."""
        return self.from_byte(len(self.data) - len(self.data.lstrip()))

    def without_first_line(self) -> Contents:
        """Return the contents below the first line; without data if there is no other."""
        line_end = LINE_END.search(self.data)
        return self.from_byte(line_end.end() if line_end else len(self.data))

    def without_comments(self, expected: str) -> Contents:
        """Return the contents with empty lines in place of those that begin with #, so that numbers stay.

        One warning counts these lines. A first line such as `sep=;`, which Excel writes, is made empty, too.
        Raises DivmetricsError, which describes the format as `expected`, if nothing else is there.
        """
        tidy = Contents(self.source, EXCEL_SEPARATOR.sub(b"", self.data), self.first_line)
        # Passages have ids such as doc#3, so that a # alone says little, and the pattern is slow.
        marks = BEFORE_COMMENT if b"#" in tidy.data else ()
        begins = tidy.data.startswith(b"#") or any(mark in tidy.data for mark in marks)
        first = COMMENT.search(tidy.data) if begins else None
        if first is None:
            return tidy
        data, count = COMMENT.subn(rb"\1", tidy.data)
        if data.isspace() or not data:
            what = "is empty apart from comments, lines that begin with #"
            raise format_error(self.source, what, expected, "check where the file came from")
        message = f"{count} line(s) begin with # and are skipped as comments"
        warn_of_file(self.source, "comments", f"{message} (first {tidy.at_byte(first.end())})")
        return Contents(self.source, data, self.first_line)

    def from_byte(self, start: int) -> Contents:
        """Return the contents from the byte at the index `start` of `data` on, even within a line."""
        return Contents(self.source, self.data[start:], self._line_of(start))

    def text(self) -> str:
        """Return the data as text; raise DivmetricsError, naming the line, if they are not UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            what = f"is not UTF-8 (a byte is 0x{self.data[error.start]:02x})"
            where = self.at_byte(error.start)
        raise format_error(where, what, "UTF-8 text", "save the file as UTF-8")

    def at_byte(self, position: int) -> str:
        """Return the place "file:line" of the byte at an index of `data`."""
        return f"{self.source}:{self._line_of(position)}"

    def line(self, row: int) -> str:
        """Return the place "file:line" of a row: the lines that are not blank, counted from 0."""
        return self.row_places()[row]

    def row_places(self) -> list[str]:
        """Return the place "file:line" of every row: of all lines that are not blank."""
        numbered = enumerate(self.data.splitlines(), self.first_line)
        return [f"{self.source}:{number}" for number, line in numbered if line.strip()]

    def _line_of(self, position: int) -> int:
        return self.first_line + len(LINE_END.findall(self.data, 0, position))


def open_contents(path: str | os.PathLike[str], expected: str) -> Contents:
    """Read a text file, plain or gz, in UTF-8 or, with a byte order mark, in UTF-16 or UTF-32.

    Raises DivmetricsError, which describes the format as `expected`, if the file cannot be read, is empty, is
    larger than 1 GiB, is damaged, or is no text, such as an Office file or a web page. Other bytes than UTF-8
    are found only by those who decode them.
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
    data = _as_utf8(source, data, expected)
    if BYTE_ORDER_MARK in data:
        data = MARKED_LINE.sub(rb"\1", data)
    _check_is_no_other_format(source, data, expected)
    if not data or data.isspace():
        raise format_error(source, "is empty", expected, "check where the file came from")
    zero = data.find(b"\0")
    if zero >= 0:
        line = len(data[: zero + 1].splitlines())
        what = f"is binary, not text (byte {zero + 1} of the file is zero)"
        remedy = "give the text file, plain or gz"
        if {data[:64:2].count(0), data[1:64:2].count(0)} == {0, len(data[:64:2])}:
            what, remedy = "seems to be UTF-16 text without its byte order mark", "save it as UTF-8"
        raise format_error(f"{source}:{line}", what, expected, remedy)
    return Contents(source, data)


def read_head(path: str | os.PathLike[str]) -> bytes:
    """Return at most the first 64 KiB of a file, decompressed; b"" if it cannot be read.

    Pipes and devices give b"", too: reading their beginning would take it away.
    """
    try:
        if isinstance(path, StandardInput):
            head = path.data[:HEAD]
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                head = file.read(HEAD)
        else:
            return b""
        if head.startswith(GZ):
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD)
    except (OSError, zlib.error):
        return b""
    return head.removeprefix(BYTE_ORDER_MARK)


def _as_utf8(source: str, data: bytes, expected: str) -> bytes:
    """Return UTF-16 or UTF-32 with its mark, which programs for Windows write, as UTF-8; else the data."""
    wide = next((name for mark, name in WIDE_MARKS.items() if data.startswith(mark)), None)
    if wide is None:
        return data
    try:
        return XML_ENCODING.sub(r"\1", data.decode(wide), count=1).encode()
    except UnicodeError as error:
        what = f"is damaged {wide} text ({error})"
        raise format_error(source, what, f"{expected} in UTF-8", "save it as UTF-8") from None


def _check_is_no_other_format(source: str, data: bytes, expected: str) -> None:
    """Raise DivmetricsError, which names the format, if the data are of one of OTHER_FORMATS."""
    for beginning, what, remedy in OTHER_FORMATS:
        if beginning.match(data):
            if what == WEB_PAGE and (title := PAGE_TITLE.search(data)):
                what = f"{what} ({quote(title[1].decode(errors='replace'))})"
            raise format_error(source, what, f"{expected}, plain or gz", remedy)


def _read(source: str, expected: str) -> bytes:
    if isinstance(source, StandardInput):
        if len(source.data) > LARGEST:
            raise _too_large(source, expected)
        return source.data
    try:
        with open(source, "rb", buffering=0) as file:
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
        if os.path.islink(source):
            what = f"is a link to {os.readlink(source)}, which does not exist"
        else:
            folder, name = os.path.split(source)
            what = f"does not exist{did_you_mean(name, _names_in(folder or os.curdir))}"
        raise format_error(source, what, expected, "check the path") from None
    except IsADirectoryError:
        raise format_error(source, "is a directory", f"a file, {expected}", "name the files in it") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        what = f"cannot be read ({reason})"
        raise format_error(source, what, expected, "check the path and its permissions") from None


def _names_in(folder: str) -> list[str]:
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
    if not raw.startswith(GZ):
        return raw
    parts: list[bytes] = []
    room, member = LARGEST, zlib.decompressobj(wbits=31)
    for start in range(0, len(raw), GZ_PIECE):
        piece = raw[start : start + GZ_PIECE]
        # A gz file may be a sequence of gz members, padded with zeros.
        while piece := piece.lstrip(b"\0") if member.eof else piece:
            if member.eof:
                end = min(start + GZ_PIECE, len(raw)) - len(piece)
                if not raw.startswith(GZ, end):
                    what = f"has {len(raw) - end} byte(s) that are not gz after its gz data"
                    remedy = "fetch it again, or decompress it first (gunzip leaves such bytes out)"
                    raise format_error(source, what, f"{expected}, plain or gz", remedy)
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
