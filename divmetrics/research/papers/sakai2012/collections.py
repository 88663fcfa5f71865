"""Collections as Sakai (2012) defines them: topics with a navigational intent, and two weightings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.research.datasets.recipe import Recipe
from divmetrics.research.papers.trec_web_2009 import with_runs_of


def weighted(collection: Collection, probabilities: str) -> Collection:
    """Return the collection with "uniform" or "nonuniform" probabilities of intents."""
    return collection.uniform() if probabilities == "uniform" else collection.nonuniform()


def binary(collection: Collection) -> Collection:
    """Return the collection with 1 in place of every positive grade."""
    pools = {
        t: replace(each, grades=(each.grades > 0).astype(np.int64)) for t, each in collection.pools.items()
    }
    return replace(collection, pools=Collection.on_one_scale(pools).pools)


def with_navigational(collection: Collection) -> Collection:
    """Return the topics with a navigational intent among their covered ones, and their covered intents only.

    An intent is covered if it has a relevant document.
    """
    covered = collection.covered()
    return covered.select(
        topic.id for topic in covered.topics if any(t.kind == "navigational" for t in topic.intents)
    )


def count_shared(collection: Collection) -> tuple[int, int]:
    """Count documents of navigational intents: those also relevant to an informational intent, and all."""
    shared = total = 0
    for judgments in collection.pools.values():
        relevant = judgments.grades > 0
        informational = _informational(judgments)
        of_navigational = relevant[~informational].any(axis=0)
        total += int(of_navigational.sum())
        shared += int((of_navigational & relevant[informational].any(axis=0)).sum())
    return shared, total


def with_all_shared(collection: Collection, seed: int) -> Collection:
    """Return the collection with every document of a navigational intent relevant to another one, too.

    That intent is an informational one, drawn at random. A topic without such intents is not changed.
    """
    random = np.random.default_rng(seed)
    pools = {}
    for topic, judgments in collection.pools.items():
        grades, informational = judgments.grades.copy(), _informational(judgments)
        rows = np.flatnonzero(informational)
        if len(rows):
            relevant = grades > 0
            alone = np.flatnonzero(relevant[~informational].any(axis=0) & ~relevant[rows].any(axis=0))
            grades[random.choice(rows, len(alone)), alone] = grades[:, alone].max(axis=0)
        pools[topic] = replace(judgments, grades=grades)
    return replace(collection, pools=pools)


def _informational(judgments: Judgments) -> np.ndarray:
    return np.array([intent.kind == "informational" for intent in judgments.topic.intents], dtype=bool)


def with_made_up_runs(collection: Collection, runs: int, seed: int) -> Collection:
    """Return the collection with made-up runs S1, S2, ... in place of its own, as many as `runs`.

    Each lists 20 judged documents for each topic, so every topic needs as many.
    """
    return with_runs_of(collection, Recipe(scale=collection.scale, runs=runs), seed)
