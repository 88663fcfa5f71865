"""Conversion of our docstrings to numpydoc and reStructuredText: an extension of Sphinx.

Ours are to be read as they stand: what is in single backquotes is code, and every other mark is itself. After
the name of a parameter stands what it is, where numpydoc expects a type; and below the last one stand
sentences, where it expects headings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from sphinx.application import Sphinx

# Code stays as it is; outside of it these would begin emphasis, a substitution or an address, or end a link.
CODE_OR_MARK = re.compile(r"(`[^`]*`)|([*|@\\]|_(?=[^\w]|$))")
AFTER = re.compile(r"""[^\s'"([{<\-/:]$""")
PARAMETER = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<what>.+)")
LISTED = ("Parameters", "Attributes")
MODULE = re.compile(r"\b\w+\.")
RAISES = re.compile(r"Raises (\w+) ")


def escape_line(line: str) -> str:
    """Escape all markup of a line but code."""
    return CODE_OR_MARK.sub(lambda match: _code(match, line) if match[1] else f"\\{match[2]}", line)


def _code(match: re.Match[str], line: str) -> str:
    stuck = AFTER.search(line[: match.start()])  # code begins after a space or an opening mark only
    return f"\\ `{match[1]}`" if stuck else f"`{match[1]}`"


def format_docstring(lines: Sequence[str], returned: str = "") -> Iterator[str]:
    """Yield a docstring's lines with descriptions of parameters below their names.

    returned: the function's return annotation, the heading of a sentence on it below the parameters.
    """
    section = ""
    known = list(_with_headings(lines, returned))
    for line, below in zip(known, [*known[1:], ""], strict=True):
        if below.startswith("---"):
            section = line
        match = PARAMETER.fullmatch(line) if section in LISTED else None
        if match:
            yield from (escape_line(match["names"]), f"    {escape_line(match['what'])}")
        else:
            yield escape_line(line)


def _with_headings(lines: Sequence[str], returned: str) -> Iterator[str]:
    """Yield the lines with the text below a list of parameters as sections: Returns, Raises, Notes."""
    section, below = "", dict[str, list[str]]()
    for blank, group in groupby(lines, lambda line: not line.strip()):
        paragraph = list(group)
        if any(line.startswith("---") for line in paragraph):
            yield from _sections(below)
            section, below = paragraph[0], {}
        if blank or section not in LISTED or not _goes_on(paragraph[0]):
            yield from paragraph
            continue
        raised = RAISES.match(paragraph[0])
        if raised:
            below["Raises"] = [raised[1], *_after_first_words(paragraph, raised.end())]
        elif returned and paragraph[0].startswith("Returns "):
            below["Returns"] = [returned, *_after_first_words(paragraph, len("Returns "))]
        else:
            below.setdefault("Notes", []).extend([*paragraph, ""])
    yield from _sections(below)


def _goes_on(line: str) -> bool:
    """Return whether a line is neither a parameter nor the heading of a list of parameters."""
    return not line.startswith(" ") and line not in LISTED and not PARAMETER.fullmatch(line)


def _after_first_words(paragraph: Sequence[str], begin: int) -> Iterator[str]:
    yield f"    {paragraph[0][begin:]}"
    yield from (f"    {line}" for line in paragraph[1:])


def _sections(below: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, lines in below.items():
        yield from ("", name, "-" * len(name), *lines, "")


def _docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    returned = inspect.get_annotations(obj).get("return", "") if inspect.isfunction(obj) else ""
    lines[:] = format_docstring(lines, MODULE.sub("", str(returned)))


def setup(app: Sphinx) -> dict[str, bool]:
    # Before numpydoc, which makes fields of the sections and marks of its own.
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
