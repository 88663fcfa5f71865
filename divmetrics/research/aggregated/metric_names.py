"""Names of the metrics that pages can be measured with."""

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
    """The metric of a name such as `AS_RBP(phi=0.5)@5`, or of any that `divmetrics.metric` knows."""
    return metric(name, also=AGGREGATED_METRICS)
