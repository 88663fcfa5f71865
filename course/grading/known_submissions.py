"""Copies of an assignment whose points are known beforehand: solved, untouched, and wrong in one cell."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.grading.assignment import Answer, Assignment
from course.grading.course_files import Release
from course.grading.judge import agree


@dataclass(frozen=True)
class Copy:
    """A submission with known points: its name, student, content, and the questions that earn full points."""

    name: str
    student: str
    content: bytes
    earns: frozenset[str]
    file: str = ""
    finding: str = ""  # words that a finding or a reason must hold
    partly: Mapping[str, float] = field(default_factory=dict)  # of other questions the share that is earned


def fill_answers(release: Release, student: str, answers: Mapping[str, str]) -> NotebookNode:
    """Return the released notebook with the code of `answers` in its answer cells."""
    notebook = copy.deepcopy(release.notebook)
    for cell in notebook.cells:
        if cell.id == "student":
            cell.source = f"# Your answer to student\nSTUDENT = {student!r}"
        question = str(cell.id).removesuffix("_answer")
        if cell.id.endswith("_answer") and question in answers:
            cell.source = f"# Your answer to {question}\n{answers[question].strip()}"
    return notebook


def content(notebook: NotebookNode) -> bytes:
    """Return the bytes of the file that a notebook is saved as."""
    return nbformat.writes(notebook).encode()


def every(assignment: Assignment) -> frozenset[str]:
    """Return the names of all questions that the program grades."""
    return frozenset(question.name for question in assignment.questions)


def solution_copies(release: Release, assignment: Assignment, students: list[str]) -> Iterator[Copy]:
    """Yield a copy for every solution and every student."""
    for way, answers in assignment.solutions.items():
        for student in students:
            notebook = fill_answers(release, student, answers)
            yield Copy(f"{student}, {way}", student, content(notebook), every(assignment))


def untouched(release: Release, student: str) -> Copy:
    """Return the release as it is, submitted."""
    return Copy(
        "untouched", student, content(release.notebook), frozenset(), finding="does not say whose it is"
    )


def mutants(release: Release, assignment: Assignment, students: list[str]) -> Iterator[Copy]:
    """Yield every known wrong answer in an otherwise right copy, assigned to the students in turn."""
    way = next(iter(assignment.solutions.values()))
    whose = cycle(students)
    for question in assignment.questions:
        for wrong in question.wrong:
            student = next(whose)
            data = release.data.of(student)
            value = wrong.value(data)
            expression = literal(value, question.names(data) if question.names else ())
            same = (each for each in question.wrong if agree(each.value(data), value, question.within))
            says = next(same).says
            slip = wrong.code.strip() or f"{variable(release, question.name)} = {expression}"
            code = f"{way[question.name].strip()}\n{slip}"
            notebook = fill_answers(release, student, {**way, question.name: code})
            earns = every(assignment) - {question.name}
            yield Copy(f"{question.name}, {wrong.name}", student, content(notebook), earns, finding=says)


def variable(release: Release, question: str) -> str:
    """Return the name of the variable that an answer cell asks for."""
    cell = next(cell for cell in release.notebook.cells if cell.id == f"{question}_answer")
    return str(cell.source).splitlines()[-1].partition(" =")[0]


def literal(value: Answer, names: tuple[Any, ...]) -> str:
    """Return an answer as Python code."""
    return repr(by_rows(value, names))


def by_rows(value: Any, names: tuple[Any, ...]) -> Any:
    """Return a table by row and column as {row: {column: number}}, and any other answer unchanged."""
    if isinstance(value, dict) and len(names) == 2:
        return {row: {column: value[row, column] for column in names[1]} for row in names[0]}
    return value
