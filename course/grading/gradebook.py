"""Points and reasons in nbgrader's gradebook, and the rebuilt notebooks where formgrader expects them."""

from __future__ import annotations

import warnings
from pathlib import Path

import nbformat
from nbgrader.api import Comment, Grade, Gradebook

from course.grading.assignment import Assignment
from course.grading.course_files import Course, Release
from course.grading.formgrader_notebook import annotated_notebook
from course.grading.manual_points import ByHand
from course.grading.result import Result
from divmetrics.atomic_files import save


def write(results: list[Result], assignment: Assignment, release: Release, course: Course) -> None:
    """Write all results; read what a person entered in formgrader back into them."""
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
                content = {"source": cell.source, "locked": bool(about.get("locked"))}
                book.update_or_create_source_cell(cell.id, name, name, **kind, **content)
        _save(_copy(course, "source", ".", name), nbformat.writes(release.notebook) + "\n")
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
        answer, comment = f"{verdict.question}_answer", None
        if answer in cells:  # a question may be about the answer to another
            comment = book.find_comment(answer, name, name, student.id)
            comment.auto_comment = verdict.reason
        result.by_hand[verdict.question] = _by_hand(grade, comment)
    file = course.home / "autograded" / student.id / name / f"{name}.ipynb"
    now = annotated_notebook(result, release)
    changed = _changed(file, now)
    for written in assignment.written:
        grade = book.find_grade(written.name, name, name, student.id)
        grade.auto_score = None if written.name in result.written else 0.0
        comment = book.find_comment(written.name, name, name, student.id)
        result.by_hand[written.name] = _by_hand(grade, comment)
        read = grade.manual_score is not None
        again = read and (grade.needs_manual_grade or written.name in changed)
        if again:
            result.findings.append(f"{written.name} was handed in anew after a person had given points.")
        grade.needs_manual_grade = again or (not read and written.name in result.written)
    for copy in (file, _copy(course, "submitted", student.id, name)):
        _save(copy, now)


def _copy(course: Course, step: str, student: str, name: str) -> Path:
    """Return where formgrader looks for a notebook of that step, which is how it lists and counts."""
    return course.home / "formgrader" / step / student / name / f"{name}.ipynb"


def _save(file: Path, notebook: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    save(file, notebook)


def _changed(file: Path, now: str) -> set[str]:
    """Return the ids of cells that differ between the file and `now`; empty if there is no file yet."""
    if not file.exists():
        return set()
    before, after = (
        {cell.id: cell.source for cell in nbformat.reads(text, as_version=4).cells}
        for text in (file.read_text(encoding="utf-8"), now)
    )
    return {name for name, source in after.items() if before.get(name) != source}


def _by_hand(grade: Grade, comment: Comment | None) -> ByHand:
    """Return what a person entered in formgrader; a question about another's answer has no comment."""
    text = (comment.manual_comment if comment else None) or ""
    scored = grade.manual_score is not None or grade.auto_score is not None
    # As in formgrader, extra credit counts from when there are points that it is added to.
    return ByHand(grade.manual_score, (scored and grade.extra_credit) or 0.0, text.strip())
