"""The embedded counts of D#-nDCG and DIN#-nDCG by Ef-P; computed from the files of TREC Web 2009 and 2012.

    python -m tools.trec_navigational FOLDER_2009 FOLDER_2012

Each folder holds topics.xml and qrels.diversity.gz. Writes trec.navigational.csv in
divmetrics/research/datasets: counts of pairs of made-up lists, without judgments or documents. The same input
gives the same bytes.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd

import divmetrics as dm
from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsWarning
from divmetrics.research.datasets.trec2012 import PROBABILITIES
from divmetrics.research.datasets.trec_navigational import NAVIGATIONAL
from divmetrics.research.meta import concordance
from divmetrics.research.papers.sakai2012.collections import (
    binary,
    count_shared,
    weighted,
    with_all_shared,
    with_made_up_runs,
    with_navigational,
)
from divmetrics.research.papers.trec_web_2009 import read_judgments
from tools.stored_tables import folders, save_table

METRICS = ["D#-nDCG", "DIN#-nDCG", "Ef-P"]
CUTOFFS, RUNS, SEEDS = (5, 10, 20), 20, range(6)
COLUMNS = ["year", "grades", "shared", "probabilities", "seed", "cutoff"]
COLUMNS += ["documents", "shared_documents", "only_D", "only_DIN"]


def table(folder: str | Path, year: int, grades: str, shared: str) -> pd.DataFrame:
    """Return the counts of one year, for each seed, weighting and cutoff."""
    judged = with_navigational(read_judgments(folder))
    judged = binary(judged) if grades == "binary" else judged
    rows = []
    for seed in SEEDS:
        of_seed = judged if shared == "as judged" else with_all_shared(judged, seed)
        shared_documents, documents = count_shared(of_seed)
        for probabilities in PROBABILITIES:
            choice = [year, grades, shared, probabilities, seed]
            scores = _scores(weighted(of_seed, probabilities), seed)
            rows += [
                [*choice, cutoff, documents, shared_documents, *_right_alone(scores, cutoff)]
                for cutoff in CUTOFFS
            ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _scores(collection: Collection, seed: int) -> pd.DataFrame:
    names = [name for cutoff in CUTOFFS for name in _at(cutoff)]
    return dm.evaluate(with_made_up_runs(collection, RUNS, seed), None, names, gain="exponential")


def _right_alone(scores: pd.DataFrame, cutoff: int) -> tuple[int, int]:
    names = _at(cutoff)
    row = concordance(scores, names[-1], names[:-1]).iloc[0]
    return int(row["only_a"]), int(row["only_b"])


def _at(cutoff: int) -> list[str]:
    return [f"{name}@{cutoff}" for name in METRICS]


def main(folder_2009: str, folder_2012: str) -> None:
    warnings.simplefilter("ignore", DivmetricsWarning)  # unjudged documents are not relevant
    settings = [(folder_2009, 2009, "binary")]
    settings += [(folder_2012, 2012, grades) for grades in ("binary", "graded")]
    save_table(
        NAVIGATIONAL,
        pd.concat([table(*each, shared) for each in settings for shared in ("as judged", "all")]),
    )


if __name__ == "__main__":
    main(*folders("tools.trec_navigational", "FOLDER_2009", "FOLDER_2012"))
