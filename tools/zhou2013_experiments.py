"""The embedded results of the experiments of Zhou et al. (2013), computed by divmetrics.

    python -m tools.zhou2013_experiments FOLDER

FOLDER holds the files of TREC FedWeb 2013. Writes power, concordance and pages to
divmetrics/research/datasets/zhou2013.NAME.csv.gz. The tables hold no judgments and no scores of single pages.
The same input gives the same bytes.
"""

from __future__ import annotations

from dataclasses import fields

from divmetrics.research.papers.zhou2013.evidence import read_fedweb
from divmetrics.research.papers.zhou2013.experiments import run_experiments
from tools.stored_tables import folders, save_table


def main(folder: str) -> None:
    experiments = run_experiments(read_fedweb(folder), progress=True)
    for field in fields(experiments):
        save_table(f"zhou2013.{field.name}.csv.gz", getattr(experiments, field.name))


if __name__ == "__main__":
    main(*folders("tools.zhou2013_experiments", "FOLDER"))
