"""Render formulas as MathML, which browsers draw without a script, a font or a network."""

from __future__ import annotations

from functools import cache

from divmetrics.render.escaping import is_formula

# Fonts with a MATH table; in others, which a browser may choose, the limits of a sum overlap it.
FONTS = "'STIX Two Math','Cambria Math','Latin Modern Math','DejaVu Math TeX Gyre',math"


@cache
def mathml(latex: str, *, inline: bool = False) -> str:
    """Return LaTeX as one MathML element, as a block or inline; "" if it cannot be converted.

    Also return "" if the result contains more than a formula: a link, a style, or HTML within a text.
    """
    from latex2mathml.converter import convert

    try:
        drawn = str(convert(latex, display="inline" if inline else "block"))
    except Exception:  # of any type; the LaTeX of a user's own part may be anything
        return ""
    return drawn.replace("<math", f'<math style="font-family:{FONTS}"', 1) if is_formula(drawn) else ""
