"""The embedded results of the experiments of Zhou et al. (2013), computed by divmetrics.

    python -m tools.zhou2013_experiments FOLDER

FOLDER holds the files of TREC FedWeb 2013. Writes power, concordance and pages to
divmetrics/research/datasets/zhou2013.NAME.csv.gz. The tables hold no judgments and no scores of single pages.
The same input gives the same bytes.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

from divmetrics.research.papers.zhou2013.evidence import read_fedweb
from divmetrics.research.papers.zhou2013.experiments import run_experiments

DATASETS = Path(__file__).resolve().parent.parent / "divmetrics" / "research" / "datasets"


def main(folder: str) -> None:
    experiments = run_experiments(read_fedweb(folder), progress=True)
    for field in fields(experiments):
        path = DATASETS / f"zhou2013.{field.name}.csv.gz"
        table = getattr(experiments, field.name)
        table.to_csv(path, index=False, lineterminator="\n", compression={"method": "gzip", "mtime": 0})
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.zhou2013_experiments FOLDER")
    main(sys.argv[1])
