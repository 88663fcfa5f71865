"""Tables from the same cells as HTML and as aligned text.

The HTML inherits its colours from the page, light or dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import NamedTuple

from divmetrics.core.tolerances import compare_scores


class Cell(NamedTuple):
    """A table cell: text, HTML to replace the escaped text, alignment, and additional CSS."""

    text: str
    html: str = ""
    right: bool = False
    style: str = ""


TableRow = Sequence[Cell]
BEST = "★"  # marks the highest scores
PAD = "padding:3px 10px 3px 4px;white-space:normal"


def format_score(value: float) -> str:
    """Format a score with four decimals, or in scientific notation if four would round it to 0."""
    return f"{value:.4f}" if abs(value) >= 0.00005 or not compare_scores(value) else f"{value:.1e}"


def score_cell(value: float, best: bool) -> Cell:
    """Return a right-aligned score, followed by a star if `best`, else by blank room for the star."""
    text = format_score(value)
    if best:
        star = f'&nbsp;<span title="the best by that metric" aria-label="best">{BEST}</span>'
        return Cell(f"{text} {BEST}", f"<b>{text}</b>{star}", right=True)
    room = f'<span aria-hidden="true" style="visibility:hidden">&nbsp;{BEST}</span>'
    return Cell(f"{text}  ", text + room, right=True)


def html_table(head: TableRow, rows: Sequence[TableRow], ruled: Sequence[int] = ()) -> str:
    """Return an HTML table with row headers in the first column.

    `ruled` are the indices of the rows with a rule above.
    """
    heads = "".join(_html(cell, 'th scope="col"', "border-bottom:1px solid currentColor;") for cell in head)
    body = []
    for position, row in enumerate(rows):
        line = "border-top:1px solid currentColor;" if position in ruled else ""
        first = _html(row[0], 'th scope="row"', line)
        body.append(f"<tr>{first}{''.join(_html(cell, 'td', line) for cell in row[1:])}</tr>")
    style = "margin:4px 0;border-collapse:collapse;font-variant-numeric:tabular-nums"
    return f'<table style="{style}"><thead><tr>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _html(cell: Cell, tag: str, line: str) -> str:
    align = "right" if cell.right else "left"
    weight = "" if tag == "td" else "font-weight:600;"
    style = f"{weight}text-align:{align};{PAD};{line}{cell.style}".rstrip(";")
    return f'<{tag} style="{style}">{cell.html or escape(cell.text)}</{tag.split()[0]}>'


def text_table(head: TableRow, rows: Sequence[TableRow], underlined: bool = True) -> str:
    """Return aligned columns, with a rule below the header if `underlined`; no newline at the end."""
    every = [head, *rows]
    widths = [
        max(map(len, column))
        for column in zip_longest(*([cell.text for cell in row] for row in every), fillvalue="")
    ]
    lines = [_line(row, widths) for row in every]
    rule = ["  ".join("-" * width for width in widths)] if underlined else []
    return "\n".join([lines[0], *rule, *lines[1:]])


def _line(row: TableRow, widths: Sequence[int]) -> str:
    cells = (
        cell.text.rjust(width) if cell.right else cell.text.ljust(width)
        for cell, width in zip(row, widths, strict=False)
    )
    return "  ".join(cells).rstrip()


def html_title(text: str, quiet: str = "") -> str:
    """Return a bold title, followed by the plain text `quiet`, as HTML."""
    return f'<div style="margin:2px 0"><b>{escape(text)}</b>{" " + escape(quiet) if quiet else ""}</div>'


def html_notes(notes: Sequence[str]) -> str:
    """Return sentences below a table as HTML."""
    return "".join(f'<div style="margin:2px 0;max-width:46em">{escape(note)}</div>' for note in notes)
