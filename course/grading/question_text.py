"""Questions as the released notebook asks them, and answers, as HTML."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import mistune
import pandas as pd

from course.grading.course_files import Release
from divmetrics.errors import shorten
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics_widgets.answer_forms import label
from divmetrics_widgets.handing_in import summarise
from tools.markdown_text import FORMULA

MOST_CELLS, LONGEST = 200, 2_000  # cells of a table and letters of a text that are shown


def question_texts(release: Release) -> dict[str, str]:
    """Return by graded cell what stands above it in its section, and below the graded cell before it."""
    texts: dict[str, str] = {}
    above: list[str] = []
    for cell in release.notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade"):
            texts[cell.id] = markdown_html("\n\n".join(above))
            above = []
        elif cell.cell_type == "markdown":
            above = [cell.source] if cell.source.startswith("## ") else [*above, cell.source]
    return texts


def markdown_html(text: str) -> str:
    """Convert Markdown of the release, with tables and formulas, to HTML."""
    formulas: list[str] = []

    def keep(formula: re.Match[str]) -> str:
        latex = formula[0].strip("$")
        formulas.append(
            mathml(latex, inline=not formula[0].startswith("$$")) or f"<code>{escape(latex)}</code>"
        )
        return f"⟦{len(formulas) - 1}⟧"

    made = str(mistune.create_markdown(plugins=["table"])(FORMULA.sub(keep, text)))
    return re.sub(r"⟦(\d+)⟧", lambda place: formulas[int(place[1])], made)


def answer_html(value: Any) -> str:
    """Return an answer in the form in which hand_in writes it as HTML; nothing of it is markup."""
    if isinstance(value, str):
        return f"<pre>{escape(value[:LONGEST])}</pre>"
    try:
        frame = _frame(value)
        if frame is not None and frame.size <= MOST_CELLS:
            return table_html(frame)
        line = summarise(value)
    except Exception:  # a submission can forge any form
        line = shorten(str(value))
    return f"<p><code>{escape(line)}</code></p>"


def table_html(frame: pd.DataFrame, index: bool = True) -> str:
    """Return a table with numbers in six digits and every text escaped."""
    return f'<div class="wide">{frame.map(_cell).to_html(index=index, border=0)}</div>'


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return summarise(value) if isinstance(value, list) else str(value)


def _frame(value: Any) -> pd.DataFrame | None:
    """Return values by name, or a table; None for any other answer."""
    match value:
        case {"table": table, "rows": rows, "columns": columns}:
            return pd.DataFrame(table, list(map(_name, rows)), list(map(_name, columns)))
        case {"values": [[_, {"values": _}], *_] as pairs}:
            cells = {_name(row): {_name(top): cell for top, cell in inner["values"]} for row, inner in pairs}
            return pd.DataFrame.from_dict(cells, orient="index")
        case {"values": [_, *_] as pairs}:
            return pd.DataFrame([[cell for _, cell in pairs]], [""], [_name(name) for name, _ in pairs])
        case [[_, *_], *_]:
            return pd.DataFrame(value)
    return None


def _name(name: Any) -> str:
    return shorten(label(name))
