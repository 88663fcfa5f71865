"""The notebook that formgrader shows to the person who grades the written half."""

from __future__ import annotations

import copy
import re

import nbformat
from nbformat.v4 import new_output

from course.grading.course_files import Release
from course.grading.result import Result

# What HTML takes for the beginning of a tag, a comment or an instruction.
OPENS = re.compile(r"<(?=[A-Za-z/!?])")


def annotated_notebook(result: Result, release: Release) -> str:
    """Return the release with the student's answers and the judge's reason for each."""
    notebook = copy.deepcopy(release.notebook)
    reasons = {each.question: f"{each.points:g} of {each.of:g}. {each.reason}" for each in result.verdicts}
    for cell in notebook.cells:
        if cell.id in result.answers:
            cell.source = result.answers[cell.id]
        elif cell.id in result.written:
            cell.source = without_tags(result.written[cell.id])
        elif cell.id in reasons:
            cell.outputs = [new_output("stream", name="stdout", text=reasons[cell.id])]
    return nbformat.writes(notebook) + "\n"


def without_tags(markdown: str) -> str:
    """Return Markdown in which no HTML tag can begin, since formgrader shows it as a page of its own.

    A blank after `<` prevents a tag. An entity in its place would show as such in formulas and in code.
    """
    return OPENS.sub("< ", markdown)
