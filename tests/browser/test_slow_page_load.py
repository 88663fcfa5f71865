"""A page without a kernel on a slow line: its first lab answers while the rest has not come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from divmetrics_widgets import Predict, RankedListLab
from tests.support.offline_page import wait_for_widgets, written

LAB = '.divmetrics-page[data-module="lab.js"]'
READS = "() => document.readyState === 'loading'"


@dataclass
class Line:
    """The page comes up to the middle of what its second lab holds; the rest when it is let through."""

    folder: Path
    address: str = ""
    rest: threading.Event = field(default_factory=threading.Event)

    def parts(self, name: str) -> list[bytes]:
        text = (self.folder / name).read_text(encoding="utf-8")
        if name != "page.html":
            return [text.encode()]
        second = text.index('data-module="lab.js"', text.index('data-module="lab.js"') + 1)
        middle = text.index("</script>", second) - 100
        return [text[:middle].encode(), text[middle:].encode()]


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    guess = Predict("Which list?", ["A", "B"])
    written(
        tmp_path, [guess, RankedListLab("harry potter"), guess.found("B", "because"), RankedListLab("java")]
    )
    slow = Line(tmp_path)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first, *rest = slow.parts(self.path.removeprefix("/"))
            self.send_response(200)
            kind = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
            self.send_header("Content-Type", kind[self.path.rpartition(".")[2]])
            self.end_headers()
            self.wfile.write(first)
            for part in rest:
                slow.rest.wait()
                self.wfile.write(part)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name that it has
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        slow.address = f"http://127.0.0.1:{server.server_port}/page.html"
        yield slow
        slow.rest.set()
        server.shutdown()


def test_the_first_lab_answers_before_the_page_has_come(line: Line, chromium: Browser) -> None:
    page = chromium.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(line.address, wait_until="commit")
    lab = page.locator(LAB).first
    before = lab.locator('[data-list="A"] tbody tr').first.get_attribute("data-doc")
    lab.locator('[data-list="A"] [data-rank="1"] [data-do="grip"]').press("Alt+ArrowDown")
    second = lab.locator('[data-list="A"] [data-rank="2"]')
    assert second.get_attribute("data-doc") == before
    assert page.locator('.divmetrics-page[data-module="predict.js"][data-drawn]').count() == 1, (
        "it stands before"
    )
    assert page.locator(LAB).nth(1).get_attribute("data-drawn") is None, "its tables have not come"
    assert page.evaluate(READS)
    line.rest.set()
    wait_for_widgets(page)
    assert second.get_attribute("data-doc") == before, "what was done stays"
    expect(page.locator(LAB).nth(1).locator("[data-do=grip]").first).to_be_visible()
    page.get_by_label("A", exact=True).first.click()
    assert not page.evaluate(READS)
    assert wrong == []
    page.close()
