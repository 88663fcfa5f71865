"""A metric as a formula, put together from the formulas of its parts: plain text and LaTeX."""

from __future__ import annotations

from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.render.escaping import escape_latex_math


def formula(metric: BaseMetric) -> str:
    """A metric's formula as one line of plain text."""
    return f"{metric.name}(L) = {metric.text()}"


def latex(metric: BaseMetric) -> str:
    """A metric's formula in LaTeX, without dollar signs."""
    return f"{_left(metric)}{metric.latex(escape_latex_math)}"


def latex_terms(row: Metric) -> list[tuple[str, str]]:
    """The same of a row, in pieces that are formulas of their own, each with its column, "stop" or ""."""
    return [("", _left(row)), *row.latex_terms(escape_latex_math)]


def _left(metric: BaseMetric) -> str:
    return rf"\mathrm{{{escape_latex_math(metric.name)}}}(L) = "
