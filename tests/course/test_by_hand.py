"""What a person gives in formgrader, from the gradebook to the table and the students' pages."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator
from html import unescape
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

import course.grading
import divmetrics as dm
from course.grading import feedback, formgrader_notebook, grade, ps1
from course.grading.course_files import Course, Release
from course.grading.judge import QuestionVerdict
from course.grading.known_submissions import content, fill_answers
from course.grading.manual_points import ByHand
from course.grading.release import generate
from course.grading.result import Result, nothing
from course.grading.submissions import Student, students

PS1 = ps1.ASSIGNMENT
MARKUP = 'a < b & <b>"quoted"</b>\n<script>alert(1)</script>'
ESCAPED = "a &lt; b &amp; &lt;b&gt;&quot;quoted&quot;&lt;/b&gt;\n&lt;script&gt;alert(1)&lt;/script&gt;"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS1, 3)


def result(by_hand: dict[str, ByHand] | None = None, **written: str) -> Result:
    verdicts = [QuestionVerdict(question.name, 0.5, 1.0, "Half.") for question in PS1.questions]
    most = {"w1": 3.0, "w2": 2.0}
    about: dict[str, Any] = {"written": written, "by_hand": by_hand or {}, "written_points": most}
    return Result(Student("f", "s1", "Ada"), "f", verdicts, **about)


def row(one: Result, release: Release) -> dict[str, str]:
    return next(csv.DictReader(StringIO(feedback.points_csv([one], PS1, release))))


# --------------------------------------------------------------------------- the table and the page


def test_comments_and_extra_credit_are_in_the_table(release: Release) -> None:
    given = {"q1": ByHand(comment="See lesson 02."), "w1": ByHand(2.5, 0.25, MARKUP), "w2": ByHand(1.0)}
    said = row(result(given, w1="Because.", w2="So."), release)
    assert (said["automatic"], said["w1"], said["w2"], said["extra"]) == ("2.5", "2.5", "1.0", "0.25")
    assert said["total"] == "6.25"
    assert said["comments"] == f"q1: See lesson 02. w1: {MARKUP}".replace("\n", " ")


def test_the_table_has_ids_as_the_register_has_them(release: Release, tmp_path: Path) -> None:
    (tmp_path / "students.csv").write_text("folder,id,name\nf,S-18 15,Ada\n", encoding="utf-8")
    one = result()
    one.student = students(tmp_path / "students.csv")["f"]
    assert one.student.id == "s1815"
    assert row(one, release)["id"] == "S-18 15"


def test_what_nobody_has_read_yet_has_no_points(release: Release) -> None:
    one = result({"w1": ByHand(None, 0.0, "To be read again.")}, w1="Because.", w2="So.")
    said = row(one, release)
    assert (said["w1"], said["w2"], said["extra"], said["total"]) == ("", "", "0.0", "2.5")
    page = feedback.page(one, PS1, release)
    assert "2.5 of 10 points, before w1, w2 are read" in page
    assert "To be read again." in page
    assert "w1: 3 points, not yet read" in page
    assert PS1.written[0].rubric[0][1] not in page


def test_a_page_has_comments_and_extra_credit_and_no_markup_of_either(release: Release) -> None:
    given = {"q2": ByHand(comment=MARKUP), "w1": ByHand(2.5, 0.25, MARKUP), "w2": ByHand(0.0)}
    page = feedback.page(result(given, w1=MARKUP, w2="So."), PS1, release)
    assert "5.25 of 10 points</strong>" in page
    assert "w1: 2.5 of 3 points and 0.25 extra" in page
    assert page.count(ESCAPED) == 3
    assert "<script" not in page
    assert "<b>" not in page


def test_a_person_can_overrule_the_program(release: Release) -> None:
    one = result({"q3": ByHand(1.0, 0.5, "A slip of the pen.")})
    assert (one.automatic, one.total) == (2.5, 3.5)
    assert row(one, release)["q3"] == "1.0"
    assert row(one, release)["automatic"] == "3.0"
    page = feedback.page(one, PS1, release)
    assert "q3: 1 of 1 points and 0.5 extra" in page
    assert "Half. Changed by hand from 0.5." in page
    assert "Numbers: 3 of 5 points" in page


# --------------------------------------------------------------------------- the gradebook


class StandIn:
    """nbgrader's gradebook as far as it is used, where nbgrader is not installed."""

    books: ClassVar[dict[str, dict[tuple[str, ...], Any]]] = {}
    db = SimpleNamespace(commit=lambda: None)

    def __init__(self, database: str, course: str = "") -> None:
        self.rows = self.books.setdefault(database, {})

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., None]:
        assert name.startswith("update_or_create_")
        return lambda *about, **more: None

    def find_grade(self, *about: str) -> Any:
        new = SimpleNamespace(auto_score=None, manual_score=None, extra_credit=None, needs_manual_grade=True)
        return self.rows.setdefault(("grade", *about), new)

    def find_comment(self, *about: str) -> Any:
        new = SimpleNamespace(auto_comment=None, manual_comment=None)
        return self.rows.setdefault(("comment", *about), new)


@pytest.fixture(params=["nbgrader", "a stand-in"])
def gradebook(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    name = "course.grading.gradebook"
    if request.param == "nbgrader":
        pytest.importorskip("nbgrader", reason="nbgrader is not installed; .venv-course has it")
    else:
        api = ModuleType("nbgrader.api")
        api.__dict__.update(Gradebook=StandIn, Comment=Any, Grade=Any)
        for module in (ModuleType("nbgrader"), api):
            monkeypatch.setitem(sys.modules, module.__name__, module)
    sys.modules.pop(name, None)
    yield import_module(name)
    del sys.modules[name], course.grading.gradebook


def test_what_formgrader_wrote_is_read_back(gradebook: Any, release: Release, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'gradebook.db'}"

    def written() -> Result:
        one = result(w1="Because.", w2="So.")
        gradebook.write([one], PS1, release, Course(tmp_path))
        return one

    first = written()
    assert set(first.by_hand.values()) == {ByHand()}
    with gradebook.Gradebook(database) as book:
        of = ("ps1", "ps1", "s1")
        assert book.find_grade("w1", *of).needs_manual_grade
        for name, points, extra in (("w1", 2.5, 0.25), ("q3", 1.0, None)):
            cell = book.find_grade(name, *of)
            cell.manual_score, cell.extra_credit = points, extra
        # Extra credit for what has no points yet does not count there either.
        book.find_grade("w2", *of).extra_credit = 0.5
        for name in ("w1", "q1_answer"):
            book.find_comment(name, *of).manual_comment = f"{MARKUP}\n"
        book.db.commit()
    again = written()
    given = {name: hand for name, hand in again.by_hand.items() if hand != ByHand()}
    assert given == {
        "w1": ByHand(2.5, 0.25, MARKUP),
        "q1": ByHand(comment=MARKUP),
        "q3": ByHand(1.0),
    }
    assert again.total == 2.5 + 0.5 + 2.75


def test_an_explanation_that_is_handed_in_anew_waits_to_be_read_again(
    gradebook: Any, release: Release, tmp_path: Path
) -> None:
    def findings(w1: str) -> list[str]:
        one = result(w1=w1)
        gradebook.write([one], PS1, release, Course(tmp_path))
        return one.findings

    def give(points: float) -> None:
        """As formgrader does."""
        with gradebook.Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
            cell = book.find_grade("w1", "ps1", "ps1", "s1")
            cell.manual_score, cell.needs_manual_grade = points, False
            book.db.commit()

    assert findings("Because.") == []
    assert findings("Because of that.") == []
    give(2.0)
    assert findings("Because of that.") == []
    anew = ["w1 was handed in anew after a person had given points."]
    assert findings("Because of this.") == anew
    assert findings("Because of this.") == anew
    give(2.5)
    assert findings("Because of this.") == []


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<<script>script>alert(1)",
        "$a<script>b</script>$",
        "\\begin{equation}<script>1</script>\\end{equation}",
        "<!-- <script>1</script> -->",
        "<\n/script><svg/onload=alert(1)>",
        "    <script>1</script>",
        "[x](<javascript:alert(1)>)",
        "[x](javascript:alert(1))",
        "[x][r]\n\n[r]: javascript:alert(1)",
        "<javascript:alert(1)>",
        "![x](https://example.org/seen.png)",
        "</pre>\n\n[x](javascript:alert(1))",
    ],
)
def test_no_markup_of_a_submission_is_shown_as_markup(markdown: str) -> None:
    page = markdown2html_mistune(formgrader_notebook.as_text(markdown))
    assert re.findall("<[^ >]*", page) == ["<pre", "</pre"]


@pytest.mark.parametrize("answer", ["$\\alpha < 1/2$", "`a < b`\n\n# so", MARKUP])
def test_a_written_answer_is_shown_letter_by_letter(answer: str) -> None:
    page = markdown2html_mistune(formgrader_notebook.as_text(answer))
    assert unescape(re.sub("</?pre[^>]*>", "", page)).strip() == answer


# --------------------------------------------------------------------------- what cannot be meant


def graded(home: Path, source: Path, name: str = "ps1") -> list[str]:
    said: list[str] = []
    (home / "students.csv").write_text("folder,id,name\na,a,\nb,b,\n", encoding="utf-8")
    grade.grade(source, name, Course(home), home / "students.csv", True, said.append)
    return said


@pytest.fixture
def home(release: Release, tmp_path: Path) -> Path:
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "ps1").symlink_to(release.folder)
    return tmp_path


def test_submissions_of_another_assignment_are_refused(home: Path) -> None:
    (home / "in" / "a").mkdir(parents=True)
    (home / "in" / "a" / "ps2.ipynb").write_text("{}", encoding="utf-8")
    with pytest.raises(dm.DivmetricsError, match=r"1 of 1 are named after ps2; .* ASSIGNMENT=ps2"):
        graded(home, home / "in")
    assert not (home / "grades").exists()


def test_the_name_of_one_file_does_not_stop_the_others(home: Path) -> None:
    for student, file in (("a", "ps2.ipynb"), ("b", "homework.ipynb")):
        (home / "in" / student).mkdir(parents=True)
        (home / "in" / student / file).write_text("{}", encoding="utf-8")
    assert "ps1: 2 submissions of 2 students" in graded(home, home / "in")


def test_nothing_is_written_where_no_student_is_found(home: Path) -> None:
    (home / "in" / "other").mkdir(parents=True)
    (home / "in" / "other" / "ps1.ipynb").write_text("{}", encoding="utf-8")
    with pytest.raises(dm.DivmetricsError, match=r"no submission of a student in students\.csv, but other"):
        graded(home, home / "in")
    assert not (home / "grades").exists()


def test_missing_students_of_a_second_zip_are_reported(
    home: Path, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grade, "grade_submission", lambda one, student, assignment, release, *more: nothing(
        student, one.folder, assignment, release, []
    ))  # fmt: skip
    for folder, student in (("first", "a"), ("late", "b")):
        (home / folder / student).mkdir(parents=True)
        (home / folder / student / "ps1.ipynb").write_bytes(content(fill_answers(release, student, {})))
    assert not [line for line in graded(home, home / "first") if "before" in line]
    late = graded(home, home / "late")
    assert "  a: was graded before and is not in late, so has no points now; " in "\n".join(late)
