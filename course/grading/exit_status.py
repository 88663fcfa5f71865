"""How a command of the grader ends: with a status, and with one line where something was wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable

from divmetrics.errors import DivmetricsError


def done(work: Callable[[], object]) -> int:
    """Do it: 0, 2 with the line that says what is wrong, or 130 where it was stopped by Ctrl-C."""
    try:
        work()
    except DivmetricsError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "Stopped by Ctrl-C. What is graded is kept; the same command goes on from there.", file=sys.stderr
        )
        return 130
    return 0
