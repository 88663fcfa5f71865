"""A page with widgets that no kernel stands behind, in a file of its own as the book has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from divmetrics_widgets import in_book

LIVE = "https://example.org/live"


def written(folder: Path, outputs: Iterable[Any]) -> str:
    """The address of a file with these widgets."""
    (folder / "book.js").write_text(in_book.script(), encoding="utf-8")
    (folder / "book.css").write_text(in_book.styles(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(in_book.BOOK_VARIABLE, "1")
        body = "".join(widget._repr_mimebundle_()[0][in_book.PAGE_TYPE] for widget in outputs)
    head = f'<meta charset="utf-8"><meta name="divmetrics-live" content="{LIVE}"><title>labs</title>'
    links = '<link rel="stylesheet" href="book.css"><script async src="book.js"></script>'
    page = folder / "page.html"
    page.write_text(
        f'<!doctype html><html lang="en"><head>{head}{links}</head><body>{body}</body></html>',
        encoding="utf-8",
    )
    return page.as_uri()


def wait_for_widgets(page: Page) -> None:
    """Until every widget of the page stands in it: they are drawn in turns."""
    page.wait_for_function("() => !document.querySelector('.divmetrics-page:not([data-drawn])')")


@contextmanager
def opened(address: str, chromium: Browser) -> Iterator[Page]:
    """That file in a browser; nothing may be said on the console or asked of another host."""
    messages: list[str] = []
    page = chromium.new_page(viewport={"width": 1000, "height": 1200})
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith(("file:", "data:")) else messages.append(request.url),
    )
    page.goto(address)
    wait_for_widgets(page)
    yield page
    page.close()
    assert messages == []
