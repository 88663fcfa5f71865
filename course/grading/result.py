"""The result of grading one student's assignment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from course.grading.assignment import Assignment
from course.grading.course_files import Release
from course.grading.judge import DIGITS, QuestionVerdict
from course.grading.manual_points import ByHand
from course.grading.submissions import Student


@dataclass
class Result:
    """The graded work of one student on one assignment."""

    student: Student
    folder: str
    verdicts: list[QuestionVerdict]
    findings: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)  # the answers that a person grades
    answers: dict[str, str] = field(default_factory=dict)  # the code of the others
    by_hand: dict[str, ByHand] = field(default_factory=dict)  # by question, numbers and written
    written_points: dict[str, float] = field(default_factory=dict)
    key: str = ""
    timed_out: bool = False
    graded: bool = False  # False if there was no notebook of the assignment

    @property
    def automatic(self) -> float:
        """The points that the program gave."""
        return _sum(verdict.points for verdict in self.verdicts)

    @property
    def numbers(self) -> list[QuestionVerdict]:
        """The verdicts, with a person's points in place of the program's."""
        return [self._overruled(verdict) for verdict in self.verdicts]

    def _overruled(self, verdict: QuestionVerdict) -> QuestionVerdict:
        points = self.hand(verdict.question).points
        if points is None or points == verdict.points:
            return verdict
        return replace(
            verdict, points=points, reason=f"{verdict.reason} Changed by hand from {verdict.points:g}."
        )

    @property
    def extra(self) -> float:
        """The extra credit for all answers."""
        return _sum(each.extra for each in self.by_hand.values())

    @property
    def total(self) -> float:
        """All points so far, including extra credit."""
        written = (self.hand(name).points or 0.0 for name in self.written_points)
        return _sum([*(verdict.points for verdict in self.numbers), *written, self.extra])

    @property
    def unread(self) -> list[str]:
        """The names of the written answers that wait for a person's points."""
        return [
            name for name in self.written_points if name in self.written and self.hand(name).points is None
        ]

    def hand(self, question: str) -> ByHand:
        """Return what a person gave for the answer to a question."""
        return self.by_hand.get(question, ByHand())


def _sum(points: Iterable[float]) -> float:
    return round(sum(points, 0.0), DIGITS)


def nothing(
    student: Student, folder: str, assignment: Assignment, release: Release, findings: list[str]
) -> Result:
    """Return the result of a student without gradable work."""
    points = release.points
    verdicts = [
        QuestionVerdict(q.name, 0.0, points[q.name], "Nothing was handed in.") for q in assignment.questions
    ]
    return Result(
        student,
        folder,
        verdicts,
        findings,
        written_points={w.name: points[w.name] for w in assignment.written},
    )


def read_result(path: Path) -> Result | None:
    """Read a saved result; return None if there is no valid one."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        verdicts = [QuestionVerdict(**each) for each in fields.pop("verdicts")]
        return Result(**{**fields, "student": Student(**fields["student"]), "verdicts": verdicts})
    except (OSError, ValueError, TypeError, KeyError):
        return None
