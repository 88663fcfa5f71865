"""Where the notebooks are, and how every tool reads and writes them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from divmetrics.atomic_files import save

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"

# Pages that are made as a whole; they stand beside the lessons and are in no order.
MAP, GLOSSARY, BIBLIOGRAPHY = "map.ipynb", "notation_and_glossary.ipynb", "bibliography.ipynb"
# Tags of cells that are made, not written: in lessons, and (the last one) on those pages.
GENERATED = frozenset({"head", "colab", "sources", "navigation", "page"})
# What execution leaves, so that a page that is written and one that has been run are the same bytes.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def all_notebooks(folder: Path = FOLDER) -> list[Path]:
    """Return every notebook at or below `folder`, sorted, without JupyterLab's checkpoints."""
    return sorted(path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def reading_order(folder: Path = FOLDER) -> list[Path]:
    """Return the lessons, NN_topic.ipynb, and then the appendices, A_topic.ipynb, directly in `folder`."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb")) + sorted(folder.glob("[A-Z]_*.ipynb"))


def wrap_up(lesson: Path) -> Path | None:
    """Return the wrap-up that follows a lesson, `wrap_up_NN.ipynb` beside it, if there is one."""
    path = lesson.with_name(f"wrap_up_{number(lesson)}.ipynb")
    return path if path.exists() else None


def number(path: Path) -> str:
    """Return the number of a lesson or letter of an appendix, from its file name: "07", "B"."""
    return path.name.partition("_")[0]


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def folded(cell: NotebookNode) -> bool:
    """Return whether a reader sees only the output of a cell."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def is_generated(cell: NotebookNode) -> bool:
    """Return whether a tool wrote the cell."""
    return not GENERATED.isdisjoint(tags(cell))


def generated_cell(tag: str, source: str, name: str = "") -> NotebookNode:
    """Return a Markdown cell for a tool to write; `name` distinguishes it from others with its tag."""
    return new_markdown_cell(source, id=f"made-{name or tag}"[:64], metadata={"tags": [tag]})


def generated_page(cells: dict[str, str]) -> NotebookNode:
    """Return a notebook of Markdown cells only, from their names and texts."""
    made = [generated_cell("page", source, name) for name, source in cells.items()]
    return new_notebook(cells=made, metadata=METADATA)


def write(notebook: NotebookNode, path: Path) -> None:
    """Write `notebook` to `path`; leave the file alone if its bytes are the same."""
    nbformat.validate(notebook)
    text = nbformat.writes(notebook) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        save(path, text)
