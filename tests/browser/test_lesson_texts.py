"""A lesson's printed texts keep their words whole, and what can be opened stands apart from what follows."""

from __future__ import annotations

from collections.abc import Callable

import nbformat
import pytest
from playwright.sync_api import expect

from tools.browser import Notebook, Server

Open = Callable[..., Notebook]
CLOSED = "<details><summary>The answer</summary>\n\nIt is.\n\n</details>\n\nAnd so on."


@pytest.mark.parametrize(("about", "breaks", "below"), [({"lesson": {}}, "normal", 10), ({}, "break-all", 0)])
def test_only_a_lesson_has_these_styles(
    server: Server, open_notebook: Open, about: dict[str, object], breaks: str, below: int
) -> None:
    printed = nbformat.v4.new_code_cell("1", execution_count=1)
    printed.outputs = [nbformat.v4.new_output("stream", name="stdout", text="one sentence of many words")]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(CLOSED), printed])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    if about:
        notebook.metadata["divmetrics"] = about
    path = server.folder / "texts.ipynb"
    nbformat.write(notebook, path)
    page = open_notebook([], copied=path, run=False).page
    expect(page.locator(".jp-OutputArea-output pre")).to_have_css("word-break", breaks)
    room = page.locator("details").evaluate("(closed) => parseFloat(getComputedStyle(closed).marginBottom)")
    assert (room >= below) if below else (room == 0)
