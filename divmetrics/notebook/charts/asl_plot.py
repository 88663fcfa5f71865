"""Draw curves of achieved significance levels: how many pairs of runs a metric separates."""

from __future__ import annotations

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.notebook.charts.axes import HorizontalAxis, ticks_to
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.series_plot import Series, VerticalAxis, series_plot
from divmetrics.notebook.charts.table_checks import check_columns, count, first_dozen
from divmetrics.notebook.charts.title_sentences import best, names_with_verb
from divmetrics.research.meta.significance import COLUMNS, asl_curve, discriminative_power

MOST_POINTS = 300  # per curve: more would not change the picture


@public
def asl_curves(pairs: pd.DataFrame, level: float = 0.05) -> Figure:
    """Draw ASL curves: pairs of runs by falling achieved significance level, one curve per metric.

    The earlier a curve falls below the level (dashed), the more pairs the metric separates; the number of
    these pairs is written at the end of the curve. The ASL axis has a square-root scale, which leaves room
    for the small values that decide. More than six metrics get one panel each, in front of a grey band from
    the lowest to the highest curve.

    Parameters
    ----------
    pairs : pd.DataFrame
        The table that `tukey_hsd`, `paired_bootstrap` or `paired_t_test` returns: columns metric, run_a,
        run_b, difference, asl.
    level : float
        The significance level, between 0 and 1.

    Returns
    -------
    Figure
        The chart; its title names the metric or metrics that separate the most pairs, if there are any.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, an ASL is nan, the level is not between 0 and 1, or a
        bootstrap was computed for another level.

    References
    ----------
    sakai2012, Fig. 8 and 9

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> pairs = dm.meta.tukey_hsd(scores, ["D-nDCG@10", "I-rec@10"], trials=20)
    >>> dm.charts.asl_curves(pairs).description[:34]
    'ASL curves of 2 metrics, pairs of '
    """
    check_columns(pairs, COLUMNS, "pairs of runs", "`tukey_hsd` or `paired_bootstrap`")
    power = discriminative_power(pairs, level)
    curves = asl_curve(pairs)
    series = []
    for row in power.itertuples():
        asl = curves.loc[curves["metric"] == row.metric, "asl"].to_numpy()
        positions = np.unique(np.linspace(0, len(asl) - 1, MOST_POINTS).round().astype(int))
        points = tuple((float(i + 1), float(asl[i])) for i in positions)
        series.append(Series(str(row.metric), points, f"{row.significant} of {row.pairs}"))
    most = int(power["pairs"].max())
    chart = series_plot(
        series,
        HorizontalAxis("pairs of runs by falling ASL", "pairs of runs", ticks=ticks_to(most)),
        VerticalAxis("ASL", level=level, window=(0.0, 1.0), ticks=(0, level, 0.25, 1), root=True),
    )
    subtitle = [
        f"The further left a curve falls below {level:g} (dashed), the more pairs of runs differ "
        "significantly (their number is at its end). The scale of ASL is stretched near 0."
    ]
    best_first = power.sort_values("share", ascending=False, kind="stable")
    counts = [f"{row.metric} {row.significant} ({row.share:.1%})" for row in best_first.itertuples()]
    description = (
        f"ASL curves of {count(len(power), 'metric')}, pairs of runs by falling ASL. "
        f"Pairs of {most} with an ASL below {level:g}, most first: {first_dozen(counts)}."
    )
    return Figure.of(chart, _finding(power), subtitle, description)


def _finding(power: pd.DataFrame) -> str:
    """Return a sentence on the metric that separates the most pairs of runs."""
    counts = {row.metric: f"{row.significant} of {row.pairs}" for row in power.itertuples()}
    names, most = best(dict(zip(power["metric"], power["share"], strict=True)))
    if not most:
        return "No metric tells a pair of runs apart"
    if len(names) == len(counts):
        return f"{names_with_verb(names, 'tells', 'each tell')} {counts[names[0]]} pairs of runs apart"
    each = " each" if len(names) > 1 else ""
    return f"{names_with_verb(names, 'tells', 'tell')} the most pairs of runs apart: {counts[names[0]]}{each}"
