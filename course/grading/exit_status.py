"""Exit status of the grader's commands, with one line on stderr after an error."""

from __future__ import annotations

import sys
from collections.abc import Callable

from divmetrics.errors import DivmetricsError


def done(work: Callable[[], object]) -> int:
    """Run a command; return 0, 2 after a DivmetricsError (printed in one line), or 130 after Ctrl-C."""
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
