"""The cells of a notebook in JupyterLab, and the kernel that runs them, for all tests in a browser."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.browser import PATIENCE

KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"


def run_cell(page: Page, index: int) -> None:
    """Run one cell, and do not wait for it."""
    page.evaluate(
        """(index) => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = index;
            jupyterapp.commands.execute('notebook:run-cell');
        }""",
        index,
    )


def write_cell(page: Page, index: int, source: str) -> None:
    page.evaluate(
        """([index, source]) => {
            const { cells } = jupyterapp.shell.currentWidget.content.model;
            cells.get(index).sharedModel.setSource(source);
        }""",
        [index, source],
    )


def wait_for_kernel(page: Page) -> None:
    page.wait_for_function(f"() => {KERNEL}.status === 'idle'", timeout=PATIENCE)


def restart(page: Page) -> None:
    """As the button does, without its question."""
    page.evaluate(f"() => void {KERNEL}.restart()")
