"""The embedded results of the measures of Sakai & Zeng (2019) on IMine, computed from the organisers' files.

    python -m tools.sakaizeng2019_on_imine FOLDER

FOLDER holds the files as `divmetrics.research.papers.preferences` reads them. Writes in
divmetrics/research/datasets the scores of both languages (sakaizeng2019.imine.LANGUAGE.csv.gz, a row per run
and topic, a column per measure, eight decimals), the agreement with people and the tests (with six decimals;
no judge's answer and no figures by topic). The same input gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from divmetrics.research.papers.sakaizeng2019.on_imine import imine_preferences, imine_tables, imine_utilities
from tools.stored_tables import folders, save_table

DECIMALS = 6


def compute_tables(folder: str | Path) -> dict[str, pd.DataFrame]:
    """Compute the tables as they are embedded, by the name of their file."""
    scores = imine_tables(folder)
    agreement, tests = (table.round(DECIMALS) for table in imine_preferences(folder, scores))
    return {
        **{f"sakaizeng2019.imine.{code}.csv.gz": table for code, table in scores.items()},
        "sakaizeng2019.imine.agreement.csv": agreement,
        "sakaizeng2019.imine.tests.csv": tests,
        "sakaizeng2019.imine.utilities.csv": imine_utilities(folder),
    }


def main(folder: str) -> None:
    for name, table in compute_tables(folder).items():
        save_table(name, table)


if __name__ == "__main__":
    main(*folders("tools.sakaizeng2019_on_imine", "FOLDER"))
