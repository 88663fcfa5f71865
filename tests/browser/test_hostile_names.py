"""Names that try to be code, in a browser: nothing of them runs, and what can be shown of them is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import playwright.sync_api
import pytest

from tests.support.hostile_names import PAYLOADS, figures, pieces, tools

# What a reader may do to every element; and what would run only when somebody clicked it.
TOUCHED = """() => {
    const found = [];
    for (const element of document.querySelectorAll("body, body *")) {
        for (const { name, value } of element.attributes) {
            const leads = /href|src|action/i.test(name) && /^\\s*(javascript|data:text)/i.test(value);
            if (leads || /^on/i.test(name)) {
                found.push(`${element.tagName} ${name}=${value}`);
            }
        }
        if (/^(iframe|object|embed|base|meta|link)$/i.test(element.tagName)) found.push(element.tagName);
        for (const type of ["mouseover", "focusin"]) {
            element.dispatchEvent(new Event(type, { bubbles: true }));
        }
    }
    return found;
}"""
RENDER = """async ([source, state]) => {
    document.body.innerHTML = '<div id="root"></div>';
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const model = {
        get: (name) => state[name], set: (name, value) => { state[name] = value; },
        on: () => {}, off: () => {}, send: () => {}, save_changes: () => {},
    };
    const { default: widget } = await import(address);
    await widget().render({ model, el: document.getElementById("root") });
}"""
PRESS = """() => {
    const buttons = document.querySelectorAll("button, summary, [tabindex]");
    for (const button of buttons) if (button.isConnected) button.click();
}"""


class Watched:
    """A page, and what ran in it or was asked for."""

    def __init__(self, chromium: playwright.sync_api.Browser) -> None:
        self.page = chromium.new_page()
        self.ran: list[str] = []
        self.page.on("dialog", self._dialog)
        self.page.on("request", self._request)

    def _dialog(self, dialog: playwright.sync_api.Dialog) -> None:
        self.ran.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _request(self, request: playwright.sync_api.Request) -> None:
        if not request.url.startswith(("data:", "blob:", "file:")) or request.resource_type == "image":
            self.ran.append(f"request {request.url}"[:200])

    def touched(self) -> list[str]:
        """What ran so far, or would when it is touched."""
        result = [*self.page.evaluate(TOUCHED), *self.ran]
        self.ran.clear()
        return [each for each in result if not each.startswith("request data:image/svg+xml,")]


@pytest.fixture
def watched(chromium: playwright.sync_api.Browser) -> Iterator[Watched]:
    page = Watched(chromium)
    yield page
    page.page.close()


def plain(text: str) -> str:
    """Without what a page leaves out or moves: blanks, and signs that have no form."""
    return re.sub(r"[\s\x00-\x1f\u2400-\u2426\u2028\u2029\u202e\ufffd]", "", text)


def test_watch_detects_executed_names(watched: Watched) -> None:
    watched.page.set_content(f"<p>{PAYLOADS[1]}</p><a href={PAYLOADS[3]}>x</a>")
    watched.page.wait_for_function("document.querySelector('img').complete")
    found = watched.touched()
    assert any(each.startswith("dialog") for each in found)
    assert any(each.startswith("A href=javascript") for each in found)


def test_no_name_runs_in_a_saved_figure(watched: Watched, tmp_path: Path) -> None:
    count = 0
    for label, figure in figures():
        figure.save(tmp_path / "figure.html")
        watched.page.goto((tmp_path / "figure.html").as_uri())
        watched.page.wait_for_selector("#figure svg text", state="attached")
        assert watched.touched() == [], label
        assert watched.page.locator("#figure svg text").count() == figure.svg.count("<text"), label
        watched.page.set_content(figure.svg)
        assert watched.touched() == [], label
        text = watched.page.locator("svg").get_attribute("aria-label") or ""
        assert plain(figure.description) == plain(text), label
        count += 1
    assert count >= 20


def test_no_name_runs_in_a_tooltip(watched: Watched, tmp_path: Path) -> None:
    label, figure = next((label, figure) for label, figure in figures() if label == "forest")
    figure.save(tmp_path / "figure.html")
    watched.page.goto((tmp_path / "figure.html").as_uri())
    watched.page.locator("#figure .mark-symbol path").first.hover()
    element = watched.page.locator("#vg-tooltip-element.visible")
    element.wait_for()
    assert element.locator("img").count() == 0, label
    assert PAYLOADS[0] in element.inner_text()
    assert watched.touched() == []


def test_no_name_runs_in_a_piece_of_html(watched: Watched) -> None:
    for label, piece in pieces():
        watched.page.set_content(f"<!DOCTYPE html><body>{piece}</body>")
        assert watched.touched() == [], label
        name = next((each for each in PAYLOADS if label.endswith(each)), None)
        if name and not label.startswith(("a check", "LaTeX as code")):
            assert plain(name) in plain(watched.page.locator("body").text_content() or ""), label


def test_no_name_runs_in_a_widget(watched: Watched) -> None:
    for label, tool in tools():
        watched.page.set_content(f"<!DOCTYPE html><body>{tool.static_html()}</body>")
        assert watched.touched() == [], label
        state: dict[str, Any] = json.loads(json.dumps(tool.get_state(), default=lambda _: None))
        watched.page.evaluate(RENDER, [str(tool._esm), state])
        assert watched.touched() == [], label
        text = plain(watched.page.locator("body").text_content() or "")
        assert any(plain(name) in text for name in PAYLOADS[:3] + PAYLOADS[10:13]), label
        watched.page.evaluate(PRESS)
        assert watched.touched() == [], label
