"""Read a folder of the diversity task of TREC Web 2009, which Sakai et al. (2010) and Sakai (2012) use."""

from __future__ import annotations

import os
from pathlib import Path

from divmetrics.core.collection import Collection
from divmetrics.errors import DivmetricsError
from divmetrics.io.loading import load_collection
from divmetrics.research.datasets.recipe import Recipe
from divmetrics.research.datasets.simulated_judgments import JudgedTopic
from divmetrics.research.datasets.simulated_runs import make_runs
from divmetrics.research.papers.data_folders import data_folder, first_file

TOPICS = tuple(map(str, range(1, 51)))
# Candidate names of the files, the first that exists counts; each may end in .gz.
FILES = {
    "topics": ("topics.xml", "wt09.topics.full.xml"),
    "judgments": ("qrels.diversity", "qrels.diversity.txt"),
}


def read_judgments(folder: str | os.PathLike[str]) -> Collection:
    """Read topics.xml and qrels.diversity of a folder as a collection without runs.

    Raises DivmetricsError if a file is missing or invalid. Which topics there are is not checked (see
    `check_topics`).
    """
    root = data_folder(folder, "the folder with topics.xml and qrels.diversity of TREC Web 2009")
    files: dict[str, Path] = {}
    for content, names in FILES.items():
        file = first_file(root, names)
        if file is None:
            raise DivmetricsError(
                f"{root}: the {content} of TREC Web 2009 are missing, expected {' or '.join(names)}; add the "
                "file or name the folder that has it"
            )
        files[content] = file
    return load_collection(files["judgments"], files["topics"])


def check_topics(folder: str | os.PathLike[str], judged: Collection) -> None:
    """Raise DivmetricsError unless exactly the topics 1 to 50 of 2009 are judged; it names the folder."""
    other = sorted(judged.pools.keys() ^ set(TOPICS), key=lambda topic: (topic in judged.pools, topic))
    if other:
        what = "is judged" if other[0] in judged.pools else "is not judged"
        raise DivmetricsError(
            f"{os.fspath(folder)}: topic {other[0]} {what}, expected topics {TOPICS[0]} to {TOPICS[-1]} of "
            "TREC Web 2009; name the folder of that track"
        )


def run_files(folder: str | os.PathLike[str]) -> list[Path]:
    """Return the files of a folder of runs, sorted by name, without hidden files.

    Raises DivmetricsError if it is no folder.
    """
    root = data_folder(folder, "the folder with the runs of TREC Web 2009, a file for each")
    return sorted(path for path in root.iterdir() if path.is_file() and not path.name.startswith("."))


def with_runs_of(collection: Collection, recipe: Recipe, seed: int) -> Collection:
    """Return the collection with runs of the recipe's systems, which rank judged documents only."""
    judged = [JudgedTopic(tuple(pool.docs), pool.grades, pool) for pool in collection.pools.values()]
    return collection.with_runs(make_runs(recipe, judged, seed))
