"""The longer search for failing laws: what it counts, what it finds, and how it is seen again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.explore import Effort, SearchResult, __main__
from tools.explore import laws as laws_

pytestmark = pytest.mark.slow

LAWS = """
from hypothesis import assume, given, strategies as st
from tests.support.strategies import quick

@quick(10)
@given(st.integers())
def test_holds(number): assert number == number

@quick(10)
@given(st.integers(0, 10**6))
def test_holds_for_nearly_all(number):
    assert number < 900_000

@quick(10)
@given(st.integers(0, 100))
def test_is_about_half_of_them(number): assume(number % 2)

@quick(10)
@given(st.integers())
def test_is_about_nothing(number): assume(False)

def test_is_no_law(): assert False
"""
# Not in this process, where the seed of the laws would be that of all other tests.
EXPLORE = """
import sys
from pathlib import Path
from tools.explore import Effort, laws
for tried in laws.explore(Effort(20, int(sys.argv[1])), Path("laws")):
    print("TRIED", tried.what, tried.examples, tried.n_skipped > 50, tried.failed, *tried.failure.split())
"""


def explored(folder: Path, seed: int, **environment: str) -> dict[str, list[str]]:
    """Law -> examples, whether many were passed over, whether it failed, what was said."""
    done = subprocess.run(
        [sys.executable, "-c", EXPLORE, f"{seed}"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = re.findall(r"^TRIED .*test_laws.py::(\w+) (.*)$", done.stdout, re.MULTILINE)
    return {law: message.split() for law, message in lines}


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    (tmp_path / "laws").mkdir()
    (tmp_path / "laws" / "test_laws.py").write_text(LAWS)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "laws")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    return tmp_path


def test_laws_are_counted_and_failures_come_again(laws: Path) -> None:
    result = explored(laws, 1)
    assert result["test_holds"] == ["200", "False", "False"]
    assert result["test_is_about_half_of_them"][1:] == ["True", "False"]
    assert result["test_is_about_nothing"][:3] == ["0", "False", "True"]
    assert result["test_holds_for_nearly_all"][2] == "True"
    assert "number=900000," in result["test_holds_for_nearly_all"]
    assert "test_is_no_law" not in result
    # With the same seed the same, in CI, too, and without what is remembered of failures.
    shutil.rmtree(laws / ".hypothesis")
    assert explored(laws, 1, CI="true") == result


def test_untried_laws_are_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = pytest.ExitCode.INTERRUPTED
    monkeypatch.setattr(laws_.pytest, "main", lambda options, plugins: ended)
    (others,) = laws_.explore(Effort(1, 1))
    assert others.failed
    assert others.failure == "they were stopped before they were tried"
    ended = pytest.ExitCode.NO_TESTS_COLLECTED
    with pytest.raises(SystemExit, match="the laws were not tried"):
        [*laws_.explore(Effort(1, 1))]


def test_what_was_tried_is_a_table() -> None:
    tried = [
        SearchResult("one", 1200, 1.25, n_skipped=7),
        SearchResult("two", 30, 0.5, "it broke"),
        SearchResult("three", 0, 0.1),
    ]
    lines = __main__.table("laws", tried, Effort(20, 7)).splitlines()
    assert [line.split() for line in lines[1:6]] == [
        ["examples", "passed", "over", "seconds", "laws,", "seed", "7"],
        ["1,200", "7", "1.2", "one"],
        ["30", "0", "0.5", "two", "FAILED"],
        ["0", "0", "0.1", "three", "FAILED"],
        ["1,230", "7", "1.9", "in", "all:", "3", "tried,", "2", "failed"],
    ]
    assert "it broke" in lines
    assert lines[-1].startswith('Again: make explore EXPLORE="laws --times 20 --seed 7"')


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([SearchResult("one", 3, 0.1)], 0),
        ([SearchResult("one", 3, 0.1, "broke")], 1),
        ([SearchResult("one", 0, 0.1)], 1),
        ([], 1),
    ],
)
def test_the_command_fails_where_something_was_found_or_nothing_tried(
    found: list[SearchResult], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Effort] = []

    def explore(effort: Effort) -> list[SearchResult]:
        asked.append(effort)
        return found

    monkeypatch.setattr(__main__, "EXPLORERS", {"laws": explore})
    assert __main__.main(["--times", "3", "--seed", "5", "--only", "x"]) == status
    assert __main__.main(["laws"]) == status
    assert __main__.main(["laws"]) == status
    given, free, other = asked
    assert given == Effort(3, 5, "x")
    assert free.seed != other.seed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lwas"], "there is no explorer 'lwas'; there are laws"),
        (["--times", "0"], "--times is 0, expected a whole number of at least 1"),
    ],
)
def test_bad_options_are_rejected(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        __main__.main(arguments)
    assert message in capsys.readouterr().err
