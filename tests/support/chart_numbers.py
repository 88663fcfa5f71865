"""The numbers that a chart shows."""

from __future__ import annotations


def spec_rows(figure, *fields):
    """The rows of all data in the specification that have these fields, each once."""
    rows = []

    def walk(node):
        if isinstance(node, dict):
            if all(field in node for field in fields) and not any(isinstance(v, dict) for v in node.values()):
                rows.append(node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(figure.spec)
    return list({str(row): row for row in rows}.values())


def minus(text):
    """The number of a text, which a chart writes with a true minus sign."""
    return float(text.replace("−", "-"))
