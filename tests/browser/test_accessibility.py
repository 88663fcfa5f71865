"""axe-core finds nothing wrong in any widget, light and dark, closed and opened up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files

import playwright.sync_api
import pytest

from tools.browser import Notebook

Open = Callable[..., Notebook]

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
        *(".dm-intents summary", "[data-key=best]", "[data-key=share]", "[data-key=metric-list]"),
        "[data-key=mix-lines]",
    ),
    "reader-walk": ("[data-key=walk-next]",),
}
AXE = files("axe_playwright_python").joinpath("axe.min.js")


LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


@pytest.fixture(scope="module")
def every(open_for_all: Open) -> Notebook:
    return open_for_all([SETUP, *WIDGETS.values()], size=(1400, 3000), run=False)


@pytest.fixture(scope="module", params=[LIGHT, DARK])
def opened(every: Notebook, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    put_on(every, request.param)
    every.run_all()
    every.page.evaluate(AXE.read_text(encoding="utf-8"))
    yield every
    put_on(every, LIGHT)


def put_on(notebook: Notebook, theme: str) -> None:
    notebook.page.evaluate(
        "(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme }).then(() => null)", theme
    )
    body = notebook.page.locator("body")
    playwright.sync_api.expect(body).to_have_attribute("data-jp-theme-name", theme)


def violations(widget: playwright.sync_api.Locator) -> list[str]:
    result = widget.evaluate(
        "async (element) => (await axe.run(element, { resultTypes: ['violations'] })).violations"
    )
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in result
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("name", WIDGETS)
def test_axe_reports_no_violation(opened: Notebook, name: str) -> None:
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
