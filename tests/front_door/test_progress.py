"""Work that takes long says so on a terminal, and ends when it is stopped."""

from __future__ import annotations

import io
import sys
import threading
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import divmetrics as dm
from divmetrics import cli
from divmetrics._progress import progress_bar, track_progress
from divmetrics.core.metric import Metric


class Terminal(io.StringIO):
    """A stderr that says when something was first shown on it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        self.shown.set()
        return written


def watched(monkeypatch: pytest.MonkeyPatch, delay: float) -> Terminal:
    """From here on stderr is a terminal. (Not a fixture: pytest sets its own stderr after those.)"""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("divmetrics._progress.DELAY", delay)
    return terminal


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and three runs of two topics."""
    (tmp_path / "qrels").write_text("".join(f"{t} {i} d{i} 1\n" for t in "12" for i in "ab"))
    for r in "xyz":
        (tmp_path / r).write_text("".join(f"{t} Q0 d{i} {i} {9 - i} {r}\n" for t in "12" for i in (1, 2)))
    (tmp_path / "qrels").write_text("".join(f"{t} {i} d{i} 1\n" for t in "12" for i in (1, 2)))
    return [str(tmp_path / name) for name in ("qrels", "x", "y", "z")]


def test_the_command_line_tells_what_is_read_and_what_is_scored(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = watched(monkeypatch, 0)
    assert cli.main(["evaluate", *files, "-m", "ERR-IA@2"]) == 0
    output = terminal.getvalue()
    assert "?judgment file/s" in output
    assert "/3 [" in output
    assert "run/s" in output
    assert "/6 [" in output
    assert "list/s" in output
    assert output.rpartition("\r")[0].endswith(" ")  # wiped when all is done
    assert capsys.readouterr().out.startswith("run,topic,metric,score\n")


def test_no_progress_in_a_pipe_or_by_default(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch, 0)
    dm.evaluate(files[0], files[1:], ["ERR-IA@2"])
    assert terminal.getvalue() == ""
    monkeypatch.setattr("sys.stderr", io.StringIO())
    dm.evaluate(files[0], files[1:], ["ERR-IA@2"], progress=True)
    assert list(track_progress("ab", 2, "letter", wanted=True)) == ["a", "b"]
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_a_bar_appears_although_nothing_is_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch, 0.001)  # tqdm by itself shows nothing that early
    with progress_bar(7, "topic", wanted=True):
        assert terminal.shown.wait(60)  # for a topic that takes its time
    assert "0/7" in terminal.getvalue()


class Unhurried(Executor):
    """Works on what was submitted when its result is asked for, or at the end unless it was cancelled."""

    def __init__(self, max_workers: int | None = None) -> None:
        self.given: list[tuple[Any, ...]] = []

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given.append((future, function, arguments))
        ask = future.result
        future.result = lambda timeout=None: (self._work(), ask(0))[1]  # type: ignore[method-assign]
        return future

    def _work(self) -> None:
        future, function, arguments = self.given.pop(0)
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(function(*arguments))
            except BaseException as error:
                future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        while self.given:
            self._work()


def test_interrupted_evaluation_stops_at_once(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["divmetrics.evaluation"]  # `divmetrics.evaluate` is the function
    monkeypatch.setattr(module, "CELLS", 1)
    monkeypatch.setattr("concurrent.futures.ThreadPoolExecutor", Unhurried)
    begun = []

    def stopped(*given: Any) -> None:
        begun.append(given)
        raise KeyboardInterrupt

    monkeypatch.setattr(Metric, "scores", stopped)
    with pytest.raises(KeyboardInterrupt):
        dm.evaluate(files[0], files[1:], ["ERR-IA@2"])
    assert len(begun) == 1
    monkeypatch.undo()
    assert len(dm.evaluate(files[0], files[1:], ["ERR-IA@2"])) == 6
