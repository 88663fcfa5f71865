"""Every law that the tests state with Hypothesis, on many times their examples."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator
from functools import wraps
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tools.explore import Effort, SearchResult

TESTS = Path(__file__).resolve().parents[2] / "tests"


def explore(effort: Effort, tests: Path = TESTS) -> Iterator[SearchResult]:
    """Yield a SearchResult for each law and each of its parameters; the tests run in this process.

    After Ctrl+C it yields the results so far.
    """
    counting = Counting()
    options = ["-m", "hypothesis", f"--hypothesis-seed={effort.seed}", "-q", "-p", "no:cacheprovider"]
    options += [f"--ignore={tests / 'browser'}", "-k", effort.only, str(tests)]
    with mock.patch.dict(os.environ, DIVMETRICS_TIMES=f"{effort.times}"):
        ended = pytest.main(options, plugins=[counting])
    stopped = ended == pytest.ExitCode.INTERRUPTED
    if not stopped and ended not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"the laws were not tried: pytest ended with {ended!r}, and said why above")
    yield from counting.tried
    if stopped:
        yield SearchResult("the others", 0, 0.0, "they were stopped before they were tried")


class Counting:
    """A pytest plugin that counts the calls of each law, and those that reached its end."""

    def __init__(self) -> None:
        self.tried: list[SearchResult] = []
        self._counts = Counter[str]()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        counts = self._counts = Counter[str]()
        law = item.obj.hypothesis  # type: ignore[attr-defined]  # Hypothesis has it there for plugins
        inner = law.inner_test

        @wraps(inner)
        def counted(*arguments: Any, **named: Any) -> None:
            counts["called"] += 1
            inner(*arguments, **named)
            counts["held"] += 1

        law.inner_test = counted
        try:
            return (yield)
        finally:
            law.inner_test = inner

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or report.skipped:
            return
        held, called = self._counts["held"], self._counts["called"]
        errors = [line[1:].rstrip() for line in report.longreprtext.splitlines() if line.startswith("E")]
        self.tried.append(
            SearchResult(
                what=report.nodeid.removeprefix("tests/"),
                examples=held,
                seconds=report.duration,
                failure="\n".join(errors) if report.failed else "",
                n_skipped=0 if report.failed else called - held,
            )
        )
