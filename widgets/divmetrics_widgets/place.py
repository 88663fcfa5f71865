"""The identity of a widget by its cell, by which a browser recognises its successor in a new kernel."""

from __future__ import annotations

from collections import Counter
from typing import Any

from IPython.core.getipython import get_ipython

_counts: dict[str, Counter[str]] = {}  # {id of the last execute message: number of widgets by kind}


def place(kind: str) -> str:
    """Return the id of the running cell, the kind and the number of the widget in it; "" outside a cell."""
    parent: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)()
    cell = parent.get("metadata", {}).get("cellId")
    if not cell:
        return ""
    message = parent["header"]["msg_id"]
    if message not in _counts:
        _counts.clear()
        _counts[message] = Counter()
    _counts[message][kind] += 1
    return f"{cell} {kind} {_counts[message][kind]}"
