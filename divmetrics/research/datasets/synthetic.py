"""A synthetic collection from a seed: topics, judgments and systems as a recipe asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import whole
from divmetrics.core.collection import Collection
from divmetrics.research.datasets.recipe import Recipe, recipe
from divmetrics.research.datasets.simulated_judgments import judge, make_topics
from divmetrics.research.datasets.simulated_runs import make_runs


@public
def synthetic(preset: str | Recipe | None = None, *, seed: int = 0, **knobs: Any) -> Collection:
    """A made-up collection with runs: the same for the same seed, preset and knobs.

    Parameters
    ----------
    preset : "imine", "imine-cn", "intent-1" or "trec-web-2009", whose counts follow the published ones of
        that collection (`published_statistics` lists them with their sources); None: small and mixed
    seed : a whole number of at least 0
    knobs : fields of `Recipe` to set otherwise, such as topics=5, probabilities="nonuniform",
        runs={"plain": (0.7, 0.0), "diverse": (0.7, 1.0)}

    Notes
    -----
    Everything but the counts is ours: no document, judgment or run of a real collection is in it.

    A system has two knobs in 0..1. It guesses how relevant each document is to each intent: `quality` times
    the truth (grade / Y), the rest noise. Then it picks, again and again, the document with the largest sum
    over the intents of need x guess. With `diversification` 0 the needs follow the probabilities, bent by a
    taste of its own, and stay; with 1 they start equal, and a document that is guessed to be fully relevant
    to an intent halves the need for another one. A list depends on the run's name, its knobs, the seed and
    the judgments, not on the other runs.

    Documents are named d<topic>-<number>, in no order of relevance. Every listed document is judged, unless
    `unjudged` is set: then some of those without relevance are not.

    Raises DivmetricsError for an unknown preset or knob and for a value out of range.
    """
    whole("seed", seed, 0)
    chosen = recipe(preset, **knobs)
    topics = make_topics(chosen, np.random.default_rng([seed, 0]))
    judged = judge(chosen, topics, np.random.default_rng([seed, 1]))
    return Collection({topic.pool.topic.id: topic.pool for topic in judged}).with_runs(
        make_runs(chosen, judged, seed)
    )
