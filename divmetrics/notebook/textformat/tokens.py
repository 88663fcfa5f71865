"""Parse the words of topics and lists as people write them in cells, files and the state of a widget.

A word with spaces stands in quotation marks, a probability may be a fraction (1/3), a document's label is
`intent:grade` or `intent/subtopic:grade`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction

from divmetrics.errors import DivmetricsError, shorten

MOST = 999_999_999  # the highest grade that can be written
_DIGITS = len(str(MOST))
# Limited digits: an exponent of eight digits would take minutes, and result in 0 or infinity.
_PROBABILITY = re.compile(r"[+-]?[0-9./]{1,40}(?:[eE][+-]?[0-9]{1,3})?")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]+')


class WordError(DivmetricsError):
    """An invalid word; the caller adds the line."""


def tokens(line: str, comment: str = "") -> list[str]:
    """Split a line into words as written, up to a word that begins with `comment`.

    Raises WordError if a quotation mark is not closed.
    """
    words: list[str] = []
    end = 0
    for match in _TOKEN.finditer(line):
        if line[end : match.start()].strip():
            break
        if comment and match[0].startswith(comment):
            return words
        words.append(match[0])
        end = match.end()
    if line[end:].strip():
        raise WordError('a quotation mark is not closed; write "like this"')
    return words


def plain(token: str) -> str:
    """Remove the quotation marks and escapes of a word; raise WordError for an invalid escape."""
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except ValueError:
        raise WordError(f"{token} cannot be read; a backslash in quotation marks is written twice") from None


def split_trailing_text(written: Sequence[str]) -> tuple[list[str], str]:
    """Return the words without quotation marks, and the quoted text that may follow them, or ""."""
    quoted = len(written) > 1 and written[-1].startswith('"')
    words = written[:-1] if quoted else written
    return list(map(plain, words)), plain(written[-1]) if quoted else ""


def probability(text: str) -> float:
    """Parse a number or a fraction, as 0.25 or 1/4; raise WordError for other text."""
    try:
        if _PROBABILITY.fullmatch(text):
            return float(Fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        pass
    raise WordError(f"the probability is {shorten(text)!r}, expected a number such as 0.25 or 1/4")


def label(text: str, alone: int | None = None) -> tuple[str, int]:
    """Parse `intent:grade` or `intent/subtopic:grade` into (intent or intent/subtopic, grade).

    `alone` is the grade of a label without one; if None, every label needs a grade. Raises WordError for
    other text.
    """
    key, colon, grade = text.rpartition(":")
    if alone is not None and not colon and text:
        return text, alone
    if not colon or not key or not re.fullmatch("[0-9]+", grade):
        short = shorten(key)
        raise WordError(
            f"the label {shorten(text)!r} is not of the form intent:grade or intent/subtopic:grade"
            + (f"; write {short}:1, or {short} alone, where the grade is 1" if alone == 1 and key else "")
        )
    return key, _highest(grade, "grade")


def labels(written: Sequence[str], alone: int | None = None) -> dict[str, int]:
    """Parse the labels of a document into {intent or intent/subtopic: grade}.

    `alone` is as in `label`. Raises WordError for an invalid or a repeated label.
    """
    grades: dict[str, int] = {}
    for text in written:
        key, grade = label(text, alone)
        if key in grades:
            raise WordError(f"the label {key!r} is given twice; give it once")
        grades[key] = grade
    return grades


def scale(written: Sequence[str]) -> tuple[int, int]:
    """Parse the highest grade, and the highest pseudo ad hoc grade if present (else 1).

    Raises WordError unless `written` holds one or two whole numbers of at least 1.
    """
    if len(written) not in (1, 2) or not all(re.fullmatch("0*[1-9][0-9]*", x) for x in written):
        raise WordError("expected the highest grade, a whole number of at least 1")
    tops = [_highest(digits, "scale") for digits in written]
    return tops[0], tops[-1] if len(tops) == 2 else 1


def _highest(digits: str, what: str) -> int:
    if len(digits.lstrip("0")) > _DIGITS:
        raise WordError(f"the {what} {shorten(digits)} is too high, expected at most {MOST:,}")
    return int(digits[-_DIGITS:])
