"""A real JupyterLab in a real browser, for every test of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import playwright.sync_api
import pytest

from tests.support.chromium import need_chromium
from tools.browser import IMPATIENCE, Notebook, Server, browser, jupyter_lab, write_notebook

Open = Callable[..., Notebook]

playwright.sync_api.expect.set_options(timeout=IMPATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    need_chromium()
    with jupyter_lab(tmp_path_factory.mktemp("jupyterlab")) as running:
        yield running


# Not for the session: while playwright runs, no other test could have an event loop.
@pytest.fixture(scope="module")
def chromium(server: Server) -> Iterator[playwright.sync_api.Browser]:
    with browser() as running:
        yield running


@contextmanager
def opener(server: Server, chromium: playwright.sync_api.Browser, name: str) -> Iterator[Open]:
    """open_one(cells) writes, opens and runs a notebook of these code cells (or a copy of one).

    In the end no page may have had an error in its console or asked for anything beyond this machine.
    """
    opened: list[Notebook] = []

    def open_one(
        cells: list[str], *, run: bool = True, copied: Path | None = None, **options: object
    ) -> Notebook:
        path = server.folder / f"{name}-{len(opened)}.ipynb".replace("[", "-").replace("]", "")
        if copied:
            shutil.copy(copied, path)
        else:
            write_notebook(path, cells)
        notebook = Notebook.open(server, chromium, path.name, **options)
        opened.append(notebook)
        if run:
            notebook.run_all()
        return notebook

    yield open_one
    for notebook in opened:
        notebook.close()
    for notebook in opened:
        nothing_went_wrong(notebook)


def nothing_went_wrong(notebook: Notebook) -> None:
    """Since this was asked last."""
    errors, strangers = notebook.errors[:], notebook.strangers[:]
    notebook.errors.clear()
    notebook.strangers.clear()
    assert errors == []
    assert strangers == []


@pytest.fixture
def open_notebook(
    server: Server, chromium: playwright.sync_api.Browser, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """An opener of notebooks that are closed when the test ends."""
    with opener(server, chromium, request.node.name) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def open_for_all(
    server: Server, chromium: playwright.sync_api.Browser, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """An opener of notebooks that the stories of a file share; such a file has a fixture `opened`."""
    with opener(server, chromium, Path(request.node.name).stem) as open_one:
        yield open_one


@pytest.fixture
def notebook(opened: Notebook) -> Iterator[Notebook]:
    """The notebook that the stories of a file share: all its cells run again, so all widgets are new."""
    opened.run_all()
    yield opened
    nothing_went_wrong(opened)
