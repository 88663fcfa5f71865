"""The kernel "Python 3 (divmetrics)" from the launcher on: magics, completion, help in a real JupyterLab."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from divmetrics.explanations.formulas import formula
from divmetrics.registry.parse import metric
from tools.browser import PATIENCE, Notebook

Open = Callable[..., Notebook]
NAME = "Python 3 (divmetrics)"
WIDTH = 860  # of the window; outputs have 700 pixels and less

CELLS = {
    '%%intents harry potter\nfilm 0.5 inf "films"\nbook 0.3\ngames 0.2 nav': "Topic harry potter: 3 intents",
    "%%serp A\nd1 film:2 book\nd2 games\nd3\nd4 ?": "List A for topic harry potter: 4 documents",
    "%%serp B\nd3\nd5 book:2 games\nd1": "List B for topic harry potter: 3 documents",
    "%diveval A B -m S-recall@2 -m ERR-IA@5 -m ndeval:alpha-nDCG(alpha=0.3)@5": "Scores of A and B",
    "%explain A -m RBU@20": "RBU@20 of list A for topic harry potter = ",
    "%metrics": "Every metric is a row",
    "%metrics D#-nDCG@5": "Sakai, Song (2011)",
    "%disagree ERR-IA@3 D#-nDCG@3": "ERR-IA@3 prefers A, D#-nDCG@3 prefers B",
    "%lab A B -m ERR-IA@5": "prefers",
}


class Launched:
    """A notebook that was made with the launcher."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.page: Page = notebook.page
        self.page.evaluate("() => void jupyterapp.commands.execute('launcher:create')")
        card = self.page.locator(f'.jp-LauncherCard[data-category="Notebook"][title="{NAME}"]')
        self.logo = card.locator("img").get_attribute("src")
        card.click()
        self.page.wait_for_function(
            """() => {
                const widget = window.jupyterapp.shell.currentWidget;
                return widget?.content?.model && widget.sessionContext?.session?.kernel?.status === "idle"
                    && widget.context.path.startsWith("Untitled");
            }""",
            timeout=PATIENCE,
        )
        self.page.evaluate("() => void jupyterapp.shell.collapseLeft()")

    @property
    def shown(self) -> Locator:
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def write(self, cells: list[str]) -> None:
        self.page.evaluate(
            """(cells) => {
                const model = jupyterapp.shell.currentWidget.content.model.sharedModel;
                model.deleteCellRange(0, model.cells.length);
                for (const source of cells) model.addCell({ cell_type: "code", source });
            }""",
            cells,
        )

    def cell(self, place: int) -> Locator:
        element = self.shown.locator(".jp-CodeCell").nth(place)
        element.scroll_into_view_if_needed()
        return element

    def type(self, place: int, text: str) -> Locator:
        cell = self.cell(place)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        return cell


@pytest.fixture(scope="module")
def launched(open_apart: Open) -> Launched:
    return Launched(open_apart(["1"], size=(WIDTH, 1000)))


def test_the_kernel_of_the_launcher(launched: Launched) -> None:
    assert "/kernelspecs/divmetrics/logo" in launched.logo
    launched.write([*CELLS, "'done'"])
    launched.notebook.run_all()
    for place, (source, expected) in enumerate(CELLS.items()):
        cell = launched.cell(place)
        expect(cell.locator(".jp-OutputArea-output").last, source).to_contain_text(expected, timeout=PATIENCE)
        if not source.startswith("%lab"):
            assert cell.locator("table").count() >= 1, source
        too_wide = cell.locator(".jp-OutputArea-output").evaluate_all(
            "outputs => outputs.filter(o => o.scrollWidth > o.clientWidth + 1).length"
        )
        assert too_wide == 0, f"{source} scrolls sideways"

    # Tab offers names with dashes, and one is put in place of what is typed.
    last = launched.type(len(CELLS), "%diveval A -m al")
    launched.page.keyboard.press("Tab")
    offered = launched.page.locator(".jp-Completer-item")
    expect(offered.filter(has_text="alpha-nDCG").first).to_be_visible()
    offered.get_by_text("alpha-nDCG", exact=True).click()
    expect(last.locator(".cm-content")).to_have_text("%diveval A -m alpha-nDCG")

    # Shift+Tab shows what the metric is.
    launched.page.keyboard.press("Shift+Tab")
    tooltip = launched.page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("Clarke")
    expect(tooltip.locator("code").first).to_have_text(formula(metric("alpha-nDCG")))
    launched.page.keyboard.press("Escape")

    # In the lines of a list Tab offers the intents.
    launched.type(len(CELLS), "%%serp A\nd1 ga")
    launched.page.keyboard.press("Tab")
    expect(offered).to_have_count(1)
    launched.page.keyboard.press("Enter")
    expect(last.locator(".cm-content")).to_contain_text("d1 games")


def test_a_bad_cell_stops_run_all_with_one_sentence(launched: Launched) -> None:
    # The first cell waits until the browser has sent all the others, as in a notebook that has more to do.
    wait = "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(0.02)"
    launched.write([wait, "%%serp A\nd1 film:", "print('not reached')"])
    launched.page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
    expect(launched.cell(2).locator(".jp-InputPrompt")).to_have_text("[*]:")
    (launched.notebook.server.folder / "go").touch()
    output = launched.cell(1).locator(".jp-OutputArea-output")
    expect(output).to_contain_text("line 2 ('d1 film:'): the label 'film:'", timeout=PATIENCE)
    assert "Traceback" not in output.inner_text()
    expect(launched.cell(2).locator(".jp-InputPrompt")).to_have_text("[ ]:")
    assert launched.cell(2).locator(".jp-OutputArea-output").count() == 0
