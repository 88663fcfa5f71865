"""Discriminative power of metrics: ASL curves, significant pairs of runs, and their overlaps.

All functions take the table of pairs that `tukey_hsd` or `paired_bootstrap` returns.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError
from divmetrics.research.meta.resampling import check_strict_fraction

COLUMNS = ("metric", "run_a", "run_b", "difference", "asl")


@public
def asl_curve(pairs: pd.DataFrame) -> pd.DataFrame:
    """Sort each metric's pairs of runs by falling achieved significance level (ASL).

    The closer a curve is to the axes, the more pairs the metric separates.

    Parameters
    ----------
    pairs : DataFrame
        Table that `tukey_hsd`, `paired_bootstrap` or `paired_t_test` returns.

    Returns
    -------
    DataFrame
        Columns metric, place (1 for the metric's largest ASL; pairs with equal ASL in the order of `pairs`),
        asl, run_a, run_b; metrics in the order of `pairs`.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, or an ASL is nan.

    References
    ----------
    sakai2012, Fig. 8 and 9

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith("UM13")]
    >>> asl_curve(dm.meta.tukey_hsd(scores, "ERR-IA@10", trials=200))
          metric  place   asl        run_a        run_b
    0  ERR-IA@10      1  0.98  UM13-D-E-1A  UM13-D-E-2A
    1  ERR-IA@10      2  0.00  UM13-D-E-1A  UM13-D-E-3A
    2  ERR-IA@10      3  0.00  UM13-D-E-2A  UM13-D-E-3A
    """
    _check(pairs)
    ordered = pairs.sort_values("asl", ascending=False, kind="stable")
    ordered["place"] = ordered.groupby("metric", sort=False).cumcount() + 1
    ordered["order"] = pd.Categorical(ordered["metric"], pairs["metric"].unique(), ordered=True)
    ordered = ordered.sort_values(["order", "place"], kind="stable", ignore_index=True)
    return ordered[["metric", "place", "asl", "run_a", "run_b"]]


@public
def discriminative_power(pairs: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """Count the pairs of runs that each metric separates, and compute the required difference.

    Parameters
    ----------
    pairs : DataFrame
        Table that `tukey_hsd`, `paired_bootstrap` or `paired_t_test` returns.
    level : float
        Significance level, between 0 and 1.

    Returns
    -------
    DataFrame
        One row per metric. Columns metric, significant (number of pairs of runs with ASL < level), pairs
        (number of all pairs), share (significant / pairs), required_difference (for the bootstrap the largest
        borderline difference of all pairs, for other tests the smallest significant difference; nan without
        any).

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, an ASL is nan, the level is not between 0 and 1, or the
        borderline differences belong to another level.

    References
    ----------
    sakai2012, Fig. 3 and 5

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith("UM13")]
    >>> discriminative_power(dm.meta.tukey_hsd(scores, "ERR-IA@10", trials=200)).round(3)
          metric  significant  pairs  share  required_difference
    0  ERR-IA@10            2      3  0.667                 0.11
    """
    _check(pairs)
    level = check_strict_fraction("level", level)
    if "borderline" in pairs.columns and not np.allclose(pairs["level"], level):
        raise DivmetricsError(
            f"the borderline differences are those of level {pairs['level'].iloc[0]}, asked was level "
            f"{level}; call paired_bootstrap with level={level}"
        )
    rows = []
    for metric, group in pairs.groupby("metric", sort=False):
        significant = group["asl"] < level
        needed = (
            group["borderline"].max()
            if "borderline" in group.columns
            else group.loc[significant, "difference"].abs().min()
        )
        rows.append((metric, int(significant.sum()), len(group), significant.mean(), needed))
    return pd.DataFrame(rows, columns=["metric", "significant", "pairs", "share", "required_difference"])


@public
def overlap(pairs: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """Count the pairs of runs that both, or only one, of two metrics separate, for every pair of metrics.

    Parameters
    ----------
    pairs : DataFrame
        Table that `tukey_hsd`, `paired_bootstrap` or `paired_t_test` returns, of at least two metrics.
    level : float
        Significance level, between 0 and 1.

    Returns
    -------
    DataFrame
        One row per pair of metrics. Columns metric_a, metric_b; only_a, both, only_b (numbers of pairs of
        runs with ASL < level under metric_a only, under both, and under metric_b only).

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, an ASL is nan, the level is not between 0 and 1, there is
        only one metric, or the metrics have different pairs of runs.

    References
    ----------
    sakai2012, Table 4

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> scores = scores[scores["run"].str.startswith(("UM13", "TUTA"))]
    >>> overlap(dm.meta.tukey_hsd(scores, ["ERR-IA@10", "S-recall@10"], trials=200))
        metric_a     metric_b  only_a  both  only_b
    0  ERR-IA@10  S-recall@10       1     5       0
    """
    _check(pairs)
    level = check_strict_fraction("level", level)
    significant = (
        pairs.assign(significant=pairs["asl"] < level)
        .pivot(index=["run_a", "run_b"], columns="metric", values="significant")
        .reindex(columns=pairs["metric"].unique())
    )
    if len(significant.columns) < 2:
        raise DivmetricsError(
            f"{significant.columns[0]!r} is the only metric, and an overlap is of two; test at least two"
        )
    if significant.isna().to_numpy().any():
        raise DivmetricsError(
            "the metrics were tested on different pairs of runs; test them in one call on one score table"
        )
    rows = []
    for a, b in combinations(significant.columns, 2):
        in_a, in_b = significant[a].to_numpy(dtype=bool), significant[b].to_numpy(dtype=bool)
        rows.append((a, b, int((in_a & ~in_b).sum()), int((in_a & in_b).sum()), int((in_b & ~in_a).sum())))
    return pd.DataFrame(rows, columns=["metric_a", "metric_b", "only_a", "both", "only_b"])


def _check(pairs: pd.DataFrame) -> None:
    """Raise DivmetricsError unless the table has the columns of a test and an ASL for every pair."""
    returned = f"expected {', '.join(COLUMNS)}, as tukey_hsd and paired_bootstrap return"
    if not isinstance(pairs, pd.DataFrame):
        raise DivmetricsError(
            f"the table of pairs is of type {type(pairs).__name__}, expected a DataFrame; {returned}"
        )
    absent = [column for column in COLUMNS if column not in pairs.columns]
    if absent:
        raise DivmetricsError(f"the table of pairs has no column {absent[0]!r}, {returned}")
    if not len(pairs):
        raise DivmetricsError("the table of pairs of runs is empty; test at least two runs")
    if pairs["asl"].isna().any():
        bad = pairs[pairs["asl"].isna()].iloc[0]
        raise DivmetricsError(
            f"runs {bad['run_a']!r} and {bad['run_b']!r} have the ASL nan under {bad['metric']!r}, expected "
            "a share of trials; test them again, or leave that row out"
        )
