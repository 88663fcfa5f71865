"""Lessons made for a test: good ones, of which a test spoils what its rule is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.chapters import Chapter
from tools.markdown_text import anchored
from tools.notebook_files import GLOSSARY, METADATA

EXERCISES = "## Exercises\n\n### 1. One ★\n\nA.\n\n### 2. Two ★★\n\nB.\n\n### 3. Three ★★★\n\nC."


def said(**changed: Any) -> dict[str, Any]:
    """What a lesson says of itself."""
    good: dict[str, Any] = {
        "question": "Which list is better?",
        "takeaways": [
            f"{words} <!-- claim: one -->" for words in ("One is.", "The other is not.", "So it is.")
        ],
        "builds_on": [],
        "terms": {"ideal list": "The best list there is."},
        "symbols": {"w(k)": "what rank $k$ counts"},
        "sources": ["yu2017", "carterette2009"],
    }
    return good | changed


def words(source: str, **metadata: Any) -> NotebookNode:
    return new_markdown_cell(source, metadata=metadata)


def code(source: str, *plain: str, **metadata: Any) -> NotebookNode:
    """A code cell, and what it shows as text."""
    outputs = [{"output_type": "display_data", "data": {"text/plain": one}, "metadata": {}} for one in plain]
    return new_code_cell(source, outputs=[NotebookNode(output) for output in outputs], metadata=metadata)


def lesson(*cells: NotebookNode, title: str = "A title", **changed: Any) -> NotebookNode:
    """A good lesson with these cells in its body, and with other metadata."""
    about = said(**changed)
    linked = [f"[{term}]({anchored(GLOSSARY, term)})" for term in about.get("terms", {})]
    first = words(f"# {title}\n\nTwo lists. " + ", ".join(linked))
    made = [
        first,
        *cells,
        words(EXERCISES),
        code("assert one", claim="one"),
        words("## Summary\n\nFive lines."),
    ]
    return new_notebook(cells=made, metadata=METADATA | {"divmetrics": {"lesson": about}})


def chapter(name: str, *cells: NotebookNode, folder: Path = Path("notebooks"), **changed: Any) -> Chapter:
    """A good lesson in a file of that name; its term is its own."""
    changed = {"terms": {f"term of {name}": "It is."}, "symbols": {f"x_{name[:2]}": "it is"}} | changed
    title = name.partition("_")[2].capitalize()
    return Chapter(folder / f"{name}.ipynb", lesson(*cells, title=title, **changed))
