"""The words in which a page is written as text, in a cell, in a file or in the state of a widget.

A word with spaces stands in quotation marks, a probability may be a fraction (1/3), a document's label is
`intent:grade` or `intent/subtopic:grade`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction

from divmetrics.errors import DivmetricsError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]+')


class Unreadable(DivmetricsError):
    """What is wrong with a word; who reads the line says where."""


def tokens(line: str, comment: str = "") -> list[str]:
    """The words of a line as they are written; what follows a word that begins with `comment` is left out."""
    found: list[str] = []
    end = 0
    for match in _TOKEN.finditer(line):
        if line[end : match.start()].strip():
            break
        if comment and match[0].startswith(comment):
            return found
        found.append(match[0])
        end = match.end()
    if line[end:].strip():
        raise Unreadable('a quotation mark is not closed; write "like this"')
    return found


def plain(token: str) -> str:
    """The word that is meant."""
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except ValueError:
        raise Unreadable(f"{token} cannot be read; a backslash in quotation marks is written twice") from None


def with_text(written: Sequence[str]) -> tuple[list[str], str]:
    """The words, and the text in quotation marks that may follow them ("" where there is none)."""
    quoted = len(written) > 1 and written[-1].startswith('"')
    words = written[:-1] if quoted else written
    return list(map(plain, words)), plain(written[-1]) if quoted else ""


def probability(text: str) -> float:
    """A number or a fraction."""
    try:
        return float(Fraction(text))
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"the probability is {text!r}, expected a number such as 0.25 or 1/4") from None


def label(text: str, alone: int | None = None) -> tuple[str, int]:
    """An intent, or intent/subtopic, and its grade; `alone`: the grade of a label that gives none."""
    key, colon, grade = text.rpartition(":")
    if alone is not None and not colon and text:
        return text, alone
    if not colon or not key or not re.fullmatch("[0-9]+", grade):
        raise Unreadable(
            f"the label {text!r} is not of the form intent:grade or intent/subtopic:grade"
            + (f"; write {key}:1, or {key} alone, where the grade is 1" if alone == 1 and key else "")
        )
    return key, int(grade)


def scale(written: Sequence[str]) -> tuple[int, int]:
    """The highest grade, and that of the pseudo ad hoc grades where it is given (else 1)."""
    if len(written) not in (1, 2) or not all(re.fullmatch("[0-9]+", x) and int(x) for x in written):
        raise Unreadable("expected the highest grade, a whole number of at least 1")
    return int(written[0]), int(written[-1]) if len(written) == 2 else 1
