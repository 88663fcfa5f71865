"""What significance tests say about a metric: ASL curves, discriminative power, overlaps.

Everything here reads the table of pairs that `tukey_hsd` or `paired_bootstrap` returns.
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
    """Every metric's pairs of runs by falling ASL (Sakai 2012, Fig. 8 and 9).

    Returns metric, place (1 for the largest ASL), asl, run_a, run_b. The closer a curve is to the axes, the
    more pairs the metric tells apart.
    """
    _check(pairs)
    ordered = pairs.sort_values("asl", ascending=False, kind="stable")
    ordered["place"] = ordered.groupby("metric", sort=False).cumcount() + 1
    ordered["order"] = pd.Categorical(ordered["metric"], pairs["metric"].unique(), ordered=True)
    ordered = ordered.sort_values(["order", "place"], kind="stable", ignore_index=True)
    return ordered[["metric", "place", "asl", "run_a", "run_b"]]


@public
def discriminative_power(pairs: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """How many pairs of runs a metric tells apart, and from what difference on.

    Returns metric, significant (pairs with ASL < level), pairs, share, required_difference. The required
    difference is, for the bootstrap, the largest borderline difference of all pairs (Sakai 2012, Fig. 3), and
    for Tukey HSD the smallest difference found significant (Fig. 5); nan where none is.
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
    """Do two metrics tell the same pairs of runs apart (Sakai 2012, Table 4)?

    Returns metric_a, metric_b, only_a, both, only_b: pairs of runs that differ significantly under the first
    metric alone, under both, under the second alone.
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
