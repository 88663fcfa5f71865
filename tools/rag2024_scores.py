"""The embedded nugget scores of three systems on topics of the TREC 2024 RAG track.

    python -m tools.rag2024_scores FOLDER

FOLDER holds the assignments of pyterrier-nuggetizer (its data/assignments). Writes rag2024.csv.gz in
divmetrics/research/datasets: a row per run and topic, and a column per score. The same input gives the same
bytes.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pandas as pd

import divmetrics as dm
from tools.stored_tables import save_table

METRICS = [f"nuggetizer:{score}" for score in ("A", "V", "W", "A_strict", "V_strict", "W_strict")]
FILES = {
    "Command R+": "baseline_rag24.test_command-r-plus_top20.jsonl",
    "GPT-4o": "baseline_rag24.test_gpt4o_top20.jsonl",
    "Llama 3.1": "baseline_rag24.test_l31_70b_instruct_top20.jsonl",
}


def table(folder: str | Path) -> pd.DataFrame:
    """Return a row per run and topic: these, and a column per score."""
    return pd.concat([_of_run(Path(folder) / file, run) for run, file in FILES.items()], ignore_index=True)


def _of_run(assignments: Path, run: str) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)  # labels that a model invented count as none
        scores = dm.evaluate(assignments, None, METRICS)
    wide = scores.pivot(index="topic", columns="metric", values="score")[METRICS].reset_index()
    wide.insert(0, "run", run)
    return wide


def main(folder: str) -> None:
    save_table("rag2024.csv.gz", table(folder))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.rag2024_scores FOLDER")
    main(sys.argv[1])
