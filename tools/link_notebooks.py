"""How to begin at the top of each notebook, links at its end, and the list of all notebooks in the first.

    python -m tools.link_notebooks

Links are made from the names and titles in the folder. They stand in the last cell (tag `navigation`), the
list in a cell of the first notebook (tag `contents`) that may be moved within it. How to begin stands in the
cell of the title, above the first section.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from tools.notebook_files import read, reading_order, tags, write

BEGIN = (
    "*To begin, press Shift+Enter to run cell after cell, or choose **Run › Run All Cells** and come back "
    "to the top with Ctrl+Home.*"
)

TITLE = re.compile(r"^# +(.+?) *#*$", re.MULTILINE)


def title(path: Path, notebook: NotebookNode) -> str:
    """The notebook's number, from its name, and its H1."""
    for cell in notebook.cells:
        heading = TITLE.search(cell.source)
        if heading and cell.cell_type == "markdown":
            number, words = path.name[:2], heading[1]
            return words if words.startswith(number) else f"{number} {words}"
    raise SystemExit(f"{path}: no markdown cell has a title, a line that begins with '# '; add one")


def linked(notebooks: Mapping[Path, NotebookNode]) -> dict[Path, NotebookNode]:
    """The notebooks, given in reading order, with links as they should be; those given are not changed."""
    titles = {path: title(path, notebook) for path, notebook in notebooks.items()}
    paths = list(titles)
    done = {path: copy.deepcopy(notebook) for path, notebook in notebooks.items()}
    for position, notebook in enumerate(done.values()):
        links = [f"[Contents]({'' if position == 0 else paths[0].name}#Contents)"]
        if position > 0:
            links.insert(0, f"[← {titles[paths[position - 1]]}]({paths[position - 1].name})")
        if position + 1 < len(paths):
            links.append(f"[{titles[paths[position + 1]]} →]({paths[position + 1].name})")
        ours = [cell for cell in notebook.cells if "navigation" in tags(cell)]
        for cell in ours:
            notebook.cells.remove(cell)
        notebook.cells.append(_cell("navigation", " · ".join(links)))
        _say_how_to_begin(notebook)
    if paths:
        lines = [f"- [{titles[path]}]({path.name})" for path in paths]
        _put_contents(done[paths[0]], "\n".join(["## Contents", "", *lines]))
    return done


def _say_how_to_begin(notebook: NotebookNode) -> None:
    """Put it before the first section of the title's cell, in place of what that cell says of Run All."""
    cell = next(cell for cell in notebook.cells if TITLE.search(cell.source) and cell.cell_type == "markdown")
    others = re.sub(r"\s*\*?\bTo [^.]*Run All Cells[^.]*\.\*?", "", cell.source)
    head, *sections = re.split(r"^(?=## )", others, flags=re.MULTILINE)
    cell.source = "\n\n".join([head.strip(), BEGIN, "".join(sections)]).strip()


def _put_contents(notebook: NotebookNode, source: str) -> None:
    for position, cell in enumerate(notebook.cells):
        if "contents" in tags(cell):
            notebook.cells[position] = _cell("contents", source)
            return
    notebook.cells.insert(-1, _cell("contents", source))


def _cell(tag: str, source: str) -> NotebookNode:
    return new_markdown_cell(source, id=tag, metadata={"tags": [tag]})


def main() -> None:
    notebooks = {path: read(path) for path in reading_order()}
    for path, notebook in linked(notebooks).items():
        write(notebook, path)


if __name__ == "__main__":
    main()
