"""Read the objects of JSON files: a single object, a list of objects, or JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from divmetrics.core.checks import is_number, is_whole, quote
from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import Contents, format_error

BLANKS = re.compile(r"[ \t\r\n]*")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Record:
    """An object of a JSON file; its methods check fields and raise DivmetricsError.

    where: file and line; expected: the format, for messages; name: its name within the outermost object at
    `where`.
    """

    where: str
    fields: Mapping[str, Any]
    expected: str
    name: str = ""

    def error(self, what: str, remedy: str = "correct it") -> DivmetricsError:
        """Return the error for this object, with the fault `what` and the remedy."""
        return format_error(self.where, f"{self.name} {what}".strip(), self.expected, remedy)

    def has(self, key: str) -> bool:
        """Return whether the field exists and is not null."""
        return self.fields.get(key) is not None

    def text(self, key: str, *, empty: bool = False) -> str:
        """Return the text of a field, which may be empty only if `empty` is true."""
        self._require(key)
        return self.check_text(self.fields[key], key, empty)

    def number(self, key: str) -> float:
        """Return the finite number of a field."""
        self._require(key)
        value = self.fields[key]
        if not is_number(value):
            raise self.error(f"has {quote(value)} as {key}, which is not a finite number")
        return float(value)

    def first_text(self, *keys: str) -> str:
        """Return the text of the first of these fields that holds text, or ""."""
        return next((value for key in keys if isinstance(value := self.fields.get(key), str)), "")

    def id(self, *names: str) -> str:
        """Return the text, or the whole number as text, of the first of these fields that the object has."""
        key = next(filter(self.has, names), names[0])
        self._require(key)
        return self.check_id(self.fields[key], key)

    def values(self, key: str) -> list[Any]:
        """Return the list of a field, which may be empty."""
        self._require(key, ", as a list")
        value = self.fields[key]
        if not isinstance(value, list):
            raise self.error(f"has {quote(value)} as {key}, which is not a list", "make it a list")
        return value

    def ids(self, key: str) -> list[str]:
        """Return the list of a field, of texts that are not empty or whole numbers as text."""
        return [self.check_id(value, f"entry {n} of {key}") for n, value in enumerate(self.values(key), 1)]

    def records(self, key: str, noun: str) -> Iterator[Record]:
        """Yield the objects in the list of a field, each named by `noun` and its number from 1."""
        for number, value in enumerate(self.values(key), 1):
            yield self.record(value, f"{noun} {number}")

    def record(self, value: Any, name: str) -> Record:
        """Return `value`, an object inside this one, as a Record with a name for messages."""
        full = f"{self.name}, {name}" if self.name else name
        if not isinstance(value, dict):
            raise self.error(f"has {quote(value)} as {name}, which is not an object", "make it an object")
        return Record(self.where, value, self.expected, full)

    def check_id(self, value: Any, name: str) -> str:
        """Return a nonempty text, or a whole number as text; raise DivmetricsError for other values.

        `name` names the value in the message.
        """
        return str(value) if is_whole(value) else self.check_text(value, name)

    def check_text(self, value: Any, name: str, empty: bool = False) -> str:
        """Return a text; raise DivmetricsError for others, or an empty one unless `empty`.

        `name` names the value in the message.
        """
        if not isinstance(value, str):
            raise self.error(f"has {quote(value)} as {name}, which is not a text", "make it a text")
        if not empty and (not value or value.isspace()):
            raise self.error(f"has an empty {name}", "fill it in, or remove what it belongs to")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.error(f"has half a character in {name} ({quote(value)})", "write it whole") from None
        return value

    def _require(self, key: str, form: str = "") -> None:
        if not self.has(key):
            raise self.error(f"has no {key}", f"add {key}{form}")


def records(contents: Contents, expected: str) -> Iterator[Record]:
    """Yield the objects of a file, or the objects in its list.

    Raises DivmetricsError, naming the line, if the file is not JSON, a value is not an object, or an object
    has a duplicate name (Python's parser would use its last value). `expected` describes the format in
    messages.
    """
    text, decoder = contents.text(), json.JSONDecoder(object_pairs_hook=_reject_duplicate_keys)
    end_of_text, count = len(text.rstrip()) - 1, 0
    lines = _LineCounter(contents, text)

    def error(position: int, what: str, remedy: str = "correct it") -> DivmetricsError:
        return format_error(f"{contents.source}:{lines.line(position)}", what, expected, remedy)

    at = _skip_blanks(text, 0)
    is_list = text.startswith("[", at)
    if is_list:
        at = _skip_blanks(text, at + 1)
    while at < len(text) and not (is_list and text[at] == "]"):
        where = f"{contents.source}:{lines.line(at)}"
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as problem:
            raise error(problem.pos, f"is not JSON ({problem.msg})") from None
        except (ValueError, RecursionError) as problem:
            raise error(at, f"is not JSON ({problem})") from None
        if not isinstance(value, dict):
            raise error(at, f"{quote(value)} is not a JSON object", "correct or remove it")
        yield Record(where, value, expected)
        count += 1
        at = _skip_blanks(text, end)
        if is_list:
            if not text.startswith((",", "]"), at):
                raise error(min(at, len(text) - 1), "is not JSON (a list breaks off)")
            at = _skip_blanks(text, at + 1) if text[at] == "," else at
    if is_list and (at >= len(text) or _skip_blanks(text, at + 1) < len(text)):
        raise error(end_of_text, "is not JSON (one list, closed at the end)")
    if not count:
        raise format_error(contents.source, "holds an empty list", expected, "check where the file came from")


class _LineCounter:
    """A counter of lines up to a character; its position must not decrease."""

    def __init__(self, contents: Contents, text: str) -> None:
        self._text, self._counted, self._line = text, 0, contents.first_line

    def line(self, position: int) -> int:
        self._line += len(LINE_END.findall(self._text, self._counted, position))
        self._counted = max(position, self._counted)
        return self._line


def _skip_blanks(text: str, position: int) -> int:
    match = BLANKS.match(text, position)
    return position if match is None else match.end()


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; raise ValueError for a duplicate name, which a dict would drop."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{quote(twice)} is given twice in one object")
    return values
