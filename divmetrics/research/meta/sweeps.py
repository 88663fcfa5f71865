"""Scores for several values of a parameter: alpha, gamma, the cutoff or any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd

from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric, Value
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import evaluate, resolve_metrics
from divmetrics.io.loading import load_for_convention
from divmetrics.research.meta.parallel import in_parallel

CUTOFF = "cutoff"


@public
def sweep(
    qrels: Any,
    runs: Any,
    metrics: str | Iterable[str],
    parameter: str,
    values: Sequence[Value],
    topics: Any = None,
    convention: str = "paper",
    *,
    order: Any = None,
    mean_over: Any = None,
    scale: int | None = None,
    gain: str | None = None,
    relevance_level: int = 1,
    workers: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Score runs for every value of one parameter.

    Parameters
    ----------
    qrels, runs : object
        Judgments and runs, as in `divmetrics.evaluate`.
    metrics : str or list of str
        Names of metrics that have the parameter.
    parameter : str
        "cutoff", or a parameter of the metrics such as "alpha" of alpha-nDCG or "gamma" of D#-nDCG;
        `divmetrics metrics NAME` lists them.
    values : list
        Values of the parameter.
    topics, convention, order, mean_over, scale, gain, relevance_level : optional
        As in `divmetrics.evaluate`.
    workers : int, optional
        Number of threads; None for the number that an active `joblib.parallel_config` sets, else all cores.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    DataFrame
        Value by value, the rows of `divmetrics.evaluate`. Columns run, topic, metric (its name as in
        `metrics`), then a column called as the parameter (with the value), score.

    Raises
    ------
    DivmetricsError
        If a metric does not have the parameter, a value is out of its range, `values` is empty, a text or a
        single value, or has repeats, or the input cannot be used (as in `divmetrics.evaluate`).

    Examples
    --------
    >>> import divmetrics as dm
    >>> sweep(dm.datasets.sakai2010(), None, "alpha-nDCG@5", "alpha", [0.1, 0.5]).round(3).head(2)
          run topic        metric  alpha  score
    0  MSDiv2    21  alpha-nDCG@5    0.1  0.240
    1  MSDiv2    28  alpha-nDCG@5    0.1  0.296
    """
    labels, chosen = resolve_metrics(metrics, convention, {})
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise DivmetricsError(f"the values of {parameter} are {values!r}, expected a list of them")
    values = list(values)
    if not values:
        raise DivmetricsError(f"no value of {parameter} was given; give at least one")
    repeated = next((value for i, value in enumerate(values) if value in values[:i]), None)
    if repeated is not None:
        raise DivmetricsError(f"{parameter} {repeated!r} is given twice; give it once")
    varied = [[_with(metric, parameter, value) for metric in chosen] for value in values]
    table = convention_named(convention)
    collection = load_for_convention(
        table,
        qrels,
        runs,
        topics,
        order=order,
        scale=scale,
        relevance_level=relevance_level,
        for_display=False,
        progress=progress,
    )
    tasks = ((collection, variants, convention, mean_over, gain) for variants in varied)
    scored = in_parallel(_scores, tasks, total=len(varied), workers=workers, progress=progress, unit="value")
    parts = []
    for value, variants, scores in zip(values, varied, scored, strict=True):
        names = {str(metric): label for metric, label in zip(variants, labels, strict=True)}
        scores["metric"] = scores["metric"].map(names)
        scores.insert(3, parameter, value)
        parts.append(scores)
    return pd.concat(parts, ignore_index=True)


@public
def apply_per_value(
    table: pd.DataFrame, column: str, function: Callable[..., pd.DataFrame], *arguments: Any, **options: Any
) -> pd.DataFrame:
    """Apply a function to the part of a table with each value of a column, and concatenate the results.

    Parameters
    ----------
    table : DataFrame
        Table to split, such as `sweep` returns.
    column : str
        Column with the values; missing values (nan) count as one value.
    function : callable
        Function from DataFrame to DataFrame. It gets the rows with one value, without `column`, and the
        further arguments. What it returns must not have a column of this name, and stays unchanged.
    *arguments, **options : object
        Further arguments of the function.

    Returns
    -------
    DataFrame
        The column, then the columns that the function returns; values in order of first appearance.

    Raises
    ------
    DivmetricsError
        If the table is empty or lacks the column, or the function returns no table or one with this column.
        What the function raises passes unchanged.

    Examples
    --------
    >>> import divmetrics as dm
    >>> scores = sweep(dm.datasets.sakai2010(), None, "ERR-IA", "cutoff", [5, 10])
    >>> apply_per_value(scores, "cutoff", dm.meta.means)[["cutoff", "run", "mean"]].round(3)
       cutoff       run   mean
    0       5    MSDiv2  0.164
    1       5  MSRAACSF  0.093
    2      10    MSDiv2  0.170
    3      10  MSRAACSF  0.099
    """
    if not isinstance(table, pd.DataFrame) or not len(table):
        raise DivmetricsError(
            f"there is no table with rows to part by {column}; give what `sweep` or `evaluate` returns"
        )
    if column not in table.columns:
        raise DivmetricsError(
            f"the table has no column {column!r} (it has {', '.join(map(str, table.columns))}); name one "
            "of these"
        )
    parts = []
    for value, rows in table.groupby(column, sort=False, dropna=False):
        part = function(rows.drop(columns=column), *arguments, **options)
        if not isinstance(part, pd.DataFrame) or column in part.columns:
            kind = type(part).__name__
            raise DivmetricsError(
                f"the function returned a {kind}, expected a DataFrame without the column {column!r}"
            )
        part = part.copy()
        part.insert(0, column, value)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _with(metric: BaseMetric, parameter: str, value: Any) -> BaseMetric:
    return metric @ value if parameter == CUTOFF else metric.with_parameters(**{parameter: value})


def _scores(
    collection: Collection, metrics: list[BaseMetric], convention: str, mean_over: Any, gain: str | None
) -> pd.DataFrame:
    return evaluate(collection, None, metrics, convention=convention, mean_over=mean_over, gain=gain)
