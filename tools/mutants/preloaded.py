"""Run pytest again and again, each time in a fork of one process that has imported large packages already.

    python -m tools.mutants.preloaded PACKAGE...

Each line of the standard input is a JSON list: seconds to wait, options of pytest, and groups of tests, which
run one after another until one fails. The answer is a line of JSON: the last exit status, which is negative
if the time was up, and the output.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from tempfile import TemporaryFile
from threading import Timer

import pytest


def run_until_failure(options: list[str], groups: list[list[str]]) -> int:
    """Run groups of tests until one fails, and return the last exit status."""
    for tests in groups:
        status = pytest.main([*options, *tests])
        if status == pytest.ExitCode.USAGE_ERROR:  # tests have other names now; run all of their files
            status = pytest.main([*options, *{test.partition("::")[0] for test in tests}])
        if status != pytest.ExitCode.OK:
            return int(status)
    return 0


def main() -> None:
    """Import the packages, and answer every line of the standard input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and so the tests are killed
    for package in sys.argv[1:]:
        import_module(package)
    for line in sys.stdin:
        timeout, options, groups = json.loads(line)
        with TemporaryFile("w+", encoding="utf-8") as output:
            child = os.fork()
            if not child:
                become_tests(output.fileno())
                status = run_until_failure(options, groups)
                sys.stdout.flush()
                os._exit(status)
            timer = Timer(timeout, kill_group, (child,))
            timer.start()
            try:
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            finally:
                timer.cancel()
                kill_group(child)
            output.seek(0)
            print(json.dumps([status, output.read()]), flush=True)


def become_tests(output: int) -> None:
    """Make this process the first of a group, which reads nothing and writes to a file."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)


def kill_group(leader: int) -> None:
    """Kill a process and all that it started, as far as they still run."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


if __name__ == "__main__":
    main()
