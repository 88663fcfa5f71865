"""Draw the mean scores of runs at several cutoffs of one metric."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from divmetrics.core.calls import public
from divmetrics.errors import DivmetricsError, some
from divmetrics.notebook.charts.axes import HorizontalAxis
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.series_plot import VerticalAxis, series_from_table, series_plot
from divmetrics.notebook.charts.table_checks import check_columns, check_numbers, count, first_dozen
from divmetrics.notebook.charts.title_sentences import leader


@public
def cutoff_curves(curves: pd.DataFrame, *, marks: Sequence[str] | None = None) -> Figure:
    """Draw the mean score of each run at every cutoff of one metric, one line per run.

    More than six runs get one panel each, in front of a grey band from the lowest to the highest line.

    Parameters
    ----------
    curves : pd.DataFrame
        Columns metric, run, cutoff, mean: the `curves` of `divmetrics.compare`, for one metric.
    marks : Sequence of str, optional
        Runs in the order of their marks: pass the same to several figures, and a run looks the same in each.
        By default, the order in the table.

    Returns
    -------
    Figure
        The chart; its title names the run with the highest line.

    Raises
    ------
    DivmetricsError
        If a column is missing, the table is empty, cutoffs or means are not finite numbers, the table has
        several metrics, a run has no mean or several at some cutoff, or, in a single plot, a run has its
        place in `marks`, followed by the runs that are not in it, after the tenth.

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> curves = pd.DataFrame(
    ...     {"metric": "I-rec", "run": list("AABB"), "cutoff": [5, 10, 5, 10], "mean": [0.2, 0.6, 0.4, 0.4]}
    ... )
    >>> dm.charts.cutoff_curves(curves).description
    'Mean I-rec of 2 runs, cutoffs 5 to 10: A from 0.2000 to 0.6000; B from 0.4000 to 0.4000.'
    """
    check_columns(curves, ("metric", "run", "cutoff", "mean"), "means", "the `curves` of a Comparison")
    check_numbers(curves, "cutoff", "mean")
    metrics = [str(name) for name in curves["metric"].unique()]
    if len(metrics) > 1:
        raise DivmetricsError(
            f"the curves are of {len(metrics)} metrics ({some(metrics)}); draw one at a time: "
            f"curves[curves.metric == {metrics[0]!r}]"
        )
    twice = curves.duplicated(["run", "cutoff"])
    if twice.any():
        row = curves[twice].iloc[0]
        raise DivmetricsError(f"run {row['run']!r} has several means at cutoff {row['cutoff']}; give one")
    wide = curves.pivot(index="run", columns="cutoff", values="mean").loc[list(curves["run"].unique())]
    series = series_from_table(wide, "mean", "cutoff", "run")
    cutoffs = [float(cutoff) for cutoff in wide.columns]
    across = HorizontalAxis("cutoff", "cutoff", ticks=tuple(cutoffs))
    chart = series_plot(series, across, VerticalAxis(f"mean {metrics[0]}"), marks or ())
    lines = [f"{one.name} from {one.points[0][1]:.4f} to {one.points[-1][1]:.4f}" for one in series]
    description = (
        f"Mean {metrics[0]} of {count(len(series), 'run')}, cutoffs {cutoffs[0]:g} to {cutoffs[-1]:g}: "
        f"{first_dozen(lines)}."
    )
    headline = leader({one.name: one.points for one in series}, f"mean {metrics[0]}", "cutoff")
    return Figure.of(chart, headline, [], description)
