"""Read lines of columns: a regular file at once, any other line by line.

Both functions return the same columns for the same file. The fast one parses a file as one array of bytes and
has no error messages: for an irregular file it returns None, and the careful one reads it or names the line.

White space separates columns. Where it does not divide every line into the columns of the format, but tabs,
semicolons, commas or bars do (all but tabs with quoted fields), these separate them, and ids may hold blanks.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError, did_you_mean, join_words
from divmetrics.io.file_contents import Contents, format_error
from divmetrics.io.file_warnings import warn_of_file
from divmetrics.io.number_parsing import INTEGER, NUMBER, integer, integers, number, numbers
from divmetrics.io.string_column import ROOM, StringColumn

ColumnType = Literal["text", "integer", "number"]
Columns = dict[str, Any]

BLANKS = bytes.maketrans(b"\t\v\f\r", b"   \n")
PIECE = 1 << 22  # bytes
SEPARATORS = "\t;,|"  # between columns where white space does not divide them
# No-break spaces and the others of typesetting, in UTF-8; spreadsheets and web pages put them for blanks.
WIDE_BLANK = re.compile(rb"\xc2\xa0|\xe2\x80[\x80-\x8a\xaf]|\xe3\x80\x80")
TAB, LINE_FEED, BLANK = b"\t\n "  # only bytes up to BLANK can end a field
DECIMAL_COMMA = re.compile(rb"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
THOUSANDS = re.compile(rb"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # 1,234 may be a thousand or about one

Line = tuple[int, bytes, list[bytes]]  # its number, its bytes and its fields


@dataclass(frozen=True)
class LineFormat:
    """A format of lines with a fixed number of columns.

    `name` is that of the format in messages, and `columns` the types of its columns by name, in order: "text"
    is read as StringColumn, "integer" as numpy int64, "number" as numpy float64, finite. `mistaken_for`
    is (number of columns, positions from 0 of those that are numbers, name) of a format that is often
    confused with this one. words_at_end: whether more words than columns belong to the last column. heading:
    an example of a first line that names other columns, for messages; "" if the format has none.
    """

    name: str
    columns: Mapping[str, ColumnType]
    mistaken_for: tuple[int, tuple[int, ...], str] | None = None
    words_at_end: bool = False
    heading: str = ""

    @property
    def description(self) -> str:
        """The format as error messages name it: its name, and the number and names of its columns."""
        return f"{self.name} ({len(self.columns)} columns: {' '.join(self.columns)})"


def read_heading(contents: Contents, needed: Sequence[str], expected: str) -> list[str]:
    """Return the names of columns in the first line, between tabs, semicolons, commas, bars or blanks.

    The first of these signs that gives all `needed` names separates them; other names are returned, too.
    Raises DivmetricsError, which describes the format as `expected`, if a needed name is missing or a name
    occurs twice.
    """
    line, where = contents.first_line_bytes, f"{contents.source}:{contents.first_line}"
    ways = [_fields_between(line, sign) for sign in SEPARATORS if sign.encode() in line] + [first_words(line)]
    headings = [[field.decode(errors="replace") for field in fields] for fields in ways]
    heading = next((names for names in headings if set(needed) <= set(names)), headings[0])
    for name in needed:
        if name not in heading:
            what = f"the heading has no column {name!r}{did_you_mean(name, heading)}"
            raise format_error(where, what, expected, "add or rename it")
    twice = next((name for name in heading if heading.count(name) > 1), None)
    if twice is not None:
        raise format_error(where, f"the heading names {twice!r} twice", expected, "rename one")
    return heading


def read_columns(contents: Contents, form: LineFormat) -> Columns:
    """Return {name: column} of a file, each with a value for every line that is not blank.

    Columns are between white space or, where ids hold blanks, between tabs, semicolons, commas or bars. Warns
    of blanks in ids and of decimal commas. Raises DivmetricsError, naming the line, if a line has another
    number of columns, or a field is no number where one is expected, or is not UTF-8.
    """
    columns = read_fast(contents, form)
    return read_carefully(contents, form) if columns is None else columns


def read_fast(contents: Contents, form: LineFormat) -> Columns | None:
    """Return the result of `read_columns`, or None if only `read_carefully` can read the file.

    It returns None for faulty files, too. Irregular white space is no fault. Files with blanks in columns are
    read if the first line has the separators and no field is in quotation marks.
    """
    columns = _read_regular(contents.data, form)
    if columns is None:
        columns = _read_regular(_with_single_blanks(contents.data), form)
    if columns is not None:
        return columns
    tabbed = _with_tabs(contents, form)
    columns = None if tabbed is None else _read_regular(tabbed, form, blanks_separate=False)
    if tabbed is not None and columns is not None:
        lines = tabbed.split(b"\n")
        _warn_of({"blanks inside a column": sum(b" " in line for line in lines)}, contents, len(lines))
    return columns


def _with_tabs(contents: Contents, form: LineFormat) -> bytes | None:
    """Return the lines with one tab for each separator, or None if what separates columns is not clear."""
    first = re.match(rb"\s*([^\r\n]*)", contents.data)
    separators = (
        sign for sign in SEPARATORS.encode() if first and first[1].count(sign) == len(form.columns) - 1
    )
    separator = next(separators, None)
    if separator is not None:
        sign = bytes([separator])
        if sign != b"\t" and (b"\t" in contents.data or b'"' in contents.data):
            return None
        data = contents.data.replace(sign, b"\t").replace(b"\r", b"\n")
        for blanks, plain in (
            (b"\t ", b"\t"),
            (b" \t", b"\t"),
            (b"\n ", b"\n"),
            (b" \n", b"\n"),
            (b"\n\n", b"\n"),
        ):
            while blanks in data:
                data = data.replace(blanks, plain)
        return data.strip(b" \n")
    if form.words_at_end:
        tabs = b"\t".join(rb"\%d" % place for place in range(1, len(form.columns) + 1))
        return _words_at_end(len(form.columns)).sub(tabs, _with_single_blanks(contents.data))
    return None


@cache
def _words_at_end(width: int) -> re.Pattern[bytes]:
    """Return a pattern for a line of at least `width` words between single blanks, with a group a column."""
    return re.compile(rb"^" + rb"(\S+) " * (width - 1) + rb"(.+)$", re.MULTILINE)


def _warn_of(counted: Mapping[str, int], contents: Contents, n_lines: int) -> None:
    """Warn of what was counted in a file, {what: count}, unless it is nothing."""
    untidy = [f"{what} ({count} time(s))" for what, count in counted.items() if count]
    if untidy:
        kind = " ".join(what for what, count in counted.items() if count)
        warn_of_file(contents.source, kind, f"has {join_words(untidy)} in {n_lines} line(s), read as such")


def _with_single_blanks(data: bytes) -> bytes:
    """Normalise white space: one blank between fields, none around them, no empty lines."""
    data = data.translate(BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    data = data.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    while b"\n\n" in data:
        data = data.replace(b"\n\n", b"\n")
    return data.strip()


def _read_regular(data: bytes, form: LineFormat, blanks_separate: bool = True) -> Columns | None:
    fields = _fields(data, len(form.columns), blanks_separate)
    if fields is None:
        return None
    types = zip(form.columns.items(), fields, strict=True)
    try:
        return {name: _PARSERS[column_type](field) for (name, column_type), field in types}
    except ValueError:
        return None


def _fields(data: bytes, columns: int, blanks_separate: bool) -> list[StringColumn] | None:
    """Split lines with one blank or tab between fields into columns; return None for other lines."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    buffer = np.frombuffer(b"".join([bytes(ROOM), data, b"\n"[data.endswith(b"\n") :]]), np.uint8)
    text = buffer[ROOM:]
    ends_field = np.less_equal if blanks_separate else np.less
    ends = np.empty(np.count_nonzero(ends_field(text, BLANK)), dtype=np.int32)
    filled = 0
    for start in range(0, len(text), PIECE):  # as 64-bit numbers, all of them would fill the memory
        here = np.flatnonzero(ends_field(text[start : start + PIECE], BLANK))
        ends[filled : filled + len(here)] = here + (start + ROOM)
        filled += len(here)
    lines, more = divmod(len(ends), columns)
    others = len(ends) - (np.count_nonzero(text == BLANK) if blanks_separate else 0) - lines
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
    """Return the result of `read_columns`, reading line by line, which is slow but reads all valid files.

    Warnings and errors are those of `read_columns`.
    """
    lines = _split(contents, form)
    if not lines:
        what = "has a heading and nothing below it"
        raise format_error(contents.source, what, form.description, "check the file")
    numbers_at = [place for place, kind in enumerate(form.columns.values()) if kind == "number"]
    counted = {
        "a decimal comma": sum(_replace_decimal_commas(lines, place) for place in numbers_at),
        "blanks inside a column": sum(any(b" " in field for field in fields) for _, _, fields in lines),
    }
    _warn_of(counted, contents, len(lines))
    columns: Columns = {}
    rows: list[list[Any]] = []
    for line_number, line, fields in lines:
        row = []
        for (name, column_type), field in zip(form.columns.items(), fields, strict=True):
            try:
                row.append(_CONVERTERS[column_type](field))
            except ValueError:
                raise _bad_field(f"{contents.source}:{line_number}", line, name, field, form) from None
        rows.append(row)
    for (name, column_type), values in zip(form.columns.items(), zip(*rows, strict=True), strict=True):
        if column_type == "text":
            columns[name] = StringColumn.of(values)
        else:
            columns[name] = np.array(values, np.int64 if column_type == "integer" else np.float64)
    return columns


def _split(contents: Contents, form: LineFormat) -> list[Line]:
    """Split lines that are not blank into fields; raise DivmetricsError, naming the line, if that fails."""
    numbered = enumerate(contents.data.splitlines(), contents.first_line)
    lines = [(row, line) for row, line in numbered if line.strip()]
    width = len(form.columns)
    by_white_space = [(row, line, line.split()) for row, line in lines]
    wrong = next((row for row, (_, _, fields) in enumerate(by_white_space) if len(fields) != width), None)
    if wrong is None:
        return by_white_space
    for separator in SEPARATORS:
        split = []
        for row, line in lines:
            fields = _fields_between(line, separator)
            if len(fields) != width or not all(fields):
                break
            split.append((row, line, fields))
        else:
            return split
    split = [(row, line, _fields_between_blanks(line)) for row, line in lines]
    if all(len(fields) == width for _, _, fields in split):
        wide = sum(WIDE_BLANK.search(line) is not None for _, line in lines)
        _warn_of({"non-breaking spaces between columns": wide}, contents, len(lines))
        return split
    if form.words_at_end:
        split = [(row, line, _with_words_at_end(fields, width)) for row, line, fields in by_white_space]
        wrong = next((row for row, line in enumerate(split) if not _fits(line[2], form)), None)
        if wrong is None:
            return split
    row, line = lines[wrong]
    raise _wrong_width(f"{contents.source}:{row}", line, form, is_first=not wrong)


def first_words(line: bytes) -> list[bytes]:
    """Return the fields of a line between white space; if that is one field, between no-break spaces, too."""
    words = line.split()
    return words if len(words) > 1 else _fields_between_blanks(line)


def _fields_between_blanks(line: bytes) -> list[bytes]:
    """Return the fields between white space, non-breaking spaces included."""
    return WIDE_BLANK.sub(b" ", line).split()


def _fields_between(line: bytes, separator: str) -> list[bytes]:
    """Return the fields between separators, without quotation marks except between tabs."""
    if separator == "\t":
        return [field.strip() for field in line.split(b"\t")]
    text = line.decode(errors="surrogateescape")
    try:
        fields = next(csv.reader([text], delimiter=separator))
    except csv.Error:  # a field of more than 131,072 characters
        return []
    return [field.encode(errors="surrogateescape").strip() for field in fields]


def _with_words_at_end(fields: list[bytes], width: int) -> list[bytes]:
    return [*fields[: width - 1], b" ".join(fields[width - 1 :])]


def _fits(fields: Sequence[bytes], form: LineFormat) -> bool:
    """Return whether the fields are as many as the columns, and numbers where these are numbers."""
    types = form.columns.values()
    return len(fields) == len(types) and all(
        NUMBER.fullmatch(field) or (column_type == "text" and field)
        for column_type, field in zip(types, fields, strict=True)
    )


def _replace_decimal_commas(lines: Sequence[Line], place: int) -> int:
    """Replace decimal commas in a column by points; return their number.

    A column with points, or one in which commas may separate thousands, stays as it is.
    """
    column = [fields[place] for _, _, fields in lines]
    commas = [field for field in column if b"," in field]
    if any(b"." in field for field in column) or not all(map(DECIMAL_COMMA.fullmatch, commas)):
        return 0
    if len(commas) < len(column) and all(map(THOUSANDS.fullmatch, commas)):
        return 0
    for _, _, fields in lines:
        fields[place] = fields[place].replace(b",", b".")
    return len(commas)


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
    fields = line.split()
    cells = max((_fields_between(line, separator) for separator in SEPARATORS), key=len)
    if len(fields) == 1 and len(cells) != len(form.columns):
        fields = cells
    width = len(fields)
    if form.mistaken_for and is_first:
        other_width, numbers, other = form.mistaken_for
        if width == other_width and all(NUMBER.fullmatch(fields[place].lstrip(b"L")) for place in numbers):
            what = f"looks like {other} ({width} columns)"
            return format_error(where, what, form.description, "swap the arguments")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _not_utf8(where, line, "the line")
    what = f"has {width} column{'s' if width > 1 else ''} ({quote(' '.join(text.split()))})"
    if wide := len(WIDE_BLANK.findall(line)):
        what = f"{what}, and {wide} non-breaking space(s) in them"
    remedy = "correct or remove the line"
    if form.heading and is_first:
        remedy = f"{remedy}, or name the columns above it (such as {form.heading})"
    if width > len(form.columns):
        remedy = f"{remedy}, or put a tab between all columns if ids hold blanks"
    return format_error(where, what, form.description, remedy)


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
