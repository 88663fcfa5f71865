"""Compared runs as a LaTeX float with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Sequence

from divmetrics.render.escaping import escape_latex
from divmetrics.render.tables import format_score
from divmetrics.research.report.table_layout import NONE, MeanCell, TableLayout


def render_latex(layout: TableLayout, caption: str, notes: Sequence[str]) -> str:
    """Return the table with its caption above; the caption includes the notes."""
    columns = "l" + r"r@{\,}lr" * len(layout.metrics) + "r" * len(layout.judged)
    head = ["run"]
    for metric in layout.metrics:
        head += [rf"\multicolumn{{2}}{{c}}{{{escape_latex(metric)}}}", r"$\pm$"]
    head += map(escape_latex, layout.judged)
    rows = [
        [
            escape_latex(row.run),
            *(cell for entry in row.entries for cell in _cells(entry)),
            *(share.replace(NONE, "--") for share in row.shares),
        ]
        for row in layout.rows
    ]
    full_caption = escape_latex(" ".join([caption, *notes]))
    lines = [
        r"% The document needs \usepackage{booktabs}.",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{full_caption}}}",
        r"\medskip",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(head),
        r"\midrule",
        *map(_line, rows[: layout.ruled]),
        *([r"\midrule"] if rows[layout.ruled :] else []),
        *map(_line, rows[layout.ruled :]),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cells(entry: MeanCell) -> list[str]:
    mean = _number(entry.mean)
    letters = rf"\textsuperscript{{{entry.letters}}}" if entry.letters else ""
    return [rf"\textbf{{{mean}}}" if entry.best else mean, letters, _number(entry.half)]


def _number(value: float) -> str:
    return format_score(value).replace("-", "$-$")


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
