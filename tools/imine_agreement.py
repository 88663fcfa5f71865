"""The embedded results of the study of people's preferences, computed from the organisers' files.

    python -m tools.imine_agreement FOLDER

FOLDER holds the files as `divmetrics.research.papers.preferences` reads them. Writes the tables of the study
to divmetrics/research/datasets/imine_agreement.NAME.csv.gz, numbers with six decimals. The tables hold no
judge's answer and no figures by topic. The same input gives the same bytes.
"""

from __future__ import annotations

import warnings
from dataclasses import fields
from pathlib import Path

import divmetrics as dm
from divmetrics.research.datasets.imine_agreement import DECIMALS
from divmetrics.research.papers.preferences import Study, study
from tools.stored_tables import folders, save_table


def compute_study(folder: str | Path) -> Study:
    """Compute the study with rounded numbers, as they are embedded."""
    with warnings.catch_warnings():
        # A subtopic's second-level probabilities are all 0 and taken to be equal: known.
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        tables = study(folder)
    return Study(*(getattr(tables, field.name).round(DECIMALS) for field in fields(tables)))


def main(folder: str) -> None:
    tables = compute_study(folder)
    for field in fields(tables):
        save_table(f"imine_agreement.{field.name}.csv.gz", getattr(tables, field.name))


if __name__ == "__main__":
    main(*folders("tools.imine_agreement", "FOLDER"))
