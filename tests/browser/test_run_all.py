"""Answers stay closed in a real JupyterLab until their reader opens them, or has predicted."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tools.browser import PATIENCE, Notebook, Server
from tools.notebook_files import FOLDER

Open = Callable[..., Notebook]

FIRST = FOLDER / "01_ambiguous_queries.ipynb"
TALL = (1000, 20_000)  # JupyterLab draws what is out of sight later

# What is read of the answers: the words of predictions' results and of solutions that are in sight.
READ = """() => [...document.querySelectorAll('.dm-found, .jp-RenderedHTMLCommon details > :not(summary)')]
    .filter((element) => element.checkVisibility()).map((element) => element.innerText)"""


@pytest.fixture
def solutions(server: Server) -> None:
    """The solutions beside the notebook."""
    shutil.copytree(FOLDER / "solutions", server.folder / "solutions", dirs_exist_ok=True)


def answers(page: Page) -> list[str]:
    read: list[str] = page.evaluate(READ)
    return read


def test_after_run_all_no_answer_is_read_before_it_is_opened(solutions: None, open_notebook: Open) -> None:
    notebook = open_notebook([], copied=FIRST, run=False, size=TALL)
    page = notebook.page
    assert answers(page) == []  # as it came
    notebook.run_all(6 * PATIENCE)
    found = page.locator('[data-widget="found"]')
    expect(found).to_have_count(4)
    assert answers(page) == []

    found.nth(0).get_by_text("show me the answer").click()
    assert answers(page) == ["Answer: all have the same. Documents that are relevant to nobody: 0."]
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

    solution = page.locator(".jp-OutputArea details").filter(has_text="Solution 2")
    for key in ("Enter", "Space", "Space"):
        solution.locator("summary").focus()
        page.keyboard.press(key)
    expect(solution.locator("pre").last).to_be_visible()
    expect(solution.locator("pre").last).to_contain_text("24 lists do it")
    assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0


def test_after_run_all_ctrl_home_leads_back_to_the_top(solutions: None, open_notebook: Open) -> None:
    notebook = open_notebook([], copied=FIRST, run=False, size=(1000, 800))
    notebook.run_all(6 * PATIENCE)
    title = notebook.page.get_by_role("heading", name="Ambiguous queries")
    expect(title).not_to_be_in_viewport()
    notebook.page.keyboard.press("Control+Home")
    expect(title).to_be_in_viewport()
