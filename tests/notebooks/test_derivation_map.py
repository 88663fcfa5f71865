"""The map of derivations is complete, true and up to date; and each of its rules can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from tools.map_derivations import complaints, derivations, map_cell, mapped, to_be_derived
from tools.notebook_files import read, reading_order


def test_every_metric_is_derived_in_one_place() -> None:
    notebooks = {path: read(path) for path in reading_order()}
    assert list(complaints(derivations(notebooks), to_be_derived())) == []


def test_the_map_is_up_to_date() -> None:
    notebooks = {path: read(path) for path in reading_order()}
    first = next(iter(notebooks.values()))
    assert map_cell(first).source == mapped(notebooks), "run: make notebooks"


def notebook(*sections: tuple[str, list[str]]) -> dict[Path, NotebookNode]:
    """A notebook of sections: each a text, and what it says it derives."""
    cells = [new_markdown_cell("# Title")]
    for text, metrics in sections:
        metadata: dict[str, Any] = {"divmetrics": {"derives": metrics}} if metrics else {}
        cells.append(new_markdown_cell(text, metadata=metadata))
    return {Path("03_some.ipynb"): new_notebook(cells=cells)}


GOOD = notebook(("## First, P-IA", ["P-IA"]), ("## Then", ["X", "-IS"]), ("X and X-IS", []))


def test_a_good_map() -> None:
    assert list(complaints(derivations(GOOD), ["P-IA", "X", "-IS"])) == []
    assert mapped(GOOD).splitlines()[-2:] == [
        "| `P-IA` | [03 Title: First, P-IA](03_some.ipynb#First%2C-P-IA) |",
        "| `X`, every form with -IS | [03 Title: Then](03_some.ipynb#Then) |",
    ]


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (notebook(("## P-IA", ["P-IA"])), "X is derived nowhere"),
        (notebook(("## P-IA", ["P-IA"]), ("## X", ["X", "P-IA"])), "P-IA is derived 2 times, expected once"),
        (notebook(("## P-IA, Y", ["P-IA", "Y"])), "Y is no metric of the tables"),
        (
            notebook(("## P-IA", ["P-IA", "X"]), ("## Later", []), ("X", [])),
            "03_some.ipynb: the section 'P-IA' never names X",
        ),
    ],
)
def test_a_bad_map(made: dict[Path, NotebookNode], complaint: str) -> None:
    assert complaint in list(complaints(derivations(made), ["P-IA", "X"]))


def test_a_derivation_needs_a_heading() -> None:
    with pytest.raises(SystemExit, match="cell 2 derives X but does not begin with a heading"):
        list(derivations(notebook(("X at last", ["X"]))))
