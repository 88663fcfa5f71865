"""Which section derives which metric, for the map of the course, and where else the metric is used.

A markdown cell that opens a derivation with a heading says so in its metadata:
`{"divmetrics": {"derives": ["P-IA", "AP-IA"]}}`; "-IS" stands for every intent-square form. Every metric of
the papers' tables must be derived, once, and the lesson shows its readers on their walk there, its picture.
The code of another notebook must name it, too: a metric that no other lesson uses is not worth deriving.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts.discounts import ContinuationDiscount
from divmetrics.errors import join_words
from divmetrics.explanations.formulas import rows_with_roles
from divmetrics.explanations.part_descriptions import description_of
from divmetrics.notebook.taxonomy import line
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics
from tools.chapters import Chapter
from tools.map_pictures import picture
from tools.markdown_text import anchored, in_a_table

SQUARES, SQUARE = "-IS", "ERR-IS"  # what stands for all of them, and the one that is shown
OF_SQUARES = "Every metric within each intent, over its second-level subtopics."
SAME = "as the metric has it"


@dataclass(frozen=True)
class Derivation:
    """A section of a chapter, the metrics that it declares to derive, and its text."""

    chapter: Chapter
    heading: str
    metrics: tuple[str, ...]
    text: str

    def link(self, words: str) -> str:
        return f"[{words}]({anchored(self.chapter.path.name, self.heading)})"


def derivations(chapters: Iterable[Chapter]) -> Iterator[Derivation]:
    """Yield every derivation, in reading order."""
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


def complaints(derived: Iterable[Derivation], expected: Iterable[str]) -> Iterator[str]:
    """Yield metrics that the map lacks, has twice, does not know, or promises without deriving them."""
    derived, wanted = list(derived), list(expected)
    count = Counter(name for derivation in derived for name in derivation.metrics)
    yield from (f"{name} is derived nowhere" for name in wanted if not count[name])
    yield from (f"{name} is derived {n} times, expected once" for name, n in count.items() if n > 1)
    yield from (f"{name} is no metric of the tables" for name in count if name not in wanted)
    for derivation in derived:
        for name in derivation.metrics:
            if name not in derivation.text:
                yield f"{derivation.chapter.name}: the section {derivation.heading!r} never names {name}"


def unused(chapters: Iterable[Chapter], expected: Iterable[str]) -> Iterator[str]:
    """Yield the metrics that only the notebook which derives them uses."""
    course = list(chapters)
    home = {name: derived.chapter for derived in derivations(course) for name in derived.metrics}
    used = {chapter: uses(chapter) for chapter in course}
    for name in expected:
        if not any(name in used[chapter] for chapter in course if chapter is not home.get(name)):
            yield f"{name} is used in no notebook but where it is derived"


def uses(chapter: Chapter) -> set[str]:
    """Return the names of metrics in a notebook's code; "-IS" stands for any intent-square form."""
    cells = (cell.source for cell in chapter.notebook.cells if cell.cell_type == "code")
    return {name for source in cells for text in _texts(source) for name in _named(text)}


# Metrics that the library computes and the lessons do not treat.
UNTREATED = frozenset(("S-recall-lmin", "S-precision", "WS-precision", "O", "NCUrb-P", "NCUrb-BR", "1-call"))


def to_be_derived() -> list[str]:
    """Return every metric of the papers' tables that lessons treat, and the intent-square form."""
    treated = [name for name in metrics(of="lists") if name not in UNTREATED]
    return [*treated, SQUARES, *metrics(of="pages")]


def rows(derivation: Derivation) -> Iterator[str]:
    """Yield a Markdown table row for each metric: name, M above w, user model, picture.

    The name links to the section, and has hyphens that do not break.
    """
    for name in derivation.metrics:
        squares = name == SQUARES
        metric = metric_named(SQUARE if squares else name)
        link = derivation.link("all -IS" if squares else _unbroken(name))
        formulas = SAME if squares else _formulas(metric)
        reading = OF_SQUARES if squares else _readers(metric)
        yield f"| {link} | {formulas} | {reading} | {picture(metric)} |"


def _unbroken(name: str) -> str:
    return name.replace("-", "\u2011")


def _formulas(metric: BaseMetric) -> str:
    """Return M and w if all rows of the metric share them, else the metrics that it combines."""
    rows = [row for _, row in rows_with_roles(metric)]
    pairs = {tuple(_formula(part) for part in (row.M, row.w)) for row in rows}
    if len(pairs) == 1:
        return "<br>".join(map(in_a_table, pairs.pop()))  # a column less: the words need the room
    return f"those of {join_words([_unbroken(inner.name) for inner in metric.components()])}"


def _formula(part: object) -> str:
    """Return a formula in the lessons' letters: patience is phi throughout, also NRBP's beta."""
    latex = description_of(part).latex
    return latex.replace(r"\beta", r"\phi") if isinstance(part, ContinuationDiscount) else latex


def _readers(metric: BaseMetric) -> str:
    """Return the user models of the metric's parts in sentences, or the metrics that it combines."""
    rows = [row for _, row in rows_with_roles(metric)]
    ad_hoc = getattr(metric, "collapse", None) == "ad hoc"
    if len(rows) > 1 or not (ad_hoc or rows[0].name == metric.name):
        return line(metric)
    sentence = "; ".join(filter(None, (description_of(part).user_model for part in _telling(rows[0]))))
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _telling(row: Metric) -> Iterator[object]:
    """Yield the parts that describe the user model; the cost of a page is in N."""
    yield from (row.M, row.stop)
    if isinstance(row.w, ContinuationDiscount):
        yield row.w
    if row.name in metrics(of="pages"):
        yield row.N


def _texts(source: str) -> Iterator[str]:
    """Yield the strings of a cell's code, with arguments of magics and commands."""
    if not source.startswith("%%"):
        for node in ast.walk(ast.parse(TransformerManager().transform_cell(source))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _named(text: str) -> set[str]:
    """Return the metrics in a text of metrics only, or in options: `-m ERR-IA@5,NRBP`."""
    names = _row_names()
    words = {re.split(r"[@(]", word)[0] for word in re.split(r"[\s,]+", text) if re.search(r"[A-Za-z]", word)}
    if not words <= names:
        arguments = ",".join(re.findall(r"-m[ =]\"?([^\s\"]+)", text))
        words = {re.split(r"[@(]", word)[0] for word in arguments.split(",")} & names
    return {SQUARES if word.endswith(SQUARES) else word for word in words}


@cache
def _row_names() -> frozenset[str]:
    return frozenset([*to_be_derived(), *(f"{name.removesuffix('-IA')}-IS" for name in metrics(of="lists"))])


def _heading(cell: NotebookNode) -> str | None:
    match = re.match(r"#{2,6} +(.+?) *#*$", cell.source, re.MULTILINE)
    return match[1] if match and cell.cell_type == "markdown" else None
