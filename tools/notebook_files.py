"""Where the notebooks are and how they are read and written: the same way by everything that touches them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from divmetrics.saving import save

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"


def all_notebooks(folder: Path = FOLDER) -> list[Path]:
    """Every notebook at or below `folder`, sorted; JupyterLab's checkpoints are not notebooks of ours."""
    return sorted(path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def reading_order(folder: Path = FOLDER) -> list[Path]:
    """The lessons, NN_topic.ipynb, and then the appendices, A_topic.ipynb, directly in `folder`."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb")) + sorted(folder.glob("[A-Z]_*.ipynb"))


def number(path: Path) -> str:
    """What a lesson or an appendix is called by, from its name: "07", "B"."""
    return path.name.partition("_")[0]


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def write(notebook: NotebookNode, path: Path) -> None:
    """Write `notebook` to `path`; an unchanged notebook gives the same bytes and leaves the file alone."""
    nbformat.validate(notebook)
    text = nbformat.writes(notebook) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        save(path, text)
