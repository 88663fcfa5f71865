"""The embedded scores of eight runs of TREC Web 2012 under the metrics of Sakai et al. (2010).

    python -m tools.sakai2010_scores FOLDER

FOLDER holds topics.xml and qrels.diversity of TREC Web 2012 and the runs in runs/*.txt; files may be gz.
Writes sakai2010.trec2012.csv.gz in divmetrics/research/datasets: a row per kind of judgments, run and topic,
and a column per metric. The same input gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import divmetrics as dm
from divmetrics.research.papers.sakai2010.evidence import scores
from divmetrics.research.papers.sakai2010.printed import METRICS
from divmetrics.research.papers.sakai2012.collections import binary
from divmetrics.research.papers.trec_web_2009 import read_judgments
from tools.stored_tables import folders, save_table


def table(folder: str | Path) -> pd.DataFrame:
    """Return a row per kind of judgments, run and topic: judgments, run, topic, one column per metric."""
    graded = read_judgments(folder).covered().nonuniform()
    runs = dm.load_runs(sorted(Path(folder, "runs").glob("*.txt*")), "rank")
    tables = [
        scores(collection.with_runs(runs))
        .pivot(index=["run", "topic"], columns="metric", values="score")[list(METRICS)]
        .reset_index()
        .assign(judgments=name)
        for name, collection in (("binary", binary(graded)), ("graded", graded))
    ]
    both = pd.concat(tables, ignore_index=True).rename_axis(columns=None)
    both["run"] = both["run"].str.removeprefix("runs/").str.split(".").str[0]
    return both[["judgments", "run", "topic", *METRICS]]


def main(folder: str) -> None:
    save_table("sakai2010.trec2012.csv.gz", table(folder))


if __name__ == "__main__":
    main(*folders("tools.sakai2010_scores", "FOLDER"))
