"""The bytes of a notebook that was handed in, without its outputs, and their text."""

from __future__ import annotations

import json
import re

LARGEST = 20 * 2**20  # bytes of a notebook without outputs and pictures
MOST_READ = 200 * 2**20  # bytes of a notebook, or of the zip file that it is in, as it was handed in
# What the grader reads lies in no more brackets than that: notebook, cells, cell, metadata, nbgrader.
DEEPEST = 5
LONGEST_INSIDE = 1_000  # letters of a text in that many brackets, where pictures are as well
MOST_MARKS, MOST_KEPT = 20_000_000, 500_000  # brackets and texts, and those of them that are parsed
# A text without an end counts as one: looking for its end again and again would take quadratic time.
MARK = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
CLEAR = "Clear its outputs (Edit › Clear Outputs of All Cells) and hand it in again."


class NotANotebookError(Exception):
    """Raised if a submission is no notebook; its text says why."""


def without_outputs(content: bytes) -> tuple[bytes, list[str]]:
    """Return a notebook in UTF-8 without what lies in many brackets, and findings.

    That is outputs, pictures and the state of widgets. They are left out before any JSON is parsed, since
    the objects of some JSON take 20 times its memory. Raises NotANotebookError if what is left is too large.
    """
    size, findings = len(content) / 2**20, []
    if len(content) <= MOST_READ:
        encoding = json.detect_encoding(content)
        if not encoding.startswith("utf-8"):
            try:  # to replace each fault of a damaged file would take many minutes
                content = content.decode(encoding).encode()
                findings.append(f"It is written in {encoding.upper()}, and was read; UTF-8 is usual.")
            except UnicodeDecodeError:
                raise NotANotebookError(f"It is damaged {encoding.upper()}.") from None
        if len(content) > LARGEST:
            findings.append(f"It has {size:.0f} MB and was read without its outputs.")
        content = _shallow(content)
    if len(content) > LARGEST:
        raise NotANotebookError(
            f"It has {size:.0f} MB; a notebook may have {LARGEST // 2**20}, with its outputs "
            f"{MOST_READ // 2**20}. {CLEAR}"
        )
    return content, findings


def _shallow(content: bytes) -> bytes:
    """Return JSON with empty brackets at a depth of more than DEEPEST, and without long texts there."""
    kept, start, depth, parsed = [], 0, 0, 0
    for number, mark in enumerate(MARK.finditer(content)):
        first, end = content[mark.start()], mark.end()
        parsed += depth <= DEEPEST
        if number == MOST_MARKS or parsed > MOST_KEPT:
            raise NotANotebookError(f"It has too many parts to be read. {CLEAR}")
        if first in b"[{":
            depth += 1
            if depth == DEEPEST + 1:
                kept.append(content[start:end])
        elif first in b"]}":
            depth -= 1
            if depth == DEEPEST:
                start = mark.start()
        elif depth == DEEPEST and end - mark.start() > LONGEST_INSIDE:
            kept.append(content[start : mark.start()] + b'""')
            start = end
    return b"".join([*kept, content[start:] if depth <= DEEPEST else b""])


def text_of(content: bytes) -> tuple[str, list[str]]:
    """Decode a notebook, and return its text and findings; some editors write no UTF-8."""
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        findings = ["It is not written in UTF-8 and was read as latin-1; accents may be wrong."]
        return content.decode("latin-1"), findings
