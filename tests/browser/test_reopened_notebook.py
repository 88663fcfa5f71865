"""A notebook that was run and saved, and is opened again when its kernel is gone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tools.browser import PATIENCE, Notebook, Server
from tools.execute_notebooks import WIDGET_VIEW

Open = Callable[..., Notebook]

START = """\
import divmetrics as dm
from divmetrics_widgets import *
A = dm.datasets.harry_potter().list("A", "0083")"""
# Each cell with the name of its widget on the page and the first words of its still form.
WIDGETS = {
    "RankedListLab('harry potter')": ("ranked-list-lab", "harry potter: series 0.2222"),
    "HierarchyLab('harry potter')": ("hierarchy-lab", "harry potter: d1 d4"),
    "MetricComposer('ERR-IA@5')": ("metric-composer", "ERR-IA@5: T(L)"),
    "DisagreementFinder('ERR-IA@3', 'D#-nDCG@3')": ("disagreement-finder", "ERR-IA@3 prefers A by"),
    "PreferenceJudge()": ("preference-judge", "harry potter. Readers may mean"),
    "ContributionsView('ERR-IA@5', A)": ("contributions-view", "ERR-IA@5"),
    "ReaderWalk('ERR-IA@5', A)": ("reader-walk", "ERR-IA@5 = 0.2870"),
    "asked = Predict('Which?', ['A', 'B'])\nasked": ("predict", "Predict. Which?"),
    "asked.found('B', 'For a reason.')": ("found", "show me the answer"),
    "Check(..., 1)": (None, "not answered yet"),
}
CELLS = [START, *WIDGETS]
TALL = (1000, 9000)  # JupyterLab draws what is out of sight later


@pytest.fixture(scope="module", params=[False, True], ids=["no_state", "state"])
def saves_state(request: pytest.FixtureRequest, server: Server) -> Iterator[bool]:
    """Without and with the setting "Save Jupyter widget state in notebooks", which is off at first."""
    folder = server.folder / ".jupyter/settings/@jupyter-widgets/jupyterlab-manager"
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "plugin.jupyterlab-settings"
    settings.write_text(json.dumps({"saveState": request.param}))
    yield request.param
    settings.unlink()


@pytest.fixture(scope="module")
def name(saves_state: bool, open_apart: Open) -> str:
    """Of a notebook that was run and saved, and whose kernel has ended."""
    page = open_apart(CELLS, size=TALL).page
    expect_alive(page)
    name: str = page.evaluate("() => jupyterapp.shell.currentWidget.context.path")
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("() => jupyterapp.serviceManager.sessions.shutdownAll()")
    page.goto("about:blank")
    return name


def expect_alive(page: Page) -> None:
    """Every cell has its widget, once, and nothing beside it."""
    for place, (name, words) in enumerate(WIDGETS.values(), 1):
        shown = output(page, place)
        if name:
            expect(shown.locator(f'[data-widget="{name}"]')).to_have_count(1, timeout=PATIENCE)
            expect(shown.locator(".jp-RenderedHTMLCommon")).to_have_count(0)
        else:
            expect(shown).to_contain_text(words)
        expect(shown.locator(".jp-OutputArea-output")).to_have_count(1)


def expect_still(page: Page) -> None:
    """Every cell has the still form of its widget, once, and nothing beside it."""
    for place, (_, words) in enumerate(WIDGETS.values(), 1):
        shown = output(page, place)
        expect(shown).to_contain_text(words, timeout=PATIENCE)
        expect(shown.locator(".jp-OutputArea-output")).to_have_count(1)
        expect(shown.locator(".jp-RenderedHTMLCommon")).to_have_count(1)
        expect(shown).not_to_contain_text("widget")  # neither "Loading widget" nor "Error displaying widget"
    expect(page.locator("[data-widget]")).to_have_count(0)


def output(page: Page, place: int) -> Locator:
    return page.locator(".jp-CodeCell").nth(place).locator(".jp-OutputArea")


def test_reopened_widgets_show_tables_and_run_again(
    name: str, server: Server, chromium: Browser, saves_state: bool
) -> None:
    saved = nbformat.read(server.folder / name, as_version=4)
    assert ("widgets" in saved.metadata) == saves_state
    assert WIDGET_VIEW in saved.cells[1].outputs[0].data
    again = Notebook.open(server, chromium, name, size=TALL)
    if saves_state:  # they come back as they were saved
        expect_alive(again.page)
    else:
        expect_still(again.page)
    again.run_all()
    expect_alive(again.page)
    assert all("widget model not found" in error for error in again.errors)
    again.close()


@pytest.mark.parametrize("saves_state", [False], indirect=True, ids=["no_state"])
def test_a_strangers_notebook_is_read_without_a_kernel(name: str, server: Server, chromium: Browser) -> None:
    saved = nbformat.read(server.folder / name, as_version=4)
    saved.cells.append(nbformat.v4.new_markdown_cell("So its signature is not known here."))
    nbformat.write(saved, server.folder / f"strange-{name}")
    again = Notebook.open(server, chromium, f"strange-{name}", size=TALL)
    expect_still(again.page)
    assert again.errors == []
    again.close()
