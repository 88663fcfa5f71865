"""Texts of a lesson in JupyterLab: whole words, room below what opens, folded cells that fit."""

from __future__ import annotations

from collections.abc import Callable

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import expect

from tools.browser import Notebook, Server

Open = Callable[..., Notebook]
About = dict[str, object]
CLOSED = "<details><summary>The answer</summary>\n\nIt is.\n\n</details>\n\nAnd so on."


@pytest.fixture
def open_of(server: Server, open_notebook: Open) -> Callable[..., Notebook]:
    """open_of(about, cells, ...) opens a notebook of these cells; a lesson says something about itself."""

    def open_one(about: About, cells: list[NotebookNode], **more: object) -> Notebook:
        notebook = nbformat.v4.new_notebook(cells=cells)
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        if about:
            notebook.metadata["divmetrics"] = about
        path = server.folder / "texts.ipynb"
        nbformat.write(notebook, path)
        return open_notebook([], copied=path, run=False, **more)

    return open_one


@pytest.mark.parametrize(("about", "breaks", "below"), [({"lesson": {}}, "normal", 10), ({}, "break-all", 0)])
def test_only_a_lesson_has_these_styles(open_of: Open, about: About, breaks: str, below: int) -> None:
    printed = nbformat.v4.new_code_cell("1", execution_count=1)
    printed.outputs = [nbformat.v4.new_output("stream", name="stdout", text="one sentence of many words")]
    page = open_of(about, [nbformat.v4.new_markdown_cell(CLOSED), printed]).page
    expect(page.locator(".jp-OutputArea-output pre")).to_have_css("word-break", breaks)
    room = page.locator("details").evaluate("(closed) => parseFloat(getComputedStyle(closed).marginBottom)")
    assert (room >= below) if below else (room == 0)


@pytest.mark.parametrize(
    ("about", "spaces", "lines"), [({"lesson": {}}, "pre-wrap", [2, 2, 1]), ({}, "nowrap", [1, 1, 1])]
)
def test_the_first_line_of_a_folded_cell_breaks_in_a_lesson(
    open_of: Open, about: About, spaces: str, lines: list[int]
) -> None:
    """JupyterLab's own never does, so that the whole notebook scrolls sideways."""
    folded = [nbformat.v4.new_code_cell(f"# {text}\n1") for text in ("words " * 15, "x" * 90, "short")]
    for cell in folded:
        cell.metadata["jupyter"] = {"source_hidden": True}
    page = open_of(about, folded, size=(700, 1000)).page
    element = page.locator(".jp-PlaceholderText")
    expect(element).to_have_count(3)
    expect(element.first).to_have_css("white-space", spaces)
    high = element.evaluate_all("(all) => all.map((each) => each.clientHeight)")
    assert [round(each / high[-1]) for each in high] == lines
    panel = page.locator(".jp-WindowedPanel-outer")
    fits = panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    assert fits == bool(about)
