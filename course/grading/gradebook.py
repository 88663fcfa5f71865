"""Points and reasons in nbgrader's gradebook, and the rebuilt notebooks where formgrader looks for them."""

from __future__ import annotations

import copy
import warnings
from typing import TYPE_CHECKING

import nbformat
from nbformat.v4 import new_output
from nbgrader.api import Gradebook

from course.grading.assignment import Assignment
from course.grading.course_files import Course, Release
from divmetrics.saving import save

if TYPE_CHECKING:
    from course.grading.grade import Result


def write(results: list[Result], assignment: Assignment, release: Release, course: Course) -> None:
    """Write all results; points that a person has given stay, and are read back into the results."""
    name = assignment.name
    database = f"sqlite:///{course.home / 'gradebook.db'}"
    with warnings.catch_warnings(), Gradebook(database, course.settings["course"]) as book:
        # What nbgrader itself does while it adds a submission.
        warnings.filterwarnings("ignore", message="Object of type .* not in session")
        book.update_or_create_assignment(name)
        book.update_or_create_notebook(name, name)
        for cell in release.notebook.cells:
            about = cell.metadata.get("nbgrader", {})
            kind = {"cell_type": cell.cell_type}
            if about.get("grade"):
                book.update_or_create_grade_cell(cell.id, name, name, max_score=about["points"], **kind)
            if about.get("solution"):
                book.update_or_create_solution_cell(cell.id, name, name)
            if about.get("locked") or about.get("grade"):
                kept = {"source": cell.source, "locked": bool(about.get("locked"))}
                book.update_or_create_source_cell(cell.id, name, name, **kind, **kept)
        for result in results:
            _write_one(book, result, assignment, release, course)
        book.db.commit()


def _write_one(
    book: Gradebook, result: Result, assignment: Assignment, release: Release, course: Course
) -> None:
    name, student = assignment.name, result.student
    book.update_or_create_student(student.id, last_name=student.name or student.id)
    if not result.folder:
        return
    book.update_or_create_submission(name, student.id)
    cells = {cell.id for cell in release.notebook.cells}
    for verdict in result.verdicts:
        grade = book.find_grade(verdict.question, name, name, student.id)
        grade.auto_score, grade.needs_manual_grade = verdict.points, False
        answer = f"{verdict.question}_answer"
        if answer in cells:  # a question may be about the answer to another
            book.find_comment(answer, name, name, student.id).auto_comment = verdict.reason
    for written in assignment.written:
        grade = book.find_grade(written.name, name, name, student.id)
        grade.auto_score = None if written.name in result.written else 0.0
        if grade.manual_score is not None:
            result.manual[written.name] = grade.manual_score
        grade.needs_manual_grade = grade.manual_score is None and written.name in result.written
    folder = course.home / "autograded" / student.id / name
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / f"{name}.ipynb", _shown(result, release))


def _shown(result: Result, release: Release) -> str:
    """The release with the student's answers and what the judge says of each, for formgrader."""
    notebook = copy.deepcopy(release.notebook)
    reasons = {each.question: f"{each.points:g} of {each.of:g}. {each.reason}" for each in result.verdicts}
    for cell in notebook.cells:
        if cell.id in result.answers:
            cell.source = result.answers[cell.id]
        elif cell.id in result.written:
            # Formgrader shows it as a page of its own: no markup of a submission may run there.
            cell.source = result.written[cell.id].replace("<", "&lt;")
        elif cell.id in reasons:
            cell.outputs = [new_output("stream", name="stdout", text=reasons[cell.id])]
    return nbformat.writes(notebook) + "\n"
