"""The embedded scores of the IMine runs, computed from the organisers' files.

    python -m tools.imine_scores FOLDER

FOLDER holds the files as `divmetrics.research.papers.imine` reads them. Writes imine.en.csv.gz and
imine.cn.csv.gz in divmetrics/research/datasets: a row per run and topic with the topic's type, the number of
documents returned, and a column per metric. The same input gives the same bytes.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd

import divmetrics as dm
from divmetrics.research.datasets.imine import LANGUAGES
from divmetrics.research.papers.imine import imine
from divmetrics.research.papers.yu2017 import evidence
from tools.stored_tables import folders, save_table

IA = ("P-IA", "AP-IA", "ERR-IA", "nDCG-IA", "Q-IA", "RBP-IA", "EBR-IA", "iRBU-IA")
GLOBAL = ("nDCG", "Q", "ERR", "EBR", "RBP")
FLAT = (
    *("S-recall", *IA, "alpha-nDCG", "NRBP"),
    *(f"D-{name}" for name in GLOBAL),
    *(f"D#-{name}" for name in GLOBAL),
)
SQUARE = tuple(f"{name.removesuffix('-IA')}-IS" for name in FLAT)
PATIENCE = ("RBP-IA(phi=0.5)", "RBP-IA(phi=0.85)")
GOLD = ("I-rec", "Ef-P")
AT = (10, 20)
METRICS = (
    *(f"{name}@{k}" for name in (*FLAT, *SQUARE, *PATIENCE, *GOLD) for k in AT),
    *(f"{name}@{k}" for name in evidence.METRICS for k in evidence.CUTOFFS if k not in AT),
)


def tables(folder: str | Path) -> dict[str, pd.DataFrame]:
    """Return by language a row per run and topic: run, topic, type, documents, one column per metric."""
    with warnings.catch_warnings():
        # Topics not answered are in the table; documents never judged are many, and known.
        warnings.simplefilter("ignore", dm.DivmetricsWarning)
        return {language: _table(imine(folder, language).uniform()) for language in LANGUAGES}


def _table(collection: dm.Collection) -> pd.DataFrame:
    scores = dm.evaluate(collection, None, METRICS)
    wide = scores.pivot(index=["run", "topic"], columns="metric", values="score")[list(METRICS)].reset_index()
    rows = list(zip(wide["run"], wide["topic"], strict=True))
    wide.insert(2, "type", [collection.pools[topic].topic.type for _, topic in rows])
    wide.insert(3, "documents", [len(collection.runs[run].list(topic)) for run, topic in rows])
    return wide


def main(folder: str) -> None:
    for language, table in tables(folder).items():
        save_table(f"imine.{language}.csv.gz", table)


if __name__ == "__main__":
    main(*folders("tools.imine_scores", "FOLDER"))
