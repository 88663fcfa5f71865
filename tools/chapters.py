"""The chapters of the course, lessons and appendices, with titles, metadata and reading times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from divmetrics.explanations import REFERENCES
from divmetrics.explanations.references import Reference
from tools.lessons import Length, Lesson, lesson_and_exercises
from tools.markdown_text import headings
from tools.notebook_files import FOLDER, number, read, reading_order

ROUNDED = 5  # minutes are said in steps of so many, upwards


@dataclass(frozen=True, eq=False)
class Chapter:
    """A lesson or an appendix."""

    path: Path
    notebook: NotebookNode

    @property
    def name(self) -> str:
        """The name that other lessons use in their metadata: 04_counting."""
        return self.path.stem

    @property
    def number(self) -> str:
        return number(self.path)

    @property
    def is_lesson(self) -> bool:
        return self.number.isdigit()

    @property
    def kind(self) -> str:
        return "lesson" if self.is_lesson else "appendix"

    @cached_property
    def title(self) -> str:
        """The H1; raises SystemExit without one."""
        for cell in self.notebook.cells:
            if cell.cell_type == "markdown":
                for level, words in headings(cell.source):
                    if level == 1:
                        return words
        raise SystemExit(f"{self.path}: no markdown cell has a title, a line that begins with '# '; add one")

    @property
    def numbered(self) -> str:
        return f"{self.number} {self.title}"

    @cached_property
    def lesson(self) -> Lesson:
        """The lesson's metadata; raises SystemExit if they are missing or incomplete."""
        try:
            metadata = Lesson.of(self.notebook)
        except KeyError as missing:
            raise SystemExit(f"{self.path}: its metadata lack {missing}: see tools/lessons.py") from None
        if metadata is None:
            raise SystemExit(f"{self.path}: its metadata have no divmetrics.lesson: see tools/lessons.py")
        return metadata

    @property
    def sources(self) -> list[Reference]:
        """The sources that the metadata name; raises SystemExit for an unknown one."""
        unknown = [key for key in self.lesson.sources if key not in REFERENCES]
        if unknown:
            raise SystemExit(f"{self.path}: unknown sources: {', '.join(unknown)}; see REFERENCES")
        return [REFERENCES[key] for key in self.lesson.sources]

    @cached_property
    def minutes(self) -> int:
        """The reading time without exercises."""
        return _rounded(Length.of(lesson_and_exercises(self.notebook)[0]).minutes)

    @cached_property
    def exercise_minutes(self) -> int:
        return _rounded(Length.of(lesson_and_exercises(self.notebook)[1]).minutes)

    def link(self, words: str = "") -> str:
        """Return a Markdown link, from the folder of notebooks."""
        return f"[{words or self.numbered}]({self.path.name})"


def chapters(folder: Path = FOLDER) -> list[Chapter]:
    """Return the chapters in reading order; raises SystemExit if there is none."""
    in_order = [Chapter(path, read(path)) for path in reading_order(folder)]
    if not in_order:
        raise SystemExit(f"there is no lesson, NN_topic.ipynb, in {folder}")
    return in_order


def _rounded(minutes: float) -> int:
    return ROUNDED * math.ceil(round(minutes, 6) / ROUNDED)
