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
    """Return the number of trials; raises DivmetricsError if it is not an integer of at least 1."""
    return check_whole("the number of trials", trials, 1, "a whole number of at least 1, such as 10000")


def check_seed(seed: int) -> int:
    """Return the seed; raises DivmetricsError if it is not an integer of at least 0."""
    return check_whole("the seed", seed, 0, "a whole number of at least 0, such as 0")


def check_strict_fraction(name: str, value: float) -> float:
    """Return a level or confidence, called `name` in errors; raises DivmetricsError unless 0 < value < 1."""
    return check_fraction(f"the {name}", value, "a number between 0 and 1, such as 0.05 or 0.95", ends=False)


def matching_level(confidence: float) -> float:
    """Return 1 - confidence, the level of matching tests; raises DivmetricsError if it is not within 0..1."""
    # rounded, since 1 - 0.95 is above 0.05
    return round(1 - check_strict_fraction("confidence", confidence), 12)


def block_sizes(trials: int) -> Iterator[tuple[int, int]]:
    """Yield (index from 0, number of trials) per block; each has BLOCK trials, the last perhaps fewer."""
    for block, start in enumerate(range(0, trials, BLOCK)):
        yield block, min(BLOCK, trials - start)


def _block_generator(seed: int, block: int) -> np.random.Generator:
    """Return the generator of the block at index `block`, seeded by `SeedSequence(seed).spawn(..)[block]`."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))


def permuted_scores(values: np.ndarray, seed: int, block: int, size: int) -> Iterator[np.ndarray]:
    """Permute the scores of the runs at random within every topic (Sakai 2012, Fig. 4).

    `values` is (topic, run); the block at index `block` has `size` trials. Yields arrays (trial, topic, run)
    of a few trials each, in one buffer that the next array overwrites.
    """
    random = _block_generator(seed, block)
    step = max(1, STEP_CELLS // values.size)
    buffer = np.empty((min(step, size), *values.shape))
    for start in range(0, size, step):
        part = buffer[: min(step, size - start)]
        part[:] = values
        yield random.permuted(part, axis=2, out=part)


def resampled_topics(topics: int, seed: int, block: int, size: int) -> np.ndarray:
    """Draw `topics` topics with replacement in each of `size` trials; return indices, (trial, topic)."""
    return _block_generator(seed, block).integers(0, topics, size=(size, topics))


def topic_counts(topics: int, trials: int, seed: int) -> Iterator[np.ndarray]:
    """Yield one array (trial, topic) per block: how often each trial draws each of `topics` topics."""
    for block, size in block_sizes(trials):
        cells = resampled_topics(topics, seed, block, size) + topics * np.arange(size)[:, None]
        yield np.bincount(cells.ravel(), minlength=topics * size).reshape(size, topics).astype(float)
