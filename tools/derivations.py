"""Which section of which lesson derives which metric, for the map of the course.

A markdown cell that opens a derivation with a heading says so in its metadata:
`{"divmetrics": {"derives": ["P-IA", "AP-IA"]}}`; "-IS" stands for every intent-square form. Every metric of
the papers' tables must be derived, once, and the lesson shows its readers on their walk there, its picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

import divmetrics as dm
from divmetrics.core.metric import BaseMetric
from divmetrics.core.parts.discounts import GoingOn
from divmetrics.explanations.families import line
from divmetrics.names.parse import names
from tools.chapters import Chapter
from tools.prose import anchored, in_a_table

SQUARES = "-IS"
SQUARES_SAID = "Every metric within each intent, over its second-level subtopics."


@dataclass(frozen=True)
class Derivation:
    """A section of a chapter, the metrics that it says it derives, and what stands in it."""

    chapter: Chapter
    heading: str
    metrics: tuple[str, ...]
    text: str

    def link(self, words: str) -> str:
        return f"[{words}]({anchored(self.chapter.path.name, self.heading)})"


def derivations(chapters: Iterable[Chapter]) -> Iterator[Derivation]:
    """Every derivation, in reading order."""
    for chapter in chapters:
        cells = chapter.notebook.cells
        for place, cell in enumerate(cells):
            metrics = cell.metadata.get("divmetrics", {}).get("derives", ())
            if not metrics:
                continue
            heading = _heading(cell)
            if heading is None:
                raise SystemExit(
                    f"{chapter.path}: cell {place + 1} derives {', '.join(metrics)} but does not begin with "
                    "a heading; move the metadata to the cell whose heading opens the derivation"
                )
            end = next((i for i, c in enumerate(cells) if i > place and _heading(c)), len(cells))
            text = "\n".join(c.source for c in cells[place:end])
            yield Derivation(chapter, heading, tuple(metrics), text)


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
                yield f"{derivation.chapter.name}: the section {derivation.heading!r} never names {name}"


def to_be_derived() -> list[str]:
    """Every metric of the papers' tables, and the form that all of them have."""
    return [*names(), SQUARES]


def rows(derivation: Derivation) -> Iterator[str]:
    """A row of a table in Markdown for each of its metrics: its name, M, w and what its readers do.

    The name leads to the section. Its hyphens are those that no line ends at.
    """
    for name in derivation.metrics:
        link = derivation.link("all -IS" if name == SQUARES else name.replace("-", "\u2011"))
        if name == SQUARES:
            yield f"| {link} |  |  | {SQUARES_SAID} |"
        else:
            metric = dm.metric(name)
            yield f"| {link} | {_formulas(metric)} | {_readers(metric)} |"


def _formulas(metric: BaseMetric) -> str:
    """M and w, where all rows of the metric have the same; those that it is made of have their own."""
    rows = [row for _, row in metric.named_rows()]
    found = {tuple(getattr(part, "latex", "") for part in (row.M, row.w)) for row in rows}
    return " | ".join(map(in_a_table, found.pop())) if len(found) == 1 else " | "


def _readers(metric: BaseMetric) -> str:
    """What its readers do: the sentences of the parts that say so, or which metrics it is made of."""
    rows = [row for _, row in metric.named_rows()]
    ad_hoc = getattr(metric, "collapse", None) == "ad hoc"
    if len(rows) > 1 or not (ad_hoc or rows[0].name == metric.name):
        return line(metric)
    parts = [rows[0].M, rows[0].stop, *([rows[0].w] if isinstance(rows[0].w, GoingOn) else [])]
    said = "; ".join(filter(None, (getattr(part, "reader", "") for part in parts)))
    return f"{said[:1].upper()}{said[1:]}."


def _heading(cell: NotebookNode) -> str | None:
    found = re.match(r"#{2,6} +(.+?) *#*$", cell.source, re.MULTILINE)
    return found[1] if found and cell.cell_type == "markdown" else None
