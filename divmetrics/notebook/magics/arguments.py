"""The line of a magic: words and options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from divmetrics.errors import DivmetricsError, brief, did_you_mean
from divmetrics.notebook.magics.magic import Magic, Option


@dataclass(frozen=True)
class Arguments:
    """Words in their order, and for each option that was given its values (none for a switch)."""

    words: tuple[str, ...] = ()
    given: dict[str, list[str]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Was the option given?"""
        return name in self.given

    def all(self, name: str) -> list[str]:
        """Every value of an option."""
        return self.given.get(name, [])

    def one(self, name: str, default: str = "") -> str:
        """The value of an option, or the default."""
        return (self.given.get(name) or [default])[-1]

    def number(self, name: str, default: int) -> int:
        """The value of an option that takes a whole number."""
        text = self.one(name, str(default))
        if not re.fullmatch(r"[0-9]{1,15}", text):
            raise DivmetricsError(
                f"--{name} is {brief(text)!r}, expected a whole number of at most 15 digits"
            )
        return int(text)


def read_arguments(magic: Magic, line: str) -> Arguments:
    """The arguments of a magic; DivmetricsError for an option that is not known or lacks its value."""
    known = {flag: option for option in magic.options for flag in option.flags}
    words: list[str] = []
    given: dict[str, list[str]] = {}
    pieces = split(line)
    while pieces:
        piece = pieces.pop(0)
        flag, equals, value = piece.partition("=") if piece.startswith("--") else (piece, "", "")
        if flag in known:
            option = known[flag]
            values = _values(option, flag, value, equals, pieces)
            if option.name in given and not option.many:
                raise DivmetricsError(f"{flag} is given twice; give it once")
            given.setdefault(option.name, []).extend(values)
        elif piece.startswith("-") and len(piece) > 1:
            takes = f"it takes {', '.join(known)}" if known else "it takes no options"
            raise DivmetricsError(f"there is no option {flag!r}{did_you_mean(flag, known)}; {takes}")
        else:
            words.append(piece)
    return Arguments(tuple(words), given)


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
    """The words of a line; quotation marks keep spaces, # and backslashes mean nothing special."""
    lexer = shlex.shlex(line.strip().removesuffix(";"), posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return list(lexer)
    except ValueError:
        raise DivmetricsError(f"a quotation mark is not closed in {line.strip()!r}") from None


def split_at_commas(text: str) -> list[str]:
    """The pieces between commas that are not inside brackets, closed or not."""
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def at_most(words: Sequence[str], most: int, what: str) -> None:
    """An error for more words than the magic takes."""
    if len(words) > most:
        raise DivmetricsError(f"got {len(words)} words ({' '.join(words)}), expected {what}")
