"""Generate a synthetic collection from a seed: topics, judgments and runs by a recipe."""

from __future__ import annotations

from typing import Any

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.collection import Collection
from divmetrics.research.datasets.recipe import Recipe, recipe
from divmetrics.research.datasets.simulated_judgments import judge, make_topics
from divmetrics.research.datasets.simulated_runs import make_runs


@public
def synthetic(preset: str | Recipe | None = None, *, seed: int = 0, **knobs: Any) -> Collection:
    """Generate a synthetic collection with runs: the same for the same seed, preset and parameters.

    Parameters
    ----------
    preset : str or Recipe, optional
        "imine", "imine-cn", "intent-1" or "trec-web-2009", with counts that follow the published counts of
        this collection (see `published_statistics`); or a recipe. By default, a small collection.
    seed : int
        The seed, at least 0.
    **knobs : Any
        Fields of `Recipe` to change, such as topics=5, probabilities="nonuniform",
        runs={"plain": (0.7, 0.0), "diverse": (0.7, 1.0)}.

    Returns
    -------
    Collection
        Topics "1", "2", ... (with leading zeros, so that ids have one length), judgments and runs. Intents
        are t1, t2, ..., second-level subtopics e1, e2, ...; documents are named d<topic>-<number>, in no
        order of relevance.

    Raises
    ------
    DivmetricsError
        If the preset or a parameter is unknown, or a value is out of range.

    Notes
    -----
    Everything but the counts is synthetic: there is no document, judgment or run of a real collection.

    A system has two parameters in 0..1. It guesses the relevance of each document to each intent: `quality`
    times the truth (grade / Y), the rest noise. Then it repeatedly picks the document with the largest sum
    over intents of weight x guess. With `diversification` 0 the weights are the probabilities, biased at
    random per system, and stay; with 1 they start equal, and a document guessed to be fully relevant to an
    intent halves the weight of that intent. A list depends on the run's name and parameters, the seed and the
    judgments, not on other runs.

    Every listed document is judged unless `unjudged` is set: then some documents without relevance are not.

    Examples
    --------
    >>> from divmetrics.research.datasets import synthetic
    >>> synthetic("imine", topics=4, runs={"plain": (0.7, 0.0), "diverse": (0.7, 1.0)})
    <collection: 4 topics, 2 runs, top grade Y = 2>
    """
    check_whole("seed", seed, 0)
    parameters = recipe(preset, **knobs)
    topics = make_topics(parameters, np.random.default_rng([seed, 0]))
    judged = judge(parameters, topics, np.random.default_rng([seed, 1]))
    return Collection({topic.judgments.topic.id: topic.judgments for topic in judged}).with_runs(
        make_runs(parameters, judged, seed)
    )
