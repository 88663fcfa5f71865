"""Draw how alike metrics rank the runs: topic by topic, and as a parameter varies."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, some
from divmetrics.notebook.charts.axes import HorizontalAxis, ticks_to
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.series_plot import Series, VerticalAxis, series_from_table, series_plot
from divmetrics.notebook.charts.table_checks import check_columns, check_numbers, count, first_dozen
from divmetrics.notebook.charts.title_sentences import best, leader, names_with_verb


@public
def tau_per_topic(
    correlations: pd.DataFrame, *, called: str = "tau_ap", marks: Sequence[str] | None = None
) -> Figure:
    """Draw the rank correlation with one metric on every topic, highest first, one line per metric.

    Topics without a coefficient are left out and counted. More than six metrics get one panel each, in front
    of a grey band from the lowest to the highest line.

    Parameters
    ----------
    correlations : pd.DataFrame
        The table that `rank_correlation(..., truth=..., per="topic")` returns: columns truth, metric, topic,
        tau.
    called : str
        The name of the coefficient in the chart.
    marks : Sequence of str, optional
        Metrics in the order of their marks, as in `run_rankings`.

    Returns
    -------
    Figure
        The chart; its title names the metric with the highest mean.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, a coefficient is neither a finite number nor nan, there
        are several truths, a metric has no coefficient, or, as in `run_rankings`, there are too many `marks`.

    References
    ----------
    yu2017, Fig. 7

    Examples
    --------
    >>> import divmetrics as dm
    >>> table = dm.meta.rank_correlation(
    ...     dm.datasets.imine_scores(), ["D-nDCG@10"], truth="I-rec@10", method="tau_ap", per="topic"
    ... )
    >>> dm.charts.tau_per_topic(table).description[:40]
    'tau_ap with I-rec@10 on 32 topics: D-nDC'
    """
    check_columns(
        correlations,
        ("truth", "metric", "topic", "tau"),
        "coefficients",
        '`rank_correlation(..., per="topic")`',
    )
    check_numbers(correlations, "tau")
    truth, series, lines, longest = _truth(correlations), [], [], 0
    for metric, group in correlations.groupby("metric", sort=False):
        tau = group["tau"].dropna().sort_values(ascending=False).tolist()
        if not tau:
            raise DivmetricsError(
                f"{truth} and {metric} have no coefficient on any topic; leave that metric out"
            )
        missing = len(group) - len(tau)
        note = f"mean {sum(tau) / len(tau):.3f}" + (f", {missing} left out" if missing else "")
        series.append(Series(str(metric), tuple((float(n), value) for n, value in enumerate(tau, 1)), note))
        lines.append(f"{metric} {note}, from {tau[0]:.3f} down to {tau[-1]:.3f}")
        longest = max(longest, len(tau))
    across = HorizontalAxis(f"topics by falling {called}", "topics", ticks=ticks_to(longest))
    chart = series_plot(series, across, VerticalAxis(called, level=_zero(series)), marks or ())
    subtitle = ["Each line is sorted on its own, so the same position is a different topic on each line."]
    description = f"{called} with {truth} on {count(longest, 'topic')}: {first_dozen(lines)}."
    of = {one.name: sum(y for _, y in one.points) / len(one.points) for one in series}
    names, mean = best(of)
    most = "most " if len(names) < len(of) else ""
    headline = f"{names_with_verb(names, 'ranks', 'rank')} runs {most}like {truth}: mean {called} {mean:.3f}"
    return Figure.of(chart, headline, [f"Topic by topic. {subtitle[0]}"], description)


@public
def variation(
    table: pd.DataFrame,
    parameter: str,
    value: str = "tau",
    *,
    called: str | None = None,
    marks: Sequence[str] | None = None,
) -> Figure:
    """Draw a value of each metric at every setting of a parameter, one line per metric.

    An example is tau_ap by cutoff (Yu et al. 2017, Fig. 8). More than six metrics get one panel each, in
    front of a grey band from the lowest to the highest line.

    Parameters
    ----------
    table : pd.DataFrame
        Columns metric, `parameter` and `value`, as `sweep` or `apply_per_value` returns them. If a setting of
        a metric has several rows, as with per="topic", the mean of their values is drawn. Rows without a
        setting or without a value (nan) are left out.
    parameter : str
        The column with the settings, which are numbers: "cutoff", "alpha", "gamma", ...
    value : str
        The column to draw.
    called : str, optional
        The name of the value, such as "tau_ap"; by default, the column's name.
    marks : Sequence of str, optional
        Metrics in the order of their marks, as in `run_rankings`.

    Returns
    -------
    Figure
        The chart; its title names the metric with the highest line.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, a setting or value is neither a finite number nor nan,
        there are several truths, a metric has no value at some setting, or, as in `run_rankings`, there are
        too many `marks`.

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> table = pd.DataFrame({"metric": "alpha-nDCG", "alpha": [0.1, 0.5, 0.9], "tau": [0.6, 0.7, 0.8]})
    >>> dm.charts.variation(table, "alpha").description
    'tau of 1 metric, alpha from 0.1 to 0.9: alpha-nDCG from 0.600 to 0.800.'
    """
    check_columns(table, ("metric", parameter, value), "values", "`apply_per_value` or `sweep`")
    check_numbers(table, parameter, value)
    cells = table.groupby(["metric", parameter], sort=False)[value]
    means, several = cells.mean().unstack().sort_index(axis=1), int(cells.count().max())
    series = series_from_table(means, value, parameter, "metric")
    settings = [float(setting) for setting in means.columns]
    what = called or value
    across = HorizontalAxis(parameter, parameter, ticks=tuple(settings))
    chart = series_plot(series, across, VerticalAxis(what, level=_zero(series)), marks or ())
    title = f"{'mean ' if several > 1 else ''}{what}"
    if "truth" in table.columns:
        title += f" with {_truth(table)}"
    equal = "" if cells.count().nunique() == 1 else "at most "
    subtitle = [f"Every point is the mean of {equal}{several} values."] if several > 1 else []
    lines = [f"{one.name} from {one.points[0][1]:.3f} to {one.points[-1][1]:.3f}" for one in series]
    description = (
        f"{title} of {count(len(series), 'metric')}, {parameter} from {settings[0]:g} to {settings[-1]:g}: "
        f"{first_dozen(lines)}."
    )
    headline = leader({one.name: one.points for one in series}, title, parameter)
    return Figure.of(chart, headline, subtitle, description)


def _truth(correlations: pd.DataFrame) -> str:
    """Return the metric in the column `truth`; raise DivmetricsError if it has several."""
    truths = [str(name) for name in correlations["truth"].unique()]
    if len(truths) > 1:
        raise DivmetricsError(
            f"the coefficients compare with {len(truths)} metrics ({some(truths)}); draw one at a time: ask "
            f"rank_correlation for truth={truths[0]!r}"
        )
    return truths[0]


def _zero(series: list[Series]) -> float | None:
    """Return 0, the position of the line of no correlation, if a value is below it, else None."""
    return 0.0 if any(y < 0 for one in series for _, y in one.points) else None
