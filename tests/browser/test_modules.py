"""Every widget's JavaScript: files put one after another must make one module that a browser reads."""

from __future__ import annotations

import playwright.sync_api
import pytest

import divmetrics_widgets
from divmetrics_widgets.tool import Tool

WIDGETS = [
    widget
    for widget in map(vars(divmetrics_widgets).get, divmetrics_widgets.__all__)
    if isinstance(widget, type) and issubclass(widget, Tool)
]


@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)
def test_files_of_a_widget_are_one_module(
    chromium: playwright.sync_api.Browser, widget: type[Tool]
) -> None:
    page = chromium.new_page()
    found = page.evaluate(
        """async (source) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            try {
                return typeof (await import(address)).default().render;
            } catch (error) {
                return String(error);
            }
        }""",
        str(widget._esm),
    )
    page.close()
    assert found == "function"
