"""Names such as ERR-IA without a line break at the hyphen: an extension of Sphinx."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

# Of a metric or of a run: a capital behind a hyphen; or one of those that have none.
CAPITAL = r"[\w#+]+-(?=[\w#+-]*[A-Z])[\w#+-]*[\w#+]"
NAME = re.compile(rf"(?<![\w-])((?:{CAPITAL}|I-rec|S-recall|D#?-measures?)(?:@\d+)?)(?![\w-])")
AS_IT_IS = (nodes.literal, nodes.math, nodes.math_block, nodes.FixedTextElement, nodes.raw)


def _unbroken(app: Sphinx, tree: nodes.document, page: str) -> None:
    for text in list(tree.findall(nodes.Text)):
        within = text.parent
        if within is None or isinstance(within, AS_IT_IS) or "together" in within.get("classes", []):
            continue
        parts = NAME.split(text)  # every other one is a name
        if len(parts) > 1:
            place = within.index(text)
            within[place : place + 1] = [
                nodes.inline("", part, classes=["together"]) if n % 2 else nodes.Text(part)
                for n, part in enumerate(parts)
                if part
            ]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", _unbroken)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
