"""Draw scores in the order of one metric, to see whether other metrics order runs or topics alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from divmetrics.core.calls import public
from divmetrics.core.tolerances import dense_ranks
from divmetrics.errors import DivmetricsError, did_you_mean, some
from divmetrics.notebook.charts.axes import HorizontalAxis
from divmetrics.notebook.charts.figure import Figure
from divmetrics.notebook.charts.series_plot import Series, VerticalAxis, series_plot
from divmetrics.notebook.charts.table_checks import check_columns, count, first_dozen
from divmetrics.notebook.charts.title_sentences import best, brief, names_with_verb, together
from divmetrics.research.meta.score_table import score_table


@public
def run_rankings(
    means: pd.DataFrame, by: str, metrics: Sequence[str] | None = None, *, marks: Sequence[str] | None = None
) -> Figure:
    """Draw mean scores of runs, best first by one metric, one line per metric.

    A line that rises to the right contradicts the order: of two neighbours its metric prefers the right one,
    which `by` ranks lower. Such steps are thick, and counted. More than six metrics get one panel each, in
    front of a grey band from the lowest to the highest line.

    Parameters
    ----------
    means : pd.DataFrame
        The table that `divmetrics.research.meta.means` returns (columns metric, run, mean).
    by : str
        The metric that orders the runs.
    metrics : Sequence of str, optional
        The metrics to draw beside `by`; by default, all in the table.
    marks : Sequence of str, optional
        Metrics in the order of their marks: pass the same to several figures, and a metric looks the same in
        each. By default, the drawing order.

    Returns
    -------
    Figure
        The chart; its title names the metric that contradicts the order least.

    Raises
    ------
    DivmetricsError
        If a column or a metric is missing, the means are of several types of topics, there is a single run,
        a run has no mean, or, in a single plot, a metric has its place in `marks`, followed by the metrics
        that are not in it, after the tenth.

    References
    ----------
    yu2017, Fig. 3 to 5

    Examples
    --------
    >>> import pandas as pd
    >>> import divmetrics as dm
    >>> means = pd.DataFrame(
    ...     {"metric": ["ERR", "ERR", "RBP", "RBP"], "run": ["A", "B"] * 2, "mean": [0.5, 0.4, 0.2, 0.3]}
    ... )
    >>> dm.charts.run_rankings(means, by="ERR").chart.title.text
    ['RBP contradicts ERR at 1 of 1 step']
    """
    check_columns(means, ("metric", "run", "mean"), "means", "`means`")
    types = list(dict.fromkeys(means["type"])) if "type" in means else []
    if len(types) > 1:
        raise DivmetricsError(
            f"the means are those of {len(types)} types of topics ({some([str(t) for t in types])}); draw "
            f"one at a time, as in means[means['type'] == {types[0]!r}]"
        )
    tidy = means.rename(columns={"mean": "score"}).assign(topic="all")
    table = score_table(tidy, _metrics_to_draw(tidy, by, metrics))
    values = table.values[:, 0, :]
    return _draw(table.metrics, table.runs, values, "run", "mean score", "Runs", marks or ())


@public
def topic_rankings(
    scores: pd.DataFrame,
    run: str,
    by: str,
    metrics: Sequence[str] | None = None,
    *,
    marks: Sequence[str] | None = None,
) -> Figure:
    """Draw the scores of one run topic by topic, best first by one metric, one line per metric.

    A line that rises to the right contradicts the order, as in `run_rankings`.

    Parameters
    ----------
    scores : pd.DataFrame
        The table that `evaluate` returns (columns run, topic, metric, score).
    run : str
        The run to draw.
    by : str
        The metric that orders the topics.
    metrics : Sequence of str, optional
        The metrics to draw beside `by`; by default, all in the table.
    marks : Sequence of str, optional
        Metrics in the order of their marks, as in `run_rankings`.

    Returns
    -------
    Figure
        The chart; its title names the metric that contradicts the order least.

    Raises
    ------
    DivmetricsError
        If a column, the run or a metric is missing, the run has fewer than two topics or no score on one of
        them, or, in a single plot, a metric has its place in `marks`, followed by the metrics that are not
        in it, after the tenth.

    References
    ----------
    yu2017, Fig. 6

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = dm.datasets.imine_scores()
    >>> figure = dm.charts.topic_rankings(scores, scores["run"].iloc[0], "D-nDCG@10", ["I-rec@10"])
    >>> figure.chart.title.text
    ['I-rec@10 contradicts D-nDCG@10 at 13 of 31 steps']
    """
    check_columns(scores, ("run", "topic", "metric", "score"), "scores", "`evaluate`")
    runs = [str(name) for name in scores["run"].unique()]
    if run not in runs:
        raise DivmetricsError(
            f"run {run!r} is not in the scores{did_you_mean(str(run), runs)}, which have {some(runs)}; "
            "name one of them"
        )
    of_run = scores[scores["run"].astype(str) == run]
    table = score_table(of_run, _metrics_to_draw(of_run, by, metrics), least_runs=1, least_topics=2)
    values, title = table.values[:, :, 0], f"Topics of {run}"
    return _draw(table.metrics, table.topics, values, "topic", "score", title, marks or ())


def _metrics_to_draw(scores: pd.DataFrame, by: str, metrics: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys([by, *(scores["metric"] if metrics is None else metrics)]))


def _draw(
    metrics: Sequence[str],
    names: Sequence[str],
    values: np.ndarray,
    what: str,
    up: str,
    title: str,
    marks: Sequence[str],
) -> Figure:
    """Draw `values` (metric, run or topic) in the order of the first metric."""
    level = dense_ranks(values[0])
    order = np.argsort(-level, kind="stable")
    in_order = values[:, order]
    # Neighbours that the first metric ties have no order to contradict.
    rises = (np.diff([dense_ranks(scores) for scores in in_order]) > 0) & (np.diff(level[order]) < 0)
    steps = int((np.diff(level[order]) < 0).sum())
    series = [
        Series(
            metric,
            tuple((float(i), float(score)) for i, score in enumerate(scores, 1)),
            count(int(up_there.sum()), "rise") if n else "the order",
            frozenset(int(i) + 1 for i in np.flatnonzero(up_there)),
        )
        for n, (metric, scores, up_there) in enumerate(zip(metrics, in_order, rises, strict=True))
    ]
    ordered = tuple(names[i] for i in order)
    across = HorizontalAxis(f"{what}s, best {metrics[0]} first", f"{what}s", ordered)
    chart = series_plot(series, across, VerticalAxis(up), marks)
    subtitle = (
        f"Where a step rises (thick), the metric prefers the {what} on the right, "
        f"which {metrics[0]} puts lower."
    )
    scored = [f"{name} {score:.4f}" for name, score in zip(ordered, in_order[0], strict=True)]
    contradictions = []
    for one in series[1:]:
        to = [ordered[i] for i in sorted(one.steep)]
        contradictions.append(f"{one.name} {len(to)}" + (f" (to {some(to)})" if to else ""))
    against = (
        f" Rises of other metrics, of {count(steps, 'step')}: {first_dozen(contradictions)}."
        if contradictions
        else ""
    )
    description = (
        f"{title} in the order of {metrics[0]}: the {up} of {count(len(ordered), what)} under "
        f"{count(len(metrics), 'metric')}. {metrics[0]}, best first: {first_dozen(scored)}.{against}"
    )
    headline = _finding(
        ordered, in_order[0], {one.name: len(one.steep) for one in series[1:]}, metrics[0], what, steps
    )
    return Figure.of(chart, headline, [f"{title} in the order of {metrics[0]}. {subtitle}"], description)


def _finding(
    ordered: Sequence[str], scores: np.ndarray, rises: Mapping[str, int], by: str, what: str, steps: int
) -> str:
    """Return a sentence on the metric that contradicts the order least; without others, on the best item."""
    by = brief(by)
    if not steps:
        return f"{by} ties all {what}s"
    if not rises:
        names, highest = best(dict(zip(ordered, scores.tolist(), strict=True)))
        return f"Best by {by}: {together(names)} ({highest:.4f})"
    least = min(rises.values())
    names = [name for name, count_ in rises.items() if count_ == least]
    where = f"at {least} of {count(steps, 'step')}" if least else "at no step"
    if len(names) < len(rises):
        return f"{names_with_verb(names, 'contradicts', 'contradict')} {by} least: {where}"
    return f"{names_with_verb(names, 'contradicts', 'each contradict')} {by} {where}"
