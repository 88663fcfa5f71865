"""Tell whether this Python can start threads; in a browser it cannot."""

from __future__ import annotations

import sys


def can_start() -> bool:
    """Return whether this Python can start threads; it cannot in a browser (Pyodide)."""
    return sys.platform != "emscripten"
