"""Where a widget was made, so that a browser knows the one that takes its place after the kernel's end."""

from __future__ import annotations

from collections import Counter
from typing import Any

from IPython.core.getipython import get_ipython

_made: dict[str, Counter[str]] = {}  # by the message that runs a cell, the last one alone: what it has made


def place(kind: str) -> str:
    """The cell that is running, and which widget of this kind it makes; "" where no notebook's cell runs."""
    parent: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)()
    cell = parent.get("metadata", {}).get("cellId")
    if not cell:
        return ""
    message = parent["header"]["msg_id"]
    if message not in _made:
        _made.clear()
        _made[message] = Counter()
    _made[message][kind] += 1
    return f"{cell} {kind} {_made[message][kind]}"
