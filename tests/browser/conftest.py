"""A real JupyterLab in a real browser, for every test of this folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import playwright.sync_api
import pytest

from tools.browser import IMPATIENCE, Notebook, Server, browser, chromium_path, jupyter_lab, write_notebook

Open = Callable[..., Notebook]

playwright.sync_api.expect.set_options(timeout=IMPATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if chromium_path() is None:
        missing = "there is no chromium on the PATH (Debian: apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    with jupyter_lab(tmp_path_factory.mktemp("jupyterlab")) as running:
        yield running


# Not for the session: while playwright runs, no other test could have an event loop.
@pytest.fixture(scope="module")
def chromium(server: Server) -> Iterator[playwright.sync_api.Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def open_notebook(
    server: Server, chromium: playwright.sync_api.Browser, request: pytest.FixtureRequest
) -> Iterator[Open]:
    """open_notebook(cells) writes, opens and runs a notebook of these code cells (or a copy of one).

    In the end no page may have had an error in its console or asked for anything beyond this machine.
    """
    opened: list[Notebook] = []

    def open_one(
        cells: list[str], *, run: bool = True, copied: Path | None = None, **options: object
    ) -> Notebook:
        name = f"{request.node.name}-{len(opened)}.ipynb".replace("[", "-").replace("]", "")
        if copied:
            shutil.copy(copied, server.folder / name)
        else:
            write_notebook(server.folder / name, cells)
        notebook = Notebook.open(server, chromium, name, **options)
        opened.append(notebook)
        if run:
            notebook.run_all()
        return notebook

    yield open_one
    for notebook in opened:
        notebook.close()
    assert [error for notebook in opened for error in notebook.errors] == []
    assert [address for notebook in opened for address in notebook.strangers] == []
