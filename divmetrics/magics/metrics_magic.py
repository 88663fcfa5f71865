"""%metrics: Table 1 of Yu et al. (2017) as a table, or one metric whole."""

from __future__ import annotations

from divmetrics.listing import describe, table_of_rows
from divmetrics.magics.arguments import at_most, read_arguments
from divmetrics.magics.desk import Desk
from divmetrics.magics.magic import CONVENTION, Magic
from divmetrics.registry import metric


def show_metrics(desk: Desk, line: str) -> object:
    """%metrics [NAME] [--convention NAME]

    What metrics are made of: all of a convention, or one with its formula, parts and source.

        %metrics
        %metrics alpha-nDCG(alpha=0.3)@10
        %metrics --convention ndeval
    """
    arguments = read_arguments(MAGIC, line)
    at_most(arguments.words, 1, "the name of one metric, or none")
    convention = arguments.one("convention", "paper")
    if not arguments.words:
        print(table_of_rows(convention))
        return None
    print(describe(metric(arguments.words[0], convention)))
    return None


MAGIC = Magic("metrics", show_metrics, options=(CONVENTION,), words="metric")
