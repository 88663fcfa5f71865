"""Feedback pages in a zip file, named as the submissions were, so that Moodle or Canvas can return them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from course.grading.submissions import CANVAS, MOODLE


def name_of(folder: str, assignment: str) -> str:
    """Return the path of a page in the zip file: beside the submission, or in its place.

    Moodle returns a page to the student whom the folder names, Canvas to the one whom the file names.
    """
    moodle = MOODLE.match(folder)
    is_file = CANVAS.match(folder) or (moodle and moodle["file"])
    return f"{folder.removesuffix('.ipynb')}.html" if is_file else f"{folder}/{assignment}.html"


def pack(pages: Mapping[str, str], assignment: str, path: Path) -> None:
    """Write a zip file of pages, which are keyed by the folder of the submission as it came in."""
    with zipfile.ZipFile(path, "w") as made:
        for folder in sorted(pages):
            made.writestr(name_of(folder, assignment), pages[folder], zipfile.ZIP_DEFLATED)
