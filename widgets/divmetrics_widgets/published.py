"""Where the course's book is published, and the page in it of the notebook that is running."""

from __future__ import annotations

import importlib.metadata
import json
import os
from functools import cache
from pathlib import Path

SETTING = "Documentation"  # in pyproject.toml, under [project.urls]
NOTEBOOK = "JPY_SESSION_NAME"  # an environment variable: what a Jupyter server says to a kernel


@cache
def address() -> str:
    """Of the book; "" while it is not known."""
    try:
        given = importlib.metadata.metadata("divmetrics").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:  # the files alone, not installed
        return ""
    known = dict(line.split(", ", 1) for line in given)
    return known.get(SETTING, "").rstrip("/")


def page() -> str:
    """The address of the running notebook's page; "" where it is none of the course or that is not known."""
    notebook = Path(Path(os.environ.get(NOTEBOOK, "")).name)  # a kernel runs in its notebook's folder
    if not address() or notebook.suffix != ".ipynb":
        return ""
    try:
        told = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["divmetrics"]
    except (OSError, ValueError, LookupError, TypeError):  # moved, half-written, or another notebook
        return ""
    return f"{address()}/notebooks/{notebook.stem}.html" if "lesson" in told else ""
