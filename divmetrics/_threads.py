"""Tell whether this Python can start threads; in a browser it cannot."""

from __future__ import annotations

import sys


def can_start() -> bool:
    """Return whether threads exist here; without them, work is done one piece after the other."""
    return sys.platform != "emscripten"
