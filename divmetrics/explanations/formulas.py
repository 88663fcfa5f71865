"""A metric as a formula, put together from the formulas of its parts: plain text and LaTeX."""

from __future__ import annotations

from divmetrics.core.metric import BaseMetric
from divmetrics.shown.escaping import in_latex


def formula(metric: BaseMetric) -> str:
    """A metric's formula as one line of plain text."""
    return f"{metric.name}(L) = {metric.text()}"


def latex(metric: BaseMetric) -> str:
    """A metric's formula in LaTeX, without dollar signs."""
    return rf"\mathrm{{{in_latex(metric.name)}}}(L) = {metric.latex(in_latex)}"
