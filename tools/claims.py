"""Claims: the conclusions of a lesson, each with a cell that tries the choices a reader could have made.

A takeaway, or a line of the summary, ends with a comment that names its claim and that no page shows:

    P-IA sees neither the order of the pages nor repetition. <!-- claim: order -->

A code cell with `"claim": "order"` in its metadata tries the choices (divisor, parameter, cutoff, gain,
convention, ties, seed, topic, collection) and asserts what the sentence says, "in 14 of 16" included.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tools.notebook_files import is_generated

CLAIM = re.compile(r"[ \t]*<!-- claim: ([a-z0-9-]+) -->")
SUMMARY = re.compile(r"^## Summary\b", re.MULTILINE)
NUMBERED = re.compile(r"^\d+\. .*$", re.MULTILINE)


def without_claim(text: str) -> str:
    """Return the text without the comments that name claims."""
    return CLAIM.sub("", text)


def broken_claims(lesson: str, takeaways: Sequence[str], notebook: NotebookNode) -> Iterator[str]:
    """Yield conclusions without a claim, claims without a cell, and cells that assert or support nothing.

    lesson: the number of the lesson, or the letter of an appendix, which need not have claims.
    """
    if lesson.isdigit():
        yield from _conclusions_without_claim(takeaways, notebook)
        yield from _claims_without_cell(takeaways, notebook)


def _conclusions_without_claim(takeaways: Sequence[str], notebook: NotebookNode) -> Iterator[str]:
    summaries = [cell.source for cell in _prose(notebook) if SUMMARY.search(cell.source)]
    for sentence in [*takeaways, *(line for text in summaries for line in NUMBERED.findall(text))]:
        if not re.search(CLAIM.pattern + r"$", sentence):
            yield f"the conclusion {sentence!r} does not end with <!-- claim: ... -->"


def _claims_without_cell(takeaways: Sequence[str], notebook: NotebookNode) -> Iterator[str]:
    texts = [*takeaways, *(cell.source for cell in _prose(notebook))]
    named = {name for text in texts for name in CLAIM.findall(text)}
    cells = [(place, cell) for place, cell in enumerate(notebook.cells, 1) if "claim" in cell.metadata]
    tried = {cell.metadata["claim"] for _, cell in cells}
    yield from (f"no cell has the claim {name!r} in its metadata" for name in sorted(named - tried))
    for place, cell in cells:
        if cell.metadata["claim"] not in named:
            yield f"cell {place} tries the claim {cell.metadata['claim']!r}, which no sentence names"
        if cell.cell_type != "code" or not _asserts(cell.source):
            yield f"cell {place} tries the claim {cell.metadata['claim']!r} and asserts nothing"


def _asserts(source: str) -> bool:
    tree = ast.parse(TransformerManager().transform_cell(source))
    return any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def _prose(notebook: NotebookNode) -> Iterator[NotebookNode]:
    yield from (cell for cell in notebook.cells if cell.cell_type == "markdown" and not is_generated(cell))
