"""Explain a score: contributions, their factors, formulas and descriptions."""

from __future__ import annotations

from divmetrics.explanations.catalogue import table_of_rows
from divmetrics.explanations.contributions import Contributions
from divmetrics.explanations.explanation import explain, explain_in_words
from divmetrics.explanations.formulas import formula, latex
from divmetrics.explanations.part_descriptions import (
    PartDescription,
    description_of,
    plain_formula,
    registered_description,
)
from divmetrics.explanations.references import REFERENCES, Reference

__all__ = [
    "REFERENCES", "Contributions", "PartDescription", "Reference", "description_of", "explain",
    "explain_in_words", "formula", "latex", "plain_formula", "registered_description",
    "table_of_rows",
]  # fmt: skip
