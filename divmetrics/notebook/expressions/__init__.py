"""A metric of your own, from a few lines of text."""

from __future__ import annotations

from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.notebook.expressions.rule_checks import try_out
from divmetrics.notebook.expressions.vocabulary import functions, meanings

__all__ = ["functions", "meanings", "try_out", "write_metric"]
