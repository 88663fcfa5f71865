"""Compact letter display: runs that share a letter do not differ significantly."""

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
    """Return letters for the runs; two runs share a letter if and only if they do not differ significantly.

    Each letter stands for a maximal group of runs, and no letter is redundant. Under Tukey HSD, where a
    larger difference is never less significant, no display has fewer letters; under other tests, a display
    with fewer letters may exist.

    Parameters
    ----------
    pairs : DataFrame
        Columns metric, run_a, run_b, difference (run_a minus run_b) and `p`; every pair of runs once per
        metric, as `tukey_hsd`, `paired_bootstrap` and `paired_t_test` return them.
    level : float
        Significance level, between 0 and 1: runs whose p-value is at least `level` share a letter.
    p : str
        Name of the column with the p-values.

    Returns
    -------
    DataFrame
        One row per metric and run, runs in the order of the pairs. Columns metric, run, letters (the run's
        letters, without separator, such as "ab"). The best run has an a; after z come A to Z, then a', b' and
        so on.

    Raises
    ------
    DivmetricsError
        If a column or a pair is missing or repeated, the table is empty, a p-value or difference is nan, or
        the level is not between 0 and 1.

    References
    ----------
    piepho2004

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith("UM13")]
    >>> letter_display(dm.meta.tukey_hsd(scores, "ERR-IA@10", trials=200))
          metric          run letters
    0  ERR-IA@10  UM13-D-E-1A       a
    1  ERR-IA@10  UM13-D-E-2A       a
    2  ERR-IA@10  UM13-D-E-3A       b
    """
    check_strict_fraction("level", level)
    absent = next((column for column in (*PAIR, p) if column not in pairs.columns), None)
    if absent is not None:
        raise DivmetricsError(
            f"the table of pairs has no column {absent!r}, expected {', '.join((*PAIR, p))}, as tukey_hsd "
            "returns"
        )
    if pairs.empty:
        raise DivmetricsError("the table of pairs of runs is empty; test at least two runs")
    parts = []
    for metric, group in pairs.groupby("metric", sort=False):
        runs = list(dict.fromkeys([*group["run_a"], *group["run_b"]]))
        difference, chance = (_square(group, runs, column) for column in ("difference", p))
        best_first = np.argsort(-np.nan_to_num(difference).sum(axis=1), kind="stable")
        alike = (chance >= level)[np.ix_(best_first, best_first)]
        letters = dict.fromkeys(runs, "")
        for place, members in enumerate(_groups(alike)):
            for run in best_first[members]:
                letters[runs[run]] += _letter(place)
        parts.append(pd.DataFrame({"metric": metric, "run": runs, "letters": list(letters.values())}))
    return pd.concat(parts, ignore_index=True)


def _square(pairs: pd.DataFrame, runs: list[str], column: str) -> np.ndarray:
    """Return a column as an array (run, run); a difference changes its sign if the runs are exchanged.

    Raises DivmetricsError unless the table has one row with a number for every pair of runs.
    """
    first, second = (pd.Index(runs).get_indexer(pd.Index(pairs[side])) for side in ("run_a", "run_b"))
    square = np.full((len(runs), len(runs)), np.nan)
    values = pairs[column].to_numpy(dtype=float)
    square[second, first] = -values if column == "difference" else values
    square[first, second] = values
    np.fill_diagonal(square, 0 if column == "difference" else 1)
    if np.isnan(square).any() or len(pairs) != len(runs) * (len(runs) - 1) // 2:
        raise DivmetricsError(
            f"the table of pairs has {len(pairs)} for {len(runs)} runs under {pairs['metric'].iloc[0]!r}, "
            "expected a row with numbers for every two of them; give what tukey_hsd returns"
        )
    return square


def _groups(alike: np.ndarray) -> list[np.ndarray]:
    """Return maximal groups of mutually `alike` runs such that every two alike runs share a group.

    `alike` is (run, run), with runs from best to worst and a true diagonal. Each group starts from two runs
    that do not share one yet, the best with the worst that is like it, and adds every run that is like all
    members. Redundant groups are removed.
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
    """Return the letter of the group at an index: a to z, A to Z, then a', b' and so on."""
    return ascii_letters[place % len(ascii_letters)] + "'" * (place // len(ascii_letters))
