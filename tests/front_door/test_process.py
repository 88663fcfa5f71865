"""What the process of the command line sets before anything else, and no other process does."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

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
