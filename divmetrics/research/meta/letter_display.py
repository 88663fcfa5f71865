"""Letters for runs: those that share one do not differ significantly (compact letter display)."""

from __future__ import annotations

from string import ascii_letters

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.resampling import check_strict_fraction

PAIR = ("metric", "run_a", "run_b", "difference")


@public
def letter_display(pairs: pd.DataFrame, level: float = 0.05, *, p: str = "asl") -> pd.DataFrame:
    """Letters that say which runs do not differ significantly (compact letter display; Piepho 2004).

    Two runs share a letter exactly when the p-value of their pair is at least `level`. A letter stands for as
    many runs as can share it, and none could be left out. Under Tukey HSD, where a larger difference is never
    less significant, no display has fewer letters; under other tests there may be one that has.

    pairs: metric, run_a, run_b, difference and the p-values, in the column `p`; every pair of the runs once
    for each metric, as `tukey_hsd` and `paired_bootstrap` return them. Returns metric, run, letters; runs in
    the order of the pairs. The best run has an a. After z come A to Z, and then a', b' and so on.

    Raises DivmetricsError for a column or a pair that is missing.
    """
    check_strict_fraction("level", level)
    absent = next((column for column in (*PAIR, p) if column not in pairs.columns), None)
    if absent is not None:
        raise DivmetricsError(
            f"the table of pairs has no column {absent!r}, expected {', '.join((*PAIR, p))}, as tukey_hsd "
            "returns"
        )
    parts = []
    for metric, of_metric in pairs.groupby("metric", sort=False):
        runs = list(dict.fromkeys([*of_metric["run_a"], *of_metric["run_b"]]))
        difference, chance = (_square(of_metric, runs, column) for column in ("difference", p))
        best_first = np.argsort(-np.nan_to_num(difference).sum(axis=1), kind="stable")
        alike = (chance >= level)[np.ix_(best_first, best_first)]
        letters = dict.fromkeys(runs, "")
        for place, group in enumerate(_groups(alike)):
            for run in best_first[group]:
                letters[runs[run]] += _letter(place)
        parts.append(pd.DataFrame({"metric": metric, "run": runs, "letters": list(letters.values())}))
    return pd.concat(parts, ignore_index=True)


def _square(pairs: pd.DataFrame, runs: list[str], column: str) -> np.ndarray:
    """The column for each run and other run: of a difference the other way round the negative, (run, run)."""
    first, second = (pd.Index(runs).get_indexer(pd.Index(pairs[side])) for side in ("run_a", "run_b"))
    found = np.full((len(runs), len(runs)), np.nan)
    values = pairs[column].to_numpy(dtype=float)
    found[second, first] = -values if column == "difference" else values
    found[first, second] = values
    np.fill_diagonal(found, 0 if column == "difference" else 1)
    if np.isnan(found).any() or len(pairs) != len(runs) * (len(runs) - 1) // 2:
        raise DivmetricsError(
            f"the table of pairs has {len(pairs)} for {len(runs)} runs under {pairs['metric'].iloc[0]!r}, "
            "expected a row with numbers for every two of them; give what tukey_hsd returns"
        )
    return found


def _groups(alike: np.ndarray) -> list[np.ndarray]:
    """Groups in which all are alike, none inside another, so that every two that are alike share one.

    alike: (run, run), runs from the best to the worst; a run is like itself. Every group starts from two that
    share none yet, the best with the worst that is like it, and takes in whoever is like all within.
    """
    shared = np.zeros(alike.shape, dtype=np.int64)
    groups = []
    for one in range(len(alike)):
        for other in range(len(alike) - 1, one - 1, -1):
            if not alike[one, other] or shared[one, other]:
                continue
            within = alike[one] & alike[other]
            for run in np.flatnonzero(within):
                if within[run]:
                    within &= alike[run]
            group = np.flatnonzero(within)
            shared[np.ix_(group, group)] += 1
            groups.append(group)
    for place in range(len(groups) - 1, -1, -1):
        both = np.ix_(groups[place], groups[place])
        if (shared[both] > 1).all():
            shared[both] -= 1
            del groups[place]
    return sorted(groups, key=list)


def _letter(place: int) -> str:
    return ascii_letters[place % len(ascii_letters)] + "'" * (place // len(ascii_letters))
