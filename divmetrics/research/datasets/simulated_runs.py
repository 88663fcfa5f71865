"""Made-up systems: lists whose relevance and diversification are set by two knobs."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np

from divmetrics.core.collection import Run
from divmetrics.research.datasets.recipe import Recipe
from divmetrics.research.datasets.simulated_judgments import JudgedTopic

# How far the needs of a system that does not diversify are bent by its taste: sigma of a log-normal.
TASTE = 1.5


def make_runs(recipe: Recipe, judged: Sequence[JudgedTopic], seed: int) -> list[Run]:
    """One run per system of the recipe; each depends on its own name and knobs, not on the other systems."""
    ease = np.random.default_rng([seed, 2]).normal(0, recipe.difficulty, len(judged))
    runs = []
    for name, (quality, diversification) in recipe.systems.items():
        random = np.random.default_rng([seed, 3, zlib.crc32(name.encode())])
        lists = {
            topic.pool.topic.id: _ranked(topic, recipe, _shifted(quality, ease[t]), diversification, random)
            for t, topic in enumerate(judged)
        }
        runs.append(Run.of(name, lists))
    return runs


def _shifted(quality: float, ease: float) -> float:
    """The quality on an easier or harder topic; 0 and 1 stay what they are."""
    if quality in (0, 1):
        return quality
    return 1 / (1 + math.exp(-ease) * (1 - quality) / quality)


def _ranked(
    topic: JudgedTopic, recipe: Recipe, quality: float, diversification: float, random: np.random.Generator
) -> tuple[str, ...]:
    truth = topic.truth / recipe.scale
    guess = quality * truth + (1 - quality) * random.random(truth.shape)
    chances = np.array([intent.probability for intent in topic.pool.topic.intents])
    weight = (chances * random.lognormal(0, TASTE, len(chances))) ** (1 - diversification)
    need = weight / weight.sum()
    picked: list[int] = []
    left = np.ones(len(topic.docs), dtype=bool)
    for _ in range(recipe.depth):
        best = int(np.argmax(np.where(left, need @ guess, -1)))
        picked.append(best)
        left[best] = False
        need = need * (1 - diversification * guess[:, best] / 2)
    return tuple(topic.docs[i] for i in picked)
