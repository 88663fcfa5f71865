"""The map of derivations in the first notebook: which section of which notebook derives which metric.

    python -m tools.map_derivations

A markdown cell that opens a derivation with a heading says so in its metadata:
`{"divmetrics": {"derives": ["P-IA", "AP-IA"]}}`; "-IS" stands for every intent-square form. The map stands
in the first notebook, in a cell with the tag `derivations`. Every metric of the papers' tables must be in it,
once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode

from divmetrics.names.parse import names
from tools.link_notebooks import title
from tools.notebook_files import read, reading_order, tags, write

SQUARES = "-IS"
TAG = "derivations"


@dataclass(frozen=True)
class Derivation:
    """A section of a notebook, the metrics that it says it derives, and what stands in it."""

    path: Path
    notebook: str
    heading: str
    metrics: tuple[str, ...]
    text: str

    @property
    def link(self) -> str:
        return f"[{self.notebook}: {self.heading}]({self.path.name}#{quote(self.heading.replace(' ', '-'))})"


def derivations(notebooks: Mapping[Path, NotebookNode]) -> Iterator[Derivation]:
    """Every derivation, in reading order."""
    for path, notebook in notebooks.items():
        cells = notebook.cells
        for place, cell in enumerate(cells):
            metrics = cell.metadata.get("divmetrics", {}).get("derives", ())
            if not metrics:
                continue
            heading = _heading(cell)
            if heading is None:
                raise SystemExit(
                    f"{path}: cell {place + 1} derives {', '.join(metrics)} but does not begin with a "
                    "heading; move the metadata to the cell whose heading opens the derivation"
                )
            end = next((i for i, c in enumerate(cells) if i > place and _heading(c)), len(cells))
            text = "\n".join(c.source for c in cells[place:end])
            yield Derivation(path, title(path, notebook), heading, tuple(metrics), text)


def complaints(found: Iterable[Derivation], expected: Iterable[str]) -> Iterator[str]:
    """What the map lacks, has twice, does not know, or promises without showing it."""
    found, wanted = list(found), list(expected)
    count = Counter(name for derivation in found for name in derivation.metrics)
    yield from (f"{name} is derived nowhere" for name in wanted if not count[name])
    yield from (f"{name} is derived {n} times, expected once" for name, n in count.items() if n > 1)
    yield from (f"{name} is no metric of the tables" for name in count if name not in wanted)
    for derivation in found:
        for name in derivation.metrics:
            if name not in derivation.text:
                yield f"{derivation.path.name}: the section {derivation.heading!r} never names {name}"


def to_be_derived() -> list[str]:
    """Every metric of the papers' tables, and the form that all of them have."""
    return [*names(), SQUARES]


def table(found: Iterable[Derivation]) -> str:
    """The map as Markdown: a line for each section, its metrics first."""
    shown = {SQUARES: "every form with -IS"}
    lines = [
        f"| {', '.join(shown.get(name, f'`{name}`') for name in derivation.metrics)} | {derivation.link} |"
        for derivation in found
    ]
    return "\n".join(["### Where each metric is derived", "", "| metric | derived in |", "|:--|:--|", *lines])


def mapped(notebooks: Mapping[Path, NotebookNode]) -> str:
    """What the cell with the map should hold."""
    return table(derivations(notebooks))


def map_cell(notebook: NotebookNode) -> NotebookNode:
    """The cell that holds the map."""
    for cell in notebook.cells:
        if TAG in tags(cell):
            return cell
    raise SystemExit(f"the first notebook has no cell tagged {TAG!r}; add an empty one with this tag")


def _heading(cell: NotebookNode) -> str | None:
    found = re.match(r"#{2,6} +(.+?) *#*$", cell.source, re.MULTILINE)
    return found[1] if found and cell.cell_type == "markdown" else None


def main() -> None:
    notebooks = {path: read(path) for path in reading_order()}
    first, notebook = next(iter(notebooks.items()))
    map_cell(notebook).source = mapped(notebooks)
    write(notebook, first)
    print("\n".join(complaints(derivations(notebooks), to_be_derived())) or "every metric is derived, once")


if __name__ == "__main__":
    main()
