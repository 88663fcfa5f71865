"""Folders of data that readers name on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from divmetrics.errors import DivmetricsError


def data_folder(folder: str | os.PathLike[str], expected: str) -> Path:
    """Return the path of a folder; raise DivmetricsError if it is none.

    `expected` describes the folder in the message, such as "the folder of the IMine files".
    """
    root = Path(folder)
    if not root.is_dir():
        what = "is a file" if root.exists() else "does not exist"
        raise DivmetricsError(f"{root}: {what}, expected {expected}; name that folder")
    return root


def first_file(root: Path, names: Iterable[str]) -> Path | None:
    """Return the first of the named files or folders that exists, plain or gz; None if none does."""
    candidates = (root / f"{name}{ending}" for name in names for ending in ("", ".gz"))
    return next((path for path in candidates if path.exists()), None)
