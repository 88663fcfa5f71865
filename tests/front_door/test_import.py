"""Importing divmetrics: its names, and what it leaves alone in the process."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import divmetrics as dm
from tests.support.paths import ROOT

# Prints what differs in the process after the statements in the place of {}, and the modules that set it.
PROCESS = """
import gc, json, os, signal, sys, warnings

def state():
    handlers = {{number: str(signal.getsignal(number)) for number in signal.valid_signals()}}
    streams = [(stream.encoding, stream.errors) for stream in (sys.stdout, sys.stderr)]
    collector = [gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()]
    environment = dict(os.environ)
    return dict(signals=handlers, gc=collector, environment=environment, streams=streams, path=sys.path[:])

before = state()
{}
after = state()
loaded = [name for name in ("divmetrics.cli", "numpy", "pandas", "ctypes") if name in sys.modules]
print(json.dumps([[name for name in before if before[name] != after[name]], loaded]))
"""


def differences(statements: str) -> tuple[list[str], list[str]]:
    code = PROCESS.format(statements)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    changed, loaded = json.loads(done.stdout)
    return changed, loaded


def test_the_names_are_the_public_ones() -> None:
    assert dir(dm) == sorted(dm.__all__)
    assert [name for name in dm.__all__ if not hasattr(dm, name)] == []


def test_importing_changes_nothing_in_the_process() -> None:
    """It touches no signals, garbage collector, environment or malloc (which takes ctypes)."""
    assert differences("import divmetrics; dir(divmetrics)") == ([], [])


def test_evaluating_changes_nothing_in_the_process() -> None:
    """The command line alone prepares its process; a library leaves that to its program."""
    changed, loaded = differences(
        "import numpy, pandas\n"
        "before = state()\n"
        "import divmetrics as dm\n"
        "dm.evaluate({'q': {'d': {'a': 1}}}, {'q': ['d']}, 'ERR-IA@5')\n"
        "dm.explain('ERR-IA@5', {'q': {'d': {'a': 1}}}, {'q': ['d']}, 'q')"
    )
    assert changed == []
    assert "divmetrics.cli" not in loaded


def test_the_check_sees_what_the_command_line_prepares() -> None:
    changed, loaded = differences("from divmetrics.cli import _process; _process.prepare()")
    assert {"signals", "gc", "environment", "streams"} <= set(changed)
    assert {"divmetrics.cli", "ctypes"} <= set(loaded)


@pytest.mark.parametrize("name", ["Any", "import_module", "annotations", "evaluation"])
def test_what_is_not_public_is_not_listed(name: str) -> None:
    assert name not in dir(dm)
