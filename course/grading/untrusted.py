"""Text and JSON from submissions, in a form that any later step can store and print."""

from __future__ import annotations

import json
from typing import Any


def clean_text(text: str) -> str:
    """Replace every code point that UTF-8 cannot encode (a lone surrogate) by a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_json(text: str | bytes) -> Any:
    """Parse JSON whose texts are all clean; raises ValueError or RecursionError for what is no JSON."""
    value = json.loads(text)
    # JSON can escape half of an emoji; written out once more without escapes, it is cleaned as text is.
    return json.loads(clean_text(json.dumps(value, ensure_ascii=False)))
