"""%metrics: print Table 1 of Yu et al. (2017), or the details of one metric."""

from __future__ import annotations

from divmetrics.notebook.magics.arguments import at_most, read_arguments
from divmetrics.notebook.magics.magic import CONVENTION, Magic
from divmetrics.notebook.magics.metric_tables import MetricDetails, MetricTable
from divmetrics.notebook.magics.session import Session
from divmetrics.registry.parse import metric


def show_metrics(session: Session, line: str) -> MetricTable | MetricDetails:
    """%metrics [METRIC] [--convention NAME]

    What metrics are made of: all of them as Table 1 of Yu et al. (2017), or one whole, with its formula, its
    parts and its source.

        %metrics
        %metrics alpha-nDCG(alpha=0.3)@10
        %metrics --convention ndeval

    --convention NAME    paper, ndeval or ntcireval

    Returns a table with `.table`, a DataFrame; of one metric, `.metric` is the metric.
    """
    arguments = read_arguments(MAGIC, line)
    at_most(arguments.words, 1, "one metric, or none for all of them")
    convention = arguments.one("convention", "paper")
    if arguments.words:
        return MetricDetails(metric(arguments.words[0], convention))
    return MetricTable.of(convention)


MAGIC = Magic("metrics", show_metrics, options=(CONVENTION,), words=("metric", ""))
