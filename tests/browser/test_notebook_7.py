"""Lesson 00 in Notebook 7, as far as that differs: the same widgets in another page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.chromium import need_chromium
from tests.support.page_actions import box_of, drag, press
from tools.browser import PATIENCE, SIZE, Notebook, jupyter_lab
from tools.notebook_files import FOLDER

ROWS = '[role=grid][data-list="A"] [role=row][data-doc]'


def test_a_document_is_moved_in_lesson_00(tmp_path: Path, chromium: Browser) -> None:
    pytest.importorskip("notebook", reason="Notebook 7 is not installed: pip install '.[notebook7]'")
    need_chromium()
    shutil.copy(FOLDER / "00_start_here.ipynb", tmp_path)
    with jupyter_lab(tmp_path, application="notebook") as server:
        page = chromium.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}).new_page()
        notebook = Notebook(page, server)
        page.on("pageerror", lambda error: notebook.errors.append(str(error)))
        page.goto(f"{server.address}/notebooks/00_start_here.ipynb", timeout=PATIENCE)
        page.wait_for_function(
            """() => {
                const panel = window.jupyterapp?.shell.currentWidget;
                return panel?.sessionContext?.session?.kernel?.status === "idle";
            }""",
            timeout=PATIENCE,
        )
        notebook.errors.clear()  # Notebook 7.6 has one of its own while it loads, also without widgets
        # The lab is in the first code cell.
        page.evaluate(
            """async () => {
                const { content } = jupyterapp.shell.currentWidget;
                content.activeCellIndex = content.widgets.findIndex((cell) => cell.model.type === "code");
                await jupyterapp.commands.execute("notebook:run-cell");
            }"""
        )
        lab = page.locator('[data-widget="ranked-list-lab"]').first
        expect(lab.get_by_role("button", name="undo")).to_be_visible(timeout=PATIENCE)
        rows, score = lab.locator(ROWS), lab.locator('[data-score][data-list="A"]').first
        before, doc = score.inner_text(), rows.first.get_attribute("data-doc")
        grip = lab.locator(f'[data-key="A|{doc}|grip"]')
        grip.focus()
        press(page, *["Alt+ArrowDown"] * 4)
        expect(rows.nth(4)).to_have_attribute("data-doc", str(doc))
        expect(score).not_to_have_text(before)
        drag(page, grip, rows.first, below=False)
        expect(rows.first).to_have_attribute("data-doc", str(doc))
        expect(score).to_have_text(before)
        assert box_of(lab)["x"] + box_of(lab)["width"] <= SIZE[0]
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert notebook.errors == []
