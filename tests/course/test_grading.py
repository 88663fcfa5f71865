"""Six submissions from files to points, and each step on the way; `make course` tries many more."""

from __future__ import annotations

import ast
import json
import os
import re
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest

import divmetrics as dm
from course.grading import data_draws, feedback_zip, grade, judge, ps1, self_test
from course.grading import sandbox as sandbox_module
from course.grading.assignment import Assignment, Question, WrongAnswer, data_module
from course.grading.attacks import SECRET, attacks
from course.grading.course_files import HOME, Course, Release
from course.grading.exit_status import done
from course.grading.import_tables import csv_text
from course.grading.known_submissions import (
    Copy,
    content,
    every,
    fill_answers,
    mutants,
    solution_copies,
    untouched,
)
from course.grading.leaks import leaks
from course.grading.notebook_file import MOST_READ, NotANotebookError
from course.grading.rebuild import MOST_CELLS, rebuild
from course.grading.release import archive, generate
from course.grading.result import Result, nothing
from course.grading.sandbox import Cell, RunResult, Sandbox
from course.grading.sandbox_runner import to_array
from course.grading.submissions import MOST_FILES, Student, Submission, collect, students, whose
from course.grading.untrusted import clean_text, read_json

PS1 = ps1.ASSIGNMENT
SOURCE = HOME / "source" / "ps1"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS1, 3)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return Sandbox(trust=True)


# --------------------------------------------------------------------------- from files to points


@pytest.mark.slow
def test_six_submissions_earn_what_they_should(release: Release, tmp_path: Path) -> None:
    tried = {each.name: each for each in attacks(release, PS1, ["mallory"])}
    slips = {each.name: each for each in mutants(release, PS1, ["carol"])}
    by_library, by_hand = (next(iter(solution_copies(release, PS1, [name]))) for name in ("alice", "bob"))
    six = [
        by_library,
        Copy("by hand", "bob", content(fill_answers(release, "bob", ps1.BY_HAND)), every(PS1)),
        untouched(release, "dave"),
        slips["q4, no cascade"],
        tried["ending the kernel"],
        _of(tried["a faked hand_in"], "eve", release),
    ]
    assert by_hand.earns == every(PS1)
    message: list[str] = []
    assert self_test.graded(six, release, tmp_path, trust=True, say=message.append) == []
    assert len(message) == 6
    page = (tmp_path / "1" / "feedback" / "ps1" / "carol.html").read_text(encoding="utf-8")
    assert "satisfied readers leave" in page
    with zipfile.ZipFile(tmp_path / "1" / "feedback" / "ps1.zip") as packed:
        assert packed.read("carol/ps1.html").decode() == page
        assert len(packed.namelist()) == 6
    table = (tmp_path / "1" / "grades" / "ps1.csv").read_text(encoding="utf-8").splitlines()
    assert table[0].startswith("folder,id,name,q1,q2,q3,q4,q5,automatic,w1,w2,extra,total,of")
    assert table[1].startswith("alice,alice,,0.5,0.5,1.0,2.0,1.0,5.0,,,0.0,5.0,10.0")


def _of(copy: Copy, student: str, release: Release) -> Copy:
    renamed = copy.content.replace(b"'mallory'", f"'{student}'".encode())
    return Copy(copy.name, student, renamed, copy.earns)


def test_what_was_graded_is_not_graded_again(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    def run(self: Sandbox, cells: list[Cell], *more: Any) -> RunResult:
        runs.append(cells[0].name)
        return RunResult()

    monkeypatch.setattr(Sandbox, "run", run)
    monkeypatch.setattr(Sandbox, "_why_not", staticmethod(lambda: ""))
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "ps1").symlink_to(release.folder)
    for name in ("a", "b"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "ps1.ipynb").write_bytes(content(fill_answers(release, name, {})))
    (tmp_path / "students.csv").write_text("folder,id,name\na,a,\nb,b,\nc,c,\n", encoding="utf-8")

    def once() -> list[float]:
        message: list[str] = []
        given = (tmp_path / "in", "ps1", Course(tmp_path), tmp_path / "students.csv", False, message.append)
        return [result.automatic for result in grade.grade(*given)]

    assert once() == [0, 0, 0]
    assert len(runs) == 2
    once()
    assert len(runs) == 2
    (tmp_path / "in" / "b" / "ps1.ipynb").write_bytes(content(fill_answers(release, "b", ps1.BY_HAND)))
    once()
    assert len(runs) == 3


@pytest.fixture
def two(release: Release, tmp_path: Path) -> Callable[..., dict[str, Result]]:
    """Grade what a and b hand in; each key word is an argument of `grade`."""
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "ps1").symlink_to(release.folder)
    for name in ("a", "b"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "ps1.ipynb").write_bytes(content(fill_answers(release, name, {})))
    (tmp_path / "students.csv").write_text("folder,id,name\na,a,\nb,b,\n", encoding="utf-8")

    def graded(**more: Any) -> dict[str, Result]:
        given = (tmp_path / "in", "ps1", Course(tmp_path), tmp_path / "students.csv", True)
        return {each.student.id: each for each in grade.grade(*given, **{"say": lambda line: None, **more})}

    return graded


def test_whatever_one_submission_does_the_others_are_graded(
    two: Callable[..., dict[str, Result]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(submission: Submission, student: Student, *more: Any) -> Result:
        if student.id == "a":
            raise dm.DivmetricsError("what a did")
        return nothing(student, submission.folder, PS1, more[1], [])

    monkeypatch.setattr(grade, "grade_submission", fails)
    results = two()
    assert "what a did" in results["a"].findings[0]
    assert results["b"].findings == []


def test_a_submission_that_took_too_long_is_graded_once_more_alone(
    two: Callable[..., dict[str, Result]], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []

    def slow(submission: Submission, student: Student, *more: Any) -> Result:
        runs.append(student.id)
        result = nothing(student, submission.folder, PS1, more[1], [])
        result.timed_out = student.id == "a" and runs.count("a") == 1
        return result

    monkeypatch.setattr(grade, "grade_submission", slow)
    assert not any(result.timed_out for result in two().values())
    assert sorted(runs[:2]) == ["a", "b"]
    assert runs[2:] == ["a"]
    two()
    assert len(runs) == 3
    two(again=["B"])
    assert runs[3:] == ["b"]
    with pytest.raises(dm.DivmetricsError, match=r"nobody: no such id in students\.csv"):
        two(again=["nobody"])


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [(dm.DivmetricsError("no file"), 2, "no file\n"), (KeyboardInterrupt(), 130, "Stopped by Ctrl-C.")],
)
def test_a_command_ends_with_one_line(
    capsys: pytest.CaptureFixture[str], error: BaseException, status: int, says: str
) -> None:
    def fails() -> None:
        raise error

    assert done(fails) == status
    message = capsys.readouterr().err
    assert message.startswith(says)
    assert message.count("\n") == 1
    assert done(lambda: None) == 0


def test_trial_detects_a_wrong_grade() -> None:
    copy = Copy("solved", "a", b"", frozenset({"q1"}), finding="noticed")
    verdicts = [
        judge.QuestionVerdict("q1", 0.0, 1.0, "Not right."),
        judge.QuestionVerdict("q2", 1.0, 1.0, "Right."),
    ]
    wrong = self_test.compare(copy, Result(Student("a", "a"), "a", verdicts))
    assert [each.partition(":")[0] for each in wrong] == [
        "q1 earns 0, not 1",
        "q2 earns 1, not 0",
        "'noticed' is not said, but ['Not right.', 'Right.']",
    ]


# --------------------------------------------------------------------------- what is right


@pytest.mark.parametrize("name", ["a", "b", "c"])
@pytest.mark.parametrize("way", PS1.solutions)
def test_the_key_agrees_with_every_solution(release: Release, name: str, way: str) -> None:
    """One of them is written in loops, without the library's metrics."""
    data, names = release.data.of(name), {"dm": dm}
    names["mine"] = data
    for question in PS1.questions:
        exec(PS1.solutions[way][question.name], names)
        cell = next(cell for cell in release.notebook.cells if cell.id == question.name)
        ran = RunResult(handed={question.name: [handed(cell.source, names)]})
        assert judge._verdict(question, data, ran) == (True, "Right.")


def handed(source: str, names: dict[str, Any]) -> dict[str, Any]:
    """What a locked cell hands in."""
    message: list[dict[str, Any]] = []
    from divmetrics_widgets import handing_in

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handing_in, "display", lambda data, raw: message.append(data[handing_in.MIME]))
        exec(source, {**names, "hand_in": handing_in.hand_in})
    return json.loads(json.dumps(message[0]))


def test_values_that_pandas_has_only_counted_are_in_the_order_of_the_question(release: Release) -> None:
    data = release.data.of("a")
    question = PS1.question("q3")
    values = [[float(k), value] for k, value in enumerate(question.right(data).values())]
    for message, right in (({"values": values}, True), ({"values": values[::-1]}, False)):
        ran = RunResult(handed={"q3": [{"question": "q3", "value": message}]})
        assert judge._verdict(question, data, ran)[0] == right


def test_wrong_answers_differ_by_ten_tolerances(release: Release) -> None:
    assert len([wrong for question in PS1.questions for wrong in question.wrong]) >= 10
    for number in release.data.DRAWS:
        assert data_draws.separates_all(PS1, release.data.drawn(number))
    unsound = next(n for n in range(100) if n not in release.data.DRAWS)
    assert not data_draws.separates_all(PS1, release.data.drawn(unsound))


def test_a_question_may_allow_more_than_others_and_then_wants_its_slips_further_off() -> None:
    wide = Question("q", lambda data: 0.5, (WrongAnswer("slip", lambda data: 0.8, "a slip"),), within=0.02)
    for given, right in ((0.515, True), (0.53, False)):
        ran = RunResult(handed={"q": [{"question": "q", "value": given}]})
        assert judge._verdict(wide, None, ran)[0] == right
    one = replace(FUNCTION, questions=(wide,))
    assert data_draws.separates_all(one, None)
    assert not data_draws.separates_all(replace(one, questions=(replace(wide, within=0.04),)), None)


def test_half_of_the_points_are_for_arguments(release: Release) -> None:
    points = release.points
    written = {each.name: sum(share for share, _ in each.rubric) for each in PS1.written}
    assert {name: points[name] for name in written} == written
    assert sum(written.values()) == sum(points[question.name] for question in PS1.questions) == 5


# --------------------------------------------------------------------------- rebuilding


@pytest.fixture(scope="module")
def changed(release: Release) -> dict[str, Copy]:
    return {each.name: each for each in attacks(release, PS1, ["s1"])}


@pytest.mark.parametrize(
    "name",
    ["cells copied", "metadata stripped", "metadata and ids stripped", "cells in another order",
     "points and locked cells changed", "latin-1", "UTF-16", "UTF-8 with a byte order mark",
     "large pictures", "many numbers", "another's id"],
)  # fmt: skip
def test_answers_are_found_whatever_happened_to_the_rest(
    release: Release, changed: dict[str, Copy], name: str
) -> None:
    right = rebuild(release.notebook, content(fill_answers(release, "s1", ps1.BY_HAND)), "s1").notebook
    rebuilt = rebuild(release.notebook, changed[name].content, "s1")
    made, wanted = (
        [c.source for c in each.cells if c.cell_type == "code"] for each in (rebuilt.notebook, right)
    )
    assert made == wanted
    assert any(changed[name].finding in finding for finding in ["", *rebuilt.findings]) or "id" in name
    assert rebuilt.claimed_id == ("somebody else" if name == "another's id" else "s1")


def test_deleted_answer_costs_only_its_points(release: Release, changed: dict[str, Copy]) -> None:
    rebuilt = rebuild(release.notebook, changed["cells deleted"].content, "s1")
    assert rebuilt.findings == ["The cell of the answer q5 is missing."]
    assert {cell.id for cell in rebuilt.notebook.cells} == {cell.id for cell in release.notebook.cells}


@pytest.mark.parametrize(
    "name",
    ["an empty file", "half a file", "no notebook", "lists without end", "cells of another form",
     "much too large", "brackets without end", "a text without end", "too many cells"],
)  # fmt: skip
def test_unreadable_notebooks_are_explained(release: Release, changed: dict[str, Copy], name: str) -> None:
    with pytest.raises(NotANotebookError, match=changed[name].finding):
        rebuild(release.notebook, changed[name].content, "s1")


def test_a_notebook_of_another_assignment_is_known_by_the_data_it_imports(release: Release) -> None:
    notebook = fill_answers(release, "s1", ps1.BY_HAND)
    setup = next(cell for cell in notebook.cells if cell.id == "setup")
    setup.source = setup.source.replace("import ps1_data", "import my_data\nimport ps1_data as mine")
    assert len(rebuild(release.notebook, content(notebook), "s1").answered) == 5
    with pytest.raises(NotANotebookError, match="a notebook of ps2, not of ps1"):
        rebuild(release.notebook, content(release.notebook).replace(b"ps1_data", b"ps2_data"), "s1")


def own_cells(release: Release, cells: dict[str, str], answer: str, setup: str = "") -> bytes:
    """A submission with these cells of the student's own, each after the cell of that name."""
    notebook = fill_answers(release, "s1", {**ps1.BY_LIBRARY, "q1": answer})
    for place, source in cells.items():
        at = [cell.id for cell in notebook.cells].index(place)
        notebook.cells.insert(at + 1, nbformat.v4.new_code_cell(source))
    if setup:
        next(cell for cell in notebook.cells if cell.id == "data").source += f"\n{setup}"
    return content(notebook)


@pytest.mark.parametrize(
    ("cells", "answer", "setup", "ran"),
    [
        ({"student": "def half(): return 0.5"}, "coverage_at_3 = half()", "", ["def half(): return 0.5"]),
        (
            {"student": "x = y\nprint(x)", "data": "y = 1"},
            "coverage_at_3 = x",
            "",
            ["x = y\nprint(x)", "y = 1"],
        ),
        ({"q2": "y = 1", "data": "unused = 1"}, "coverage_at_3 = 0.5", "", []),
        ({"data": "x = ("}, "coverage_at_3 = x", "", []),
        ({}, "coverage_at_3 = math.sqrt(0.25)", "import math", ["import math"]),
        ({}, "%time coverage_at_3 = 0.5\nmath", "import math\nmine = None", ["import math"]),
        ({}, "coverage_at_3 = sqrt(0.25)", "from math import *", ["from math import *"]),
        ({}, "coverage_at_3 = x", f"x = 0.5\ny = {'a.' * 900}a\nz = {'1 + ' * 900}1", ["x = 0.5"]),
        ({"data": "?dm\ndm.metric??\nx = !ls\ny = 1"}, "y", "", ["?dm\ndm.metric??\nx = !ls\ny = 1"]),
        *(
            ({"q1_answer": changed}, "coverage_at_3 = []", "", [changed])
            for changed in (
                "coverage_at_3.append(0.5)",
                "coverage_at_3.columns = ['x']",
                "coverage_at_3[0] = 1",
                "del coverage_at_3[0]",
                "coverage_at_3.drop(0, inplace=True)",
            )
        ),
        ({"q1_answer": "coverage_at_3.head()\nmine.judged.clear()"}, "coverage_at_3 = mine.judged", "", []),
    ],
)
def test_cells_of_ones_own_run_where_an_answer_builds_on_them(
    release: Release, cells: dict[str, str], answer: str, setup: str, ran: list[str]
) -> None:
    rebuilt = rebuild(release.notebook, own_cells(release, cells, answer, setup), "s1")
    run = grade.to_run(rebuilt)
    assert [cell.source for cell in run if cell.name.startswith(grade.OWN)] == ran
    assert not any(cell.locked for cell in run if cell.name.startswith(grade.OWN))
    released = [cell.id for cell in release.notebook.cells if cell.cell_type == "code"]
    assert [cell.name for cell in run if not cell.name.startswith(grade.OWN)] == released
    assert any("beside the answers ran" in finding for finding in rebuilt.findings) == bool(ran)


def clumsy(release: Release, change: Callable[[dict[str, nbformat.NotebookNode], list[Any]], None]) -> Any:
    """Rebuild a solved copy that a student has changed: its cells by name, and all of them."""
    notebook = fill_answers(release, "s1", ps1.BY_LIBRARY)
    change({str(cell.id): cell for cell in notebook.cells}, notebook.cells)
    return rebuild(release.notebook, content(notebook), "s1")


def below(name: str, *cells: nbformat.NotebookNode) -> Callable[[dict[str, Any], list[Any]], None]:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        place = every.index(named[name])
        every[place + 1 : place + 1] = cells

    return change


def untouched_with(source: str) -> Callable[[dict[str, Any], list[Any]], None]:
    """The answer to q1 stands in a cell of its own."""

    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["q1_answer"].source = "# Your answer to q1\ncoverage_at_3 = ..."
        below("q1_answer", nbformat.v4.new_code_cell(source))(named, every)

    return change


def renamed(answer: str, locked: str) -> Callable[[dict[str, Any], list[Any]], None]:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["q1_answer"].source = answer
        named["q1"].source = locked

    return change


LOCKED = 'hand_in("q1", coverage_at_3, "number")'


@pytest.mark.parametrize(
    ("change", "own"),
    [
        (untouched_with("coverage_at_3 = 0.75"), {"q1_answer": ["coverage_at_3 = 0.75"]}),
        (renamed("x = 0.75", 'hand_in("q1", x, "number")'), {"q1_answer": ["coverage_at_3 = x"]}),
        (renamed("x = 0.75", LOCKED), {"q1_answer": ["coverage_at_3 = x"]}),
        (renamed("f(x=1)", 'hand_in("q1", 0.75)'), {"q1_answer": ["coverage_at_3 = 0.75"]}),
        (renamed("coverage_at_3 = 1", 'hand_in("q1", 0.75)'), {}),
        (renamed("print(1)", "pass"), {}),
        (below("data", nbformat.v4.new_code_cell("STUDENT = 'somebody else'")), {}),
        (below("w1", nbformat.v4.new_code_cell("x = 3")), {}),
    ],
)
def test_an_answer_under_another_name_or_in_another_cell_is_read(
    release: Release, change: Any, own: dict[str, list[str]]
) -> None:
    assert clumsy(release, change).own == own


def test_what_was_added_to_cells_of_the_release_is_read_and_what_was_changed_is_not(release: Release) -> None:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["data"].source = (
            "mine = ps1_data.of('somebody')\nintents = []\nprint(1)\ndocs = mine.ranking.docs\n"
            "p = {intent.id: intent.probability for intent in mine.topic.intents}"
        )
        named["q1_answer"].source = "coverage_at_3 = len(docs) * p['x']"

    added = "docs = mine.ranking.docs\np = {intent.id: intent.probability for intent in mine.topic.intents}"
    assert clumsy(release, change).own == {"data": [added]}


def test_words_below_the_cell_of_an_explanation_belong_to_it(release: Release) -> None:
    words = [nbformat.v4.new_markdown_cell(text) for text in ("One.", "Two.")]
    rebuilt = clumsy(release, below("w1", words[0], nbformat.v4.new_code_cell("1"), words[1]))
    cell = next(cell for cell in rebuilt.notebook.cells if cell.id == "w1")
    assert cell.source.endswith("…\n\nOne.\n\nTwo.")
    assert "w1" in rebuilt.answered
    assert "w2" not in rebuilt.answered


def test_an_answer_that_was_split_into_cells_is_put_together(release: Release) -> None:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        for name, half in (("w1", "Two."), ("q4_answer", "contributions.append(1)"), ("q4_answer", "x = 2")):
            place = every.index(named[name])
            every.insert(place + 1, nbformat.NotebookNode({**named[name], "id": half[:2], "source": half}))
        named["q4_answer"].source = "# Your answer to q4\ncontributions = []"

    rebuilt = clumsy(release, change)
    sources = {cell.id: cell.source for cell in rebuilt.notebook.cells}
    assert sources["w1"].endswith("…\n\nTwo.")
    assert sources["q4_answer"].endswith("contributions = []\n\nx = 2\n\ncontributions.append(1)")
    assert rebuilt.findings == []


def test_a_picture_in_an_explanation_is_mentioned(release: Release) -> None:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["w1"]["attachments"] = {"x.png": {"image/png": ""}}
        named["w2"].source = f"As ![x.png](data:image/png;base64,{'A/+=' * 50_000}) shows."  # as Colab does

    rebuilt = clumsy(release, change)
    assert [finding.partition(";")[0] for finding in rebuilt.findings] == [
        "A picture is attached to w1",
        "A picture is attached to w2",
    ]
    assert next(cell.source for cell in rebuilt.notebook.cells if cell.id == "w2") == "As ![x.png]() shows."


@pytest.mark.parametrize(
    "first",
    [
        "# Your answer to q1",
        "#Your Answer to Q1:",
        "%%time\n# Your answer to q1",
        "#@title 1\n# your answer to q1",
    ],
)
def test_an_answer_without_metadata_is_known_by_its_line(release: Release, first: str) -> None:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["q1_answer"].source = f"{first}\ncoverage_at_3 = 0.75"
        for n, cell in enumerate(every):
            cell.metadata, cell["id"] = nbformat.NotebookNode(), f"a{n}"

    assert "q1_answer" in clumsy(release, change).answered


def test_long_code_is_read_in_little_time(release: Release) -> None:
    def change(named: dict[str, Any], every: list[Any]) -> None:
        named["q1_answer"].source = "import " + "a." * 50_000 + "a"
        named["w1"].source = "\n" * 99_999 + "x"

    rebuilt = clumsy(release, change)
    assert any("more than 20000 letters" in finding for finding in rebuilt.findings)
    assert "w1" in rebuilt.answered


@pytest.mark.slow
def test_an_answer_with_a_helper_elsewhere_earns_its_points(release: Release, sandbox: Sandbox) -> None:
    answer = f"{ps1.BY_LIBRARY['q1'].strip()}\ncoverage_at_3 = same(coverage_at_3)"
    handed_in = own_cells(release, {"student": "def same(x): return math.fsum([x])"}, answer, "import math")
    submission = Submission("s1", handed_in, "ps1.ipynb")
    result = grade.grade_submission(submission, Student("s1", "s1"), PS1, release, sandbox)
    assert [verdict.reason for verdict in result.verdicts] == ["Right."] * 5


def test_as_many_cells_as_may_be_are_read_at_once(release: Release, changed: dict[str, Copy]) -> None:
    full = changed["as many cells as may be"]
    assert len(json.loads(full.content)["cells"]) == MOST_CELLS
    assert full.finding in "".join(rebuild(release.notebook, full.content, "s1").findings)


@pytest.mark.parametrize("text", ["Yes \ud83d", "\ude00", "a\ud800b"])
def test_half_an_emoji_becomes_a_question_mark(release: Release, text: str) -> None:
    notebook = json.loads(content(fill_answers(release, "s1", {})))
    next(cell for cell in notebook["cells"] if cell["id"] == "w1")["source"] = text
    rebuilt = rebuild(release.notebook, json.dumps(notebook).encode(), "s1").notebook
    source = next(cell.source for cell in rebuilt.cells if cell.id == "w1")
    assert source == re.sub("[\ud800-\udfff]", "?", text)


# --------------------------------------------------------------------------- finding files


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    for name, text in {
        "Ada Lovelace_1815_assignsubmission_file_/ps1.ipynb": "moodle",
        "turingalan_LATE_123_456_ps1-2.ipynb": "canvas",
        "hopper/ps1/ps1.ipynb": "nbgrader",
        "hopper/.ipynb_checkpoints/ps1-checkpoint.ipynb": "checkpoint",
        "boole/ps1 (1).ipynb": "wrong name",
        "church/answers.pdf": "no notebook",
        "curry/a.ipynb": "first",
        "curry/ps1.ipynb": "second",
        "__MACOSX/hopper/ps1.ipynb": "noise",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "goedel").mkdir()
    return folder


def by_folder(source: Path) -> dict[str, tuple[bytes | None, list[str]]]:
    return {each.folder: (each.content, each.findings) for each in collect(source, "ps1")}


@pytest.mark.parametrize("zipped", [False, True])
def test_files_are_found_as_they_are_named(handed_in: Path, tmp_path: Path, zipped: bool) -> None:
    source = handed_in
    if zipped:
        source = tmp_path / "in.zip"
        with zipfile.ZipFile(source, "w") as archive:
            for path in sorted(handed_in.rglob("*")):
                archive.write(path, path.relative_to(handed_in))
    assert by_folder(source) == {
        "Ada Lovelace_1815_assignsubmission_file_": (b"moodle", []),
        "turingalan_LATE_123_456_ps1-2.ipynb": (b"canvas", []),
        "hopper": (b"nbgrader", []),
        "boole": (b"wrong name", ["It is named ps1 (1).ipynb, not ps1.ipynb."]),
        "church": (None, ["There is no notebook in it, only answers.pdf."]),
        "curry": (b"second", ["There are 2 notebooks in it; ps1.ipynb was read."]),
        "goedel": (None, ["There is no notebook in it."]),
    }


def test_a_link_is_not_followed_and_a_large_file_not_read(handed_in: Path) -> None:
    (handed_in / "goedel" / "ps1.ipynb").symlink_to(handed_in / "hopper" / "ps1" / "ps1.ipynb")
    with (handed_in / "church" / "ps1.ipynb").open("wb") as file:
        file.truncate(MOST_READ + 1)
    found = by_folder(handed_in)
    assert found["goedel"][0] is None
    assert found["church"][0] is None
    assert "has 200 MB" in found["church"][1][0]
    assert found["curry"][0] == b"second"


def test_a_file_in_a_zip_file_is_not_unpacked_beyond_its_size(
    changed: dict[str, Copy], tmp_path: Path
) -> None:
    (tmp_path / "in" / "ada").mkdir(parents=True)
    understated = changed["a zip file that understates a size"].content
    (tmp_path / "in" / "ada" / "x.zip").write_bytes(understated)
    tracemalloc.start()
    found = by_folder(tmp_path / "in")["ada"]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found[0] is None
    assert "cannot be read" in found[1][1]
    assert most < MOST_READ / 10


def test_a_zip_file_of_many_files_is_not_looked_through(tmp_path: Path) -> None:
    (tmp_path / "in" / "ada").mkdir(parents=True)
    many = packed({f"{n}.ipynb": b"1" for n in range(MOST_FILES + 1)} | {"a/" * 1_000: b"2"})
    (tmp_path / "in" / "ada" / "x.zip").write_bytes(many)
    assert "more than 10000 files" in by_folder(tmp_path / "in")["ada"][1][0]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_usual_zip_files_are_unpacked(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w", method) as archive:
        archive.writestr("ada/ps1.ipynb", b"1")
    assert "unusual method" in by_folder(tmp_path / "in.zip")["ada"][1][0]


def packed(files: dict[str, bytes]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


BOMB = packed({f"{n}.zip": packed({"ps1.ipynb": b"inside"}) for n in range(3)})


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"./": b"", "./ada/": b"", "./ada/ps1.ipynb": b"1"}, {"ada": (b"1", [])}),
        ({"ada\\ps1.ipynb": b"1", "../eve/ps1.ipynb": b"2", "/eve/ps1.ipynb": b"3"}, {"ada": (b"1", [])}),
        ({"ada.ipynb": b"1"}, {"ada": (b"1", ["It is named ada.ipynb, not ps1.ipynb."])}),
        (
            {"ada/ps1.ipynb.txt": b"1", "eve/ps1.ipynb.json": b"2", "eve/ps1.ipynb": b"3"},
            {"ada": (b"1", ["It is named ps1.ipynb.txt, not ps1.ipynb."]), "eve": (b"3", [])},
        ),
        (
            {"Ada L_1_assignsubmission_file_ps1.ipynb": b"1"},
            {"Ada L_1_assignsubmission_file_ps1": (b"1", [])},
        ),
        ({"class/ada/ps1.ipynb": b"1", "class/eve/ps1.ipynb": b"2"}, {"ada": (b"1", []), "eve": (b"2", [])}),
        ({"all/class/ada/ps1.ipynb": b"1", "__MACOSX/x": b""}, {"ada": (b"1", [])}),
        (
            {"ada/homework.zip": packed({"x/ps1.ipynb": b"1", "__MACOSX/x/._ps1.ipynb": b"2"})},
            {"ada": (b"1", ["It was in a zip file, homework.zip."])},
        ),
        (
            {"ada/twice.zip": packed({"once.zip": packed({"ps1.ipynb": b"1"})})},
            {"ada": (b"1", ["zip file, twice.zip", "zip file, once.zip"])},
        ),
        (
            {"ada/3.zip": packed({"2.zip": packed({"1.zip": packed({"ps1.ipynb": b"1"})})})},
            {"ada": (None, ["no notebook in it, only 1.zip"])},
        ),
        (
            {
                "Ada_1_assignsubmission_file_notes.ipynb": b"0",
                "Ada_1_assignsubmission_file_ps1.ipynb": b"1",
                "Eve_2_assignsubmission_file_x.zip": packed({"ps1.IPYNB": b"2"}),
                "Bob_3_assignsubmission_file_x.pdf": b"3",
                "cyd_4_5_b.ipynb": b"4",
                "cyd_4_6_ps1-2.ipynb": b"5",
            },
            {
                "Ada_1_assignsubmission_file_ps1": (b"1", ["2 notebooks in it; ps1.ipynb was read"]),
                "Eve_2_assignsubmission_file_x": (b"2", ["zip file, x.zip", "It is named ps1.IPYNB"]),
                "Bob_3_assignsubmission_file_x": (None, ["no notebook in it, only x.pdf"]),
                "cyd_4_6_ps1-2.ipynb": (b"5", ["2 notebooks in it; ps1.ipynb was read"]),
            },
        ),
        ({"ada/homework.zip": BOMB}, {"ada": (None, ["homework.zip", "no notebook in it"])}),
        ({"ada/homework.zip": b"PK"}, {"ada": (None, ["The file homework.zip cannot be read"])}),
        (
            {"ada/homework.zip": packed({"a/" * 600 + "ps1.ipynb": b"1", "ps1.ipynb": b"2"})},
            {"ada": (b"2", ["zip file"])},
        ),
        ({"ada/=cmd.ipynb": b"1"}, {"ada": (b"1", ["It is named =cmd.ipynb"])}),
    ],
)
def test_zip_files_are_read_as_programs_make_them(
    tmp_path: Path, files: dict[str, bytes], found: dict[str, tuple[bytes | None, list[str]]]
) -> None:
    (tmp_path / "in.zip").write_bytes(packed(files))
    known = {name: Student(name, name) for name in ("ada", "eve")}
    collected = {each.folder: each for each in collect(tmp_path / "in.zip", "ps1", known)}
    assert {folder: each.content for folder, each in collected.items()} == {
        folder: text for folder, (text, _) in found.items()
    }
    for folder, (_, findings) in found.items():
        for words in findings:
            assert any(words in finding for finding in collected[folder].findings)


def test_a_damaged_file_costs_only_its_own_student(tmp_path: Path) -> None:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ada/ps1.ipynb", "a" * 1000 + "b" * 1000)
        archive.writestr("eve/ps1.ipynb", b"2")
    data = bytearray(made.getvalue())
    start = data.index(b"ada/ps1.ipynb") + len(b"ada/ps1.ipynb")
    data[start : start + 4] = b"\xff\xff\xff\xff"
    (tmp_path / "in.zip").write_bytes(data)
    found = by_folder(tmp_path / "in.zip")
    assert found["ada"][0] is None
    assert "The file ps1.ipynb cannot be read" in found["ada"][1][0]
    assert found["eve"] == (b"2", [])


@pytest.mark.parametrize("text", [b"", b"PK", b"\x50\x4b\x05\x06" + b"\xff" * 18])
def test_what_is_no_zip_file_is_refused_in_a_sentence(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "in.zip").write_bytes(text)
    with pytest.raises(dm.DivmetricsError, match="neither a folder nor a zip file"):
        collect(tmp_path / "in.zip", "ps1")


def test_a_folder_belongs_to_a_student() -> None:
    known = {name: Student(name, name) for name in ("Ada Lovelace_1815", "turingalan", "hopper", "knuth_123")}
    found = {
        "Ada Lovelace_1815_assignsubmission_file_": "Ada Lovelace_1815",
        "turingalan_LATE_123_456_ps1-2.ipynb": "turingalan",
        "knuth_123_456_ps1.ipynb": "knuth_123",
        "Group 1-turingalan_99_assignsubmission_file_": "turingalan",
        "A-B-Ada Lovelace_1815_assignsubmission_file_ps1": "Ada Lovelace_1815",
        "hopper": "hopper",
        "hopp": None,
    }
    owners = {folder: whose(folder, known) for folder in found}
    assert {folder: owner and owner.folder for folder, owner in owners.items()} == found


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("Ann O'Hara_4711_assignsubmission_file_", "Ann O'Hara_4711_assignsubmission_file_/ps1.html"),
        ("oharaann_LATE_4711_99_ps1-1.ipynb", "oharaann_LATE_4711_99_ps1-1.html"),
        ("ann", "ann/ps1.html"),
        ("Ann_1_assignsubmission_file_ps1", "Ann_1_assignsubmission_file_ps1.html"),
    ],
)
def test_a_page_goes_back_by_the_name_of_the_submission(tmp_path: Path, folder: str, name: str) -> None:
    feedback_zip.pack({folder: "<p>well done</p>"}, "ps1", tmp_path / "ps1.zip")
    with zipfile.ZipFile(tmp_path / "ps1.zip") as packed:
        assert packed.namelist() == [name]
        assert packed.read(name) == b"<p>well done</p>"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("folder,id\na,1\na,2\n", "line 3: the folder 'a' is there twice"),
        ("folder,id\na,S-1\nb,s1\n", "line 3: 's1' is also the id of 'a'"),
        ("folder,id\na,\n", "line 2: folder and id are wanted"),
        ("name,id\na,1\n", "has no column folder; .* but it is 'name,id'"),
        ("", "is empty"),
        ("\n", "is empty"),
        ("folder,id,email\na,1,a@b.org\nb,2,\n", "line 3: the email is missing"),
    ],
)
def test_a_list_of_students_that_cannot_be_used_says_where(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "students.csv").write_text(lines, encoding="utf-8")
    with pytest.raises(dm.DivmetricsError, match=message):
        students(tmp_path / "students.csv")


def test_the_example_of_students_is_one() -> None:
    example = students(HOME / "students.csv.example").values()
    assert [student.id for student in example] == ["s1815", "s1912", "s1906"]
    assert [student.group for student in example] == ["pair 1", "pair 1", ""]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_list_of_students_may_come_from_any_spreadsheet(
    tmp_path: Path, separator: str, encoding: str
) -> None:
    lines = ["Folder,ID,Group ,Name", '"a",S-1,pair 1,Ada', "", ",,,", "b,s2"]
    text = "\r\n".join(lines).replace(",", separator)
    (tmp_path / "students.csv").write_text(text, encoding=encoding)
    assert list(students(tmp_path / "students.csv").values()) == [
        Student("a", "s1", "Ada", "S-1", "pair 1"),
        Student("b", "s2", "", "s2"),
    ]


# --------------------------------------------------------------------------- what is released


def test_release_contains_no_answer_key(release: Release) -> None:
    assert leaks(release.folder, PS1) == []
    with zipfile.ZipFile(archive(release)) as made:
        assert made.namelist() == ["ps1/STUDENTS.md", "ps1/ps1.ipynb", "ps1/ps1_data.py"]


def solution_left(notebook: nbformat.NotebookNode) -> None:
    cell = next(cell for cell in notebook.cells if cell.id == "q1_answer")
    cell.source = "# Your answer to q1\ncoverage_at_3 = 0.5"


def output_left(notebook: nbformat.NotebookNode) -> None:
    next(cell for cell in notebook.cells if cell.id == "q1").execution_count = 3


def slip_told(notebook: nbformat.NotebookNode) -> None:
    notebook.cells[0].source += PS1.questions[0].wrong[0].says


def key_left(notebook: nbformat.NotebookNode) -> None:
    notebook.cells[0].source += 'WrongAnswer("a slip", value)'


def line_of_a_solution(notebook: nbformat.NotebookNode) -> None:
    notebook.cells[0].source += ps1.BY_LIBRARY["q1"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (solution_left, "cell q1_answer: an answer is filled in"),
        (output_left, "cell q1: has outputs"),
        (slip_told, "which only the grader says"),
        (key_left, "'WrongAnswer(' stands in it"),
        (line_of_a_solution, "a line of a solution stands in it"),
    ],
)
def test_a_leak_in_the_notebook_is_found(
    release: Release, tmp_path: Path, change: Callable[[nbformat.NotebookNode], None], message: str
) -> None:
    notebook = nbformat.from_dict(release.notebook)
    notebook = nbformat.reads(nbformat.writes(notebook), as_version=4)
    change(notebook)
    nbformat.write(notebook, tmp_path / "ps1.ipynb")
    assert any(message in leak for leak in leaks(tmp_path, PS1))


def test_a_file_of_the_grader_is_found(tmp_path: Path) -> None:
    (tmp_path / "ps1.py").write_text("from course.grading.assignment import Assignment", encoding="utf-8")
    found = leaks(tmp_path, PS1)
    assert "ps1.py is not one of the files that are released" in found
    assert "ps1.py: 'course.grading' stands in it" in found


def test_the_source_has_no_data_for_students() -> None:
    with pytest.raises(dm.DivmetricsError, match="lecturer's copy"):
        data_module(SOURCE / "ps1_data.py").of("s1")


def test_an_id_may_be_written_in_any_way(release: Release) -> None:
    of = release.data.of
    assert of("S-12 34").judged == of("s1234").judged
    with pytest.raises(dm.DivmetricsError, match="your own student id"):
        of(" ")


# --------------------------------------------------------------------------- behind the wall


def doubled(data: Any) -> dict[int, float]:
    return {0: 14.0, 1: 26.0}


FUNCTION = Assignment(
    name="f", title="", written=(), solutions={},
    questions=(Question("f", doubled, cases=lambda data: [[7.0], [13.0]]),),
)  # fmt: skip
FUNCTIONS = {
    "right": ("def f(x): return 2 * x", "Right."),
    "wrong": ("def f(x): return x", "Not right: 0 of 2 cases are right."),
    "half": ("f = lambda x: 14", "Not right: 1 of 2 cases are right."),
    "an error": ("def f(x): raise ValueError(x)", "ended in an error, the first in ValueError."),
    "a case in the name of an error": (
        "def f(x): raise type(f'case {x}', (Exception,), {})(x)",
        "the first in an error of its own.",
    ),
    "a case as the answer": ("def f(x): return f'case {x}'", "Not right: 0 of 2 cases are right."),
    "no function": ("f = 3", "Not right: a function was asked for."),
    "the end": ("def f(x): __import__('os')._exit(0)", "called on cases, and it ended the kernel."),
}


@pytest.fixture(scope="module")
def called(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """All functions but the last in one kernel, each as a question of its own."""
    start = Cell("start", "from divmetrics_widgets import hand_in")
    cells, cases = [start], {}
    for n, (source, _) in enumerate(FUNCTIONS.values()):
        cells += [Cell(f"f{n}_answer", source, locked=False), Cell(f"f{n}", f"hand_in('f{n}', f)")]
        cases[f"f{n}"] = [[7.0], [13.0]]
    return sandbox.run(cells, tmp_path_factory.mktemp("nothing"), cases)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_cannot_leak_cases(called: RunResult, name: str) -> None:
    number = list(FUNCTIONS).index(name)
    question = Question(f"f{number}", doubled, cases=lambda data: [[7.0], [13.0]])
    right, reason = judge._verdict(question, None, called)
    assert right == (name == "right")
    assert FUNCTIONS[name][1] in reason
    assert "13" not in reason
    assert "7" not in reason


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ({"value": [[1, 2], [3, 4]]}, "Right."),
        ({"rows": [0.0, 1.0], "columns": [0.0, 1.0], "table": [[1, 2], [3, 4]]}, "Right."),
        ({"value": [[1, 3], [2, 4]]}, "turned round"),
        ({"value": [[1, 2], [3]]}, "0 of 1 cases"),
        ({"value": 1}, "0 of 1 cases"),
    ],
)
def test_a_function_may_return_a_table_and_its_slips_are_known(
    returned: dict[str, Any], message: str
) -> None:
    right, turned = ({(0, 0): 1, (0, 1): a, (1, 0): 5 - a, (1, 1): 4} for a in (2, 3))
    question = Question(
        "f", lambda data: {0: right},
        (WrongAnswer("turned", lambda data: {0: turned}, "turned round", "f = 1"),),
        cases=lambda data: [[[[1, 2], [3, 4]]]],
    )  # fmt: skip
    result = {"value": returned.get("value", returned)}
    ran = RunResult(handed={"f": [{"question": "f", "value": {"function": True}}]}, called={"f": [result]})
    earned, reason = judge._verdict(question, None, ran)
    assert earned == (message == "Right.")
    assert message in reason


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["d1", " D2"], "Right."),
        (["d2", "d1"], "Not right: the wrong way round."),
        (["d1"], "Not right."),
        ("d1 d2", "Not right. It has to be a list of names, as texts."),
        (["d1", 2.0], "Not right. It has to be a list of names, as texts."),
    ],
)
def test_names_are_wanted_in_their_order(value: Any, message: str) -> None:
    turned = WrongAnswer("turned", lambda data: ["d2", "d1"], "the wrong way round")
    question = Question("q", lambda data: ["d1", "d2"], (turned,))
    ran = RunResult(handed={"q": [{"question": "q", "value": value}]})
    assert judge._verdict(question, None, ran) == (message == "Right.", message)
    assert data_draws.separates_all(replace(FUNCTION, questions=(question,)), None)


def test_a_table_of_numbers_arrives_as_an_array() -> None:
    assert to_array([[1, 2], [3, 4]]).shape == (2, 2)
    for same in ([1, 2], [["a"], ["b"]], [], "a", 0.5):
        assert to_array(same) is same


WRITES = """
written = {}
for folder in ("/tmp", "/dev/shm", "/home/student", "/", "/dev", "/home"):
    written[folder] = 0
    try:
        for n in range(20):
            with open(f"{folder}/{n}", "wb") as file:
                written[folder] += file.write(bytes(32 * 2**20))
    except OSError:
        pass
"""


# Four processes, none of which has much memory, since other programs run on this machine, too.
FORKS = """
import os, time
for n in range(4):
    if os.fork() == 0:
        much = bytearray(b"x") * (350 * 2**20)
        time.sleep(100)
time.sleep(100)
"""


@pytest.fixture
def walled() -> Sandbox:
    made = Sandbox(trust=True)
    if made.missing:
        pytest.skip(f"no sandbox can be made here: {made.missing}")
    return made


@pytest.mark.slow
def test_sandbox_has_no_key_and_no_network(walled: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text("value = 3.0", encoding="utf-8")
    cells = [
        Cell("start", "import os, socket, pathlib\nfrom divmetrics_widgets import hand_in\nimport given"),
        Cell("files", f"hand_in('files', [given.value, *map(str, pathlib.Path('{HOME}').glob('*'))])"),
        Cell("key", "import course.grading.ps1"),
        Cell("network", "socket.create_connection(('1.1.1.1', 80), 5)"),
        Cell("library", "import divmetrics\nopen(divmetrics.__file__, 'a')"),
        Cell("disk", WRITES),
        Cell("written", "hand_in('written', [name for name, size in written.items() if size > 256 * 2**20])"),
        Cell("after", "hand_in('after', 1)\nprint(open('/proc/1/environ').read())"),
        Cell(
            "processes",
            "hand_in('processes', sum(p.name.isdigit() for p in pathlib.Path('/proc').iterdir()))",
        ),
    ]
    ran = walled.run(cells, tmp_path, seconds=100)  # a busy machine needs many for the first and for "disk"
    assert ran.handed["files"] == [{"question": "files", "value": [3.0]}]
    assert "No module named 'course'" in ran.errors["key"]
    assert "OSError" in ran.errors["network"]
    assert "OSError" in ran.errors["library"]
    assert ran.left_out == ran.stopped == {}
    assert ran.handed["written"] == [{"question": "written", "value": []}]
    assert ran.handed["after"] == [{"question": "after", "value": 1.0}]
    assert ran.handed["processes"][0]["value"] < 5


@pytest.mark.slow
def test_a_cell_that_takes_too_long_keeps_what_it_had_unless_it_cannot_be_stopped(
    walled: Sandbox, tmp_path: Path
) -> None:
    # No cell imports anything: what the limit stops is the loops, however busy the machine is.
    cells = [
        Cell("loop", "x = 1\nwhile True: pass", locked=False),
        Cell("q1", "hand_in('q1', x)"),
        Cell("stubborn", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass"),
        Cell("q2", "hand_in('q2', 2)"),
    ]
    ran = walled.run(cells, tmp_path, seconds=3)
    assert ran.stopped == {"loop": "it ran for more than 3 seconds"}
    assert ran.left_out == {"stubborn": "it ran for more than 3 seconds"}
    assert ran.timed_out
    assert [ran.handed[name][0]["value"] for name in ("q1", "q2")] == [1.0, 2.0]


def test_a_machine_that_is_too_busy_to_begin_costs_only_this_attempt(
    walled: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_module, "START_SECONDS", 0.0)
    ran = walled.run([Cell("a", "1"), Cell("b", "2")], tmp_path)
    assert ran.timed_out
    assert list(ran.left_out) == ["a", "b"]


@pytest.mark.slow
def test_many_cells_that_end_the_kernel_take_no_longer_than_a_submission_may(
    walled: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Any] = []
    start = sandbox_module._Process.__enter__

    def counted(process: Any) -> Any:
        begun.append(process)
        return start(process)

    monkeypatch.setattr(sandbox_module._Process, "__enter__", counted)
    monkeypatch.setattr(sandbox_module, "LONGEST", 0.0)
    ran = walled.run([Cell(f"c{n}", "import os; os._exit(0)") for n in range(50)], tmp_path)
    assert len(begun) == 1
    assert len(ran.left_out) == 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "most", "code", "why"),
    [
        ("MOST_MEMORY", 2**30, FORKS, "of memory"),
        ("MOST_BYTES", 2**20, "for n in range(4): hand_in('q', 'x' * 20_000)", "more than can be an answer"),
    ],
)
def test_processes_and_replies_are_counted_together(
    walled: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    code: str,
    why: str,
) -> None:
    monkeypatch.setattr(sandbox_module, limit, most)
    ran = walled.run([Cell(f"c{n}", code) for n in range(1 if "fork" in code else 20)], tmp_path)
    assert any(why in each for each in ran.left_out.values())


def test_without_a_sandbox_nothing_is_run_unless_it_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sandbox, "_why_not", staticmethod(lambda: "bwrap is not installed"))
    with pytest.raises(dm.DivmetricsError, match="TRUST=1"):
        Sandbox()
    assert Sandbox(trust=True).missing == "bwrap is not installed"


@pytest.mark.parametrize(
    ("system", "apparmor", "container", "words"),
    [
        ("darwin", "0", False, ["needs Linux", "virtual machine"]),
        (
            "linux",
            "1",
            False,
            ["AppArmor", "/etc/apparmor.d", "kernel.apparmor_restrict_unprivileged_userns=0"],
        ),
        ("linux", "0", True, ["container", "--security-opt seccomp=unconfined"]),
        ("linux", "0", False, ["user namespaces"]),
    ],
)
def test_a_machine_without_a_sandbox_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    system: str,
    apparmor: str,
    container: bool,
    words: list[str],
) -> None:
    (tmp_path / "apparmor_restrict_unprivileged_userns").write_text(f"{apparmor}\n")
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("CODESPACES", raising=False)
    monkeypatch.setattr(sandbox_module.sys, "platform", system)
    monkeypatch.setattr(sandbox_module, "RESTRICTED", tmp_path / "apparmor_restrict_unprivileged_userns")
    monkeypatch.setattr(sandbox_module, "CONTAINER", tmp_path if container else tmp_path / "none")
    with pytest.raises(sandbox_module.SandboxError) as error:
        Sandbox()
    for word in [*words, "TRUST=1"]:
        assert word in str(error.value)
    assert "Install" not in str(error.value)


@pytest.mark.parametrize(
    "value",
    [{"table": 3}, {"rows": [1], "columns": [], "table": [[1]]}, [[[[[[[[[[[[[1]]]]]]]]]]]]], 10**400, None,
     True, {"values": [[1]]}, {"values": [["a", {"values": 3}]]}, {"function": True}, "0.5"],
)  # fmt: skip
@pytest.mark.parametrize("question", PS1.questions, ids=lambda question: question.name)
def test_no_answer_crashes_the_judge(release: Release, question: Question, value: Any) -> None:
    ran = RunResult(handed={question.name: [{"question": question.name, "value": value}]})
    right, reason = judge._verdict(question, release.data.of("a"), ran)
    assert not right
    assert reason.startswith("Not right")


# --------------------------------------------------------------------------- the house


def test_sandbox_has_the_imports_of_the_kernel_side() -> None:
    """The sandbox mounts sandbox_runner.py and no other file of its folder."""
    text = (HOME / "grading" / "sandbox_runner.py").read_text(encoding="utf-8")
    imported: Iterator[str] = (
        node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
    )
    assert not [name for name in imported if name.startswith(("course", "tools"))]


def test_make_grade_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with redirect_stdout(StringIO()):
        assert grade.main([str(tmp_path), "--assignment", "ps9"]) == 2
    assert "There is no assignment 'ps9'; there are: ps0, ps1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("=cmd|' /C calc'!A0", True), ("x;=1", True), ("x\n@a", True), (" +1 and", True), ('";"-a', True),
        ("-0.5", False), ("1e-05", False), ("Anna-Lena O'Hara", False), ("q1: a-b = c", False), ("", False),
    ],
)  # fmt: skip
def test_no_cell_of_a_table_is_a_formula(text: str, formula: bool) -> None:
    made = csv_text([[text, 0.5]])
    pieces = re.split(r"[,;\t\n\"]+", made)
    assert not any(re.match(r"\s*[=+@|]", piece) for piece in pieces)
    assert ("'" in made.replace("O'Hara", "").replace("' /C calc'", "")) == formula


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\ud800"])
def test_marks_that_turn_a_name_round_are_taken_out(mark: str) -> None:
    assert clean_text(f"a{mark}b") == read_json(json.dumps(f"a{mark}b")) == "a?b"


def test_noise_is_not_shown(release: Release) -> None:
    assert grade.plain("a\x1b[2Jb\n") == "a?[2Jb?"
    page = grade.feedback.page(
        nothing(Student("<b>", "b", "<b>"), "<b>", PS1, release, [SECRET + "<script>"]),
        PS1,
        release,
    )
    assert "<script>" not in page
    assert "<b>" not in page


def test_a_submission_without_a_notebook_earns_nothing(release: Release, sandbox: Sandbox) -> None:
    submission = Submission("a", None, "", ["There is no notebook in it."])
    result = grade.grade_submission(submission, Student("a", "a"), PS1, release, sandbox)
    assert result.automatic == 0
    assert result.findings == ["There is no notebook in it."]
