"""A metric as a formula, put together from the formulas of its parts: plain text and LaTeX."""

from __future__ import annotations

from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.render.escaping import in_latex


def formula(metric: BaseMetric) -> str:
    """A metric's formula as one line of plain text."""
    return f"{metric.name}(L) = {metric.text()}"


def latex(metric: BaseMetric) -> str:
    """A metric's formula in LaTeX, without dollar signs."""
    return f"{_left(metric)}{metric.latex(in_latex)}"


def latex_terms(row: Metric) -> list[tuple[str, str]]:
    """The same of a row, in pieces that are formulas of their own, each with its column, "stop" or ""."""
    return [("", _left(row)), *row.latex_terms(in_latex)]


def _left(metric: BaseMetric) -> str:
    return rf"\mathrm{{{in_latex(metric.name)}}}(L) = "
