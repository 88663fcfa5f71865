"""JSON files: one value, a list of values, or one after the other (JSON lines), each with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from divmetrics.core.checks import is_whole, quote
from divmetrics.errors import DivmetricsError
from divmetrics.io.file_contents import Contents, format_error

BEGINNING = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\]])')
BETWEEN = re.compile(r"[ \t\r\n]*")
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Record:
    """An object of a JSON file; `name` says which one where several stand in one entry of the file."""

    where: str
    fields: Mapping[str, Any]
    expected: str
    name: str = ""

    def refusal(self, what: str, remedy: str = "correct it") -> DivmetricsError:
        """The sentence that refuses the file because of this object."""
        return format_error(self.where, f"{self.name} {what}".strip(), self.expected, remedy)

    def has(self, key: str) -> bool:
        """Whether there is such a field, and not null in it."""
        return self.fields.get(key) is not None

    def text(self, key: str) -> str:
        """A text that is not empty."""
        if not self.has(key):
            raise self.refusal(f"has no {key}", f"add {key}")
        return self._text(self.fields[key], key)

    def id(self, key: str) -> str:
        """A text that is not empty, or a whole number as text."""
        value = self.fields.get(key)
        return str(value) if is_whole(value) else self.text(key)

    def values(self, key: str) -> list[Any]:
        """A list, which may be empty."""
        if not self.has(key):
            raise self.refusal(f"has no {key}", f"add {key}, as a list")
        value = self.fields[key]
        if not isinstance(value, list):
            raise self.refusal(f"has {quote(value)} as {key}, which is not a list", "make it a list")
        return value

    def ids(self, key: str) -> list[str]:
        """A list of texts that are not empty, or of whole numbers."""
        return [
            str(value) if is_whole(value) else self._text(value, f"entry {number} of {key}")
            for number, value in enumerate(self.values(key), 1)
        ]

    def records(self, key: str, noun: str) -> Iterator[Record]:
        """The objects of a list; `noun` says what each of them is."""
        for number, value in enumerate(self.values(key), 1):
            yield self.record(value, f"{noun} {number}")

    def record(self, value: Any, name: str) -> Record:
        """An object within this one."""
        full = f"{self.name}, {name}" if self.name else name
        if not isinstance(value, dict):
            raise self.refusal(f"has {quote(value)} as {name}, which is not an object", "make it an object")
        return Record(self.where, value, self.expected, full)

    def _text(self, value: Any, what: str) -> str:
        if not isinstance(value, str):
            raise self.refusal(f"has {quote(value)} as {what}, which is not a text", "make it a text")
        if not value or value.isspace():
            raise self.refusal(f"has an empty {what}", "fill it in, or remove what it belongs to")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.refusal(f"has half a character in {what} ({quote(value)})", "write it whole") from None
        return value


def is_json(contents: Contents) -> bool:
    """Whether the file begins as a JSON object, or as a list of objects does."""
    return BEGINNING.match(contents.data) is not None


def first_object(contents: Contents) -> Mapping[str, Any]:
    """The first object in the file, to see what it is; empty where it cannot be read."""
    text = contents.data.decode(errors="replace").lstrip().removeprefix("[").lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def records(contents: Contents, expected: str) -> Iterator[Record]:
    """The objects of a file, those of a list one by one.

    Raises DivmetricsError, naming the line, for what is no JSON, for a value that is no object, and where an
    object has a name twice, of which the last would count otherwise.
    """
    text, decoder = contents.text(), json.JSONDecoder(object_pairs_hook=reject_duplicate_keys)
    place, line, seen = _Places(contents, text), 0, 0
    at = _after_blanks(text, 0)
    listed = text.startswith("[", at)
    if listed:
        at = _after_blanks(text, at + 1)
    while at < len(text) and not (listed and text[at] == "]"):
        line = place.line(at)
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            where = f"{contents.source}:{place.line(error.pos)}"
            raise format_error(where, f"is not JSON ({error.msg})", expected, "correct it") from None
        except (ValueError, RecursionError) as error:
            where = f"{contents.source}:{line}"
            raise format_error(where, f"is not JSON ({error})", expected, "correct it") from None
        where = f"{contents.source}:{line}"
        if not isinstance(value, dict):
            raise format_error(
                where, f"{quote(value)} is not a JSON object", expected, "correct or remove it"
            )
        yield Record(where, value, expected)
        seen += 1
        at = _after_blanks(text, end)
        if listed:
            if not text.startswith((",", "]"), at):
                where = f"{contents.source}:{place.line(min(at, len(text) - 1))}"
                raise format_error(where, "is not JSON (a list breaks off)", expected, "correct it")
            at = _after_blanks(text, at + 1) if text[at] == "," else at
    if listed and (at >= len(text) or _after_blanks(text, at + 1) < len(text)):
        where = f"{contents.source}:{place.line(len(text.rstrip()) - 1)}"
        raise format_error(where, "is not JSON (one list, closed at the end)", expected, "correct it")
    if not seen:
        raise format_error(contents.source, "holds an empty list", expected, "check where the file came from")


class _Places:
    """The line of a character, asked for from the front to the back."""

    def __init__(self, contents: Contents, text: str) -> None:
        self._text, self._seen, self._line = text, 0, contents.first_line

    def line(self, at: int) -> int:
        self._line += len(LINE_END.findall(self._text, self._seen, at))
        self._seen = max(at, self._seen)
        return self._line


def _after_blanks(text: str, at: int) -> int:
    found = BETWEEN.match(text, at)
    return at if found is None else found.end()


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; without this, the last of two values of one name would count."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{quote(twice)} is given twice in one object")
    return found
