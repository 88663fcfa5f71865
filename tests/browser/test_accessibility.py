"""axe-core finds nothing wrong in any widget, light and dark, closed and opened up."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import playwright.sync_api
import pytest

from tests.support.chromium import need_chromium
from tools.browser import Notebook, browser, jupyter_lab, write_notebook

SETUP = """
from divmetrics import datasets
from divmetrics_widgets import *
ranked = datasets.harry_potter().list("C", "0083")
"""
WIDGETS = {
    "ranked-list-lab": 'RankedListLab("harry potter")',
    "hierarchy-lab": "HierarchyLab()",
    "metric-composer": "MetricComposer()",
    "disagreement-finder": "DisagreementFinder()",
    "preference-judge": "PreferenceJudge()",
    "predict": 'Predict("Which?", ["this", "that"])',
    "contributions-view": 'ContributionsView("ERR-IA@5", ranked)',
    "reader-walk": 'ReaderWalk("ERR-IA@5", ranked)',
}
# What shows more of a widget.
OPENERS = {
    "ranked-list-lab": (
        *(".dm-intents summary", "[data-key=best]", "[data-key=copy-state]", "[data-key=metric-list]"),
        "[data-key=mix-lines]",
    ),
    "reader-walk": ("[data-key=walk-next]",),
}
AXE = files("axe_playwright_python").joinpath("axe.min.js")


@pytest.fixture(scope="module", params=["JupyterLab Light", "JupyterLab Dark"])
def opened(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    need_chromium()
    folder: Path = tmp_path_factory.mktemp("accessible")
    write_notebook(folder / "x.ipynb", [SETUP, *WIDGETS.values()])
    with jupyter_lab(folder, request.param) as server, browser() as chromium:
        notebook = Notebook.open(server, chromium, "x.ipynb", (1400, 3000))
        notebook.run_all()
        notebook.page.evaluate(AXE.read_text(encoding="utf-8"))
        yield notebook
        notebook.close()


def violations(widget: playwright.sync_api.Locator) -> list[str]:
    found = widget.evaluate("async (element) => (await axe.run(element)).violations")
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("name", WIDGETS)
def test_nothing_bars_anybody(opened: Notebook, name: str) -> None:
    widget = opened.page.locator(f'[data-widget="{name}"]')
    widget.scroll_into_view_if_needed()
    assert violations(widget) == []
    for opener in OPENERS.get(name, ()):
        widget.locator(opener).first.click()
        playwright.sync_api.expect(widget).not_to_have_attribute("data-pending", "true")
        assert violations(widget) == []


CONTROLS = "button, input, select, textarea, summary, a, [role=slider], [tabindex='0']"


@pytest.mark.parametrize("name", WIDGETS)
@pytest.mark.parametrize("width", [1400, 700, 420])
def test_a_finger_meets_every_control(opened: Notebook, name: str, width: int) -> None:
    opened.resize(width, 3000)
    small = opened.page.locator(f'[data-widget="{name}"]').evaluate(
        """(root, controls) => [...root.querySelectorAll(controls)].filter((each) => each.checkVisibility())
            .map((each) => [each, each.getBoundingClientRect()])
            .filter(([, { width, height }]) => Math.min(width, height) < 24)
            .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 80)}: ${width} x ${height}`)""",
        CONTROLS,
    )
    assert small == []
