"""The pages that show what a student wrote: formgrader's, which is a lecturer's, and the feedback page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page

from course.grading import feedback, ps1
from course.grading.course_files import Course, Release
from course.grading.formgrader_notebook import annotated_notebook
from course.grading.judge import QuestionVerdict
from course.grading.manual_points import ByHand
from course.grading.release import generate
from course.grading.result import Result
from course.grading.submissions import Student

HOSTILE = """\
[a link](javascript:hit()) [another][r] <javascript:hit()> ![x](javascript:hit()) [data](data:text/html,x)

[r]: javascript:hit()

<script>hit()</script><img src=x onerror=hit()><svg onload=hit()></svg><a href="javascript:hit()">x</a>

</pre></td></textarea><script>hit()</script>

$\\href{javascript:hit()}{x}$ $$\\unicode{<img src=x onerror=hit()>}$$

<details open ontoggle=hit()><summary>x</summary></details>
"""


ANSWERS: list[Any] = [  # as hand_in writes them, and forged ones
    HOSTILE,
    {"values": [[HOSTILE, HOSTILE], [[HOSTILE, HOSTILE], [HOSTILE]]]},
    {"rows": [HOSTILE], "columns": [HOSTILE, HOSTILE], "table": [[HOSTILE, 0.5]]},
    {"values": [[HOSTILE, {"values": [[HOSTILE, HOSTILE]]}]]},
    {"rows": HOSTILE, "table": HOSTILE, HOSTILE: [HOSTILE]},
]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), ps1.ASSIGNMENT, 1)


def pages(release: Release) -> dict[str, str]:
    names = [question.name for question in ps1.ASSIGNMENT.questions]
    result = Result(
        Student(HOSTILE, "s1", HOSTILE),
        HOSTILE,
        [
            QuestionVerdict(name, 0.0, 1.0, HOSTILE, answer)
            for name, answer in zip(names, ANSWERS, strict=True)
        ],
        findings=[HOSTILE],
        written={written.name: HOSTILE for written in ps1.ASSIGNMENT.written},
        answers={f"{name}_answer": f"x = '''{HOSTILE}'''" for name in names},
        by_hand={name: ByHand(0.5, 0.0, HOSTILE) for name in ("q1", "w1")},
        written_points={written.name: 1.0 for written in ps1.ASSIGNMENT.written},
    )
    notebook = nbformat.reads(annotated_notebook(result, release), as_version=4)
    return {
        "formgrader": HTMLExporter().from_notebook_node(notebook)[0],
        "feedback": feedback.page(result, ps1.ASSIGNMENT, release),
        "feedback that reveals": feedback.page(result, ps1.ASSIGNMENT, release, data=release.data.of("s1")),
    }


def hits(page: Page) -> int:
    """Click every link of a page, and return how often something of a student's ran."""
    links = page.locator("a[href]")
    for n in range(links.count()):
        links.nth(n).dispatch_event("click")
    page.wait_for_timeout(200)
    count: int = page.evaluate("() => window.hits")
    return count


@pytest.mark.parametrize("name", ["formgrader", "feedback", "feedback that reveals"])
def test_nothing_that_a_student_wrote_is_alive(
    release: Release, chromium: Browser, tmp_path: Path, name: str
) -> None:
    shown = pages(release)[name]
    assert shown.count("javascript:hit()") > 10
    page = chromium.new_context(offline=True).new_page()
    page.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1; };")
    (tmp_path / "page.html").write_text(shown, encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    assert hits(page) == 0
    schemes = page.evaluate("() => [...new Set([...document.links].map((link) => link.protocol))]")
    assert set(schemes) <= {"file:", "https:", "http:"}
    assert page.locator("img[src=x], svg[onload], details[ontoggle]").count() == 0
    page.set_content('<a href="javascript:hit()">x</a>')  # what this test would see
    assert hits(page) == 1
    page.context.close()
