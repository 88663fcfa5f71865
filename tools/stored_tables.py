"""Writing of the tables that come with the library."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pandas as pd

from divmetrics.atomic_files import save

DATASETS = Path(__file__).resolve().parent.parent / "divmetrics" / "research" / "datasets"


def save_table(name: str, table: pd.DataFrame) -> None:
    """Write a table as csv, or gz if the name ends so; the same table gives the same bytes."""
    data = table.to_csv(index=False, lineterminator="\n").encode()
    path = DATASETS / name
    save(path, gzip.compress(data, 9, mtime=0) if name.endswith(".gz") else data)
    print(f"{path}: {path.stat().st_size:,} bytes")


def folders(tool: str, *names: str) -> list[str]:
    """Return the folders on the command line; exit with the usage of the tool unless there is one a name."""
    if len(sys.argv) - 1 != len(names):
        sys.exit(f"usage: python -m {tool} {' '.join(names)}")
    return sys.argv[1:]
