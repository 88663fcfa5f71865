"""Formulas as MathML at build time: an extension of Sphinx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

from divmetrics.notebook.appearance.mathml import mathml

# What stands between formulas that share a line.
APART = re.compile(r"\\qquad(?![a-zA-Z])")
PUNCTUATION = re.compile(r"[,.;:!?)\]’”-]+")


def drawn(latex: str, *, inline: bool) -> str:
    """Return a formula as MathML; raises SphinxError if it cannot be converted."""
    rendered = mathml(latex, inline=inline)
    if not rendered:
        raise SphinxError(f"this formula cannot be drawn as MathML: {latex}")
    return rendered


def _in_a_line(writer: Any, node: nodes.math) -> None:
    made = drawn(node.astext(), inline=True)
    if any(isinstance(above, nodes.thead) for above in _above(node)):
        # What a column is called is asked for as text.
        made = made.replace("<math", f'<math aria-label="{escape(node.astext())}"', 1)
    writer.body.append(made)
    raise nodes.SkipNode


def _on_its_own(writer: Any, node: nodes.math_block) -> None:
    each = "".join(drawn(part, inline=False) for part in beside(node.astext()))
    writer.body.append(f'<div class="formula scrolled">{each}</div>')
    raise nodes.SkipNode


def beside(latex: str) -> list[str]:
    r"""Split a formula at \qquad: on a narrow page its parts go below each other."""
    parts = APART.split(latex)
    closed = all(part.count("{") == part.count("}") for part in parts)
    return parts if closed and r"\begin" not in latex else [latex]


def _with_its_comma(app: Sphinx, tree: nodes.document, name: str) -> None:
    """Keep a formula and what follows it without a blank, such as a comma, on one line."""
    for formula in list(tree.findall(nodes.math)):
        parent = formula.parent
        place = parent.index(formula)
        behind = parent[place + 1 : place + 2]
        if behind and isinstance(behind[0], nodes.Text) and (marks := PUNCTUATION.match(behind[0])):
            together = nodes.inline("", "", formula, nodes.Text(marks[0]), classes=["together"])
            parent[place : place + 2] = [together, nodes.Text(behind[0][marks.end() :])]


def _above(node: nodes.Node | None) -> Iterator[nodes.Node]:
    while node is not None:
        yield node
        node = node.parent


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", _with_its_comma)
    app.add_html_math_renderer("mathml", (_in_a_line, None), (_on_its_own, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
