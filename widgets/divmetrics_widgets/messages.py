"""What a message of the browser may hold: readers that give it back, or say in one sentence what is wrong.

A trait that the browser writes names its reader, `.tag(sync=True, reads=TEXT)`, and a widget that hears other
messages, such as requests, names one in `_hears`. Nothing else that arrives is taken. A reader is called with
a value and with the words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import traitlets

from divmetrics.core.checks import is_number, is_whole
from divmetrics.errors import DivmetricsError, start_and_end

Reader = Callable[[Any, str], Any]

LONGEST = 1_000_000  # letters of a text
MOST = 100_000  # things in one list
LARGEST = 10**15  # beyond it a browser and Python do not count alike
SHOWN = 60  # letters of a value in a sentence


def refused(value: Any, what: str, expected: str) -> DivmetricsError:
    """The sentence about a value that cannot be taken."""
    shown = ascii(value)
    return DivmetricsError(
        f"{what} is {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}, expected {expected}; "
        "the widget keeps what it had"
    )


def text(value: Any, what: str, *, least: int = 0) -> str:
    """A text that can be written to a file."""
    if not isinstance(value, str) or not least <= len(value) <= LONGEST:
        raise refused(value, what, "a text" if not least else "a text that is not empty")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise refused(value, what, "a text of whole letters") from None
    return value


class ShortenedText(traitlets.Unicode):
    """A trait for what is said in a widget: of more than anybody would read, the start and the end."""

    def validate(self, obj: Any, value: Any) -> str:
        """The text, shortened."""
        return start_and_end(str(value))


class Text(traitlets.Unicode):
    """A trait for users: what is no text is refused in our own words."""

    def validate(self, obj: Any, value: Any) -> str:
        """The text itself."""
        return text(value, str(self.name))


def name(value: Any, what: str) -> str:
    """A text that is not empty."""
    return text(value, what, least=1)


def flag(value: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise refused(value, what, "true or false")
    return value


def number(value: Any, what: str) -> float:
    """A finite number."""
    if not is_number(value) or abs(value) > LARGEST:
        raise refused(value, what, "a number")
    return value


def any_value(value: Any, what: str) -> Any:
    """What is read later, where more is known."""
    return value


def nothing(value: Any, what: str) -> Any:
    """The reader of a widget that hears no messages."""
    raise refused(value, what, "none: this widget hears no messages of its own")


def whole(least: int, most: int = LARGEST) -> Reader:
    """A whole number from least to most."""

    def read(value: Any, what: str) -> int:
        if not is_whole(value) or not least <= value <= most:
            raise refused(value, what, f"a whole number from {least} to {most}")
        return value

    return read


def one_of(words: Collection[str]) -> Reader:
    """One of these texts."""

    def read(value: Any, what: str) -> Any:
        if not isinstance(value, str) or value not in words:
            raise refused(value, what, f"one of {', '.join(word or 'an empty text' for word in words)}")
        return value

    return read


def union(*readers: Reader, expected: str) -> Reader:
    """What the first of them takes."""

    def read(value: Any, what: str) -> Any:
        for reader in readers:
            try:
                return reader(value, what)
            except DivmetricsError:
                continue
        raise refused(value, what, expected)

    return read


def optional(reader: Reader) -> Reader:
    """What the reader takes, or None."""

    def read(value: Any, what: str) -> Any:
        return None if value is None else reader(value, what)

    return read


def several(of: Reader, *, least: int = 0, key: str | None = None, once: bool = False) -> Reader:
    """A list; once: no two are the same, of records none has the same `key`."""

    def read(value: Any, what: str) -> list[Any]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= MOST:
            raise refused(value, what, f"a list of {least} to {MOST:,} things")
        found = [of(inner, f"{what}, number {place}") for place, inner in enumerate(value, 1)]
        if once or key is not None:
            seen: set[Any] = set()
            for inner in found:
                named = inner if key is None else inner[key]
                if named in seen:
                    raise refused(named, f"something in {what}", "each of them once")
                seen.add(named)
        return found

    return read


def table(keys: Reader, values: Reader) -> Reader:
    """An object whose keys may be any that `keys` takes."""

    def read(value: Any, what: str) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > MOST:
            raise refused(value, what, "an object")
        return {
            keys(key, f"a key of {what}"): values(inner, f"{what}, {key!a:.40}")
            for key, inner in value.items()
        }

    return read


def record(may: Collection[str] = (), **fields: Reader) -> Reader:
    """An object with these fields and no others; those in `may` may be missing."""

    def read(value: Any, what: str) -> dict[str, Any]:
        there = set(value) if isinstance(value, dict) else set()
        if not isinstance(value, dict) or there - set(fields) or set(fields) - there - set(may):
            raise refused(value, what, f"an object with {', '.join(fields)}")
        return {field: fields[field](inner, f"{what}, {field}") for field, inner in value.items()}

    return read


def request(**kinds: Reader) -> Reader:
    """A request of one of these kinds, `{id, kind, args}`, whose reader reads its arguments."""
    head = record(id=name, kind=one_of(kinds), args=any_value)

    def read(value: Any, what: str) -> dict[str, Any]:
        found: dict[str, Any] = head(value, what)
        return {**found, "args": kinds[found["kind"]](found["args"], f"the request for {found['kind']}")}

    return read
