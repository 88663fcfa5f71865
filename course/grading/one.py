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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.grading.course_files import Course
from course.grading.exit_status import done
from course.grading.grade import grade_submission, plain
from course.grading.rebuild import NotANotebookError, assignments_of, cells_of, rebuild
from course.grading.result import Result
from course.grading.sandbox import Sandbox
from course.grading.submissions import Student, Submission, students
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.own_data import normalised


@dataclass(frozen=True)
class Graded:
    """A result, the name of its assignment, and whether the file was a notebook of that assignment."""

    result: Result
    name: str
    is_notebook: bool

    @property
    def most(self) -> float:
        """The points that the program can give."""
        return sum(verdict.of for verdict in self.result.verdicts)

    @property
    def findings(self) -> str:
        """All findings, one a line."""
        return "\n".join(self.result.findings)


def grade_file(file: Path, own_id: str, course: Course, name: str = "", trust: bool = False) -> Graded:
    """Grade a file for the data of a student; without `name` as the assignment whose data it imports.

    Raises DivmetricsError for an unknown id, for no such file, and without a release or a sandbox.
    """
    student = _student(own_id, course.home / "students.csv")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DivmetricsError(f"{file} cannot be read: {error.strerror}.") from None
    name = name or _assignment(content, file)
    assignment, release = course.assignment(name), course.released(name)
    submission = Submission(file.name, content, file.name)
    result = grade_submission(submission, student, assignment, release, Sandbox(trust))
    try:
        rebuild(release.notebook, content, student.id)
    except NotANotebookError:
        return Graded(result, name, is_notebook=False)
    return Graded(result, name, is_notebook=True)


def _student(own_id: str, register: Path) -> Student:
    """Return the student of that id, whom students.csv must know if there is one."""
    found = normalised(own_id)
    known = {each.id: each for each in students(register).values()} if register.exists() else {}
    if not found or (known and found not in known):
        raise DivmetricsError(f"--id is {own_id!r}; expected an id{f' of {register}' if known else ''}.")
    return known.get(found, Student("", found, "", own_id))


def _assignment(content: bytes, file: Path) -> str:
    try:
        found = assignments_of(cells_of(content)[0])
    except NotANotebookError:
        found = set()
    if len(found) != 1:
        raise DivmetricsError(f"{file} does not say of which assignment it is; add --assignment ps1.")
    return found.pop()


def as_json(graded: Graded) -> dict[str, Any]:
    """Return a result in the project's own layout."""
    result = graded.result
    return {
        "assignment": graded.name,
        "id": result.student.own_id,
        "points": result.automatic,
        "of": graded.most,
        "questions": [
            {"name": each.question, "points": each.points, "of": each.of, "reason": each.reason}
            for each in result.verdicts
        ],
        "written": [
            {"name": name, "of": of, "answer": result.written.get(name, "")}
            for name, of in result.written_points.items()
        ],
        "findings": result.findings,
        "timed_out": result.timed_out,
    }


def as_gradescope(graded: Graded) -> dict[str, Any]:
    """Return the results.json of Gradescope's autograders."""
    tests = [
        {"name": each.question, "score": each.points, "max_score": each.of, "output": each.reason}
        for each in graded.result.verdicts
    ]
    return {"score": graded.result.automatic, "output": graded.findings, "tests": tests}


def as_prairielearn(graded: Graded) -> dict[str, Any]:
    """Return the results.json of PrairieLearn's external graders, with a score from 0 to 1."""
    tests = [
        {"name": each.question, "points": each.points, "max_points": each.of, "message": each.reason}
        for each in graded.result.verdicts
    ]
    score = graded.result.automatic / graded.most
    return {"gradable": graded.is_notebook, "score": score, "message": graded.findings, "tests": tests}


def as_text(graded: Graded) -> str:
    """Return a line for each question, then the findings."""
    verdicts = graded.result.verdicts
    lines = [f"{each.question}: {each.points:g} of {each.of:g}. {each.reason}" for each in verdicts]
    return "\n".join(map(plain, [*lines, *graded.result.findings]))


FORMATS = {"json": as_json, "gradescope": as_gradescope, "prairielearn": as_prairielearn}


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
    graded: list[Graded] = []

    def grade() -> None:
        one = grade_file(options.file, options.id, Course(), options.assignment, options.trust)
        layout = FORMATS.get(options.format)
        print(json.dumps(layout(one), indent=1) if layout else as_text(one))
        graded.append(one)

    return done(grade) or int(not graded[0].is_notebook)


if __name__ == "__main__":
    sys.exit(main())
