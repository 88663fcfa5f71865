"""One notebook, graded for a program that calls the grader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from course.grading import one, ps1
from course.grading.course_files import Course, Release
from course.grading.known_submissions import content, fill_answers
from course.grading.release import generate


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), ps1.ASSIGNMENT, 3)


@pytest.fixture
def home(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(one, "Course", lambda: Course(release.folder.parents[1]))
    return tmp_path


def solved(release: Release, home: Path) -> str:
    answers = {**ps1.BY_LIBRARY, "q5": 'adds_most = "nobody"'}
    notebook = fill_answers(release, "S-1", answers)
    next(cell for cell in notebook.cells if cell.id == "w1").source = "Because <b>."
    (home / "anything.ipynb").write_bytes(content(notebook))
    return str(home / "anything.ipynb")


@pytest.mark.slow
def test_a_notebook_is_graded(release: Release, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called = [solved(release, home), "--id", "S-1", "--trust"]
    made: dict[str, Any] = {}
    for layout in one.FORMATS:
        assert one.main([*called, "--format", layout]) == 0
        made[layout] = json.loads(capsys.readouterr().out)
    own = made["json"]
    assert (own["assignment"], own["id"], own["points"], own["of"]) == ("ps1", "S-1", 4.0, 5.0)
    assert [each["points"] for each in own["questions"]] == [0.5, 0.5, 1.0, 2.0, 0.0]
    assert own["questions"][4] == {"name": "q5", "points": 0.0, "of": 1.0, "reason": "Not right."}
    assert own["written"] == [
        {"name": "w1", "of": 3.0, "answer": "Because <b>."},
        {"name": "w2", "of": 2.0, "answer": ""},
    ]
    assert (own["findings"], own["timed_out"]) == ([], False)
    assert made["gradescope"]["score"] == 4.0
    assert made["gradescope"]["tests"][4] == {
        "name": "q5", "score": 0.0, "max_score": 1.0, "output": "Not right.",
    }  # fmt: skip
    assert (made["prairielearn"]["gradable"], made["prairielearn"]["score"]) == (True, 0.8)
    assert made["prairielearn"]["tests"][3] == {
        "name": "q4", "points": 2.0, "max_points": 2.0, "message": "Right.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("called", "message"),
    [
        (["none.ipynb", "--id", "s1"], "none.ipynb cannot be read: No such file"),
        ([".", "--id", "s1"], "cannot be read: Is a directory"),
        (["text.ipynb", "--id", "s1"], "does not say of which assignment it is"),
        (["text.ipynb", "--id", "s1", "--assignment", "ps9"], "There is no assignment 'ps9'"),
        (["text.ipynb", "--id", " - ", "--assignment", "ps1"], "--id is ' - '; expected an id"),
        (["ps2.ipynb", "--id", "s1"], "ps2 is not there yet: run `make course` first"),
    ],
)
def test_what_cannot_be_graded_ends_with_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], called: list[str], message: str
) -> None:
    (home / "text.ipynb").write_text("no JSON")
    (home / "ps2.ipynb").write_text(json.dumps({"cells": [{"source": ["import ps2_data"]}]}))
    file, *more = called
    assert one.main([str(home / file), *more, "--json"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert output.err.count("\n") == 1


def test_an_id_that_the_register_does_not_have_is_refused(
    release: Release, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "students.csv").write_text("folder,id\na,S-1\n")
    monkeypatch.setattr(one, "Course", lambda: Course(home))
    assert one.main([solved(release, home), "--id", "s2", "--trust"]) == 2
    assert "--id is 's2'; expected an id of" in capsys.readouterr().err


def test_a_file_on_which_the_grader_fails_is_no_result(
    release: Release, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*about: object) -> None:
        raise KeyError("two\nlines")

    monkeypatch.setattr(one, "grade_submission", fails)
    assert one.main([solved(release, home), "--id", "s1", "--trust", "--json"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "anything.ipynb (KeyError: " in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("no JSON", "its JSON cannot be read"),
        (json.dumps({"cells": [{"source": "import pandas\nimport ps2_data\n"}]}), "a notebook of ps2, not"),
        (json.dumps({"cells": []}), "None of the assignment's answer cells is in it"),
    ],
)
def test_what_is_no_notebook_of_the_assignment_has_no_points_and_status_1(
    home: Path, capsys: pytest.CaptureFixture[str], text: str, finding: str
) -> None:
    (home / "file.ipynb").write_text(text)
    called = [str(home / "file.ipynb"), "--id", "s1", "--assignment", "ps1", "--trust"]
    for layout, made in one.FORMATS.items():
        assert one.main([*called, "--format", layout]) == 1
        printed = json.loads(capsys.readouterr().out)
        assert printed.get("points", printed.get("score")) == 0
        assert finding in json.dumps(printed), made
        assert printed.get("gradable", False) is False
    assert one.main(called) == 1
    assert finding in capsys.readouterr().out
