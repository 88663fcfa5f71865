"""Execution of the notebooks for the book, outside the course's folder.

DIVMETRICS_BOOK=1 tells a kernel that it runs for a page. Results are cached under the digest of their
sources, so that only changed notebooks run again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.book.freshness import computed_from
from tools.execute_notebooks import execute
from tools.notebook_files import read, write

PROCESSES = 2


def executed(notebooks: Sequence[Path], cache: Path) -> dict[Path, NotebookNode]:
    """Run each notebook in a fresh kernel, cached in a folder; raises nbclient's errors."""
    cache.mkdir(parents=True, exist_ok=True)
    places = {path: cache / f"{path.stem}-{computed_from(path)}.ipynb" for path in notebooks}
    for old in set(cache.glob("*.ipynb")) - set(places.values()):
        old.unlink()
    missing = [path for path, place in places.items() if not place.exists()]
    with ProcessPoolExecutor(PROCESSES, initializer=_for_a_page) as pool:
        for path, text in zip(missing, pool.map(_run, missing), strict=True):
            write(nbformat.reads(text, as_version=4), places[path])
            print(f"{path.name}: done", flush=True)
    return {path: read(place) for path, place in places.items()}


def _for_a_page() -> None:
    os.environ["DIVMETRICS_BOOK"] = "1"
    # Notebooks call the command line by its name.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


def _run(path: Path) -> str:
    return nbformat.writes(execute(path))
