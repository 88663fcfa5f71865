"""The parts of some metrics side by side, with their formulas typeset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from divmetrics.core.calls import public
from divmetrics.core.metric import Collapsed, Metric
from divmetrics.errors import DivmetricsError
from divmetrics.explanations.catalogue import COLUMNS, part_formula
from divmetrics.explanations.formulas import rows_with_roles, summary
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.registry.parse import metric
from divmetrics.render.escaping import escape_markdown
from divmetrics.render.tables import Cell, text_table

NONE = "-"  # for a part that a row does not have
KNOWN = (*COLUMNS, "stop")


@dataclass(frozen=True, repr=False)
class PartTable:
    """A row for each metric, a column for each of its parts: Markdown with formulas, or plain text.

    Markdown, since that is typeset wherever notebooks are read, also before they are run.
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
    """What metrics are made of, a row for each: N, f, w and M, typeset.

    Parameters
    ----------
    metrics : names of metrics that are one row each, such as `ERR-IA` (`D#-nDCG` is made of two)
    parts : which parts to show, in that order: "N", "f", "w", "M" and "stop"

    Raises DivmetricsError for a name that is unknown, a metric that is not a row, and an unknown part.
    """
    shown = tuple(parts)
    for part in shown:
        if part not in KNOWN:
            raise DivmetricsError(f"there is no part {part!r}; expected {', '.join(KNOWN)}")
    if isinstance(metrics, str):
        raise DivmetricsError(f"metrics is the text {metrics!r}, expected a list of names: [{metrics!r}]")
    return PartTable(tuple(_named_row(name) for name in metrics), shown)


def _named_row(name: str) -> tuple[str, Metric]:
    """The row of a metric, and its name, with what the row reads where that is not the topic's intents."""
    known = metric(name)
    named = rows_with_roles(known)
    if len(named) != 1:
        raise DivmetricsError(
            f"{name} is made of {len(named)} rows; ask for these one by one: "
            f"{', '.join(label for label, _ in named)}"
        )
    merged = isinstance(known, Collapsed) and known.collapse != "ad hoc"
    return f"{name}: {summary(known)}" if merged else name, named[0][1]


def _text(part: object) -> str:
    return NONE if part is None else part_formula(part)


def _typeset(part: object) -> str:
    """A formula between dollars; in words where its LaTeX has only words, and where that cannot be read."""
    latex = description_of(part).latex
    if latex.startswith(r"\text") or {"$", "|", "\n"} & set(latex) or not (latex and mathml(latex)):
        return escape_markdown(_text(part))
    return f"${latex}$"
