"""Describe the users of a metric in sentences made of the user models of its parts."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from divmetrics.core.metric import BaseMetric, ByIntentType, Collapsed, IntentSquare, Metric, WeightedSum
from divmetrics.core.parts import One
from divmetrics.explanations.catalogue import describe_part
from divmetrics.explanations.formulas import brief_input_description
from divmetrics.explanations.part_descriptions import description_of, join_by_kind

# The columns in the order in which the text describes them.
ORDER = ("M", "stop", "w", "f", "N")
ONE = {"N": "The sum is not divided.", "f": "Every intent counts 1.", "w": "Every rank counts the same."}


@singledispatch
def describe_users(metric: BaseMetric) -> str:
    """Return one or a few sentences on a metric's users; by default, those of its components."""
    return " ".join(map(describe_users, metric.components()))


@describe_users.register
def _(metric: Metric) -> str:
    clauses = (description_of(getattr(metric, column)).user_model for column in ORDER)
    return _sentence("; ".join(filter(None, clauses)) or "each document adds what the formula says")


@describe_users.register
def _(metric: WeightedSum) -> str:
    return " ".join(f"{weight():g} times {term.name}: {_clause(term)}" for weight, term in metric.terms)


@describe_users.register
def _(metric: ByIntentType) -> str:
    informational, navigational = (_clause(row)[:-1] for row in (metric.informational, metric.navigational))
    return _sentence(join_by_kind(informational, navigational))


@describe_users.register
def _(metric: Collapsed) -> str:
    grade = "the topic's grade" if metric.collapse == "ad hoc" else brief_input_description(metric)
    users = describe_users(replace(metric.row, f=One()))  # the weight of the only intent is irrelevant
    return f"All intents are merged into one, and a document's grade is {grade}. {users}"


@describe_users.register
def _(metric: IntentSquare) -> str:
    return f"Within each intent, its subtopics are the intents. {describe_users(metric.metric)}"


def describe_columns(row: Metric) -> dict[str, str]:
    """Return {column: sentence} for the columns of a row, and for its stop if it has one."""
    parts = {column: getattr(row, column) for column in ORDER}
    return {column: _describe_column(column, part) for column, part in parts.items() if part is not None}


def _describe_column(column: str, part: object) -> str:
    if isinstance(part, One):
        return ONE[column]
    clause = description_of(part).user_model
    return _sentence(clause) if clause else " ".join(describe_part(part))


def _clause(metric: BaseMetric) -> str:
    users = describe_users(metric)
    return f"{users[:1].lower()}{users[1:]}"


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."
