"""The metrics, tables and statements that Sakai et al. (2010) print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import pandas as pd

from divmetrics.research.datasets import sakai2010_correlations, sakai2010_power

CUTOFF = 10
GAMMAS = (0.0, 0.2, 0.5, 0.8, 1.0)
I_REC, ALPHA, IA = f"I-rec@{CUTOFF}", f"alpha-nDCG@{CUTOFF}", f"nDCG-IA@{CUTOFF}"
# div-nDCG and div-Q are D-nDCG and D-Q of this library, Idiv-nDCG and Idiv-Q are D#-nDCG and D#-Q.
FAMILIES = ("nDCG", "Q")
BOLD = 0.9  # a tau above it is printed in bold


def combined(family: str, gamma: float) -> str:
    """Return the name of gamma I-rec + (1 - gamma) D-nDCG, or D-Q, at the cutoff."""
    if gamma in (0, 1):
        return I_REC if gamma else f"D-{family}@{CUTOFF}"
    return f"D#-{family}@{CUTOFF}" if gamma == 0.5 else f"D#-{family}(gamma={gamma:g})@{CUTOFF}"


METRICS = (ALPHA, IA, I_REC, *(combined(family, gamma) for family in FAMILIES for gamma in GAMMAS[:-1]))
IDIV_NDCG, IDIV_Q = (combined(family, 0.5) for family in FAMILIES)
DIV_NDCG, DIV_Q = (combined(family, 0) for family in FAMILIES)
NAMED_RUNS = ("MSDiv1", "MSDiv2", "MSDiv3", "MSRACS", "MSRAACSF")


def _best_runs() -> dict[str, dict[str, str]]:
    return {
        "the text on Fig. 1": {
            IDIV_NDCG: "MSDiv2", combined("nDCG", 0.8): "MSDiv2", combined("nDCG", 0.2): "MSDiv3",
            ALPHA: "MSDiv3",
        },
        "the text on Fig. 2": {IDIV_NDCG: "MSDiv2", IDIV_Q: "MSDiv2", IA: "MSDiv3", ALPHA: "MSRAACSF"},
    }  # fmt: skip


def _disagreements() -> dict[tuple[str, str], int]:
    return {(IDIV_NDCG, IA): 7, (IDIV_NDCG, ALPHA): 6, (IA, ALPHA): 9}


@dataclass(frozen=True, eq=False)
class Printed:
    """What the paper prints: Tables 2-5 as in `divmetrics.research.datasets`, and statements on single runs.

    `most_intents` is the largest number of intents of a topic (Table 1, section 3.1). `best_runs` holds
    {passage: {metric: best run}} of section 4.2; `agreements` the number of topics on which three metrics
    agree in section 4.3, and `disagreements` that on which two of these do not. `counts_itself` tells
    whether a document counts among those seen before it in Eq. 3 (the exponent C(r), as our copy reads,
    or C(r - 1)).
    """

    correlations: pd.DataFrame = field(default_factory=sakai2010_correlations)
    power: pd.DataFrame = field(default_factory=sakai2010_power)
    best_runs: Mapping[str, Mapping[str, str]] = field(default_factory=_best_runs)
    topics: int = 50
    most_intents: int = 6
    agreements: int = 38
    disagreements: Mapping[tuple[str, str], int] = field(default_factory=_disagreements)
    counts_itself: bool = True

    @cached_property
    def taus(self) -> dict[frozenset[str], float]:
        """{frozenset of two metrics: their printed tau}."""
        rows = self.correlations[self.correlations["metric"] != self.correlations["baseline"]]
        return {
            frozenset((metric, baseline)): tau
            for metric, baseline, tau in rows[["metric", "baseline", "tau"]].itertuples(
                index=False, name=None
            )
        }

    def tau(self, metric: str, baseline: str) -> float:
        """Return the printed tau of two metrics, 1 for a metric and itself; raises KeyError without one."""
        return 1.0 if metric == baseline else self.taus[frozenset((metric, baseline))]

    @property
    def pairs(self) -> int:
        """The number of pairs of runs."""
        return int(self.power["pairs"].iloc[0])

    def swaps(self, tau: float) -> int:
        """Return the number of pairs that two rankings without ties order differently, rounded."""
        return round((1 - tau) / 2 * self.pairs)

    @property
    def triangles(self) -> list[tuple[int, ...]]:
        """The swaps between each two of three metrics, ascending, where all three taus are printed."""
        metrics = sorted(set().union(*self.taus))
        sides = [[frozenset(pair) for pair in combinations(three, 2)] for three in combinations(metrics, 3)]
        return [
            tuple(sorted(self.swaps(self.taus[side]) for side in of_three))
            for of_three in sides
            if all(side in self.taus for side in of_three)
        ]

    def significant(self, metric: str) -> int:
        """Return the printed number of significant pairs of runs."""
        return int(self.power.set_index("metric")["significant"][metric])
