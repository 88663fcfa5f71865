"""Answers stay closed in a real JupyterLab until their reader opens them, or has predicted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tools.browser import PATIENCE, Notebook, Server
from tools.notebook_files import FOLDER, reading_order

Open = Callable[..., Notebook]

# All of them would take a quarter of an hour; every export of every one is read in tests/lessons.
SAMPLE = [path for path in reading_order() if path.name[0].isdigit()][::10]
TALL = (1000, 20_000)  # JupyterLab draws what is out of sight later

# What is read of the answers: the words of predictions' results, what lets these be seen, and solutions that
# are in sight. What is folded away in a lab or a walk is no answer.
READ = """() => [...document.querySelectorAll(
    '.dm-found, .dm-shown > *, .jp-RenderedHTMLCommon details > :not(summary)'
)]
    .filter((element) => element.matches('[data-widget="found"] *') || !element.closest('[data-widget]'))
    .filter((element) => element.checkVisibility() && !element.closest('details:not([open])'))
    .map((element) => element.innerText ?? element.textContent)"""

CELLS = [
    "from divmetrics_widgets import Predict, Solution\n\na, b, c = (Predict(q, number=True) for q in '?!.')",
    "a",
    "a.found(4, 'All have the same.')",
    "b",
    "b.found(5)",
    "c",
    "c.found(3)",
    "Solution('solutions/99_1.py')",
]
SHOWN = """\
import pandas as pd
import divmetrics as dm
from divmetrics_widgets import Predict
asked = Predict("Which list?", ["A", "B"])
figure = dm.charts.ranked_list(dm.datasets.harry_potter().list("A", "0083"))"""
SHOW = "asked.found('B', show=[pd.DataFrame({'x': [0.25]}), figure, 'keeps: B'])"


@pytest.fixture
def beside(server: Server) -> None:
    """What stands beside the notebooks: solutions, and the examples one folder up."""
    shutil.copytree(FOLDER / "solutions", server.folder / "solutions", dirs_exist_ok=True)
    shutil.copytree(FOLDER.parent / "examples", server.folder.parent / "examples", dirs_exist_ok=True)


def answers(page: Page) -> list[str]:
    read: list[str] = page.evaluate(READ)
    return read


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_after_run_all_no_answer_is_read_before_it_is_opened(
    beside: None, open_notebook: Open, path: Path
) -> None:
    notebook = open_notebook([], copied=path, run=False, size=TALL)
    page = notebook.page
    assert answers(page) == []  # as it came
    notebook.run_all(6 * PATIENCE)
    solutions = page.locator(".jp-OutputArea details").filter(has_text="Solution")
    expect(solutions.last).to_be_visible()
    assert solutions.count() >= 3
    assert answers(page) == []
    solutions.last.locator("summary").click()
    assert len(answers(page)) > 0
    solutions.last.locator("summary").click()
    assert answers(page) == []


def test_answers_open_by_hand_by_keys_and_by_a_prediction(server: Server, open_notebook: Open) -> None:
    (server.folder / "solutions").mkdir(exist_ok=True)
    (server.folder / "solutions" / "99_1.py").write_text("# Solution 1\nprint(6 * 7, 'ways to do it')\n")
    page = open_notebook(CELLS, size=TALL).page
    found = page.locator('[data-widget="found"]')
    expect(found).to_have_count(3)
    assert answers(page) == []

    found.nth(0).get_by_text("show me the answer").click()
    assert answers(page) == ["Answer: 4. All have the same."]
    # The keyboard alone: the next one.
    found.nth(1).locator("summary").focus()
    page.keyboard.press("Enter")
    expect(found.nth(1)).to_contain_text("Answer: 5.")
    assert len(answers(page)) == 2
    page.keyboard.press("Space")
    assert len(answers(page)) == 1
    # Predicted: compared at once.
    page.locator('[data-widget="predict"]').nth(2).get_by_role("textbox").fill("5")
    page.keyboard.press("Tab")
    expect(found.nth(2).get_by_role("status")).to_contain_text("You said 5. The answer: 3. Off by 2.")
    assert len(answers(page)) == 2
    expect(found.nth(2).locator("summary")).to_be_hidden()

    solution = page.locator(".jp-OutputArea details").filter(has_text="Solution 1")
    for key in ("Enter", "Space", "Space"):
        solution.locator("summary").focus()
        page.keyboard.press(key)
    expect(solution.locator("pre").last).to_be_visible()
    expect(solution.locator("pre").last).to_contain_text("42 ways to do it")
    assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0


def test_what_shows_a_result_opens_with_it(open_notebook: Open) -> None:
    page = open_notebook([SHOWN, "asked", SHOW], size=TALL).page
    found = page.locator('[data-widget="found"]')
    expect(found).to_have_count(1)
    element = found.locator("td, img, pre")
    expect(element).to_have_count(3)
    assert answers(page) == []
    page.locator('[data-widget="predict"]').get_by_role("radio").nth(1).check()
    expect(found.get_by_role("status")).to_contain_text("You said B. The answer: B. Right.")
    for part in element.all():
        expect(part).to_be_visible()
    expect(found.locator("td")).to_have_text("0.25")
    expect(found.locator("pre")).to_have_text("keeps: B")
    image = found.get_by_role("img", name="Topic 0083 (harry potter)")
    drawn = image.evaluate("(one) => [one.complete, one.naturalWidth, getComputedStyle(one).colorScheme]")
    assert drawn[0]
    assert drawn[1] > 300
    assert drawn[2] == "light"
    assert len(answers(page)) == 4


def test_after_run_all_ctrl_home_leads_back_to_the_top(beside: None, open_notebook: Open) -> None:
    notebook = open_notebook([], copied=SAMPLE[0], run=False, size=(1000, 800))
    notebook.run_all(6 * PATIENCE)
    title = notebook.page.locator("h1").first
    expect(title).not_to_be_in_viewport()
    notebook.page.keyboard.press("Control+Home")
    expect(title).to_be_in_viewport()
