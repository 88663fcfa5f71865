"""Text and JSON from submissions, in a form that any later step can store and print."""

from __future__ import annotations

import json
import re
from typing import Any

NUMBER = re.compile(r"-?[\d.]+(e[-+]?\d+)?")
# These turn what follows round, so that a name or a line of code looks like another.
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def clean_text(text: str) -> str:
    """Replace by question marks what UTF-8 cannot encode (a lone surrogate) and marks of direction."""
    return TURNING.sub("?", text.encode("utf-8", "replace").decode("utf-8"))


def inert(text: str) -> str:
    """Return a text in which no spreadsheet finds a formula, whatever it takes for a separator."""
    return re.sub(r"(^|[;,\t\r\n])(?=[\s\"']*[=+@|-])", r"\1'", text) if not NUMBER.fullmatch(text) else text


def read_json(text: str | bytes) -> Any:
    """Parse JSON whose texts are all clean; raises ValueError or RecursionError for what is no JSON."""
    value = json.loads(text)
    # JSON can escape half of an emoji; written out once more without escapes, it is cleaned as text is.
    return json.loads(clean_text(json.dumps(value, ensure_ascii=False)))
