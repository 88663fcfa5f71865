"""Regeneration of everything in the course that follows from its lessons.

    python -m tools.course

That is the lessons' heads, sources and links to each other, the map of the course, the page of notation and
glossary, and the bibliography. All of it comes from the lessons' metadata, their length, the folder, and the
tables in tools/tracks.py. Broken rules are printed in the end; tests fail on them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from tools.chapters import Chapter, chapters
from tools.course_rules import complaints
from tools.generated_cells import with_generated_cells
from tools.map_page import map_page
from tools.notebook_files import BIBLIOGRAPHY, FOLDER, GLOSSARY, MAP, write
from tools.readme import repository
from tools.reference_pages import bibliography_page, glossary_page


def make_notebooks(course: Sequence[Chapter], address: str | None) -> dict[Path, NotebookNode]:
    """Return every notebook with current generated cells, in the folder of the first chapter."""
    folder = course[0].path.parent
    pages = {
        folder / MAP: map_page(course),
        folder / GLOSSARY: glossary_page(course),
        folder / BIBLIOGRAPHY: bibliography_page(course),
    }
    return {chapter.path: chapter.notebook for chapter in with_generated_cells(course, address)} | pages


def main(folder: Path = FOLDER) -> int:
    notebooks = make_notebooks(chapters(folder), repository())
    for path, notebook in notebooks.items():
        write(notebook, path)
    wrong = list(complaints(folder))
    print("\n".join(wrong) or f"{len(notebooks)} notebooks are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
