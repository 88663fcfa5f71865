"""Compared runs as a table in GitHub's Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from divmetrics.render.escaping import escape_markdown
from divmetrics.render.tables import format_score
from divmetrics.research.report.table_layout import MeanCell, TableLayout


def render_markdown(layout: TableLayout, caption: str, notes: Sequence[str]) -> str:
    """Return the table, with the caption and each note as a paragraph below."""
    head = ["run"]
    for metric in layout.metrics:
        head += [escape_markdown(metric), "±"]
    head += map(escape_markdown, layout.judged)
    lines = [head, [":--", *["--:"] * (len(head) - 1)]]
    for row in layout.rows:
        cells = [escape_markdown(row.run)]
        for entry in row.entries:
            cells += [_mean(entry), format_score(entry.half)]
        lines.append([*cells, *row.shares])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([table, *map(escape_markdown, (caption, *notes))]) + "\n"


def _mean(entry: MeanCell) -> str:
    text = format_score(entry.mean)
    return f"{f'**{text}**' if entry.best else text} {entry.letters}".rstrip()
