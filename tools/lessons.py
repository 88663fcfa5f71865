"""What a lesson says of itself in its metadata, how long it takes, and how long it may be.

    python -m tools.lessons [NOTEBOOK ...]     # minutes, cells, words of each, and what is too long

A notebook's metadata hold `{"divmetrics": {"lesson": {...}}}` with what the class Lesson names. Its head, the
map of the course, the glossary and the bibliography are made from that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from divmetrics.explanations import REFERENCES
from tools.notebook_files import number, read, reading_order, tags

# Cells that are made, not written; they are not counted.
GENERATED = frozenset({"head", "sources", "navigation", "contents", "derivations"})
WORDS_A_MINUTE, MINUTES_A_CELL, MINUTES_A_FIGURE = 150, 1.0, 1.5
CELLS, WORDS, LINES, TERMS, TAKEAWAYS = 30, 1300, 10, 6, 3
TUTORIAL, TUTORIAL_LINES, TUTORIAL_MINUTES, MINUTES, EXERCISE_MINUTES = "00", 6, 45, 30, 15
STARS = ("★", "★★", "★★★")
WIDGET = re.compile(
    r"<(?:\w+Lab|ReaderWalk|MetricComposer|ContributionsView|DisagreementFinder|PreferenceJudge)\b"
)


@dataclass(frozen=True)
class Lesson:
    """What the metadata of a lesson say.

    question: the one that it answers, as the reader would ask it.
    takeaways: three sentences that she can say afterwards.
    builds_on: names of the notebooks, without .ipynb, that she should know.
    terms: what is new here, each with its definition in one sentence; at most six.
    symbols: LaTeX, without dollars, to what it means; those that are new here.
    sources: keys of divmetrics.explanations.REFERENCES, the most important first.
    """

    question: str
    takeaways: tuple[str, ...]
    builds_on: tuple[str, ...]
    terms: dict[str, str]
    symbols: dict[str, str]
    sources: tuple[str, ...]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Lesson | None:
        """None where the metadata have no lesson; KeyError names what it lacks."""
        found = notebook.metadata.get("divmetrics", {}).get("lesson")
        if found is None:
            return None
        return cls(
            found["question"],
            tuple(found["takeaways"]),
            tuple(found["builds_on"]),
            dict(found.get("terms", {})),
            dict(found.get("symbols", {})),
            tuple(found["sources"]),
        )


@dataclass(frozen=True)
class Length:
    """Of a part of a notebook."""

    cells: int
    words: int
    minutes: float

    @classmethod
    def of(cls, cells: list[NotebookNode]) -> Length:
        words = sum(len(_prose(cell.source).split()) for cell in cells if cell.cell_type == "markdown")
        code = [cell for cell in cells if cell.cell_type == "code"]
        minutes = words / WORDS_A_MINUTE
        minutes += MINUTES_A_CELL * sum(not folded(cell) for cell in code)
        minutes += MINUTES_A_FIGURE * sum(pictures(cell) for cell in code)
        return cls(len(cells), words, minutes)


def lesson_and_exercises(notebook: NotebookNode) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """Its cells without those that are made, and apart: from `## Exercises` on, before `## Summary`."""
    body: list[NotebookNode] = []
    exercises: list[NotebookNode] = []
    into = body
    for cell in notebook.cells:
        if GENERATED & set(tags(cell)):
            continue
        if cell.cell_type == "markdown":
            into = exercises if _headed(cell, "Exercises") else body if _headed(cell, "Summary") else into
        into.append(cell)
    return body, exercises


def too_long(path: Path, notebook: NotebookNode) -> Iterator[str]:
    """One sentence for each limit that the notebook is beyond."""
    lesson = Lesson.of(notebook)
    if lesson is None:
        yield "the metadata have no divmetrics.lesson: see tools/lessons.py"
        return
    first = number(path) == TUTORIAL
    body, exercises = map(Length.of, lesson_and_exercises(notebook))
    if number(path).isdigit():
        limits = {
            "cells": (body.cells, CELLS),
            "words": (body.words, WORDS),
            "minutes": (round(body.minutes), TUTORIAL_MINUTES if first else MINUTES),
            "minutes of exercises": (round(exercises.minutes), EXERCISE_MINUTES),
            "new terms": (len(lesson.terms), TERMS),
        }
        yield from (
            f"{found} {what}, at most {most}" for what, (found, most) in limits.items() if found > most
        )
        text = "\n".join(cell.source for cell in lesson_and_exercises(notebook)[1])
        for stars in STARS:
            if not re.search(rf"^### .*(?<!★){stars}(?!★)", text, re.MULTILINE):
                yield f"no exercise of {len(stars)} stars: a heading such as '### 1. By hand {stars}'"
        lines = TUTORIAL_LINES if first else LINES
        for place, cell in enumerate(notebook.cells, 1):
            found = len(cell.source.splitlines())
            if cell.cell_type == "code" and cell in body_of(notebook) and not folded(cell) and found > lines:
                yield f"cell {place} has {found} lines that a reader sees, at most {lines}"
    if len(lesson.takeaways) != TAKEAWAYS:
        yield f"{len(lesson.takeaways)} takeaways, expected {TAKEAWAYS}"
    yield from (f"unknown source {key!r}" for key in lesson.sources if key not in REFERENCES)


def body_of(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of the lesson itself, without exercises and without what is made."""
    return lesson_and_exercises(notebook)[0]


def folded(cell: NotebookNode) -> bool:
    """Whether a reader sees the output only."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def pictures(cell: NotebookNode) -> int:
    """Figures and widgets among what a code cell shows; closed answers and empty checks are none."""
    return sum(map(_is_picture, (output.get("data", {}) for output in cell.get("outputs", []))))


def _is_picture(data: dict[str, Any]) -> bool:
    html = "".join(data.get("text/html", ""))
    if "image/png" in data or "image/svg+xml" in data or "<svg" in html:
        return True
    return bool(WIDGET.match("".join(data.get("text/plain", ""))))


def _headed(cell: NotebookNode, words: str) -> bool:
    return bool(re.search(rf"^## {words}\b", cell.source, re.MULTILINE))


def _prose(source: str) -> str:
    return re.sub(r"\]\([^()\s]*\)|<[^<>]*>", " ", source)


def main(names: list[str]) -> int:
    worst = 0
    for path in [Path(name) for name in names] or reading_order():
        notebook = read(path)
        body, exercises = map(Length.of, lesson_and_exercises(notebook))
        length = f"{body.cells} cells, {body.words} words, {body.minutes:.0f} + {exercises.minutes:.0f} min"
        print(f"{path.stem}: {length}")
        for complaint in too_long(path, notebook):
            worst = 1
            print(f"  {complaint}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
