"""The cells of a notebook in JupyterLab, and the kernel that runs them, for all tests in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tools.browser import PATIENCE

# Labs score other pages in advance, however slow this machine is.
PATIENT = "import divmetrics_widgets.bench as bench\nbench.AT_MOST = float('inf')"
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


def run_until(page: Page, index: int, text: str) -> None:
    """Run a cell until its output has the text. A widget sends its next message when it knows that the one
    before has arrived, so the kernel may hear of what a reader did after a cell that is run at once.
    """
    output = page.locator(".jp-CodeCell").nth(index).locator(".jp-OutputArea-output")
    for _ in range(50):
        wait_for_kernel(page)
        run_cell(page, index)
        page.wait_for_timeout(200)
        if any(text in output_text for output_text in output.all_inner_texts()):
            break
    expect(output).to_contain_text(text)
