"""A pytest plugin, for `coverage run`: write down which test executes which line, and how long it takes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

TOUCHED = "MUTANTS_TOUCHED"  # the environment variable that names the file to write
seconds: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Attribute what is executed from here on, and the processor's seconds, to this test."""
    running = Coverage.current()
    assert running is not None  # noqa: S101 - a tool, and it runs under coverage only
    running.switch_context(item.nodeid)
    started = sum(os.times()[:4])  # of this process and those that it waited for
    try:
        return (yield)
    finally:
        seconds[item.nodeid] = sum(os.times()[:4]) - started


def pytest_sessionfinish() -> None:
    """Write {"seconds": {test: seconds}, "lines": {file: {line: [places of tests in seconds]}}}."""
    running = Coverage.current()
    assert running is not None  # noqa: S101
    data = running.get_data()
    place = {test: n for n, test in enumerate(seconds)}
    lines = {
        str(Path(file).relative_to(Path.cwd())): {
            line: sorted({place[test] for test in tests if test in place})
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    Path(os.environ[TOUCHED]).write_text(json.dumps({"seconds": seconds, "lines": lines}))
