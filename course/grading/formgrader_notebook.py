"""The notebook that formgrader shows to the person who grades the written half."""

from __future__ import annotations

import copy
from html import escape

import nbformat
from nbformat.v4 import new_output

from course.grading.course_files import Release
from course.grading.result import Result


def annotated_notebook(result: Result, release: Release) -> str:
    """Return the release with the student's answers and the judge's reason for each."""
    notebook = copy.deepcopy(release.notebook)
    reasons = {each.question: f"{each.points:g} of {each.of:g}. {each.reason}" for each in result.verdicts}
    for cell in notebook.cells:
        if cell.id in result.answers:
            cell.source = result.answers[cell.id]
        elif cell.id in result.written:
            cell.source = as_text(result.written[cell.id])
        elif cell.id in reasons:
            cell.outputs = [new_output("stream", name="stdout", text=reasons[cell.id])]
    return nbformat.writes(notebook) + "\n"


def as_text(answer: str) -> str:
    """Return Markdown that shows an answer letter by letter: no link, image, formula or tag in it is alive.

    formgrader shows a cell as part of a page that may do whatever the lecturer may.
    """
    return f'<pre style="white-space: pre-wrap">{escape(answer)}</pre>'
