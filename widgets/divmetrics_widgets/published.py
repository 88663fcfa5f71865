"""The address of the course's book, and that of the page of the running notebook."""

from __future__ import annotations

import importlib.metadata
import json
import os
from functools import cache
from pathlib import Path

SETTING = "Documentation"  # the key in [project.urls] of pyproject.toml
NOTEBOOK = "JPY_SESSION_NAME"  # environment variable in which a Jupyter server passes the notebook's path


@cache
def address() -> str:
    """Return the address of the book; "" if it is unknown."""
    try:
        urls = importlib.metadata.metadata("divmetrics").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:  # the files alone, not installed
        return ""
    url_by_label = dict(line.split(", ", 1) for line in urls)
    return url_by_label.get(SETTING, "").rstrip("/")


def page() -> str:
    """Return the address of the running notebook's page; "" for a notebook outside the course."""
    notebook = Path(Path(os.environ.get(NOTEBOOK, "")).name)  # a kernel runs in its notebook's folder
    if not address() or notebook.suffix != ".ipynb":
        return ""
    try:
        metadata = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["divmetrics"]
    except (OSError, ValueError, LookupError, TypeError):  # moved, half-written, or another notebook
        return ""
    return f"{address()}/notebooks/{notebook.stem}.html" if "lesson" in metadata else ""
