"""Formulas as MathML, which browsers draw by themselves: without a script, a font or a network."""

from __future__ import annotations

from functools import cache


@cache
def mathml(latex: str) -> str:
    """LaTeX as one MathML element, set on a line of its own; "" where it cannot be read."""
    from latex2mathml.converter import convert

    try:
        return str(convert(latex, display="block"))
    except Exception:  # of no common kind; the LaTeX of a reader's own part may be anything
        return ""
