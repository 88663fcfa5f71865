"""Points in the layouts that gradebooks import.

The importers are Moodle's grade/import/csv/classes/load_data.php and Canvas' lib/gradebook_importer.rb.
"""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from course.grading.import_tables import canvas_csv, complete, moodle_csv
from course.grading.judge import QuestionVerdict
from course.grading.manual_points import ByHand
from course.grading.result import Result
from course.grading.submissions import Student


def result(student: Student, folder: str = "f", points: float | None = 1.5, graded: bool = True) -> Result:
    verdicts = [QuestionVerdict("q1", 0.25, 1.0, "")]
    by_hand = {"w1": ByHand(points)}
    about = {"written": {"w1": "Because."}, "by_hand": by_hand, "written_points": {"w1": 2.0}}
    return Result(student, folder, verdicts, graded=graded, **about)


ADA = Student("lovelaceada", "s1815", 'Ada "the" Lovelace, Countess', "S-1815")
ALAN = Student("turingalan_42", "s1912", "Alan Turing", "s1912", "pair 1")


def read(text: str) -> list[list[str]]:
    rows = list(csv.reader(StringIO(text)))
    assert len({len(row) for row in rows}) == 1
    return rows


def test_moodle_gets_one_line_for_each_student_that_is_complete() -> None:
    rows = [result(ADA), result(ALAN, points=None), result(Student("h", "s3"), "", graded=False)]
    assert read(moodle_csv(rows, "ps4")) == [["ID number", "ps4"], ["S-1815", "1.75"]]


def test_moodle_may_know_students_by_email() -> None:
    table = read(moodle_csv([result(Student("a", "s1", "Ada", "s1", "", "ada@example.org"))], "ps1"))
    assert table == [["ID number", "Email address", "ps1"], ["s1", "ada@example.org", "1.75"]]


@pytest.mark.parametrize(
    ("student", "folder", "number"),
    [
        (ADA, "lovelaceada_77_99_ps4.ipynb", "77"),
        (ADA, "lovelaceada_LATE_77_99_ps4-1.ipynb", "77"),
        (ALAN, "turingalan_42_99_ps4.ipynb", "42"),
        (ALAN, "pair1_77_99_ps4.ipynb", ""),
        (ADA, "Ada Lovelace_77_assignsubmission_file_", ""),
        (ADA, "", ""),
    ],
)
def test_canvas_gets_its_own_columns_and_numbers(student: Student, folder: str, number: str) -> None:
    head, most, row = read(canvas_csv([result(student, folder)], "ps4", 20.0))
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ps4"]
    assert "Points Possible" in most[0]
    assert most[1:] == ["", "", "", "", "20"]
    assert row == [student.name, number, student.own_id, "", "", "1.75"]


def test_what_is_not_complete_is_in_neither() -> None:
    waiting, missing = result(ADA, points=None), result(ADA, "", graded=False)
    assert complete([waiting, missing]) == []
    unanswered = result(ADA, points=None)
    unanswered.written = {}
    assert complete([unanswered]) == [unanswered]
    assert len(read(canvas_csv([waiting], "ps1", 10))) == 2
    assert len(read(moodle_csv([waiting], "ps1"))) == 1
