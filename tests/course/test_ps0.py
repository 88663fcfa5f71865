"""Assignment 0, the example of OWN_QUESTION.md: its key, its draws and what its page says of it."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_output

import divmetrics as dm
from course.grading import data_draws, judge, ps0
from course.grading.assignment import data_module
from course.grading.course_files import HOME, Course, Release
from course.grading.release import differences, generate, prepared
from course.grading.sandbox import RunResult
from divmetrics_widgets.handing_in import written

PS0 = ps0.ASSIGNMENT
DRAWS = 400


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return generate(Course(tmp_path_factory.mktemp("course")), PS0, 3)


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return data_module(HOME / "source" / "ps0" / "ps0_data.py")


@pytest.fixture(scope="module")
def draws(module: ModuleType) -> list[Any]:
    return [module.drawn(n) for n in data_draws.accepted_numbers(PS0, module, DRAWS, lambda line: None)]


def verdict(name: str, mine: Any, answer: Any) -> tuple[float, str]:
    handed = {name: [{"question": name, "value": written(answer)}]}
    return judge._verdict(PS0.question(name), mine, RunResult(handed=handed))


def test_every_draw_has_right_answers_of_its_own(draws: list[Any]) -> None:
    for question in PS0.questions:
        right = [question.right(mine) for mine in draws]
        assert len({each if isinstance(each, str) else round(each, 6) for each in right}) >= 8


def test_each_slip_loses_its_question_and_is_named(draws: list[Any]) -> None:
    for mine in draws:
        for question in PS0.questions:
            assert verdict(question.name, mine, question.right(mine)) == (True, "Right.")
            for wrong in question.wrong:
                earned, reason = verdict(question.name, mine, wrong.value(mine))
                assert not earned
                assert any(other.says in reason for other in question.wrong)


@pytest.mark.parametrize("way", PS0.solutions)
def test_every_solution_is_right(draws: list[Any], way: str) -> None:
    for mine in draws[:20]:
        intents = [intent.id for intent in mine.topic.intents]
        names = {"dm": dm, "pd": pd, "mine": mine, "intents": intents}
        for question, answer in (("q1", "share"), ("q2", "adds_most")):
            exec(PS0.solutions[way][question], names)
            assert verdict(question, mine, names[answer]) == (True, "Right.")


def test_the_written_question_has_something_to_explain(draws: list[Any]) -> None:
    for mine in draws:
        best, tempting = ps0.best(ps0.added(mine)), ps0.best(ps0.alone(mine))
        assert best != tempting
        lost = set(mine.judged[tempting]) & ps0.found(mine, mine.ranking.docs[:3])
        assert ps0.readers(mine, lost) > 0


def test_the_page_shows_the_example_as_it_is(release: Release) -> None:
    page = (HOME / "OWN_QUESTION.md").read_text(encoding="utf-8")
    files = [HOME / "grading" / "ps0.py", HOME / "source" / "ps0" / "ps0_data.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    code += "\n".join(str(cell.source) for cell in release.notebook.cells)
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        for line in filter(str.strip, block.splitlines()):
            assert line.strip() in code, line


def test_half_of_the_points_are_for_an_argument(release: Release) -> None:
    assert release.points == {"q1": 1, "q2": 1, "w1": 2}
    assert sum(share for share, _ in PS0.written[0].rubric) == 2


# --------------------------------------------------------------------------- what a lecturer may get wrong


def test_a_new_cell_is_known_by_the_name_that_nbgrader_gives_it(tmp_path: Path) -> None:
    source = nbformat.read(HOME / "source" / "ps0" / "ps0.ipynb", as_version=4)
    wanted = [cell.id for cell in source.cells]
    for number, cell in enumerate(source.cells):
        cell.id = f"random-{number}"
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = number, [new_output("stream", text="seen")]
    nbformat.write(source, tmp_path / "ps0.ipynb")
    notebook = prepared(tmp_path / "ps0.ipynb")
    assert [cell.id for cell in notebook.cells] == wanted
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


@pytest.mark.parametrize(
    ("points", "wrong"),
    [
        ({"q1": 1, "q2": 1, "w1": 2}, []),
        ({"q1": 5, "q2": 1, "w1": 2, "q3": 1}, ["q3 has points in the notebook and is not in ps0.py"]),
        ({"q1": 1, "w1": 2}, ["q2 is in ps0.py and has no points in the notebook"]),
        (
            {"q1": 1, "q2": 1, "w1": 3},
            ["the rubric of w1 adds up to 2 points, in the notebook it has 3"],
        ),
    ],
)
def test_notebook_and_key_must_grade_the_same(points: dict[str, float], wrong: list[str]) -> None:
    assert differences(PS0, points) == wrong
