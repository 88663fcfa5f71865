"""Conversion of our docstrings to reStructuredText for numpydoc: an extension of Sphinx.

Our docstrings are plain text: single backquotes enclose code, and every other sign is itself. numpydoc links
the type after a parameter's name, so a description in its place moves to a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from sphinx.application import Sphinx

# Code stays as it is; outside of it these would begin emphasis, a substitution or an address, or end a link.
CODE_OR_MARK = re.compile(r"(`[^`]*`)|([*|@\\]|_(?=[^\w]|$))")
AFTER = re.compile(r"""[^\s'"([{<\-/:]$""")
PARAMETER = re.compile(r"^(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<what>.+)$", re.MULTILINE)
EXAMPLE = ">>> "


def escape_paragraph(text: str) -> str:
    """Escape the markup of a paragraph except code, which may go on in the next line."""
    return CODE_OR_MARK.sub(lambda match: _code(match, text) if match[1] else f"\\{match[2]}", text)


def _code(match: re.Match[str], text: str) -> str:
    follows_text = AFTER.search(text[: match.start()])  # code begins after a space or an opening mark only
    return f"\\ `{match[1]}`" if follows_text else f"`{match[1]}`"


def format_docstring(lines: Sequence[str]) -> Iterator[str]:
    """Yield a docstring's lines with descriptions of parameters below their names."""
    for paragraph in _paragraphs(lines):
        if paragraph.startswith(EXAMPLE):
            yield from paragraph.split("\n")
        else:
            text = PARAMETER.sub(r"\g<names>\n    \g<what>", paragraph)
            yield from escape_paragraph(text).split("\n")


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yield the texts between blank lines, and the blank lines; an example is a paragraph of its own."""
    for blank, group in groupby(lines, lambda line: not line.strip()):
        paragraph = list(group)
        begin = next((i for i, line in enumerate(paragraph) if line.startswith(EXAMPLE)), 0)
        yield from (
            paragraph if blank else filter(None, map("\n".join, (paragraph[:begin], paragraph[begin:])))
        )


def _docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = format_docstring(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    # Before numpydoc, which makes fields of the sections and marks of its own.
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
