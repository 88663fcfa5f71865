"""The embedded scores of eight runs on TREC 2012 topics, computed from the track's files.

    python -m tools.trec2012_scores FOLDER

FOLDER holds topics.xml, qrels.diversity.gz and the runs in runs/. Writes trec2012.csv.gz in
divmetrics/research/datasets: a row per probabilities, gain, run and topic with the topic's type and kinds of
intents, and a column per metric. The same input gives the same bytes.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd

import divmetrics as dm
from divmetrics.research.datasets.trec2012 import GAINS, PROBABILITIES
from divmetrics.research.papers.sakai2012.collections import binary, weighted
from divmetrics.research.papers.sakai2012.experiments import METRICS
from divmetrics.research.papers.trec_web_2009 import read_judgments
from tools.stored_tables import folders, save_table


def table(folder: str | Path) -> pd.DataFrame:
    """Return a row per probabilities, gain, run and topic: these, the topic's kinds, a column per metric."""
    runs = dm.load_runs(sorted((Path(folder) / "runs").glob("*.gz")))
    graded = read_judgments(folder).covered().with_runs(runs)
    collections = {"exponential": graded, "binary": binary(graded)}
    return pd.concat(
        [
            _wide(weighted(collections[gain], probabilities), probabilities, gain)
            for probabilities in PROBABILITIES
            for gain in GAINS
        ],
        ignore_index=True,
    )


def _wide(collection: dm.Collection, probabilities: str, gain: str) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)  # documents never judged are known
        scores = dm.evaluate(collection, None, METRICS, gain="exponential")
    wide = scores.pivot(index=["run", "topic"], columns="metric", values="score")[list(METRICS)].reset_index()
    topics = [collection.pools[topic].topic for topic in wide["topic"]]
    wide.insert(0, "probabilities", probabilities)
    wide.insert(1, "gain", gain)
    wide.insert(4, "type", [topic.type for topic in topics])
    for place, kind in enumerate(("informational", "navigational"), 5):
        wide.insert(place, kind, [sum(intent.kind == kind for intent in topic.intents) for topic in topics])
    return wide


def main(folder: str) -> None:
    save_table("trec2012.csv.gz", table(folder))


if __name__ == "__main__":
    main(*folders("tools.trec2012_scores", "FOLDER"))
