"""Search of a release for parts of the key: files, solutions, sentences of the grader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from course.grading.assignment import Assignment
from course.grading.course_files import FOR_STUDENTS
from course.grading.rebuild import is_answer

SECRETS = re.compile(
    r"(?i:BEGIN (?:SOLUTION|HIDDEN TESTS)|course[./]grading|\brubric\b)"
    r"|\bASSIGNMENT\b|\bWrongAnswer\(|\bassert\b"
)
STUB = re.compile(r"^# Your answer to \w+\n\w+ = (\.\.\.|\"\")$|^\*Your answer to \w+\*\s+…$")


def leaks(folder: Path, assignment: Assignment) -> list[str]:
    """Return a sentence for each thing that must not be in the folder of a release."""
    return list(_leaks(folder, assignment))


def _leaks(folder: Path, assignment: Assignment) -> Iterator[str]:
    expected = {f"{assignment.name}.ipynb", f"{assignment.name}_data.py", FOR_STUDENTS}
    lines = {
        line.strip()
        for way in assignment.solutions.values()
        for code in way.values()
        for line in code.splitlines()
        if len(line.strip()) >= 20
    }
    says = [wrong.says for question in assignment.questions for wrong in question.wrong]
    says += [text for written in assignment.written for _, text in written.rubric]
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        name = path.relative_to(folder).as_posix()
        if name not in expected:
            yield f"{name} is not one of the files that are released"
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".ipynb":
            notebook = nbformat.reads(text, as_version=4)
            for cell in notebook.cells:
                if is_answer(cell) and not STUB.match(cell.source):
                    yield f"{name}, cell {cell.id}: an answer is filled in"
                if cell.get("outputs") or cell.get("attachments") or cell.get("execution_count"):
                    yield f"{name}, cell {cell.id}: has outputs"
            text = "\n".join(cell.source for cell in notebook.cells)
        for secret in SECRETS.finditer(text):
            yield f"{name}: {secret[0]!r} stands in it"
        for line in lines:
            if line in text:
                yield f"{name}: a line of a solution stands in it, {line!r}"
        for each in says:
            if each in text:
                yield f"{name}: {each!r} stands in it, which only the grader says"
