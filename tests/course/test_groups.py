"""Students who hand in one notebook together."""

from __future__ import annotations

import csv
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

import course.grading
from course.grading import grade, ps1, ps4
from course.grading.course_files import Course, Release
from course.grading.groups import groups
from course.grading.known_submissions import content, fill_answers
from course.grading.release import generate
from course.grading.result import Result
from course.grading.sandbox import Cell, RunResult, Sandbox
from course.grading.submissions import Student, students, whose

IN_GROUPS = replace(ps1.ASSIGNMENT, in_groups=True)
REGISTER = """folder,id,name,group
Ada L_1815,s1,Ada,Pair 1
Alan T_1912,s2,Alan,pair-1
hopper,s3,Grace,
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), ps1.ASSIGNMENT, 3)


Graded = Callable[[dict[str, bytes]], dict[str, dict[str, str]]]


@pytest.fixture
def graded(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graded:
    """Grade files by their paths, and return the table's rows by id.

    Whoever writes `right` into the answer of q1 has it right; no program runs.
    """

    def run(self: Sandbox, cells: list[Cell], *more: object) -> RunResult:
        source = {cell.name: cell.source for cell in cells}
        (tmp_path / "ran").mkdir(exist_ok=True)
        (tmp_path / "ran" / f"{len(list((tmp_path / 'ran').iterdir()))}").write_text(source["student"])
        data = release.data.of(source["student"].partition("= ")[2].strip("'"))
        value = IN_GROUPS.question("q1").right(data) if "right" in source["q1_answer"] else 7.0
        return RunResult(handed={"q1": [{"question": "q1", "value": value}]})

    monkeypatch.setattr(Sandbox, "run", run)
    monkeypatch.setattr(Course, "assignment", lambda self, name: IN_GROUPS)
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "ps1").symlink_to(release.folder)
    (tmp_path / "students.csv").write_text(REGISTER, encoding="utf-8")

    def graded(files: dict[str, bytes]) -> dict[str, dict[str, str]]:
        with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        grade.grade(
            tmp_path / "in.zip", "ps1", Course(tmp_path), tmp_path / "students.csv", True, lambda line: None
        )
        table = (tmp_path / "grades" / "ps1.csv").read_text(encoding="utf-8")
        return {row["id"]: row for row in csv.DictReader(StringIO(table))}

    return graded


def notebook(release: Release, student: str, answer: str) -> bytes:
    return content(fill_answers(release, student, {"q1": f"coverage_at_3 = {answer}"}))


GROUP_OF = {"a": "x 1", "b": "", "c": "X1", "d": ""}


def test_only_assignments_for_groups_have_them() -> None:
    a, b, c, d = (Student(name, name, group=group) for name, group in GROUP_OF.items())
    assert groups([a, b, c, d], ps4.ASSIGNMENT) == [[a, c], [b], [d]]
    assert groups([a, b, c, d], ps1.ASSIGNMENT) == [[a], [b], [c], [d]]


@pytest.mark.parametrize("named", ["s1", "S-2"])
def test_one_submission_counts_for_both_whoever_of_them_it_names(
    graded: Graded, release: Release, tmp_path: Path, named: str
) -> None:
    rows = graded({"Alan T_1912_assignsubmission_file_/ps1.ipynb": notebook(release, named, "right")})
    assert [(rows[name]["q1"], rows[name]["findings"]) for name in ("s1", "s2")] == [("0.5", "")] * 2
    assert rows["s3"]["findings"] == "Nothing was handed in."
    assert [each.read_text() for each in (tmp_path / "ran").iterdir()] == [
        f"STUDENT = {named.lower().replace('-', '')!r}"
    ]
    pages = [(tmp_path / "feedback" / "ps1" / f"{name}.html").read_text() for name in ("s1", "s2")]
    assert pages[0] == pages[1]
    assert "Ada, Alan" in pages[0]
    with zipfile.ZipFile(tmp_path / "feedback" / "ps1.zip") as packed:
        assert packed.namelist() == ["Alan T_1912_assignsubmission_file_/ps1.html"]


def test_a_stranger_s_id_is_noticed_and_not_used(graded: Graded, release: Release, tmp_path: Path) -> None:
    rows = graded({"Alan T_1912/ps1.ipynb": notebook(release, "s3", "right")})
    assert "It says that it is of 's3'" in rows["s1"]["findings"]
    assert [each.read_text() for each in (tmp_path / "ran").iterdir()] == ["STUDENT = 's2'"]


def test_of_two_submissions_of_a_group_the_better_counts(
    graded: Graded, release: Release, tmp_path: Path
) -> None:
    rows = graded({
        "Ada L_1815/ps1.ipynb": notebook(release, "s1", "wrong"),
        "Alan T_1912/ps1.ipynb": notebook(release, "s1", "right"),
    })  # fmt: skip
    for name in ("s1", "s2"):
        assert rows[name]["q1"] == "0.5"
        assert "handed in different notebooks; that of s2 counts" in rows[name]["findings"]
    with zipfile.ZipFile(tmp_path / "feedback" / "ps1.zip") as packed:
        assert packed.namelist() == ["Ada L_1815/ps1.html", "Alan T_1912/ps1.html"]


@pytest.mark.parametrize(
    "names",
    [
        ["Pair 1-Ada L_1815_assignsubmission_file_/ps1.ipynb",
         "Pair 1-Alan T_1912_assignsubmission_file_/ps1.ipynb"],
        ["Pair 1-Ada L_1815_assignsubmission_file_ps1.ipynb",
         "Pair 1-Alan T_1912_assignsubmission_file_ps1.ipynb"],
        ["pair1_LATE_77_99_ps1.ipynb"],
        ["Pair 1/ps1.ipynb"],
    ],
)  # fmt: skip
def test_what_moodle_and_canvas_make_of_a_group_s_submission_is_found(
    graded: Graded, release: Release, tmp_path: Path, names: list[str]
) -> None:
    rows = graded(dict.fromkeys(names, notebook(release, "s2", "right")))
    assert [(rows[name]["q1"], rows[name]["findings"]) for name in ("s1", "s2")] == [("0.5", "")] * 2
    with zipfile.ZipFile(tmp_path / "feedback" / "ps1.zip") as packed:
        assert len(packed.namelist()) == len(names)


def test_the_name_of_a_group_is_that_of_its_first_student(tmp_path: Path) -> None:
    (tmp_path / "students.csv").write_text(REGISTER, encoding="utf-8")
    known = students(tmp_path / "students.csv")
    found = {folder: whose(folder, known) for folder in ("pair1_7_9_ps4.ipynb", "PAIR 1", "pair 2", "_")}
    assert [owner and owner.id for owner in found.values()] == ["s1", "s1", None, None]


def test_a_person_reads_a_group_s_answers_once(
    graded: Graded, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Result] = []
    stand_in = SimpleNamespace(write=lambda results, *more: written.extend(results))
    monkeypatch.setitem(sys.modules, "course.grading.gradebook", stand_in)
    monkeypatch.setattr(course.grading, "gradebook", stand_in, raising=False)
    graded({
        "Ada L_1815/ps1.ipynb": notebook(release, "s1", "wrong"),
        "Alan T_1912/ps1.ipynb": notebook(release, "s1", "right"),
    })  # fmt: skip
    assert [(each.student.id, bool(each.folder)) for each in written] == [("s1", True), ("s3", False)]
