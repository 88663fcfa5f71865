"""A pytest plugin, for `coverage run`: write down which test executes which line, and how long it takes."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

TOUCHED = "MUTANTS_TOUCHED"  # the environment variable that names the file to write
seconds: dict[str, float] = defaultdict(float)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Attribute what is executed from here on to this test."""
    running = Coverage.current()
    assert running is not None  # noqa: S101 - a tool, and it runs under coverage only
    running.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the phases of a test take."""
    seconds[report.nodeid] += report.duration


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
