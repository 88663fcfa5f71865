"""A real JupyterLab in a real browser, for tests, measurements and screenshots.

    with jupyter_lab(folder) as lab, browser() as chromium:
        page = Notebook.open(lab, chromium, "x.ipynb")

The browser is Debian's `chromium` or any Chromium or Chrome on the PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Milliseconds after which something is said not to happen. Nobody waits so long for what does happen.
PATIENCE = 120_000  # a kernel on a busy machine takes long to start
IMPATIENCE = 30_000  # for what should happen at once
SIZE = (1400, 1000)  # of a window, in pixels
# The two applications that show notebooks: the module that starts each, and its options.
APPLICATIONS = {
    "jupyterlab": ("--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True"),
    "notebook": ("--JupyterNotebookApp.expose_app_in_browser=True",),
}
# What a browser would otherwise fetch by itself.
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


def chromium_path() -> str | None:
    """Return the path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """Yield a headless browser."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox", *QUIET])
        try:
            yield started
        finally:
            started.close()


@dataclass(frozen=True)
class Server:
    """A running JupyterLab whose files are in `folder`."""

    address: str
    folder: Path


def free_port() -> int:
    """Return a port of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def jupyter_lab(
    folder: Path, theme: str = "JupyterLab Light", application: str = "jupyterlab"
) -> Iterator[Server]:
    """Yield JupyterLab on a free port, with settings of its own; `theme` may be "JupyterLab Dark".

    application : "jupyterlab", or "notebook" for Notebook 7
    """
    port = free_port()
    own = folder / ".jupyter"
    themes = own / "settings" / "@jupyterlab" / "apputils-extension" / "themes.jupyterlab-settings"
    themes.parent.mkdir(parents=True, exist_ok=True)
    themes.write_text(json.dumps({"theme": theme}))
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "IPYTHONDIR": str(own / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
    }
    command = [
        *(sys.executable, "-m", application, "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"),
        *APPLICATIONS[application],
    ]
    log = (folder / "jupyterlab.log").open("w")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, folder / "jupyterlab.log")
        yield Server(address, folder)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(3000):  # five minutes: a busy machine takes its time
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{address}/api/status", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook with these code cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


@dataclass
class Notebook:
    """A notebook open in JupyterLab, with a record of the errors in its page."""

    page: Page
    server: Server
    errors: list[str] = field(default_factory=list)  # of the console, and uncaught
    strangers: list[str] = field(default_factory=list)  # requests that would leave the machine

    @classmethod
    def open(
        cls, server: Server, chromium: Browser, name: str, size: tuple[int, int] = SIZE, **more: Any
    ) -> Notebook:
        """Open a notebook of the server's folder alone on the page, and wait for its kernel."""
        page = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **more).new_page()
        notebook = cls(page, server)
        page.on("console", notebook._record_console)
        page.on("pageerror", lambda error: notebook.errors.append(str(error)))
        page.on("request", lambda request: notebook._requested(request.url))
        workspace = f"{Path(name).stem}-{time.monotonic_ns()}"
        page.goto(f"{server.address}/lab/workspaces/{workspace}/tree/{name}?reset", timeout=PATIENCE)
        notebook._wait_for(name)
        # The file browser takes room that the notebook is to have.
        page.evaluate("() => void jupyterapp.shell.collapseLeft()")
        return notebook

    def go_on_to(self, name: str, size: tuple[int, int] = SIZE) -> None:
        """Open another notebook in place of this one, whose kernel ends, without reloading JupyterLab."""
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.evaluate(
            """async () => {
                const { serviceManager, shell } = jupyterapp;
                const session = shell.currentWidget.sessionContext.session?.id;
                if (session) await serviceManager.sessions.shutdown(session);
                await new Promise(requestAnimationFrame);
            }"""
        )
        # What the one that is left says in its end is not of the next; all that is said from here on is.
        self.errors.clear()
        self.strangers.clear()
        self.page.evaluate(
            """async (path) => {
                const { commands, shell } = jupyterapp;
                const left = shell.currentWidget;
                await commands.execute("docmanager:open", { path });
                left.dispose();
            }""",
            name,
        )
        self._wait_for(name)

    def _wait_for(self, name: str) -> None:
        """Wait for the notebook and its kernel."""
        self.page.wait_for_function(
            """(name) => {
                const { context, sessionContext } = window.jupyterapp?.shell.currentWidget ?? {};
                return context?.path === name && document.querySelector(".jp-Notebook .jp-Cell")
                    && sessionContext.isReady && sessionContext.session?.kernel?.status === "idle";
            }""",
            arg=name,
            timeout=PATIENCE,
        )
        self.page.set_default_timeout(IMPATIENCE)

    def _record_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _requested(self, address: str) -> None:
        own = self.server.address
        if not address.startswith((own, own.replace("http", "ws", 1), "data:", "blob:")):
            self.strangers.append(address)

    def run_all(self, patience: int = PATIENCE) -> None:
        """Run every cell, and wait at most `milliseconds` for the last one."""
        self.page.evaluate(
            """() => {
                window.ranAll = false;
                const run = jupyterapp.commands.execute('notebook:run-all-cells');
                run.finally(() => { window.ranAll = true; });
            }"""
        )
        self.page.wait_for_function("() => window.ranAll", timeout=patience)

    def resize(self, width: int, height: int = 1000) -> None:
        """Resize the window, and wait until the listeners have drawn."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(
            "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )

    def close(self) -> None:
        self.page.context.close()
