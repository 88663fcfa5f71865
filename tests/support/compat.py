"""A plug-in of pytest for `make compat`: what an environment lacks is skipped there, with the reason.

`make test` does not load it: there nothing may be missing. DIVMETRICS_LACKS says what this environment lacks,
names of packages, and "threads" and "processes", which are then refused as Pyodide refuses them.
"""

from __future__ import annotations

import os
import subprocess
import threading
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

LACKS = frozenset(os.environ["DIVMETRICS_LACKS"].split())
OURS = (f"{os.sep}divmetrics{os.sep}", f"{os.sep}divmetrics_widgets{os.sep}")


class NoProcess(OSError):
    """What stands for a process that cannot be started."""


def _no_process(*arguments: object, **options: object) -> NoReturn:
    raise NoProcess("this environment starts no processes")


def _no_thread(self: threading.Thread) -> NoReturn:
    raise RuntimeError("can't start new thread")


if "processes" in LACKS:
    subprocess.Popen.__init__ = _no_process  # type: ignore[method-assign]
    os.fork = _no_process
if "threads" in LACKS:
    threading.Thread.start = _no_thread  # type: ignore[method-assign]


def lacking(error: BaseException | None) -> str | None:
    """What a test asked for that this environment lacks; None where the error is one of ours."""
    while error is not None:
        if isinstance(error, ImportError):
            name = (error.name or "").partition(".")[0]
            if name in LACKS:
                return f"needs {name}"
        if isinstance(error, NoProcess):
            return "starts a process"
        if isinstance(error, RuntimeError) and "start new thread" in str(error):
            frames = traceback.extract_tb(error.__traceback__)
            if not any(part in frame.filename for frame in frames for part in OURS):
                return "starts threads itself"
        error = error.__cause__ or error.__context__
    return None


def _skipped(report: Any, reason: str) -> None:
    file = str(report.nodeid).partition("::")[0]
    report.outcome, report.longrepr = "skipped", (file, 0, f"Skipped: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A test that asks for what is lacking is skipped."""
    report = yield
    reason = call.excinfo and lacking(call.excinfo.value)
    if reason and report.failed:
        _skipped(report, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """So is a file that imports what is lacking."""
    report = yield
    reason = lacking(report.call.excinfo.value.__cause__ if report.call.excinfo else None)
    if reason and report.failed:
        _skipped(report, reason)
    return report
