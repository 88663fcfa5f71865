"""Long searches for broken promises of the project: minutes, with new examples each time.

    python -m tools.explore                                      everything
    python -m tools.explore laws --times 20                      one explorer, on twenty times the examples
    python -m tools.explore laws --seed 7 --only test_blocks     again what a run with this seed tried

An explorer is a module of this package with a function `explore(effort)` that yields a `SearchResult` for
each subject. `EXPLORERS` in `tools/explore/__main__.py` lists them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Length and subject of a search. The same effort draws the same examples from its one seed."""

    times: int
    seed: int
    only: str = ""  # look at what has this in its name; at everything if it is empty


@dataclass(frozen=True)
class SearchResult:
    """The subject of a search, the number of examples, the seconds, and the failure, if any."""

    what: str
    examples: int
    seconds: float
    failure: str = ""  # enough to understand it; empty where none was found
    n_skipped: int = 0  # examples about which nothing is promised

    @property
    def failed(self) -> bool:
        """Whether the search failed; to have tried nothing is a failure, too."""
        return bool(self.failure) or not self.examples
