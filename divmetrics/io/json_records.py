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
    """An object of a JSON file; all methods but `has`, `first_text` and `error` raise DivmetricsError.

    They do so if a field is missing or null, or its value is not what they return. `where` is the file and
    line of the outermost object, `fields` the parsed object, `expected` the format, for messages, and `name`
    the name of this object within the outermost one, "" for that itself.
    """

    where: str
    fields: Mapping[str, Any]
    expected: str
    name: str = ""

    def error(self, what: str, remedy: str = "correct it") -> DivmetricsError:
        """Return, not raise, the error for this object, with the fault `what` and the remedy."""
        return format_error(self.where, f"{self.name} {what}".strip(), self.expected, remedy)

    def has(self, key: str) -> bool:
        """Return whether the field `key` exists and is not null."""
        return self.fields.get(key) is not None

    def text(self, key: str, *, empty: bool = False) -> str:
        """Return the text of the field `key`, which may be empty or blank only if `empty` is True."""
        self._require(key)
        return self.check_text(self.fields[key], key, empty)

    def number(self, key: str) -> float:
        """Return the number in the field `key`, which must be finite, as float."""
        self._require(key)
        value = self.fields[key]
        if not is_number(value):
            raise self.error(f"has {quote(value)} as {key}, which is not a finite number")
        return float(value)

    def first_text(self, *keys: str) -> str:
        """Return the text of the first of the fields `keys` that holds text, perhaps ""; "" if none does."""
        return next((value for key in keys if isinstance(value := self.fields.get(key), str)), "")

    def id(self, *names: str) -> str:
        """Return the id in the first of the fields `names` that the object has, as `check_id` does."""
        key = next(filter(self.has, names), names[0])
        self._require(key)
        return self.check_id(self.fields[key], key)

    def values(self, key: str) -> list[Any]:
        """Return the list in the field `key`, which may be empty, with whatever it holds."""
        self._require(key, ", as a list")
        value = self.fields[key]
        if not isinstance(value, list):
            raise self.error(f"has {quote(value)} as {key}, which is not a list", "make it a list")
        return value

    def ids(self, key: str) -> list[str]:
        """Return the list of ids in the field `key`, which may be empty, each as `check_id` returns it."""
        return [self.check_id(value, f"entry {n} of {key}") for n, value in enumerate(self.values(key), 1)]

    def records(self, key: str, noun: str) -> Iterator[Record]:
        """Yield the objects in the list in the field `key` as Records, named by `noun` and numbers from 1."""
        for number, value in enumerate(self.values(key), 1):
            yield self.record(value, f"{noun} {number}")

    def record(self, value: Any, name: str) -> Record:
        """Return `value`, a dict inside this object, as a Record with a name for messages."""
        full = f"{self.name}, {name}" if self.name else name
        if not isinstance(value, dict):
            raise self.error(f"has {quote(value)} as {name}, which is not an object", "make it an object")
        return Record(self.where, value, self.expected, full)

    def check_id(self, value: Any, name: str) -> str:
        """Return an id as text: text that is not blank, or a whole number.

        Raises DivmetricsError for all else; `name` names the value in the message.
        """
        return str(value) if is_whole(value) else self.check_text(value, name)

    def check_text(self, value: Any, name: str, empty: bool = False) -> str:
        """Return a value that is text; raise DivmetricsError for others, and for blank text unless `empty`.

        Text with half a surrogate pair is refused, too. `name` names the value in the message.
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
    """Yield the objects of a file as Records: those in a list, or one after the other, such as one a line.

    Raises DivmetricsError, naming the line, if the file is not JSON or UTF-8, a value is not an object, an
    object has a duplicate name (Python's parser would use its last value), or there is no object. `expected`
    describes the format in messages. Objects before the fault are yielded.
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
