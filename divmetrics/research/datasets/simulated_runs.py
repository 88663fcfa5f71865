"""Generate runs of systems from their quality and diversification."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np

from divmetrics.core.runs import Run
from divmetrics.research.datasets.recipe import Recipe
from divmetrics.research.datasets.simulated_judgments import JudgedTopic

# Sigma of the log-normal bias in the intent weights of a system that does not diversify.
BIAS = 1.5


def make_runs(recipe: Recipe, judged: Sequence[JudgedTopic], seed: int) -> list[Run]:
    """Generate one run per system of the recipe; a run does not depend on the other systems."""
    ease = np.random.default_rng([seed, 2]).normal(0, recipe.difficulty, len(judged))
    runs = []
    for name, (quality, diversification) in recipe.systems.items():
        random = np.random.default_rng([seed, 3, zlib.crc32(name.encode())])
        lists = {
            topic.judgments.topic.id: _ranked(
                topic, recipe, _shifted(quality, ease[t]), diversification, random
            )
            for t, topic in enumerate(judged)
        }
        runs.append(Run.of(name, lists))
    return runs


def _shifted(quality: float, ease: float) -> float:
    """Return the quality after adding `ease`, the ease of a topic, to its log-odds; 0 and 1 do not change."""
    if quality in (0, 1):
        return quality
    return 1 / (1 + math.exp(-ease) * (1 - quality) / quality)


def _ranked(
    topic: JudgedTopic, recipe: Recipe, quality: float, diversification: float, random: np.random.Generator
) -> tuple[str, ...]:
    """Rank documents greedily by the weighted sum of guessed relevance."""
    truth = topic.truth / recipe.scale
    guess = quality * truth + (1 - quality) * random.random(truth.shape)
    probabilities = np.array([intent.probability for intent in topic.judgments.topic.intents])
    weight = (probabilities * random.lognormal(0, BIAS, len(probabilities))) ** (1 - diversification)
    need = weight / weight.sum()
    ranking: list[int] = []
    for _ in range(recipe.depth):
        values = need @ guess
        values[ranking] = -1  # below every document that is not ranked yet
        best = int(values.argmax())
        ranking.append(best)
        need = need * (1 - diversification * guess[:, best] / 2)
    return tuple(topic.docs[i] for i in ranking)
