"""A process of its own in which a package is not installed."""

from __future__ import annotations

import subprocess
import sys


def refused_without(package: str, module: str) -> str:
    """The last line that importing the module prints where there is no such package."""
    code = f"import sys; sys.modules[{package!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stderr.splitlines()[-1]
