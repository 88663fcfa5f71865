"""What the readers of a row do, column by column: what each part says in its `reader`, as a sentence."""

from __future__ import annotations

from divmetrics.core.metric import Metric
from divmetrics.core.parts import One
from divmetrics.explanations.catalogue import describe_part

# As the story is told, which is the order of `Metric.reader`.
ORDER = ("M", "stop", "w", "f", "N")
ONE = {"N": "The sum is not divided.", "f": "Every intent counts 1.", "w": "Every rank counts the same."}


def describe_columns(row: Metric) -> dict[str, str]:
    """For each column of a row, and its stop if it has one, a sentence; else its documentation."""
    parts = {column: getattr(row, column) for column in ORDER}
    return {column: _sentence(column, part) for column, part in parts.items() if part is not None}


def _sentence(column: str, part: object) -> str:
    if isinstance(part, One):
        return ONE[column]
    said = getattr(part, "user_model", "")
    return f"{said[0].upper()}{said[1:]}." if said else " ".join(describe_part(part))
