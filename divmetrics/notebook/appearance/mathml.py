"""Formulas as MathML, which browsers draw by themselves: without a script, a font or a network."""

from __future__ import annotations

from functools import cache

from divmetrics.render.escaping import is_formula

# Fonts that say where the limits of a sum stand: in others, which a browser may choose, they run into it.
FONTS = "'STIX Two Math','Cambria Math','Latin Modern Math','DejaVu Math TeX Gyre',math"


@cache
def mathml(latex: str, *, inline: bool = False) -> str:
    """LaTeX as one MathML element, set on a line of its own or within one; "" where it cannot be read.

    "" also where more than a formula would come of it: a link, a style, or HTML within a text.
    """
    from latex2mathml.converter import convert

    try:
        drawn = str(convert(latex, display="inline" if inline else "block"))
    except Exception:  # of no common kind; the LaTeX of a reader's own part may be anything
        return ""
    return drawn.replace("<math", f'<math style="font-family:{FONTS}"', 1) if is_formula(drawn) else ""
