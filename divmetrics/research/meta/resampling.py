"""Random trials: seeds, blocks with streams of their own, and what is drawn in a trial.

Trials are numbered and worked off in blocks of fixed size. A block draws from its own stream (a child of the
seed), so a trial is the same whoever computes it, in whatever order, on however many workers; and it is the
same for every metric and pair of runs, which therefore are compared on the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divmetrics.core.checks import check_fraction, whole

BLOCK = 500  # trials per stream
STEP_CELLS = 2**15  # scores permuted at once: few enough to stay in a core's cache


def check_trials(trials: int) -> int:
    """The number of trials B, at least 1."""
    return whole("the number of trials", trials, 1, "a whole number of at least 1, such as 10000")


def check_seed(seed: int) -> int:
    """A seed, a whole number of at least 0."""
    return whole("the seed", seed, 0, "a whole number of at least 0, such as 0")


def check_strict_fraction(name: str, value: float) -> float:
    """A level or a confidence, strictly between 0 and 1."""
    return check_fraction(f"the {name}", value, "a number between 0 and 1, such as 0.05 or 0.95", ends=False)


def matching_level(confidence: float) -> float:
    """The level of tests that go with intervals of this confidence."""
    return round(
        1 - check_strict_fraction("confidence", confidence), 12
    )  # 1 - 0.95 is above 0.05 by rounding


def blocks(trials: int) -> Iterator[tuple[int, int]]:
    """Number and size of every block."""
    for block, start in enumerate(range(0, trials, BLOCK)):
        yield block, min(BLOCK, trials - start)


def stream(seed: int, block: int) -> np.random.Generator:
    """The block's own stream: that of `SeedSequence(seed).spawn(...)[block]`."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))


def permuted_scores(values: np.ndarray, seed: int, block: int, size: int) -> Iterator[np.ndarray]:
    """Scores whose runs change places at random within every topic (Sakai 2012, Fig. 4).

    values: (topic, run). Yields the block's trials a few at a time, (trial, topic, run).
    """
    random = stream(seed, block)
    step = max(1, STEP_CELLS // values.size)
    room = np.empty((min(step, size), *values.shape))
    for start in range(0, size, step):
        part = room[: min(step, size - start)]
        part[:] = values
        yield random.permuted(part, axis=2, out=part)


def resampled_topics(topics: int, seed: int, block: int, size: int) -> np.ndarray:
    """Positions of as many topics as there are, drawn with replacement, (trial, topic)."""
    return stream(seed, block).integers(0, topics, size=(size, topics))


def topic_counts(topics: int, trials: int, seed: int) -> Iterator[np.ndarray]:
    """How often every topic is drawn, (trial, topic), block by block."""
    for block, size in blocks(trials):
        cells = resampled_topics(topics, seed, block, size) + topics * np.arange(size)[:, None]
        yield np.bincount(cells.ravel(), minlength=topics * size).reshape(size, topics).astype(float)
