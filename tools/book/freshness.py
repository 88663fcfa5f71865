"""Pages of a site that are older than what they were made from.

A page shows what the library computed, so it is made from its own file and from the library.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from divmetrics.atomic_files import save
from tools.notebook_files import FOLDER

ROOT = FOLDER.parent
DIGESTS = "made_from.json"
# What the numbers of a page come from; and what else decides how it looks.
LIBRARY = ("divmetrics", "widgets", "notebooks/solutions", "examples")
BOOK = ("tools/book",)
IGNORED = {"__pycache__", ".ipynb_checkpoints"}


def digest(files: Iterable[Path]) -> str:
    """Compute a digest of the names and bytes of files."""
    checksum = hashlib.sha256()
    for file in files:
        checksum.update(f"{file.name}\0".encode())
        checksum.update(file.read_bytes())
    return checksum.hexdigest()[:16]


@cache
def of_folders(*names: str) -> str:
    """Compute the digest of all files in these folders of the project."""
    files = {file for name in names for file in (ROOT / name).rglob("*") if IGNORED.isdisjoint(file.parts)}
    return digest(sorted(file for file in files if file.is_file()))


def computed_from(source: Path) -> str:
    """Compute the digest of a page's file and the library."""
    return f"{digest([source])}-{of_folders(*LIBRARY)}"


def page_digest(source: Path) -> str:
    """Compute the digest of a page's file, the library and the code that makes pages."""
    return f"{computed_from(source)}-{of_folders(*BOOK)}"


def current(sources: Mapping[str, Path]) -> dict[str, str]:
    """Return the digest of each page as it would be made now; `sources` maps its address to its file."""
    return {page: page_digest(source) for page, source in sorted(sources.items())}


def remember(site: Path, digests: Mapping[str, str]) -> None:
    """Write the digests of the sources into the site: `current`, as it was when the build began."""
    save(site / DIGESTS, json.dumps(digests, indent=1) + "\n")


def stale(site: Path, sources: Mapping[str, Path]) -> list[str]:
    """Return each page that would come out differently now, is missing, or should be gone."""
    record = site / DIGESTS
    before = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    now = current(sources)
    return sorted(page for page in {*now, *before} if before.get(page) != now.get(page))
