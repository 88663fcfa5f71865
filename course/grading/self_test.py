"""Trial of the grader on copies whose points are known: solutions, slips, attacks, the untouched copy."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import nbformat

from course.grading.assignment import Assignment
from course.grading.attacks import SECRET, attacks
from course.grading.course_files import Course, Release
from course.grading.grade import grade
from course.grading.judge import DIGITS
from course.grading.known_submissions import Copy, mutants, solution_copies, untouched
from course.grading.result import Result
from course.grading.sandbox import Sandbox
from divmetrics.atomic_files import save

STUDENTS = [f"trial{n:02}" for n in range(20)]


def copies(release: Release, assignment: Assignment, walled: bool) -> list[Copy]:
    """Return every copy for the trial of a release; attacks only if there is a sandbox to run them in."""
    return [
        *solution_copies(release, assignment, STUDENTS),
        untouched(release, STUDENTS[0]),
        *mutants(release, assignment, STUDENTS),
        *(assignment.copies(release, STUDENTS) if assignment.copies else ()),
        *(attacks(release, assignment, STUDENTS) if walled else ()),
    ]


def run(
    release: Release, assignment: Assignment, trust: bool = False, say: Callable[[str], None] = print
) -> list[str]:
    """Grade all copies in a temporary folder, and return a sentence for each difference."""
    missing = Sandbox(trust).missing
    if missing:
        say(f"  no sandbox ({missing}): attacks are not tried")
    with tempfile.TemporaryDirectory() as scratch:
        return graded(copies(release, assignment, not missing), release, Path(scratch), trust, say)


def graded(
    tried: Iterable[Copy],
    release: Release,
    home: Path,
    trust: bool = False,
    say: Callable[[str], None] = print,
) -> list[str]:
    """Grade copies under `home`, where all files are written, and return a sentence for each difference."""
    wrong: list[str] = []
    # Two copies of one student are two rounds: each round has its own register.
    rounds: list[dict[str, Copy]] = []
    for each in tried:
        room = next((one for one in rounds if each.student not in one), None)
        if room is None:
            rounds.append(room := {})
        room[each.student] = each
    for number, room in enumerate(rounds, 1):
        wrong += _round(room, release, home / str(number), trust, say)
    return wrong


def _round(
    room: dict[str, Copy], release: Release, home: Path, trust: bool, say: Callable[[str], None]
) -> list[str]:
    (home / "release").mkdir(parents=True)
    (home / "release" / release.name).symlink_to(release.folder)
    for student, each in room.items():
        folder = home / "submitted" / student
        folder.mkdir(parents=True)
        (folder / (each.file or f"{release.name}.ipynb")).write_bytes(each.content)
    table = io.StringIO()
    csv.writer(table).writerows([["folder", "id", "name"], *([name, name, ""] for name in room)])
    save(home / "students.csv", table.getvalue())
    results = grade(
        home / "submitted", release.name, Course(home), home / "students.csv", trust, lambda line: None
    )
    differences = []
    for result in results:
        each = room[result.student.folder]
        wrong = compare(each, result)
        differences += [f"{each.name}: {one}" for one in wrong]
        page = (home / "feedback" / release.name / f"{result.student.id}.html").read_text(encoding="utf-8")
        for file in (home / "autograded" / result.student.id).rglob("*.ipynb"):
            differences += [f"{each.name}: formgrader shows {one}" for one in alive(file, release)]
            page += file.read_text(encoding="utf-8")
        if SECRET in page:
            differences.append(f"{each.name}: a page holds what the submission printed")
        say(f"  {each.name}: {f'WRONG, {wrong[0]}' if wrong else 'as it should be'}")
    for file in (home / "grades").glob("*.csv"):
        cells = re.split(r'[,;\t\n"]+', file.read_text(encoding="utf-8"))
        differences += [
            f"{file.name}: {cell!r} is a formula" for cell in cells if re.match(r"\s*[=+@|]", cell)
        ]
    return differences


def alive(file: Path, release: Release) -> list[str]:
    """Return the tags of what a student wrote that formgrader would show as a part of its page."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    released = {cell.id: cell.source for cell in release.notebook.cells}
    cells = nbformat.read(file, as_version=4).cells
    changed = [
        cell.source for cell in cells if cell.cell_type == "markdown" and cell.source != released[cell.id]
    ]
    tags = [tag for source in changed for tag in re.findall(r"<[a-z]+", markdown2html_mistune(source))]
    return [tag for tag in tags if tag != "<pre"]


def compare(each: Copy, result: Result) -> list[str]:
    """Return the differences between a result and the known points."""
    wrong = []
    for verdict in result.verdicts:
        share = each.partly.get(verdict.question, verdict.question in each.earns)
        wanted = round(verdict.of * share, DIGITS)
        if verdict.points != wanted:
            wrong.append(f"{verdict.question} earns {verdict.points:g}, not {wanted:g}: {verdict.reason}")
    notes = [*result.findings, *(verdict.reason for verdict in result.verdicts)]
    if each.finding and not any(each.finding in note for note in notes):
        wrong.append(f"{each.finding!r} is not said, but {notes}")
    return wrong
