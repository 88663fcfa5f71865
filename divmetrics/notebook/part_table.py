"""Render the parts of several metrics side by side, with typeset formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from divmetrics.core.calls import public
from divmetrics.core.checks import quote
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.catalogue import COLUMNS, part_formula
from divmetrics.explanations.formulas import rows_with_roles, summary
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.registry.parse import metric
from divmetrics.render.escaping import escape_markdown
from divmetrics.render.tables import Cell, text_table

NONE = "-"  # a part that a row lacks
NAMES = (*COLUMNS, "stop")


@dataclass(frozen=True, repr=False)
class PartTable:
    """A table with one row per metric and one column per part, as Markdown with formulas or as plain text.

    Notebook viewers typeset Markdown even if the notebook has not been run.

    Parameters
    ----------
    rows : tuple of (str, Metric)
        The metrics with their names.
    parts : tuple of str
        The columns: "N", "f", "w", "M" or "stop"; a part that a row lacks is displayed as "-".

    Examples
    --------
    >>> from divmetrics.notebook import table_of_parts
    >>> table_of_parts(["ERR-IA"], ["w"]).parts
    ('w',)
    """

    rows: tuple[tuple[str, Metric], ...]
    parts: tuple[str, ...]

    def __repr__(self) -> str:
        head = [Cell(""), *map(Cell, self.parts)]
        rows = [[Cell(name), *(Cell(_text(part)) for part in self._of(row))] for name, row in self.rows]
        return text_table(head, rows)

    def _repr_markdown_(self) -> str:
        lines = [["metric", *(f"${part}$" if len(part) == 1 else part for part in self.parts)]]
        lines.append([":--"] * len(lines[0]))
        lines += [[escape_markdown(name), *map(_typeset, self._of(row))] for name, row in self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def _of(self, row: Metric) -> list[object]:
        return [getattr(row, part) for part in self.parts]


@public
def table_of_parts(metrics: Iterable[str], parts: Iterable[str] = COLUMNS) -> PartTable:
    """Return a table of the parts of metrics, one row per metric, with typeset formulas.

    Parameters
    ----------
    metrics : Iterable of str
        Names of metrics with a single row of parts, such as "ERR-IA" ("D#-nDCG" has two rows).
    parts : Iterable of str
        The parts to display, in order: "N", "f", "w", "M" and "stop"; by default all but "stop".

    Returns
    -------
    PartTable
        The table, which renders itself in Jupyter and as text.

    Raises
    ------
    DivmetricsError
        If a name or a part is unknown, a metric has several rows or is no name, or `metrics` is a single
        text.

    Examples
    --------
    >>> from divmetrics.notebook import table_of_parts
    >>> table_of_parts(["S-recall", "ERR-IA"], ["w"])
              w
    --------  ---
    S-recall  1
    ERR-IA    1/k
    """
    columns = tuple(parts)
    for part in columns:
        if part not in NAMES:
            raise DivmetricsError(f"there is no part {part!r}; expected {', '.join(NAMES)}")
    if isinstance(metrics, str):
        raise DivmetricsError(f"metrics is the text {metrics!r}, expected a list of names: [{metrics!r}]")
    names = tuple(metrics)
    for name in names:
        if not isinstance(name, str):
            raise DivmetricsError(f"a metric is {quote(name)}, expected its name, such as 'ERR-IA'")
    return PartTable(tuple(map(_named_row, names)), columns)


def _named_row(name: str) -> tuple[str, Metric]:
    """Return a metric's label and its one row; raises DivmetricsError if it has several.

    The label is the name, plus a summary if the row reads merged intents.
    """
    chosen = metric(name)
    named = rows_with_roles(chosen)
    if len(named) != 1:
        raise DivmetricsError(
            f"{name} is made of {len(named)} rows; ask for these one by one: "
            f"{', '.join(label for label, _ in named)}"
        )
    merged = isinstance(chosen, Collapsed) and chosen.collapse != "ad hoc"
    return f"{name}: {summary(chosen)}" if merged else name, named[0][1]


def _text(part: object) -> str:
    return NONE if part is None else part_formula(part)


def _typeset(part: object) -> str:
    """Return a formula between dollars, or as text if its LaTeX is only words or cannot be rendered."""
    latex = description_of(part).latex
    if latex.startswith(r"\text") or {"$", "|", "\n"} & set(latex) or not (latex and mathml(latex)):
        return escape_markdown(_text(part))
    return f"${latex}$"
