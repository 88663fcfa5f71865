"""Docstrings as numpydoc and reStructuredText read them: for Sphinx, as one of its extensions.

Ours are to be read as they stand: what is in single backquotes is code, and every other mark is itself. After
the name of a parameter stands what it is, where numpydoc expects a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sphinx.application import Sphinx

# Code stays as it is; outside of it these would begin emphasis, a substitution or an address, or end a link.
CODE_OR_MARK = re.compile(r"(`[^`]*`)|([*|@\\]|_(?=[^\w]|$))")
PARAMETER = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<what>.+)")
LISTED = ("Parameters", "Attributes")


def escaped(line: str) -> str:
    """A line of which reStructuredText reads nothing but code."""
    return CODE_OR_MARK.sub(lambda found: f"`{found[1]}`" if found[1] else f"\\{found[2]}", line)


def laid_out(lines: Sequence[str]) -> Iterator[str]:
    """A docstring in which descriptions of parameters stand below their names, and settings are a list."""
    section = ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if below.startswith("---"):
            section = line
        elif line == "Settings:":
            section = line
            yield from (line, "")
            continue
        found = PARAMETER.fullmatch(line) if section in LISTED else None
        if found:
            yield from (escaped(found["names"]), f"    {escaped(found['what'])}")
        elif section == "Settings:" and line.strip():
            yield f"- {escaped(line.strip())}"
        else:
            yield escaped(line)


def _docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = laid_out(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    # Before numpydoc, which makes fields of the sections and marks of its own.
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
