"""Readers of the browser's messages: each returns the value, or raises an error of one sentence.

A trait that the browser writes names its reader, `.tag(sync=True, reads=text)`, and a widget that accepts
other messages, such as requests, names one in `_hears`. Everything else is rejected. A reader takes a value
and its description for the error message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import traitlets

from divmetrics.core.checks import is_number, is_whole
from divmetrics.errors import DivmetricsError, shorten, start_and_end

Reader = Callable[[Any, str], Any]

LONGEST = 1_000_000  # characters of a text
MOST = 100_000  # items of one list
LARGEST = 10**15  # whole numbers up to here are exact in JavaScript


def refused(value: Any, what: str, expected: str) -> DivmetricsError:
    """Return the error for a value that is rejected."""
    return DivmetricsError(
        f"{what} is {shorten(ascii(value))}, expected {expected}; the widget keeps what it had"
    )


def text(value: Any, what: str, *, least: int = 0) -> str:
    """Read a text that can be written to a file."""
    if not isinstance(value, str) or not least <= len(value) <= LONGEST:
        raise refused(value, what, "a text" if not least else "a text that is not empty")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise refused(value, what, "a text of whole letters") from None
    return value


class ShortenedText(traitlets.Unicode):
    """A trait for messages in a widget, which shortens a long text to its start and end."""

    def validate(self, obj: Any, value: Any) -> str:
        """Return the text, shortened."""
        return start_and_end(str(value))


class Text(traitlets.Unicode):
    """A text trait with an error message of our own."""

    def validate(self, obj: Any, value: Any) -> str:
        """Return the text."""
        return text(value, str(self.name))


def name(value: Any, what: str) -> str:
    """Read a text that is not empty."""
    return text(value, what, least=1)


def flag(value: Any, what: str) -> bool:
    """Read True or False."""
    if not isinstance(value, bool):
        raise refused(value, what, "true or false")
    return value


def number(value: Any, what: str) -> float:
    """Read a finite number."""
    if not is_number(value) or abs(value) > LARGEST:
        raise refused(value, what, "a number")
    return value


def any_value(value: Any, what: str) -> Any:
    """Return a value that is checked later."""
    return value


def nothing(value: Any, what: str) -> Any:
    """Reject every message: the reader of a widget that accepts none."""
    raise refused(value, what, "none: this widget hears no messages of its own")


def whole(least: int, most: int = LARGEST) -> Reader:
    """Return a reader of a whole number from `least` to `most`."""

    def read(value: Any, what: str) -> int:
        if not is_whole(value) or not least <= value <= most:
            raise refused(value, what, f"a whole number from {least} to {most}")
        return value

    return read


def one_of(words: Collection[str]) -> Reader:
    """Return a reader of one of these texts."""

    def read(value: Any, what: str) -> Any:
        if not isinstance(value, str) or value not in words:
            raise refused(value, what, f"one of {', '.join(word or 'an empty text' for word in words)}")
        return value

    return read


def union(*readers: Reader, expected: str) -> Reader:
    """Return a reader that takes the result of the first of these readers that accepts the value."""

    def read(value: Any, what: str) -> Any:
        for reader in readers:
            try:
                return reader(value, what)
            except DivmetricsError:
                continue
        raise refused(value, what, expected)

    return read


def optional(reader: Reader) -> Reader:
    """Return a reader that accepts None, too."""

    def read(value: Any, what: str) -> Any:
        return None if value is None else reader(value, what)

    return read


def several(of: Reader, *, least: int = 0, key: str | None = None, once: bool = False) -> Reader:
    """Return a reader of a list; once: without repetition, key: no two records have the same `key`."""

    def read(value: Any, what: str) -> list[Any]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= MOST:
            raise refused(value, what, f"a list of {least} to {MOST:,} things")
        items = [of(inner, f"{what}, number {place}") for place, inner in enumerate(value, 1)]
        if once or key is not None:
            seen: set[Any] = set()
            for inner in items:
                identity = inner if key is None else inner[key]
                if identity in seen:
                    raise refused(identity, f"something in {what}", "each of them once")
                seen.add(identity)
        return items

    return read


def table(keys: Reader, values: Reader) -> Reader:
    """Return a reader of an object with any keys that `keys` accepts."""

    def read(value: Any, what: str) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > MOST:
            raise refused(value, what, "an object")
        return {
            keys(key, f"a key of {what}"): values(inner, f"{what}, {key!a:.40}")
            for key, inner in value.items()
        }

    return read


def record(may: Collection[str] = (), **fields: Reader) -> Reader:
    """Return a reader of an object with exactly these fields, of which those in `may` are optional."""

    def read(value: Any, what: str) -> dict[str, Any]:
        present = set(value) if isinstance(value, dict) else set()
        if not isinstance(value, dict) or present - set(fields) or set(fields) - present - set(may):
            raise refused(value, what, f"an object with {', '.join(fields)}")
        return {field: fields[field](inner, f"{what}, {field}") for field, inner in value.items()}

    return read


def request(**kinds: Reader) -> Reader:
    """Return a reader of `{id, kind, args}`, which reads `args` with the reader of its kind."""
    head = record(id=name, kind=one_of(kinds), args=any_value)

    def read(value: Any, what: str) -> dict[str, Any]:
        message: dict[str, Any] = head(value, what)
        return {
            **message,
            "args": kinds[message["kind"]](message["args"], f"the request for {message['kind']}"),
        }

    return read
