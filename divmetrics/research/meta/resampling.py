"""Random trials: seeds, blocks of trials with their own random streams, and resampled scores and topics.

Trials run in blocks of fixed size. Each block draws from its own stream, a child of the seed, so a trial is
the same on any number of workers; and it is the same for every metric and pair of runs, which are therefore
compared on the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from divmetrics.core.checks import check_fraction, check_whole

BLOCK = 500  # trials per stream
STEP_CELLS = 2**15  # scores permuted at once, so that they fit into a core's cache


def check_trials(trials: int) -> int:
    """Return the number of trials. Raises DivmetricsError if it is not an integer of at least 1."""
    return check_whole("the number of trials", trials, 1, "a whole number of at least 1, such as 10000")


def check_seed(seed: int) -> int:
    """Return the seed. Raises DivmetricsError if it is not an integer of at least 0."""
    return check_whole("the seed", seed, 0, "a whole number of at least 0, such as 0")


def check_strict_fraction(name: str, value: float) -> float:
    """Return a level or confidence. Raises DivmetricsError if it is not strictly between 0 and 1."""
    return check_fraction(f"the {name}", value, "a number between 0 and 1, such as 0.05 or 0.95", ends=False)


def matching_level(confidence: float) -> float:
    """Return the level of tests that go with intervals of this confidence."""
    # rounded, since 1 - 0.95 is above 0.05
    return round(1 - check_strict_fraction("confidence", confidence), 12)


def block_sizes(trials: int) -> Iterator[tuple[int, int]]:
    """Yield the number and size of every block."""
    for block, start in enumerate(range(0, trials, BLOCK)):
        yield block, min(BLOCK, trials - start)


def block_generator(seed: int, block: int) -> np.random.Generator:
    """Return the generator of a block: that of `SeedSequence(seed).spawn(...)[block]`."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))


def permuted_scores(values: np.ndarray, seed: int, block: int, size: int) -> Iterator[np.ndarray]:
    """Permute the scores of the runs at random within every topic (Sakai 2012, Fig. 4).

    `values` is (topic, run). Yields the trials of the block a few at a time, (trial, topic, run).
    """
    random = block_generator(seed, block)
    step = max(1, STEP_CELLS // values.size)
    buffer = np.empty((min(step, size), *values.shape))
    for start in range(0, size, step):
        part = buffer[: min(step, size - start)]
        part[:] = values
        yield random.permuted(part, axis=2, out=part)


def resampled_topics(topics: int, seed: int, block: int, size: int) -> np.ndarray:
    """Draw as many topics as there are with replacement; return their positions, (trial, topic)."""
    return block_generator(seed, block).integers(0, topics, size=(size, topics))


def topic_counts(topics: int, trials: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often every topic is drawn, (trial, topic), block by block."""
    for block, size in block_sizes(trials):
        cells = resampled_topics(topics, seed, block, size) + topics * np.arange(size)[:, None]
        yield np.bincount(cells.ravel(), minlength=topics * size).reshape(size, topics).astype(float)
