"""Drive three browsers through one small interface: Chromium by Playwright, the others by WebDriver."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from glob import glob
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tools.browser import browser, chromium_path, free_port

SIZE = (1400, 1000)  # of a window, in pixels
START = 30  # seconds until a browser answers
# Of WebDriver. Other keys stand for themselves.
KEYS = {"Alt": "\ue00a", "Control": "\ue009", "Shift": "\ue008"}
KEYS |= {"End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013"}
KEYS |= {"ArrowRight": "\ue014", "ArrowDown": "\ue015"}
Point = tuple[float, float]


class Engine(ABC):
    """A browser with one window."""

    version = ""

    @abstractmethod
    def open(self, address: str) -> None:
        """Open the page, which has been read when this returns."""

    @abstractmethod
    def run(self, script: str, *values: Any) -> Any:
        """Run the body of a function on these `arguments`, and return what it returns."""

    @abstractmethod
    def press(self, keys: str) -> None:
        """Press keys that are joined by a plus sign, such as Alt+ArrowUp."""

    @abstractmethod
    def drag(self, path: Sequence[Point]) -> None:
        """Press the mouse at the first point and release it at the last one; a click has one point."""


class Chromium(Engine):
    """A page of Playwright."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str, *values: Any) -> Any:
        return self.page.evaluate(f"(values) => (function () {{ {script} }})(...values)", list(values))

    def press(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def drag(self, path: Sequence[Point]) -> None:
        self.page.mouse.move(*path[0])
        self.page.mouse.down()
        for point in path[1:]:
            self.page.mouse.move(*point)
        self.page.mouse.up()


class WebDriver(Engine):
    """The commands of W3C WebDriver; `command` sends one and returns its value."""

    def __init__(self, command: Callable[[str, dict[str, Any]], Any]) -> None:
        self.command = command

    def open(self, address: str) -> None:
        self.command("url", {"url": address})

    def run(self, script: str, *values: Any) -> Any:
        return self.command("execute/sync", {"script": script, "args": list(values)})

    def press(self, keys: str) -> None:
        codes = [KEYS.get(key, key) for key in keys.split("+")]
        downs = [{"type": "keyDown", "value": code} for code in codes]
        ups = [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self._act("key", [*downs, *ups])

    def drag(self, path: Sequence[Point]) -> None:
        first, *more = ({"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in path)
        button = {"button": 0}
        self._act("pointer", [first, {"type": "pointerDown"} | button, *more, {"type": "pointerUp"} | button])

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        self.command("actions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})


@contextmanager
def chromium() -> Iterator[Engine]:
    with browser() as started:
        engine = Chromium(started.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}))
        engine.version = started.version
        yield engine


MARIONETTE = {"url": "Navigate", "execute/sync": "ExecuteScript", "actions": "PerformActions"}


@contextmanager
def firefox() -> Iterator[Engine]:
    """Yield Firefox, which speaks WebDriver over Marionette: messages of JSON with their length in front."""
    with ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        port = free_port()
        Path(profile, "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        program = next(filter(None, map(shutil.which, FIREFOX)), "")
        _start(stack, program, "--headless", "--marionette", "--no-remote", "--profile", profile)
        stream = stack.enter_context(stack.enter_context(_connected(port)).makefile("rwb"))

        def receive() -> Any:
            length = b"".join(iter(lambda: stream.read(1), b":"))
            return json.loads(stream.read(int(length)))

        def command(name: str, values: dict[str, Any]) -> Any:
            message = json.dumps([0, 0, f"WebDriver:{MARIONETTE.get(name, name)}", values]).encode()
            stream.write(b"%d:%s" % (len(message), message))
            stream.flush()
            _, _, error, result = receive()
            if error:
                raise RuntimeError(f"{name}: {error['message']}")
            return result.get("value") if set(result) == {"value"} else result

        receive()  # its greeting
        engine = WebDriver(command)
        engine.version = command("NewSession", {})["capabilities"]["browserVersion"]
        command("SetWindowRect", {"width": SIZE[0], "height": SIZE[1] + 100})
        yield engine


@contextmanager
def webkit() -> Iterator[Engine]:
    """Yield WebKitGTK's small browser, on a screen of its own if there is none."""
    with ExitStack() as stack:
        environment = dict(os.environ)
        if "DISPLAY" not in environment:
            environment["DISPLAY"] = f":{90 + os.getpid() % 900}"
            _start(stack, "Xvfb", environment["DISPLAY"], "-screen", "0", "1600x1300x24")
            time.sleep(1)
        port = free_port()
        _start(stack, "WebKitWebDriver", f"--port={port}", env=environment)
        _connected(port).close()

        def request(path: str, values: dict[str, Any] | None, method: str = "POST") -> Any:
            data = None if values is None else json.dumps(values).encode()
            sent = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", data, method=method)
            try:
                with urllib.request.urlopen(sent, timeout=120) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as problem:
                raise RuntimeError(f"{path}: {problem.read().decode()}") from None

        options = {"binary": _minibrowser(), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        session = request("session", wanted)
        own = f"session/{session['sessionId']}"
        stack.callback(request, own, None, "DELETE")
        request(f"{own}/window/rect", {"width": SIZE[0], "height": SIZE[1] + 100})
        engine = WebDriver(lambda name, values: request(f"{own}/{name}", values))
        engine.version = session["capabilities"]["browserVersion"]
        yield engine


FIREFOX = ("firefox-esr", "firefox")


def _minibrowser() -> str:
    places = ("/usr/lib/*/webkit2gtk-*", "/usr/lib*/webkit2gtk-*", "/usr/libexec/webkit2gtk-*")
    return next((found for place in places for found in glob(f"{place}/MiniBrowser")), "")


def missing(name: str) -> str:
    """Return what to install for this engine; "" if it is there."""
    if name == "chromium":
        return "" if chromium_path() else "apt-get install chromium"
    if name == "firefox":
        return "" if any(map(shutil.which, FIREFOX)) else "apt-get install firefox-esr"
    screen = "DISPLAY" in os.environ or shutil.which("Xvfb")
    there = shutil.which("WebKitWebDriver") and _minibrowser() and screen
    return "" if there else "apt-get install webkit2gtk-driver xvfb"


ENGINES = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


def _start(stack: ExitStack, *command: str, env: dict[str, str] | None = None) -> None:
    """Start a program that ends with the stack."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.terminate)


def _connected(port: int) -> socket.socket:
    until = time.monotonic() + START
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
