"""A real JupyterLab in a real browser, for every test of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Literal

import playwright.sync_api
import pytest

from tests.support.chromium import need_chromium
from tools.browser import IMPATIENCE, SIZE, Notebook, Server, browser, jupyter_lab, write_notebook

Open = Callable[..., Notebook]

playwright.sync_api.expect.set_options(timeout=IMPATIENCE)


# Not for the session: while playwright runs, no test elsewhere could have an event loop.
@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    need_chromium()
    with jupyter_lab(tmp_path_factory.mktemp("jupyterlab")) as running:
        yield running


@pytest.fixture(scope="package")
def chromium() -> Iterator[playwright.sync_api.Browser]:
    need_chromium()
    with browser() as running:
        yield running


class Pages:
    """Pages with JupyterLab. To load it takes longer than most tests do, so a notebook that is closed leaves
    its page to the next one: that has a kernel of its own, and the same JupyterLab.
    """

    numbers = count()  # of all notebooks: JupyterLab may still save one that was left

    def __init__(self, server: Server, chromium: playwright.sync_api.Browser) -> None:
        self.server = server
        self.chromium = chromium
        self.free: list[tuple[dict[str, object], Notebook]] = []  # with the options of their browser

    def open(self, path: Path, size: tuple[int, int], options: dict[str, object]) -> Notebook:
        """A notebook of the server's folder, on a page whose browser has these options."""
        for place, (has, notebook) in enumerate(self.free):
            if has == options:
                del self.free[place]
                notebook.go_on_to(path.name, size)
                return notebook
        return Notebook.open(self.server, self.chromium, path.name, size, **options)

    def close(self, notebook: Notebook, options: dict[str, object]) -> None:
        """Its page is free for another; where something is wrong with it, it is closed."""
        if notebook.errors or notebook.strangers or notebook.page.locator(".jp-Dialog").count():
            notebook.close()
        else:
            self.free.append((options, notebook))


@pytest.fixture(scope="package")
def pages(server: Server, chromium: playwright.sync_api.Browser) -> Pages:
    return Pages(server, chromium)


@contextmanager
def opener(pages: Pages) -> Iterator[Open]:
    """open_one(cells) writes, opens and runs a notebook of these code cells (or a copy of one).

    In the end no page may have had an error in its console or asked for anything beyond this machine.
    """
    opened: list[tuple[Notebook, dict[str, object]]] = []

    def open_one(
        cells: list[str],
        *,
        run: bool = True,
        copied: Path | None = None,
        size: tuple[int, int] = SIZE,
        reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
        **options: object,
    ) -> Notebook:
        path = pages.server.folder / f"{next(pages.numbers)}.ipynb"
        if copied:
            shutil.copy(copied, path)
        else:
            write_notebook(path, cells)
        notebook = pages.open(path, size, options)
        opened.append((notebook, options))
        notebook.page.emulate_media(reduced_motion=reduced_motion)
        if run:
            notebook.run_all()
        return notebook

    yield open_one
    went_wrong = [(notebook.errors[:], notebook.strangers[:]) for notebook, _ in opened]
    for notebook, options in opened:
        pages.close(notebook, options)
    assert went_wrong == [([], [])] * len(opened)


def nothing_went_wrong(notebook: Notebook) -> None:
    """Since this was asked last."""
    errors, strangers = notebook.errors[:], notebook.strangers[:]
    notebook.errors.clear()
    notebook.strangers.clear()
    assert errors == []
    assert strangers == []


@pytest.fixture
def open_notebook(pages: Pages) -> Iterator[Open]:
    """An opener of notebooks that are closed when the test ends."""
    with opener(pages) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def open_apart(server: Server, chromium: playwright.sync_api.Browser) -> Iterator[Open]:
    """The same on pages of their own: for who leaves JupyterLab, or opens something else in it."""
    pages = Pages(server, chromium)
    with opener(pages) as open_one:
        yield open_one
    for _, notebook in pages.free:
        notebook.close()


@pytest.fixture(scope="module")
def open_for_all(pages: Pages) -> Iterator[Open]:
    """An opener of notebooks that the stories of a file share; such a file has a fixture `opened`."""
    with opener(pages) as open_one:
        yield open_one


@pytest.fixture
def notebook(opened: Notebook) -> Iterator[Notebook]:
    """The notebook that the stories of a file share: all its cells run again, so all widgets are new."""
    opened.run_all()
    yield opened
    nothing_went_wrong(opened)
