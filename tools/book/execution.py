"""Execution of the notebooks for the book, outside the course's folder.

DIVMETRICS_BOOK=1 tells a kernel that its outputs are for a page, too. Results are cached under the digest of
their sources, so that only changed notebooks run again; `make nbval` fills the same cache (nbval_cache.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from divmetrics_widgets.in_book import BOOK_VARIABLE
from tools.book.freshness import ROOT, computed_from
from tools.execute_notebooks import execute
from tools.notebook_files import read, write

PROCESSES = 2
WORK = ROOT / "build" / "book"
CACHE = "executed"  # the folder in WORK


def cache_file(notebook: Path, work: Path = WORK) -> Path:
    """Return where the executed form of a notebook is cached."""
    return work / CACHE / f"{notebook.stem}-{computed_from(notebook)}.ipynb"


def executed(notebooks: Sequence[Path], work: Path) -> dict[Path, NotebookNode]:
    """Run each notebook that is not in the cache in a fresh kernel; raises nbclient's errors."""
    (work / CACHE).mkdir(parents=True, exist_ok=True)
    files = {path: cache_file(path, work) for path in notebooks}
    for old in set((work / CACHE).glob("*.ipynb")) - set(files.values()):
        old.unlink()
    missing = [path for path, file in files.items() if not file.exists()]
    with ProcessPoolExecutor(PROCESSES, initializer=_for_a_page) as pool:
        for path, text in zip(missing, pool.map(_run, missing), strict=True):
            write(nbformat.reads(text, as_version=4), files[path])
            print(f"{path.name}: done", flush=True)
    return {path: read(file) for path, file in files.items()}


def _for_a_page() -> None:
    os.environ[BOOK_VARIABLE] = "1"
    # Notebooks call the command line by its name.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


def _run(path: Path) -> str:
    return nbformat.writes(execute(path))
