"""Lines of columns, read twice over: fast as long as nothing is odd, otherwise carefully, line by line.

The fast way is pyarrow's; without it every file is read carefully. Both ways give the same columns for the
same file. The fast way has no error messages: it gives up, and the careful way then either reads the file or
names the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from divmetrics.core.checks import shown
from divmetrics.core.held_texts import has_pyarrow, texts
from divmetrics.errors import DivmetricsError
from divmetrics.readers.opening import Contents, refusal

Kind = Literal["text", "integer", "number"]
Columns = dict[str, Any]

INTEGER = re.compile(rb"[+-]?[0-9]+")
NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


@dataclass(frozen=True)
class LineFormat:
    """Columns separated by blanks or tabs, by name and kind.

    "text" becomes Texts, "integer" numpy int64, "number" numpy float64, finite.
    `mistaken_for` is the number of columns, and the name, of the file that people give instead.
    """

    name: str
    columns: Mapping[str, Kind]
    mistaken_for: tuple[int, str] | None = None

    @property
    def description(self) -> str:
        """The format as an error message says it was expected."""
        return f"{self.name} ({len(self.columns)} columns: {' '.join(self.columns)})"


def read_columns(contents: Contents, form: LineFormat) -> Columns:
    """The columns of a file, by name; raises DivmetricsError naming the first line that does not fit."""
    columns = read_fast(contents, form)
    return read_carefully(contents, form) if columns is None else columns


def read_fast(contents: Contents, form: LineFormat) -> Columns | None:
    """The columns of a file, or None where anything but its white space is odd, or there is no pyarrow."""
    data = contents.data
    if not has_pyarrow():
        return None
    # pyarrow reads 0x10 as 16. A text without an x is soon seen to have none.
    if any(x in data and b"0" + x in data for x in (b"x", b"X")):
        return None
    columns = None
    if not (b"\v" in data or b"\f" in data or (b"\t" in data and b" " in data)):
        columns = _read_regular(data, form)
    return _read_regular(_with_single_blanks(data), form) if columns is None else columns


def _with_single_blanks(data: bytes) -> bytes:
    """The same lines with one blank between fields and none around them."""
    data = data.translate(BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    for end in (b"\n", b"\r"):
        data = data.replace(b" " + end, end).replace(end + b" ", end)
    return data.strip(b" ")


def _read_regular(data: bytes, form: LineFormat) -> Columns | None:
    import pyarrow as pa
    from pyarrow import csv

    from divmetrics.core.arrow_texts import ArrowTexts

    delimiter = "\t" if b"\t" in data else " "
    types = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            # One block keeps each column in one piece; threads are better spent on several files.
            csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=list(form.columns)),
            csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False),
            csv.ConvertOptions(
                column_types={name: types[kind] for name, kind in form.columns.items()},
                null_values=[],
                strings_can_be_null=False,
                check_utf8=not data.isascii(),
            ),
        )
    except pa.ArrowInvalid:
        return None
    if not table.num_rows:
        return None
    columns: Columns = {}
    for name, kind in form.columns.items():
        column = table[name].combine_chunks()
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
        # From the memory itself: pyarrow's own `to_numpy` would import pandas first.
        read = ArrowTexts(column) if kind == "text" else np.from_dlpack(column)
        if not (read.none_empty() if isinstance(read, ArrowTexts) else np.isfinite(read).all()):
            return None
        columns[name] = read
    return columns


def read_carefully(contents: Contents, form: LineFormat) -> Columns:
    """The columns of a file with any white space between them and blank lines anywhere."""
    converters = [_CONVERTERS[kind] for kind in form.columns.values()]
    rows: list[list[Any]] = []
    for number, line in enumerate(contents.data.splitlines(), contents.first_line):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != len(converters):
            raise _wrong_width(f"{contents.source}:{number}", line, form, is_first=not rows)
        row = []
        for name, convert, field in zip(form.columns, converters, fields, strict=True):
            try:
                row.append(convert(field))
            except ValueError:
                raise _bad_field(f"{contents.source}:{number}", line, name, field, form) from None
        rows.append(row)
    if not rows:
        what = "has a heading and nothing below it"
        raise refusal(contents.source, what, form.description, "check the file")
    columns: Columns = {}
    for (name, kind), values in zip(form.columns.items(), zip(*rows, strict=True), strict=True):
        if kind == "text":
            columns[name] = texts(list(values))
        else:
            columns[name] = np.array(values, np.int64 if kind == "integer" else np.float64)
    return columns


def integer(field: bytes) -> int:
    """A whole number of 64 bits as files write it; raises ValueError."""
    if not INTEGER.fullmatch(field):
        raise ValueError
    value = int(field)
    if not -(2**63) <= value < 2**63:
        raise ValueError
    return value


def _number(field: bytes) -> float:
    if not NUMBER.fullmatch(field):
        raise ValueError
    value = float(field)
    if not math.isfinite(value):
        raise ValueError
    return value


_CONVERTERS: dict[Kind, Callable[[bytes], Any]] = {
    "text": bytes.decode,
    "integer": integer,
    "number": _number,
}


def _wrong_width(where: str, line: bytes, form: LineFormat, is_first: bool) -> DivmetricsError:
    width = len(line.split())
    if form.mistaken_for and is_first and width == form.mistaken_for[0]:
        what = f"looks like {form.mistaken_for[1]} ({width} columns)"
        return refusal(where, what, form.description, "swap the arguments")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _not_utf8(where, line, "the line")
    what = f"has {width} column{'s' if width > 1 else ''} ({shown(' '.join(text.split()))})"
    return refusal(where, what, form.description, "correct or remove the line")


def _bad_field(where: str, line: bytes, name: str, field: bytes, form: LineFormat) -> DivmetricsError:
    kind, quoted = form.columns[name], shown(field.decode(errors="replace"))
    if kind == "text":
        return _not_utf8(where, line, f"{name} {quoted}")
    noun = "an integer" if kind == "integer" else "a finite number"
    bits = " of 64 bits" if kind == "integer" and INTEGER.fullmatch(field) else ""
    what = f"{name} {quoted} is not {noun}{bits}"
    return refusal(where, what, f"{noun} there, in {form.description}", "correct or remove the line")


def _not_utf8(where: str, line: bytes, subject: str) -> DivmetricsError:
    escaped = line.decode(errors="surrogateescape")  # bytes that are not UTF-8 become these code points
    byte = next(len(escaped[:i].encode()) for i, c in enumerate(escaped) if "\udc80" <= c <= "\udcff")
    what = f"{subject} is not UTF-8 (byte {byte + 1} of the line is 0x{line[byte]:02x})"
    return refusal(where, what, "UTF-8 text", "save the file as UTF-8, or give the text file if it is binary")
