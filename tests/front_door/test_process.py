"""What the process of the command line sets before anything else, and no other process does."""

from __future__ import annotations

import contextlib
import platform
import subprocess
import sys

import pytest

from divmetrics.cli import _process, main

FAULTS = """
import resource, sys
import divmetrics
if sys.argv[1] == "command":
    from divmetrics.cli import _process
    _process.prepare()
import numpy as np

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

before = faults()
for _ in range(20):
    arrays = [np.ones(200_000) for _ in range(8)]
    del arrays
print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told what to keep")
def test_the_command_keeps_freed_memory_and_a_library_does_not() -> None:
    new_pages = {
        who: int(subprocess.check_output([sys.executable, "-c", FAULTS, who]))
        for who in ("command", "library")
    }
    assert new_pages["command"] < new_pages["library"] / 4


@pytest.mark.parametrize("arguments", [["--version"], ["metrics", "ERR-IA"], ["metrics", "no such metric"]])
def test_a_process_is_finished_however_the_command_ends(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else Python would look for garbage for longer than `--version` takes."""
    calls: list[str] = []
    monkeypatch.setattr(_process, "prepare", lambda: calls.append("prepare"))
    monkeypatch.setattr(_process, "finish", lambda: calls.append("finish"))
    monkeypatch.setattr(sys, "argv", ["divmetrics", *arguments])
    with contextlib.suppress(SystemExit):
        main()
    assert calls == ["prepare", "finish"]
    calls.clear()
    with contextlib.suppress(SystemExit):
        main(arguments)
    assert not calls
