"""Release an assignment to students, once the grader grades copies with known points rightly.

    python -m course.grading.release [--assignment ps1] [--trust]

For each assignment: choose usable data, fill them in, search for parts of the key, run the copy that students
get, grade copies whose points are known, and make a zip file.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.grading import self_test
from course.grading.assignment import Assignment, data_module
from course.grading.course_files import FOR_STUDENTS, HOME, Course, Release
from course.grading.data_draws import DIFFERENT, accepted_numbers, uniform_questions
from course.grading.exit_status import done
from course.grading.leaks import leaks
from divmetrics.atomic_files import save
from divmetrics.errors import DivmetricsError

DATE = (1980, 1, 1, 0, 0, 0)  # so that the same files make the same zip


def generate(course: Course, assignment: Assignment, draws: int) -> Release:
    """Write the folder of a release.

    Raises DivmetricsError if it holds a part of the key, or if notebook and key do not grade the same.
    """
    name = assignment.name
    source, folder = course.source(name), course.home / "release" / name
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    save(folder / f"{name}.ipynb", nbformat.writes(prepared(source / f"{name}.ipynb")) + "\n")
    if wrong := differences(assignment, Release(name, folder).points):
        shutil.rmtree(folder)
        raise DivmetricsError(f"{name} is not released: {'; '.join(wrong)}.")
    data = source / f"{name}_data.py"
    text = data.read_text(encoding="utf-8")
    module = data_module(data)
    good = accepted_numbers(assignment, module, draws)
    filled_in = {"COURSE": course.settings["course"], "TERM": course.settings["term"], "DRAWS": good}
    if assignment.precomputed:
        filled_in["GIVEN"] = {number: assignment.precomputed(module.drawn(number)) for number in good}
    for word, value in filled_in.items():
        text, count = re.subn(rf"(?m)^({word}(: [^=]+)?) = .*$", lambda m: f"{m[1]} = {value!r}", text)  # noqa: B023
        if count != 1:
            raise DivmetricsError(f"{data}: a line that begins with {word} is wanted, to be filled in.")
    save(folder / data.name, text)
    shutil.copy(HOME / FOR_STUDENTS, folder / FOR_STUDENTS)
    if secrets := leaks(folder, assignment):
        shutil.rmtree(folder)
        raise DivmetricsError(f"{name} is not released: {'; '.join(secrets)}")
    return Release(name, folder)


def prepared(path: Path) -> NotebookNode:
    """Read an assignment's notebook as students get it: no outputs, and as cell ids nbgrader's names."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.id = cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def differences(assignment: Assignment, points: Mapping[str, float]) -> list[str]:
    """Return a sentence for each question that the key and the points in the notebook disagree on."""
    in_key = {each.name for each in assignment.questions} | {each.name for each in assignment.written}
    sentences = [
        f"{name} has points in the notebook and is not in {assignment.name}.py"
        if name in points
        else f"{name} is in {assignment.name}.py and has no points in the notebook"
        for name in sorted(in_key ^ set(points))
    ]
    for written in assignment.written:
        rubric = sum(share for share, _ in written.rubric)
        if rubric != points.get(written.name, rubric):
            sentences.append(
                f"the rubric of {written.name} adds up to {rubric:g} points, in the notebook it has "
                f"{points[written.name]:g}"
            )
    return sentences


def archive(release: Release) -> Path:
    """Write the zip file of a release beside its folder."""
    path = release.folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for file in sorted(release.folder.iterdir()):
            made.writestr(zipfile.ZipInfo(f"{release.name}/{file.name}", DATE), file.read_bytes())
    return path


def main(words: Iterable[str] | None = None) -> int:
    """Release what the command line names, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="make course", description=__doc__.partition("\n")[0] if __doc__ else None
    )
    parser.add_argument("--assignment", action="append", help="default: all of course.toml")
    parser.add_argument("--trust", action="store_true", help="try the grader without a sandbox")
    options: Any = parser.parse_args(None if words is None else list(words))
    course = Course()
    return done(lambda: release(course, options.assignment or course.settings["assignments"], options.trust))


def release(course: Course, names: Iterable[str], trust: bool = False) -> None:
    """Make and try assignments in order; raises DivmetricsError for the first that cannot be released."""
    for name in names:
        begun = time.monotonic()
        assignment = course.assignment(name)
        print(f"{name}: choosing {course.settings['draws']} data sets ...", flush=True)
        made = generate(course, assignment, course.settings["draws"])
        print(f"{name}: nothing of the key is in {made.folder}")
        wrong = [
            f"{question} has {answers} different right answers on all data sets, expected {DIFFERENT}: vary "
            "its data, take more `draws` in course.toml, or say in its Question why there are `few`"
            for question, answers in uniform_questions(assignment, made.data, made.data.DRAWS).items()
        ] or self_test.run(made, assignment, trust=trust)
        if wrong:
            shutil.rmtree(made.folder)
            raise DivmetricsError(f"{name} is not released:\n  " + "\n  ".join(wrong))
        print(f"{name}: {archive(made)}, after {time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    sys.exit(main())
