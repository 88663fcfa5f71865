"""Students who hand in one notebook together and share its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from course.grading.assignment import Assignment
from course.grading.result import Result
from course.grading.submissions import Student
from divmetrics_widgets.own_data import normalised

Group = list[Student]


def groups(students: Iterable[Student], assignment: Assignment) -> list[Group]:
    """Return who shares a result, in order: those of a group if groups may hand in, else each alone."""
    members: dict[tuple[str, str], Group] = {}
    for student in students:
        group = normalised(student.group) if assignment.in_groups else ""
        members.setdefault(("group", group) if group else ("alone", student.id), []).append(student)
    return list(members.values())


def shared(group: Group, results: list[Result]) -> Result:
    """Return the one result of a group, as that of its first student.

    Of several submissions that with the most points for numbers counts, of equal ones the first.
    """
    best = max(results, key=lambda result: result.automatic)
    findings = list(best.findings)
    if any((each.answers, each.written) != (best.answers, best.written) for each in results):
        findings.append(
            f"The group handed in different notebooks; that of {best.student.id} counts, which has the most "
            "points for numbers, or is the first of those."
        )
    return replace(best, student=group[0], findings=findings)


def as_one(group: Group) -> Student:
    """Return the first student of a group, with the names of all."""
    names = (student.name or student.own_id or student.id for student in group)
    return replace(group[0], name=", ".join(names))
