"""Locate the cursor in a cell: in which magic, in its line or its body, at which word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from divmetrics.notebook.magics.arguments import split_at_commas
from divmetrics.notebook.magics.magic import ArgumentKind, Magic, Option

_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_LINE_MAGIC = re.compile(r"\s*(?:[^%=#\"']+=\s*)?%(\w+)")
_IN_QUOTES = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_WORD_END = " \t\n\"',;"


@dataclass(frozen=True)
class CursorContext:
    """The word that ends at the cursor, and the kind of argument expected there.

    `takes` is the kind of the word ("option" if it begins with -), `before` the words of the line before it,
    and `body` the cell below the magic's line if the cursor is in it, else None.
    """

    magic: Magic
    fragment: str
    takes: ArgumentKind | str
    before: tuple[str, ...] = ()
    line: str = ""  # the line of the magic after its name
    body: str | None = None


def place(text: str, cursor: int, magics: Mapping[str, Magic]) -> CursorContext | None:
    """Return the context of position `cursor` in the text of a cell, or None outside `magics`, by name."""
    start = text.rfind("\n", 0, cursor) + 1
    here = text[start:cursor]
    cell = _CELL_MAGIC.match(text)
    if cell and cell[1] in magics:
        magic: Magic | None = magics[cell[1]]
        if magic is None or magic.kind == "line" or cursor < cell.end():
            return None
        end = text.find("\n", cell.end())
        if 0 <= end < cursor:
            words = here.split()
            fragment = "" if not here or here[-1].isspace() else words.pop()
            return CursorContext(magic, fragment, "", tuple(words), text[cell.end() : end], text[end + 1 :])
        return _in_line(magic, text[cell.end() : cursor], "%%")
    line = _LINE_MAGIC.match(here)
    magic = magics.get(line[1]) if line else None
    if line is None or magic is None or magic.kind == "cell":
        return None
    return _in_line(magic, here[line.end() :], "%")


def _in_line(magic: Magic, text: str, sign: str) -> CursorContext | None:
    if not text[:1].isspace():
        return None  # still in the name
    by_flag: dict[str, Option] = {flag: option for option in magic.options for flag in option.flags}
    words = text.replace('"', " ").replace("'", " ").split()
    fragment = "" if text[-1].isspace() or text[-1] in "\"'" else words.pop()
    flag, equals, value = fragment.partition("=")
    if equals and flag in by_flag and flag.startswith("--"):
        return CursorContext(magic, value, by_flag[flag].takes, tuple(words), text)
    if words and words[-1] in by_flag and by_flag[words[-1]].takes:
        takes: str = by_flag[words[-1]].takes
        if takes == "metric":
            fragment = split_at_commas(fragment)[-1]
        return CursorContext(magic, fragment, takes, tuple(words), text)
    if fragment.startswith("-"):
        return CursorContext(magic, fragment, "option", tuple(words), text)
    outside = 0
    for before, word in zip(["", *words], words, strict=False):
        outside += word not in by_flag and not (before in by_flag and by_flag[before].takes)
    kinds = magic.words if sign == "%" else magic.words[:1]
    return CursorContext(
        magic, fragment, kinds[min(outside, len(kinds) - 1)] if kinds else "", tuple(words), text
    )


def word_at(text: str, cursor: int) -> str:
    """Return the word around the cursor, delimited by spaces, quotation marks and commas outside brackets."""
    start, end = cursor, cursor
    while start > 0 and text[start - 1] not in _WORD_END:
        start -= 1
    while end < len(text) and text[end] not in _WORD_END:
        end += 1
    return text[start:end].partition("=")[2] if text[start : start + 2] == "--" else text[start:end]


def quoted_at(text: str, cursor: int) -> str:
    """Return the text in quotation marks around the cursor, within its line, or ""."""
    start = text.rfind("\n", 0, cursor) + 1
    end = text.find("\n", cursor)
    line = text[start : len(text) if end < 0 else end]
    for match in _IN_QUOTES.finditer(line):
        if match.start() < cursor - start < match.end():
            return match[0][1:-1]
    return ""
