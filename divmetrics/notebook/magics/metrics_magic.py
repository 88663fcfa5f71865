"""%metrics: render Table 1 of Yu et al. (2017), or one metric with formula, parts and source."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.explanations.catalogue import (
    COLUMNS,
    SETTINGS,
    describe_part,
    part_formula,
    table_of_rows,
    table_of_settings,
)
from divmetrics.explanations.catalogue import describe as described
from divmetrics.explanations.formulas import formula, latex, rows_with_roles, summary
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.explanations.references import REFERENCES
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.magics.arguments import at_most, read_arguments
from divmetrics.notebook.magics.magic import CONVENTION, Magic
from divmetrics.notebook.magics.session import Session
from divmetrics.registry.parse import metric
from divmetrics.render.tables import Cell, TableRow, html_notes, html_table, html_title

if TYPE_CHECKING:
    import pandas as pd


Typeset = Callable[[str, str], str]  # LaTeX and text to HTML

HEADS = {"N": "N", "f": "f(t_i)", "w": "w(k)", "M": "M_i(d_k | L^{k-1})"}
TYPESET_HEADS = {"N": "N", "f": "f(t_i)", "w": "w(k)", "M": r"M_i(d_k\mid L^{k-1})"}
ALL = r"T(L)=\frac{1}{N}\sum_k w(k)\sum_i f(t_i)\,M_i(d_k\mid L^{k-1})"
SIZE = "padding-right:6px;"


@dataclass(frozen=True, repr=False)
class MetricTable:
    """The result of `%metrics`: one row per metric of a convention, registered metrics included."""

    convention: str
    metrics: tuple[BaseMetric, ...]

    @classmethod
    def of(cls, convention: str) -> MetricTable:
        """Build the table of a convention, metrics registered in this session included."""
        from divmetrics.registry.parse import metric, metrics

        return cls(convention, tuple(metric(name, convention) for name in metrics(convention)))

    @property
    def table(self) -> pd.DataFrame:
        """One row per metric: columns metric (its name), N, f, w, M (formulas as text) and made of.

        A metric that combines several rows has only "made of", a summary; the others leave it "".
        """
        import pandas as pd

        rows = [
            (m.name, *(part_formula(getattr(m, column)) for column in COLUMNS), "")
            if isinstance(m, Metric)
            else (m.name, "", "", "", "", summary(m))
            for m in self.metrics
        ]
        return pd.DataFrame(rows, columns=["metric", *COLUMNS, "made of"])

    def __repr__(self) -> str:
        return table_of_rows(self.convention)

    def _repr_html_(self) -> str:
        parts = [m for m in self.metrics if isinstance(m, Metric)]
        others = [m for m in self.metrics if not isinstance(m, Metric)]
        head = [Cell("metric"), *(Cell(HEADS[c], inline_mathml(TYPESET_HEADS[c], HEADS[c])) for c in COLUMNS)]
        rows: list[TableRow] = [
            [
                Cell(m.name, style="white-space:nowrap;"),
                *(_part(getattr(m, c), inline_mathml) for c in COLUMNS),
            ]
            for m in parts
        ]
        made: list[TableRow] = [[Cell(m.name, style="white-space:nowrap;"), Cell(summary(m))] for m in others]
        title = html_title("Every metric is a row", f"(convention {self.convention}):")
        pieces = [title, f"<div>{inline_mathml(ALL, '')}</div>", html_table(head, rows)]
        if made:
            pieces.append(html_table([Cell("made of rows"), Cell("")], made))
        notes = [
            "X-IS, for any X: sum_i p(t_i|q) X over the second-level subtopics of t_i (ERR-IS, RBU-IS, ...).",
            "NAME@10 cuts at rank 10; NAME(parameter=value) sets a parameter; %metrics NAME tells the rest.",
        ]
        return "".join(pieces) + html_notes(notes)


@dataclass(frozen=True, repr=False)
class MetricDetails:
    """The result of `%metrics NAME`."""

    metric: BaseMetric

    @property
    def table(self) -> pd.DataFrame:
        """One row per part of the metric.

        Columns of (the row of the metric, "" if it has one), part ("N", "f", "w", "M", "stop"), formula, code
        (its repr) and meaning, all as text.
        """
        import pandas as pd

        rows = [
            (label, column, part_formula(part), repr(part), "; ".join(describe_part(part)))
            for label, row in rows_with_roles(self.metric)
            for column in (*COLUMNS, "stop")
            if (part := getattr(row, column)) is not None
        ]
        return pd.DataFrame(rows, columns=["of", "part", "formula", "code", "meaning"])

    def __repr__(self) -> str:
        return described(self.metric)

    def _repr_html_(self) -> str:
        return metric_html(self.metric)


def metric_html(metric: BaseMetric, typeset: Typeset | None = None) -> str:
    """Render formula, parts, parameters and source; `typeset` renders formulas, by default as MathML."""
    show = typeset or inline_mathml
    whole = show(latex(metric), formula(metric))
    pieces = [html_title(str(metric)), f'<div style="margin:6px 0">{whole}</div>']
    for label, row in rows_with_roles(metric):
        if label:
            pieces.append(f"<div>{escape(label)}</div>")
        parts = ((column, getattr(row, column)) for column in (*COLUMNS, "stop"))
        rows = [[Cell(name), _part(part, show), _meaning(part)] for name, part in parts if part]
        pieces.append(html_table([Cell("part"), Cell("formula"), Cell("what it says")], rows))
    if settings := table_of_settings(metric):
        pieces.append(html_table([*map(Cell, SETTINGS)], [[*map(Cell, row)] for row in settings]))
    return "".join(pieces) + _source(metric)


def _part(part: object, show: Typeset) -> Cell:
    text = part_formula(part)
    return Cell(text, show(description_of(part).latex, text), style=SIZE)


def _meaning(part: object) -> Cell:
    lines = describe_part(part)
    code = f'<code style="font-size:0.92em">{escape(repr(part))}</code>'
    return Cell("; ".join(lines), "<br>".join([*map(escape, lines), code]))


def _source(metric: BaseMetric) -> str:
    if metric.source not in REFERENCES:
        return html_notes(["Source: not given"])
    text = escape(str(REFERENCES[metric.source]))
    linked = re.sub(r"https?://\S+", lambda url: f'<a href="{url[0]}">{url[0]}</a>', text)
    return f'<div style="margin:2px 0;max-width:46em">Source: {linked}</div>'


def inline_mathml(formula_latex: str, text: str) -> str:
    """Render a formula as inline MathML, which browsers draw without a library, or as text."""
    drawn = mathml(formula_latex) if formula_latex else ""
    inline = drawn.replace('display="block"', 'display="inline" displaystyle="true"')
    return inline or in_words(formula_latex, text)


def in_words(formula_latex: str, text: str) -> str:
    """Render a formula as text, for pages that strip MathML, as JupyterLab does for Shift+Tab."""
    return f"<code>{escape(text)}</code>"


def _show_metrics(session: Session, line: str) -> MetricTable | MetricDetails:
    """%metrics [METRIC] [--convention NAME]

    What metrics are made of: all of them as Table 1 of Yu et al. (2017), or one whole, with its formula, its
    parts and its source.

        %metrics
        %metrics alpha-nDCG(alpha=0.3)@10
        %metrics --convention ndeval

    --convention NAME    paper, ndeval or ntcireval

    Returns a table with `.table`, a DataFrame; of one metric, `.metric` is the metric.
    """
    arguments = read_arguments(MAGIC, line)
    at_most(arguments.words, 1, "one metric, or none for all of them")
    convention = arguments.one("convention", "paper")
    if arguments.words:
        return MetricDetails(metric(arguments.words[0], convention))
    return MetricTable.of(convention)


MAGIC = Magic("metrics", _show_metrics, options=(CONVENTION,), words=("metric", ""))
