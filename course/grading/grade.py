"""Grade submissions: find, rebuild, run in the sandbox, judge, and write down.

    python -m course.grading.grade FROM [--assignment ps1] [--students students.csv] [--again ID]
        [--reveal] [--trust]

FROM is the folder or zip file from Moodle or Canvas, or one with a folder for each student. Unchanged
submissions are not graded again, so an interrupted run continues where it stopped. A submission that took too
long is graded once more, alone; `--again` grades those of the named students once more. `--reveal` adds what
is right, and how it is computed, to the feedback; it is for the time after the closing date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from course.grading import feedback, feedback_zip, import_tables, signals
from course.grading.assignment import Assignment
from course.grading.course_files import Course, Release
from course.grading.exit_status import done
from course.grading.groups import Group, as_one, groups, shared
from course.grading.judge import judge
from course.grading.notebook_file import NotANotebookError
from course.grading.rebuild import RebuiltNotebook, is_answer, rebuild
from course.grading.result import Result, nothing, read_result
from course.grading.sandbox import Cell, RunResult, Sandbox, SandboxError
from course.grading.submissions import Student, Submission, collect, students, whose
from divmetrics.atomic_files import save
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.own_data import normalised

Say = Callable[[str], None]
OWN = "own "  # begins the name of a cell that is neither the release's nor an answer


def grade_submission(
    submission: Submission,
    student: Student,
    assignment: Assignment,
    release: Release,
    sandbox: Sandbox,
    group: Iterable[str] = (),
) -> Result:
    """Grade one submission; whatever it contains, return a result.

    group : the ids of those who may hand it in together; its data are of the one whom it names
    """
    result = nothing(student, submission.folder, assignment, release, list(submission.findings))
    if submission.content is None:
        return result
    try:
        rebuilt = rebuild(release.notebook, submission.content, student.id, tuple(group))
    except NotANotebookError as error:
        result.findings.append(str(error))
        return result
    result.findings += rebuilt.findings
    if rebuilt.claimed_id is None:
        result.findings.append(
            f"It does not say whose it is (STUDENT); the data of {student.id!r} were taken, who handed it in."
        )
    elif normalised(rebuilt.claimed_id) != rebuilt.student:
        result.findings.append(
            f"It says that it is of {rebuilt.claimed_id[:40]!r}, but was handed in by {student.id!r}, "
            "whose data were taken."
        )
    result.data_of = rebuilt.student
    data = release.data.of(result.data_of)
    cases = {q.name: q.cases(data) for q in assignment.questions if q.cases}
    ran = sandbox.run(to_run(rebuilt), release.folder, cases)
    result.verdicts = judge(assignment, data, ran, release.points)
    result.findings += left_out(ran)
    result.timed_out, result.graded = ran.timed_out, True
    for cell in rebuilt.notebook.cells:
        if cell.id in rebuilt.answered:
            (result.written if cell.id in release.points else result.answers)[cell.id] = cell.source
    return result


def to_run(rebuilt: RebuiltNotebook) -> list[Cell]:
    """Return the code cells in order, each with the student's own that follow it."""
    number = count(1)

    def own(place: str) -> list[Cell]:
        sources = rebuilt.own.get(place, [])
        return [Cell(f"{OWN}{next(number)}", source, locked=False) for source in sources]

    cells = own("")
    for cell in rebuilt.notebook.cells:
        if cell.cell_type == "code":
            cells += [Cell(cell.id, cell.source, locked=not is_answer(cell)), *own(cell.id)]
    return cells


def left_out(ran: RunResult) -> list[str]:
    """Return a finding for each cell that ended the kernel or took too long."""
    stopped = [f"{_place(name)} was stopped: {why}." for name, why in ran.stopped.items()]
    return [*stopped, *(f"{_place(name)} was left out: {why}." for name, why in ran.left_out.items())]


def _place(name: str) -> str:
    if name.startswith(OWN):
        return "A cell beside the answers"
    called = name.removeprefix("call ")
    return f"The cell {name}" if called == name else f"A call of the function of {called}"


def key_of(release: Release, student: Student, submission: Submission, group: Iterable[str] = ()) -> str:
    """Return a digest of everything that a result depends on."""
    made = hashlib.sha256()
    parts = [*sorted(release.folder.iterdir()), *sorted(Path(__file__).parent.glob("*.py"))]
    for path in parts:
        if path.is_file():
            made.update(path.read_bytes())
    made.update(json.dumps([student.id, student.name, *group, submission.findings]).encode())
    made.update(submission.content or b"")
    return made.hexdigest()


def grade(
    source: Path,
    name: str,
    course: Course,
    register: Path,
    trust: bool = False,
    say: Say = print,
    again: Iterable[str] = (),
    reveal: bool = False,
) -> list[Result]:
    """Grade all submissions of an assignment and write the results under the course's folder.

    Of the students whose ids are in `again`, earlier results are not taken up. The feedback has the right
    answers if `reveal` is set. Raises DivmetricsError without
    a sandbox, a release, a list of students or files.
    """
    assignment, release = course.assignment(name), course.released(name)
    known = students(register)
    anew = {normalised(each) for each in again}
    if unknown := anew - {student.id for student in known.values()}:
        raise DivmetricsError(f"{', '.join(sorted(unknown))}: no such id in {register.name}.")
    submissions = collect(source, name, known)
    _check_assignment(submissions, name, course)
    sandbox = Sandbox(trust)
    if sandbox.missing:
        say(
            f"No sandbox ({sandbox.missing}): submissions can read your files and use your network. "
            "You said TRUST=1."
        )
    owned: dict[str, tuple[Student, Submission]] = {}
    for submission in submissions:
        student = whose(submission.folder, known)
        if student is None:
            say(f"  {plain(submission.folder)}: not in {register.name}, so not graded; add a line for it")
        elif student.id in owned:
            pair = owned[student.id][1], submission
            read, other = pair if pair[0].content is not None or submission.content is None else pair[::-1]
            read.findings.append(f"There is a second folder, {plain(other.folder)}; it was not read.")
            owned[student.id] = (student, read)
        else:
            owned[student.id] = (student, submission)
    if not owned:
        folders = ", ".join(plain(each.folder) for each in submissions[:3]) or "no folder of a student"
        raise DivmetricsError(
            f"In {source} there is no submission of a student in {register.name}, but {folders}. Nothing was "
            "graded or changed."
        )
    say(f"{name}: {len(owned)} submissions of {len(known)} students")
    together = groups(known.values(), assignment)
    group_of = {student.id: [each.id for each in group] for group in together for student in group}
    folder = course.home / "grades" / name
    folder.mkdir(parents=True, exist_ok=True)
    begun, done, speaking = time.monotonic(), 0, Lock()
    late: list[tuple[Student, Submission]] = []

    def one(pair: tuple[Student, Submission], alone: bool = False) -> Result:
        nonlocal done
        student, submission = pair
        group = group_of[student.id]
        file, key = folder / f"{student.id}.json", key_of(release, student, submission, group)
        result = read_result(file)
        fresh = result is None or result.key != key or alone or student.id in anew
        if result is None or fresh:
            try:
                result = grade_submission(submission, student, assignment, release, sandbox, group)
                result.key = key
                save(file, json.dumps(asdict(result), indent=1))
            except SandboxError:
                raise  # that is no submission's fault
            except Exception as error:  # whatever one submission does, the others are graded
                failed = f"The grader failed on it ({type(error).__name__}: {error}); grade it by hand."
                result = nothing(student, submission.folder, assignment, release, [failed])
        result.student, result.folder = student, submission.folder  # the same file may come in another folder
        of = sum(verdict.of for verdict in result.verdicts)
        notes = f"; {'; '.join(result.findings)}" if result.findings else ""
        before = ", graded once more, alone" if alone else "" if fresh else " (as before)"
        with speaking:
            if fresh and result.timed_out and not alone:
                late.append(pair)
            done += not alone
            say(
                plain(
                    f"  {done}/{len(owned)} {student.folder}: {result.automatic:g} of {of:g}{before}{notes}"
                )
            )
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        graded = {result.student.id: result for result in pool.map(one, owned.values())}
    # On a busy machine it may have been the others' fault.
    graded |= {pair[0].id: one(pair, alone=True) for pair in late}
    results = []
    for group in together:
        handed_in = [graded[student.id] for student in group if student.id in graded]
        if handed_in:
            results.append(shared(group, handed_in))
            continue
        results.append(nothing(group[0], "", assignment, release, ["Nothing was handed in."]))
        if any((folder / f"{student.id}.json").exists() for student in group):
            say(
                f"  {plain(group[0].folder)}: was graded before and is not in {source.name}, so has no "
                "points now; FROM holds all submissions, those of before, too"
            )
    say(f"graded in {time.monotonic() - begun:.0f} seconds")
    came_in = {student.id: submission.folder for student, submission in owned.values()}
    write_down(results, together, came_in, assignment, release, course, say, reveal)
    return results


def _check_assignment(submissions: list[Submission], name: str, course: Course) -> None:
    """Raise DivmetricsError if the submissions belong to another assignment: all would earn nothing."""
    named = Counter(
        each for each in course.settings["assignments"] for one in submissions if each in one.file.casefold()
    )
    # One student's file name is not to stop the grading of all.
    if not named[name] and named.total() > len(submissions) / 2:
        other, count = named.most_common(1)[0]
        raise DivmetricsError(
            f"None of these is a notebook of {name}, and {count} of {len(submissions)} are named after "
            f"{other}; if that is what they are, add ASSIGNMENT={other} to the command."
        )


def write_down(
    results: list[Result],
    together: list[Group],
    folders: Mapping[str, str],
    assignment: Assignment,
    release: Release,
    course: Course,
    say: Say,
    reveal: bool = False,
) -> None:
    """Write the gradebook, CSVs of points, signals, and a page of feedback for each student.

    `results` has one result for each group, which a person reads once; `folders` says by the student's id
    where a submission came from.
    """
    try:
        from course.grading import gradebook
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "nbgrader":
            raise
        say("nbgrader is not installed here, so there is no gradebook; the csv has all points.")
    else:
        gradebook.write(results, assignment, release, course)
        say(f"gradebook: {course.home / 'gradebook.db'}; written answers wait in formgrader")
    rows = [
        replace(result, student=student, folder=folders.get(student.id, ""))
        for result, group in zip(results, together, strict=True)
        for student in group
    ]
    grades, most = course.home / "grades", sum(release.points.values())
    table = grades / f"{assignment.name}.csv"
    save(table, feedback.points_csv(rows, assignment, release))
    save(grades / f"{assignment.name}-moodle.csv", import_tables.moodle_csv(rows, assignment.name))
    save(grades / f"{assignment.name}-canvas.csv", import_tables.canvas_csv(rows, assignment.name, most))
    pages = course.home / "feedback" / assignment.name
    pages.mkdir(parents=True, exist_ok=True)
    to_give: dict[str, str] = {}
    for result, group in zip(results, together, strict=True):
        data = release.data.of(result.data_of) if reveal else None
        together_as_one = replace(result, student=as_one(group))
        page = feedback.page(together_as_one, assignment, release, course.settings.get("book", ""), data)
        for student in group:
            save(pages / f"{student.id}.html", page)
            if student.id in folders:
                to_give[folders[student.id]] = page
    packed = pages.with_suffix(".zip")
    feedback_zip.pack(to_give, assignment.name, packed)
    say(f"points: {table}")
    finished, unread = len(import_tables.complete(rows)), sum(bool(row.unread) for row in rows)
    say(
        f"for gradebooks: {table.stem}-moodle.csv and {table.stem}-canvas.csv, with those whose points are "
        f"complete: {finished} of {len(rows)}; {unread} wait for points in formgrader"
    )
    noticed = table.with_name(f"{assignment.name}-signals.txt")
    save(noticed, signals.report(results, assignment, release))
    say(f"signals of shared work, which are no proof: {noticed}")
    if reveal:
        say("The pages hold the right answers (REVEAL=1): give them back after the closing date only.")
    say(f"feedback: {pages}, a page for each student; {packed} gives them back, named as they were handed in")


def plain(text: str) -> str:
    """Replace unprintable characters by question marks, so that a name cannot control the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def main(words: Iterable[str] | None = None) -> int:
    """Grade what the command line names, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="make grade", description=__doc__.partition("\n")[0] if __doc__ else None
    )
    parser.add_argument("source", metavar="FROM", type=Path, help="folder or zip file of submissions")
    parser.add_argument("--assignment", default="ps1")
    parser.add_argument("--students", type=Path, help="default: course/students.csv")
    parser.add_argument("--again", metavar="ID", nargs="+", default=(), help="grade these students once more")
    parser.add_argument("--reveal", action="store_true", help="show what is right, after the closing date")
    parser.add_argument("--trust", action="store_true", help="grade without a sandbox")
    options: Any = parser.parse_args(None if words is None else list(words))
    course = Course()
    register = options.students or course.home / "students.csv"
    given = (options.source, options.assignment, course, register, options.trust)
    return done(lambda: grade(*given, again=options.again, reveal=options.reveal))


if __name__ == "__main__":
    sys.exit(main())
