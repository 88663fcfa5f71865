"""Read lines of columns: a regular file at once, any other line by line.

Both functions return the same columns for the same file. The fast one parses a file as one array of bytes and
has no error messages: for an irregular file it returns None, and the careful one reads it or names the line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.number_parsing import INTEGER, integer, integers, number, numbers
from divmetrics.io.string_column import ROOM, StringColumn

ColumnType = Literal["text", "integer", "number"]
Columns = dict[str, Any]

BLANKS = bytes.maketrans(b"\t\v\f\r", b"   \n")
PIECE = 1 << 22  # bytes
TAB, LINE_FEED, BLANK = b"\t\n "  # only bytes up to BLANK can end a field


@dataclass(frozen=True)
class LineFormat:
    """A format of columns separated by blanks or tabs: their types by name.

    "text" becomes StringColumn, "integer" numpy int64, "number" numpy float64, finite. `mistaken_for` is the
    number of columns and the name of a format that is often confused with it.
    """

    name: str
    columns: Mapping[str, ColumnType]
    mistaken_for: tuple[int, str] | None = None

    @property
    def description(self) -> str:
        """The format as error messages name it."""
        return f"{self.name} ({len(self.columns)} columns: {' '.join(self.columns)})"


def read_columns(contents: Contents, form: LineFormat) -> Columns:
    """Return the columns of a file; raise DivmetricsError, naming the line, if one is invalid."""
    columns = read_fast(contents, form)
    return read_carefully(contents, form) if columns is None else columns


def read_fast(contents: Contents, form: LineFormat) -> Columns | None:
    """Return the columns of a file, or None if it is irregular in more than its white space."""
    columns = _read_regular(contents.data, form)
    return _read_regular(_with_single_blanks(contents.data), form) if columns is None else columns


def _with_single_blanks(data: bytes) -> bytes:
    """Normalise white space: one blank between fields, none around them, no empty lines."""
    data = data.translate(BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    while b"\n\n" in data:
        data = data.replace(b"\n\n", b"\n")
    return data.strip()


def _read_regular(data: bytes, form: LineFormat) -> Columns | None:
    fields = _fields(data, len(form.columns))
    if fields is None:
        return None
    types = zip(form.columns.items(), fields, strict=True)
    try:
        return {name: _PARSERS[column_type](field) for (name, column_type), field in types}
    except ValueError:
        return None


def _fields(data: bytes, columns: int) -> list[StringColumn] | None:
    """Split lines with one blank or tab between fields into columns; return None for other lines."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    buffer = np.frombuffer(b"".join([bytes(ROOM), data, b"\n"[data.endswith(b"\n") :]]), np.uint8)
    text = buffer[ROOM:]
    ends = np.empty(np.count_nonzero(text <= BLANK), dtype=np.int32)
    filled = 0
    for start in range(0, len(text), PIECE):  # as 64-bit numbers, all of them would fill the memory
        here = np.flatnonzero(text[start : start + PIECE] <= BLANK)
        ends[filled : filled + len(here)] = here + (start + ROOM)
        filled += len(here)
    lines, more = divmod(len(ends), columns)
    others = len(ends) - np.count_nonzero(text == BLANK) - lines
    if more or (others and others != np.count_nonzero(text == TAB)):
        return None
    end = np.ascontiguousarray(ends.reshape(lines, columns).T)
    begin = np.empty_like(end)
    begin[1:] = end[:-1] + 1
    begin[0] = np.concatenate([[ROOM], end[-1, :-1] + 1])
    if (begin == end).any() or (buffer[end[-1]] != LINE_FEED).any():
        return None
    return [StringColumn(buffer, *spans) for spans in zip(begin, end, strict=True)]


def read_carefully(contents: Contents, form: LineFormat) -> Columns:
    """Return the columns of a file, reading line by line; any white space and blank lines are allowed.

    Raises DivmetricsError, naming the line, if one is invalid.
    """
    converters = [_CONVERTERS[column_type] for column_type in form.columns.values()]
    rows: list[list[Any]] = []
    for line_number, line in enumerate(contents.data.splitlines(), contents.first_line):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != len(converters):
            raise _wrong_width(f"{contents.source}:{line_number}", line, form, is_first=not rows)
        row = []
        for name, convert, field in zip(form.columns, converters, fields, strict=True):
            try:
                row.append(convert(field))
            except ValueError:
                raise _bad_field(f"{contents.source}:{line_number}", line, name, field, form) from None
        rows.append(row)
    if not rows:
        what = "has a heading and nothing below it"
        raise format_error(contents.source, what, form.description, "check the file")
    columns: Columns = {}
    for (name, column_type), values in zip(form.columns.items(), zip(*rows, strict=True), strict=True):
        if column_type == "text":
            columns[name] = StringColumn.of(values)
        else:
            columns[name] = np.array(values, np.int64 if column_type == "integer" else np.float64)
    return columns


_CONVERTERS: dict[ColumnType, Callable[[bytes], Any]] = {
    "text": bytes.decode,
    "integer": integer,
    "number": number,
}
_PARSERS: dict[ColumnType, Callable[[StringColumn], Any]] = {
    "text": lambda column: column,
    "integer": integers,
    "number": numbers,
}


def _wrong_width(where: str, line: bytes, form: LineFormat, is_first: bool) -> DivmetricsError:
    width = len(line.split())
    if form.mistaken_for and is_first and width == form.mistaken_for[0]:
        what = f"looks like {form.mistaken_for[1]} ({width} columns)"
        return format_error(where, what, form.description, "swap the arguments")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _not_utf8(where, line, "the line")
    what = f"has {width} column{'s' if width > 1 else ''} ({quote(' '.join(text.split()))})"
    return format_error(where, what, form.description, "correct or remove the line")


def _bad_field(where: str, line: bytes, name: str, field: bytes, form: LineFormat) -> DivmetricsError:
    quoted = quote(field.decode(errors="replace"))
    if form.columns[name] == "text":
        return _not_utf8(where, line, f"{name} {quoted}")
    noun = "an integer" if form.columns[name] == "integer" else "a finite number"
    bits = " of 64 bits" if noun == "an integer" and INTEGER.fullmatch(field) else ""
    what = f"{name} {quoted} is not {noun}{bits}"
    return format_error(where, what, f"{noun} there, in {form.description}", "correct or remove the line")


def _not_utf8(where: str, line: bytes, subject: str) -> DivmetricsError:
    escaped = line.decode(errors="surrogateescape")  # bytes that are not UTF-8 become these code points
    byte = next(len(escaped[:i].encode()) for i, c in enumerate(escaped) if "\udc80" <= c <= "\udcff")
    what = f"{subject} is not UTF-8 (byte {byte + 1} of the line is 0x{line[byte]:02x})"
    remedy = "save the file as UTF-8, or give the text file if it is binary"
    return format_error(where, what, "UTF-8 text", remedy)
