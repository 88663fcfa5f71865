"""Compared runs as HTML: a fragment of a page, and a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from divmetrics.render.tables import (
    Cell,
    TableRow,
    format_score,
    html_notes,
    html_table,
    html_title,
    score_cell,
)
from divmetrics.research.report.table_layout import MeanCell, TableLayout

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body style="font-family:sans-serif">
{body}
</body>
</html>
"""


def render_page(layout: TableLayout, caption: str, notes: Sequence[str]) -> str:
    """Return a standalone HTML page: the fragment that `render_fragment` returns, as a document."""
    return PAGE.format(title=escape(_title(layout)), body=render_fragment(layout, caption, notes))


def render_fragment(layout: TableLayout, caption: str, notes: Sequence[str]) -> str:
    """Return an HTML fragment: title, table, and below it caption and notes.

    Its colours are those of the surrounding page.
    """
    head: list[Cell] = [Cell("run")]
    for metric in layout.metrics:
        head += [Cell(metric, right=True), Cell("±", right=True)]
    head += [Cell(name, right=True) for name in layout.judged]
    widths = [max(len(row.entries[at].letters) for row in layout.rows) for at in range(len(layout.metrics))]
    rows: list[TableRow] = []
    for row in layout.rows:
        cells = [Cell(row.run)]
        for entry, width in zip(row.entries, widths, strict=True):
            cells += [_mean(entry, width), Cell(format_score(entry.half), right=True)]
        rows.append([*cells, *(Cell(share, right=True) for share in row.shares)])
    return html_title(_title(layout)) + html_table(head, rows, [layout.ruled]) + html_notes([caption, *notes])


def _title(layout: TableLayout) -> str:
    return f"{layout.ruled} runs compared"


def _mean(entry: MeanCell, width: int) -> Cell:
    """Return a cell with the mean (starred if it is the best) and its letters in a box `width` wide."""
    mean = score_cell(entry.mean, entry.best)
    style = f"display:inline-block;min-width:{width}ch;text-align:left;vertical-align:super;"
    style += "line-height:0;font-size:smaller"
    letters = f'<span style="{style}">{escape(entry.letters)}</span>'
    return Cell(f"{mean.text} {entry.letters:{width}}", mean.html + letters, True, "white-space:nowrap;")
