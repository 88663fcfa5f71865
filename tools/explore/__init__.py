"""Longer searches for what breaks a promise of the project: minutes, and other examples each time.

    python -m tools.explore                                      everything
    python -m tools.explore laws --times 20                      one explorer, on twenty times the examples
    python -m tools.explore laws --seed 7 --only test_blocks     again what a run with this seed tried

An explorer is a module of this package with a function `explore(effort)` that yields one `Tried` for each
thing that it looked at. Its name stands in `EXPLORERS`, in `tools/explore/__main__.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How long to look, and at what. The same effort tries the same: one seed decides all that is drawn."""

    times: int
    seed: int
    only: str = ""  # look at what has this in its name; at everything if it is empty


@dataclass(frozen=True)
class SearchResult:
    """What was looked at, on how many examples, for how long, and what came of it."""

    what: str
    examples: int
    seconds: float
    failure: str = ""  # enough to understand it; empty where none was found
    n_skipped: int = 0  # examples about which nothing is promised

    @property
    def failed(self) -> bool:
        """Was something found? To have tried nothing is a failure, too."""
        return bool(self.failure) or not self.examples
