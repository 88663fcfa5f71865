"""Write your own metric in a few lines of text."""

from __future__ import annotations

from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.notebook.expressions.rule_checks import check_rules
from divmetrics.notebook.expressions.vocabulary import functions, meanings

__all__ = ["check_rules", "functions", "meanings", "write_metric"]
