"""Grade one notebook in the sandbox and print the result, for programs that call a grader themselves.

    python -m course.grading.one FILE --id s1815 --json

Other formats are text and the `results.json` of Gradescope and of PrairieLearn; LECTURER.md describes the
JSON. The exit status is 0 if the notebook was graded, 1 if the file is no notebook of the assignment (the
result then has no points and says why), and 2 if nothing could be graded (one line on standard error).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from course.grading.course_files import Course
from course.grading.exit_status import done
from course.grading.grade import grade_submission, plain
from course.grading.notebook_file import MOST_READ, NotANotebookError
from course.grading.rebuild import assignments_of, cells_of
from course.grading.result import Result
from course.grading.sandbox import Sandbox, SandboxError
from course.grading.submissions import Student, Submission, students
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.own_data import normalised


def grade_file(
    file: Path, own_id: str, course: Course, name: str = "", trust: bool = False
) -> tuple[str, Result]:
    """Grade a file for the data of a student; return the assignment's name and the result.

    Without `name` the assignment is the one whose data the file imports. Raises DivmetricsError for an
    unknown id, for no such file, and without a release or a sandbox.
    """
    student = _student(own_id, course.home / "students.csv")
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_READ + 1)
    except OSError as error:
        raise DivmetricsError(f"{file} cannot be read: {error.strerror}.") from None
    name = name or _assignment(content, file)
    assignment, release = course.assignment(name), course.released(name)
    submission = Submission(file.name, content, file.name)
    sandbox = Sandbox(trust)
    try:
        return name, grade_submission(submission, student, assignment, release, sandbox)
    except SandboxError:
        raise
    except Exception as error:  # whatever is in the file
        why = plain(f"{type(error).__name__}: {error}")
        raise DivmetricsError(f"The grader failed on {file} ({why}).") from error


def _student(own_id: str, register: Path) -> Student:
    """Return the student of that id, whom students.csv must know if there is one."""
    student_id = normalised(own_id)
    registered = {each.id: each for each in students(register).values()} if register.exists() else {}
    if not student_id or (registered and student_id not in registered):
        raise DivmetricsError(f"--id is {own_id!r}; expected an id{f' of {register}' if registered else ''}.")
    return registered.get(student_id, Student("", student_id, "", own_id))


def _assignment(content: bytes, file: Path) -> str:
    try:
        names = assignments_of(cells_of(content)[0])
    except NotANotebookError:
        names = set()
    if len(names) != 1:
        raise DivmetricsError(f"{file} does not say of which assignment it is; add --assignment ps1.")
    return names.pop()


def as_json(name: str, result: Result) -> dict[str, Any]:
    """Return a result in the project's own layout."""
    return {
        "assignment": name,
        "id": result.student.own_id,
        "points": result.automatic,
        "of": _most(result),
        "questions": _questions(result, "points", "of", "reason"),
        "written": [
            {"name": name, "of": of, "answer": result.written.get(name, "")}
            for name, of in result.written_points.items()
        ],
        "findings": result.findings,
        "timed_out": result.timed_out,
    }


def as_gradescope(name: str, result: Result) -> dict[str, Any]:
    """Return the results.json of Gradescope's autograders."""
    tests = _questions(result, "score", "max_score", "output")
    return {"score": result.automatic, "output": "\n".join(result.findings), "tests": tests}


def as_prairielearn(name: str, result: Result) -> dict[str, Any]:
    """Return the results.json of PrairieLearn's external graders, with a score from 0 to 1."""
    tests = _questions(result, "points", "max_points", "message")
    score, message = result.automatic / _most(result), "\n".join(result.findings)
    return {"gradable": result.graded, "score": score, "message": message, "tests": tests}


FORMATS = {"json": as_json, "gradescope": as_gradescope, "prairielearn": as_prairielearn}


def _questions(result: Result, points: str, of: str, reason: str) -> list[dict[str, Any]]:
    """Return the verdicts as dicts with these names for their parts."""
    return [
        {"name": each.question, points: each.points, of: each.of, reason: each.reason}
        for each in result.verdicts
    ]


def _most(result: Result) -> float:
    return sum(verdict.of for verdict in result.verdicts)


def as_text(result: Result) -> str:
    """Return a line for each question, then the findings."""
    lines = [f"{each.question}: {each.points:g} of {each.of:g}. {each.reason}" for each in result.verdicts]
    return "\n".join(map(plain, [*lines, *result.findings]))


def main(words: Iterable[str] | None = None) -> int:
    """Grade the file that the command line names, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m course.grading.one",
        description=__doc__.partition("\n")[0] if __doc__ else None,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a notebook")
    parser.add_argument("--id", required=True, help="the student's id")
    parser.add_argument("--assignment", default="", help="default: the one whose data the notebook imports")
    parser.add_argument("--format", choices=("text", *FORMATS), default="text")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="as --format json")
    parser.add_argument("--trust", action="store_true", help="grade without a sandbox")
    options: Any = parser.parse_args(None if words is None else list(words))
    status = 0

    def grade() -> None:
        nonlocal status
        name, result = grade_file(options.file, options.id, Course(), options.assignment, options.trust)
        layout = FORMATS.get(options.format)
        print(json.dumps(layout(name, result), indent=1) if layout else as_text(result))
        status = int(not result.graded)

    return done(grade) or status


if __name__ == "__main__":
    sys.exit(main())
