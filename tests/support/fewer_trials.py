"""The claims of Yu et al. (2017) with fewer random trials than the command makes; the tests need few."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from divmetrics.research.papers.yu2017 import correlation, hierarchy, power, rankings


@contextmanager
def fewer_trials() -> Iterator[None]:
    """While inside, two seeds and about a tenth of the trials."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in (
            (power, "SEEDS", (0, 1)),
            (hierarchy, "SEEDS", (0, 1)),
            (power, "TRIALS", 1_000),
            (power, "SUBSET_TRIALS", 500),
            (power, "SUBSETS", 10),
            (correlation, "ORDERS", 50),
            (rankings, "SHUFFLES", 100),
        ):
            patch.setattr(module, name, value)
        power.significant.cache_clear()
        yield
    power.significant.cache_clear()
