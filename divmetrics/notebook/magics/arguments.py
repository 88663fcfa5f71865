"""Parse the line of a magic into words and options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from divmetrics.errors import DivmetricsError, did_you_mean, shorten
from divmetrics.notebook.magics.magic import Magic, Option


@dataclass(frozen=True)
class Arguments:
    """The words of a line in order, and {name of an option without dashes: its values} ([] for a switch)."""

    words: tuple[str, ...] = ()
    options: dict[str, list[str]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Return whether the line has the option."""
        return name in self.options

    def all(self, name: str) -> list[str]:
        """Return every value of an option, in order; [] if the line does not have it."""
        return self.options.get(name, [])

    def one(self, name: str, default: str = "") -> str:
        """Return the last value of an option, or the default."""
        return (self.options.get(name) or [default])[-1]

    def number(self, name: str, default: int) -> int:
        """Return the whole number after an option, or the default; raise DivmetricsError for other text."""
        text = self.one(name, str(default))
        if not re.fullmatch(r"[0-9]{1,15}", text):
            raise DivmetricsError(
                f"--{name} is {shorten(text)!r}, expected a whole number of at most 15 digits"
            )
        return int(text)


def read_arguments(magic: Magic, line: str) -> Arguments:
    """Parse the arguments of a magic; raise DivmetricsError for an unknown option or a missing value."""
    by_flag = {flag: option for option in magic.options for flag in option.flags}
    words: list[str] = []
    options: dict[str, list[str]] = {}
    pieces = split(line)
    while pieces:
        piece = pieces.pop(0)
        flag, equals, value = piece.partition("=") if piece.startswith("--") else (piece, "", "")
        if flag in by_flag:
            option = by_flag[flag]
            values = _values(option, flag, value, equals, pieces)
            if option.name in options and not option.many:
                raise DivmetricsError(f"{flag} is given twice; give it once")
            options.setdefault(option.name, []).extend(values)
        elif piece.startswith("-") and len(piece) > 1:
            takes = f"it takes {', '.join(by_flag)}" if by_flag else "it takes no options"
            raise DivmetricsError(f"there is no option {flag!r}{did_you_mean(flag, by_flag)}; {takes}")
        else:
            words.append(piece)
    return Arguments(tuple(words), options)


def _values(option: Option, flag: str, value: str, equals: str, pieces: list[str]) -> list[str]:
    if not option.takes:
        if equals:
            raise DivmetricsError(f"{flag} takes no value, but is given {value!r}; leave it out")
        return []
    if not equals:
        if not pieces or pieces[0].startswith("-"):
            raise DivmetricsError(f"{flag} is to be followed by a {option.takes}")
        value = pieces.pop(0)
    return [x for x in map(str.strip, split_at_commas(value)) if x] if option.takes == "metric" else [value]


def split(line: str) -> list[str]:
    """Split a line into words; quotation marks keep spaces, # and backslashes have no special meaning.

    Raises DivmetricsError if a quotation mark is not closed.
    """
    lexer = shlex.shlex(line.strip().removesuffix(";"), posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return list(lexer)
    except ValueError:
        raise DivmetricsError(f"a quotation mark is not closed in {line.strip()!r}") from None


def split_at_commas(text: str) -> list[str]:
    """Split a text at commas outside brackets, whether the brackets are closed or not."""
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def at_most(words: Sequence[str], most: int, what: str) -> None:
    """Raise DivmetricsError for more than `most` words; `what` describes the expected ones."""
    if len(words) > most:
        raise DivmetricsError(f"got {len(words)} words ({' '.join(words)}), expected {what}")
