"""What a parameter does: scores for several values of alpha, gamma, the cutoff or any other."""

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
    """Scores under every value of one parameter.

    parameter: "cutoff", or one that the metrics have, such as "alpha" of alpha-nDCG or "gamma" of a
    D#-measure (`divmetrics metrics NAME` lists them). values: the values it takes. The other arguments are
    those of `divmetrics.evaluate`. Returns run, topic, metric (as it was asked for), a column named after the
    parameter, score. Raises DivmetricsError where a metric does not have the parameter, and as `evaluate`
    does.
    """
    labels, chosen = resolve_metrics(metrics, convention, {})
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise DivmetricsError(f"the values of {parameter} are {values!r}, expected a list of them")
    values = list(values)
    if not values:
        raise DivmetricsError(f"no value of {parameter} was given; give at least one")
    again = next((value for i, value in enumerate(values) if value in values[:i]), None)
    if again is not None:
        raise DivmetricsError(f"{parameter} {again!r} is given twice; give it once")
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
    tasks = ((collection, under, convention, mean_over, gain) for under in varied)
    scored = in_parallel(_scores, tasks, total=len(varied), workers=workers, progress=progress, unit="value")
    parts = []
    for value, under, scores in zip(values, varied, scored, strict=True):
        asked = {str(metric): label for metric, label in zip(under, labels, strict=True)}
        scores["metric"] = scores["metric"].map(asked)
        scores.insert(3, parameter, value)
        parts.append(scores)
    return pd.concat(parts, ignore_index=True)


@public
def apply_per_value(
    table: pd.DataFrame, column: str, function: Callable[..., pd.DataFrame], *arguments: Any, **options: Any
) -> pd.DataFrame:
    """`function(part, *arguments, **options)` for the part of a table with each value of a column.

    Such as `for_each(sweep(..., "cutoff", [5, 10, 20]), "cutoff", rank_correlation, truth="ERR-IA")`. The
    column stands in front of what the function returns.
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
    for value in table[column].unique():
        part = function(table[table[column] == value].drop(columns=column), *arguments, **options)
        part.insert(0, column, value)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _with(metric: BaseMetric, parameter: str, value: Any) -> BaseMetric:
    return metric @ value if parameter == CUTOFF else metric.with_parameters(**{parameter: value})


def _scores(
    collection: Collection, metrics: list[BaseMetric], convention: str, mean_over: Any, gain: str | None
) -> pd.DataFrame:
    return evaluate(collection, None, metrics, convention=convention, mean_over=mean_over, gain=gain)
