"""Names of the metrics of pages."""

from __future__ import annotations

from collections.abc import Mapping

from divmetrics.conventions.aggregated import ROWS
from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.registry.parse import metric

# The metrics of pages of blocks, by name.
AGGREGATED_METRICS: Mapping[str, Metric] = {row.name: row for row in ROWS}


@public
def page_metric(name: str | BaseMetric) -> BaseMetric:
    """Parse the name of a metric of pages, or of any metric that `divmetrics.metric` knows.

    Parameters
    ----------
    name : str or BaseMetric
        A name such as "AS_RBP(phi=0.5)@5", or a metric.

    Returns
    -------
    BaseMetric
        The metric.

    Raises
    ------
    DivmetricsError
        If no metric has this name.

    Examples
    --------
    >>> from divmetrics.research.aggregated import page_metric
    >>> print(page_metric("AS_RBP(phi=0.5)@5"))
    AS_RBP(phi=0.5)@5
    """
    return metric(name, also=AGGREGATED_METRICS)
