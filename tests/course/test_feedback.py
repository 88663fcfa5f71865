"""What a page of feedback shows, and what it does not show before the lecturer reveals it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest

from course.grading import feedback, grade, judge, ps1
from course.grading.assignment import Question
from course.grading.course_files import HOME, Course, Release
from course.grading.known_submissions import by_rows, content, fill_answers
from course.grading.question_text import MOST_CELLS, answer_html, question_texts
from course.grading.release import generate
from course.grading.result import Result, nothing
from course.grading.sandbox import RunResult
from course.grading.submissions import Student
from course.grading.tolerances import ANSWER_TOLERANCE
from divmetrics_widgets.handing_in import written
from tools.markdown_text import anchors

PS1 = ps1.ASSIGNMENT
ASSIGNMENTS = Course().settings["assignments"]
DRAWS = {"ps1": 4, "ps2": 4}  # the draws of the others take seconds each
STUDENTS = ["ada", "alan", "grace", "edsger"]
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*")


@pytest.fixture(scope="module")
def release_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Release]:
    made: dict[str, Release] = {}

    def release_of(name: str) -> Release:
        if name not in made:
            course = Course(tmp_path_factory.mktemp("course"))
            made[name] = generate(course, course.assignment(name), DRAWS.get(name, 1))
        return made[name]

    return release_of


@pytest.fixture
def release(release_of: Callable[[str], Release]) -> Release:
    return release_of("ps1")


def result(release: Release, student: str, answers: dict[str, Any]) -> Result:
    """Grade answers without a kernel; functions are neither handed in nor called."""
    assignment, data = Course().assignment(release.name), release.data.of(student)
    handed = {name: [{"question": name, "value": value}] for name, value in answers.items()}
    one = nothing(Student(student, student), student, assignment, release, [])
    one.verdicts = judge.judge(assignment, data, RunResult(handed=handed), release.points)
    return one


def as_written(question: Question, data: Any, value: Any) -> Any:
    names = question.names(data) if question.names else ()
    return json.loads(json.dumps(written(by_rows(value, names))))


def wrong_results(release: Release, student: str) -> Iterator[Result]:
    """Yield results with a wrong answer to every question that takes no function: an odd one, then slips."""
    assignment, data = Course().assignment(release.name), release.data.of(student)
    asked = [question for question in assignment.questions if not question.cases]
    odd = {question.name: as_written(question, data, odd_answer(question.right(data))) for question in asked}
    yield result(release, student, odd)
    for n in range(max(len(question.wrong) for question in asked)):
        known = {
            question.name: as_written(question, data, question.wrong[n % len(question.wrong)].value(data))
            for question in asked
            if question.wrong
        }
        yield result(release, student, odd | known)


def odd_answer(right: Any) -> Any:
    """An answer of the right form that is no known slip."""
    if isinstance(right, dict):
        return {name: odd_answer(value) for name, value in right.items()}
    return 77.0 if isinstance(right, float) else ["d0"] if isinstance(right, list) else "d0"


def shown(page: str) -> str:
    """A page without its style sheet, as the text that a browser shows and with every attribute."""
    return unescape(re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))


def parts(right: Any) -> Iterator[float | str]:
    """Yield the numbers and the texts of a right answer; a list is one text."""
    if isinstance(right, dict):
        for each in right.values():
            yield from parts(each)
    else:
        yield ", ".join(right) if isinstance(right, list) else right


def holds(text: str, part: float | str) -> bool:
    """Return whether a text holds another, or a number within the tolerance of answers."""
    if isinstance(part, str):
        return part in text
    return any(abs(float(number) - part) < ANSWER_TOLERANCE for number in NUMBER.findall(text))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("ps1", 400),
        ("ps2", 400),
        pytest.param("ps3", 50, marks=pytest.mark.slow),
        pytest.param("ps4", 10, marks=pytest.mark.slow),
    ],
)
def test_right_answers_are_in_a_page_only_when_it_is_revealed(
    release_of: Callable[[str], Release], name: str, least: int
) -> None:
    release, assignment, looked_for = release_of(name), Course().assignment(name), 0
    for student in STUDENTS[: len(release.data.DRAWS)]:
        data = release.data.of(student)
        for one in wrong_results(release, student):
            page = shown(feedback.page(one, assignment, release))
            own = shown("".join(answer_html(verdict.answer) for verdict in one.verdicts))
            own += shown(feedback.page(result(release, student, {}), assignment, release))
            for question in assignment.questions:
                for part in set(parts(question.right(data))):
                    if not holds(own, part):  # what is part of a wrong answer, or a number of points
                        looked_for += 1
                        assert not holds(page, part), (question.name, part)
        revealed = shown(feedback.page(one, assignment, release, data=data))
        for question in assignment.questions:
            if question.judged or not question.cases:
                assert all(holds(revealed, part) for part in parts(question.right(data))), question.name
    assert looked_for > least


# --------------------------------------------------------------------------- what it shows


def section(page: str, name: str) -> str:
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_a_question_has_its_text_the_answer_the_slip_and_the_section_to_read(release: Release) -> None:
    data = release.data.of("ada")
    question = PS1.question("q4")
    slip = next(wrong for wrong in question.wrong if wrong.name == "no cascade")
    one = result(release, "ada", {"q4": as_written(question, data, slip.value(data))})
    page = feedback.page(one, PS1, release, "https://example.org/book")
    asked = page.partition('<section id="q4"')[0].rpartition('<div class="asked">')[2]
    assert "What does each of the first four documents earn" in asked
    shown_of_q4 = section(page, "q4")
    assert slip.says in shown_of_q4
    doc, intent = data.ranking.docs[0], data.topic.intents[0].id
    assert f"<th>{doc}</th>" in shown_of_q4
    assert f"<th>{intent}</th>" in shown_of_q4
    assert f"<td>{slip.value(data)[doc, intent]:.6g}</td>" in shown_of_q4
    target = "https://example.org/book/notebooks/06_the_reader_who_leaves.html#Leaving-satisfied%3A-ERR-IA"
    assert f'<a href="{target}' in shown_of_q4
    assert "<a href" not in section(feedback.page(one, PS1, release), "q4")
    assert "lesson 06" in section(feedback.page(one, PS1, release), "q4")


def test_a_right_answer_needs_nothing_to_read(release: Release) -> None:
    data = release.data.of("ada")
    page = feedback.page(result(release, "ada", {"q1": PS1.question("q1").right(data)}), PS1, release)
    assert "lesson" not in section(page, "q1")
    assert "lesson" in section(page, "q2")


def test_the_code_stands_for_an_answer_that_is_none(release: Release) -> None:
    one = result(release, "ada", {})
    one.answers["q1_answer"] = "coverage_at_3 = 1 / 0 < 2"
    assert "<pre>coverage_at_3 = 1 / 0 &lt; 2</pre>" in section(feedback.page(one, PS1, release), "q1")


def test_values_that_differ_are_marked_once_it_is_revealed(release: Release) -> None:
    data = release.data.of("ada")
    right = PS1.question("q3").right(data)
    docs = list(right)
    own = {**right, docs[1]: right[docs[1]] + 0.25}
    one = result(release, "ada", {"q3": as_written(PS1.question("q3"), data, own)})
    revealed = section(feedback.page(one, PS1, release, data=data), "q3")
    assert re.findall(r"<td>(\S+)\s\*</td>", revealed) == [f"{right[docs[1]]:.6g}"]
    assert "ERR-IA@1" in revealed  # the code


@pytest.mark.parametrize("student", STUDENTS)
def test_the_factors_lead_to_the_right_answer(release_of: Callable[[str], Release], student: str) -> None:
    data = release_of("ps1").data.of(student)
    tables = {question.name: question.computation(data) for question in PS1.questions}
    right = {question.name: question.right(data) for question in PS1.questions}
    for name, table in tables.items():
        factors = table.drop(columns=["intent", "doc", "contribution", "rank"], errors="ignore").astype(float)
        assert factors.prod(axis=1).to_numpy() == pytest.approx(table["contribution"].to_numpy()), name
    for name in ("q1", "q2"):
        assert tables[name]["contribution"].sum() == pytest.approx(right[name])
    by_doc = tables["q3"].groupby("doc")["contribution"].sum()
    assert {doc: by_doc.get(doc, 0.0) for doc in right["q3"]} == pytest.approx(right["q3"])
    cells = tables["q4"].set_index(["doc", "intent"])["contribution"]
    assert {cell: cells.get(cell, 0.0) for cell in right["q4"]} == pytest.approx(right["q4"])
    assert tables["q5"].groupby("doc")["contribution"].sum().idxmax() == right["q5"]
    data = release_of("ps2").data.of(student)
    for name in ("q3", "q5"):
        question = Course().assignment("ps2").question(name)
        assert question.computation is not None
        sums = question.computation(data).groupby("list")["contribution"].sum()
        assert sums.to_dict() == pytest.approx(question.right(data))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_question_names_a_section_that_exists(name: str) -> None:
    for question in Course().assignment(name).questions:
        lesson, _, heading = question.lesson.partition("#")
        notebook = nbformat.read(HOME.parent / "notebooks" / f"{lesson}.ipynb", as_version=4)
        assert heading.replace(" ", "-") in anchors(notebook), question.name


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_question_is_asked_with_its_formulas_drawn(name: str) -> None:
    source = Release(name, Course().source(name))
    texts = question_texts(source)
    assert set(texts) == set(source.points)
    assert "$" not in "".join(texts.values())


@pytest.mark.parametrize(
    ("value", "html"),
    [
        (0.123456789, "<code>0.123457</code>"),
        ("d1", "<pre>d1</pre>"),
        ("<b>", "&lt;b&gt;"),
        (["d1", "d2"], "[d1, d2]"),
        ({"values": [["A", ["d1", "d2"]], ["B", ["d3"]]]}, "<td>[d1, d2]</td>"),
        ({"values": [[["a", "b"], 0.5]]}, "<th>a and b</th>"),
        ({"rows": ["<i>"], "columns": ["<u>"], "table": [["<b>"]]}, "<td>&lt;b&gt;</td>"),
        ({"values": [["d1", {"values": [["x", 1.0]]}]]}, "<td>1</td>"),
        ([[0.0] * 10] * (MOST_CELLS // 10 + 1), "a list of"),
        ({"values": 3}, "values"),
        ({"rows": 1, "columns": [], "table": "<b>"}, "&lt;b&gt;"),
    ],
)
def test_any_answer_is_shown_and_no_markup_of_it(value: Any, html: str) -> None:
    page = answer_html(value)
    assert html in page
    assert not re.search("<(?:b|i|u)>", page)


@pytest.mark.parametrize("reveal", [False, True])
def test_the_command_reveals_only_when_it_is_asked_to(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reveal: bool
) -> None:
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "ps1").symlink_to(release.folder)
    (tmp_path / "in" / "ada").mkdir(parents=True)
    (tmp_path / "in" / "ada" / "ps1.ipynb").write_bytes(content(fill_answers(release, "ada", {})))
    (tmp_path / "students.csv").write_text("folder,id,name\nada,ada,\nalan,alan,\n", encoding="utf-8")
    monkeypatch.setattr(grade, "Course", lambda: Course(tmp_path))
    monkeypatch.setattr(grade, "grade_submission", lambda one, *more: result(release, "ada", {}))
    assert grade.main([str(tmp_path / "in"), "--trust", *(["--reveal"] if reveal else [])]) == 0
    for student in ("ada", "alan"):  # who handed nothing in has data, too
        page = (tmp_path / "feedback" / "ps1" / f"{student}.html").read_text(encoding="utf-8")
        best = PS1.question("q5").right(release.data.of(student))
        assert (f"<pre>{best}</pre>" in page) == reveal
