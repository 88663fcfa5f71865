"""The grader's process inside the sandbox: runs cells and reports what they handed in.

It reads a line of JSON per task and replies with one. It has no key and compares nothing. A submission's code
runs in the same process and may manipulate it, but can only change its own answers.
"""

from __future__ import annotations

import builtins
import contextlib
import copy
import json
import os
import resource
import signal
import sys
from typing import Any

MEMORY = 3 * 2**30
PROCESSES = 64
FILE = 64 * 2**20
SECONDS = 600


def limit(alone: bool) -> None:
    """Limit memory, file size and CPU time; if `alone` in a namespace, the number of processes, too."""
    wanted = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": FILE, "RLIMIT_CPU": SECONDS, "RLIMIT_CORE": 0}
    if alone:
        wanted["RLIMIT_NPROC"] = PROCESSES
    for name, most in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):  # a system that does not have it
            resource.setrlimit(getattr(resource, name), (most, most))


def main() -> None:
    """Serve tasks until standard input ends."""
    tasks = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What a submission prints goes nowhere.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    limit("alone" in sys.argv)

    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    from divmetrics_widgets import hand_in
    from divmetrics_widgets.handing_in import FUNCTIONS, MIME, written

    handed: list[Any] = []

    class Publisher(DisplayPublisher):
        """A display publisher that keeps submitted answers and drops everything else."""

        def publish(self, data: Any, *args: Any, **others: Any) -> None:
            if MIME in data:
                handed.append(copy.deepcopy(data[MIME]))

    InteractiveShell.display_pub_class.default_value = Publisher
    shell = InteractiveShell.instance(colors="NoColor", history_manager=None)
    shell.display_pub = Publisher(parent=shell)

    def run(source: str, locked: bool, seconds: float) -> dict[str, Any]:
        handed.clear()
        if locked:  # whatever an earlier cell has put in its place
            shell.user_ns["hand_in"] = hand_in
        late = []

        def stop(*_: Any) -> None:
            late.append(True)
            raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        result = shell.run_cell(source, store_history=False)
        signal.setitimer(signal.ITIMER_REAL, 0)
        error = result.error_before_exec or result.error_in_exec
        text = None if error is None else describe(error)
        return {"handed": list(handed), "error": text, "late": bool(late)}

    def call(question: str, cases: list[list[Any]]) -> dict[str, Any]:
        results: list[Any] = []
        for case in cases:
            try:
                results.append({"value": written(FUNCTIONS[question](*map(to_array, case)))})
            except BaseException as error:  # its message could reveal a case
                results.append({"error": kind(error)})
        return {"results": results}

    def reply(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    reply({"done": "start"})
    for line in tasks:
        task = json.loads(line)
        if "source" in task:
            reply({"done": task["name"], **run(task["source"], task["locked"], task["seconds"])})
        else:
            reply({"done": task["name"], **call(task["question"], task["cases"])})


def to_array(value: Any) -> Any:
    """Convert a table of numbers to an array, which JSON lacks; return any other value unchanged."""
    rows = value if isinstance(value, list) and all(isinstance(row, list) for row in value) else []
    if not rows or not all(isinstance(each, (int, float)) for row in rows for each in row):
        return value
    import numpy as np

    return np.array(rows)


def kind(error: BaseException) -> str:
    """Return the name of a built-in error; any other name could carry a secret, so it is replaced."""
    name = type(error).__name__
    return name if getattr(builtins, name, None) is type(error) else "an error of its own"


def describe(error: BaseException) -> str:
    """Format an error in one line."""
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except Exception:
        return kind(error)


if __name__ == "__main__":
    main()
