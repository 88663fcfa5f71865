"""%diveval: score lists with several metrics."""

from __future__ import annotations

from divmetrics.notebook.magics.arguments import read_arguments
from divmetrics.notebook.magics.diveval_result import Evaluation
from divmetrics.notebook.magics.magic import CONVENTION, METRICS, Magic
from divmetrics.notebook.magics.resolve import metrics_of_options, resolve_lists
from divmetrics.notebook.magics.session import Session


def evaluate_lists(session: Session, line: str) -> Evaluation:
    """%diveval [LIST ...] [-m METRIC ...] [--convention NAME]

    The scores of lists, the best of each metric marked, and where the metrics disagree. Without a LIST, all
    lists of the topic; without a METRIC, four that look at different things.

        %diveval A B
        %diveval A B -m ERR-IA@5 -m D#-nDCG@5
        %diveval A B -m alpha-nDCG(alpha=0.3)@5,ndeval:ERR-IA@5
        scores = %diveval A B --convention ntcireval

    -m, --metric METRIC    may be given several times; Tab completes names and parameters
    --convention NAME      whose formulas bare names mean: paper, ndeval or ntcireval

    A LIST is any RankedList of the kernel, also lab.a of a widget. Returns an Evaluation: `.table` (metrics
    by lists) and `.tidy` are DataFrames; `.best`, `.words`.
    """
    arguments = read_arguments(MAGIC, line)
    lists = resolve_lists(session, arguments.words)
    labels, metrics = metrics_of_options(arguments, lists.values())
    return Evaluation.of(lists, metrics, labels)


MAGIC = Magic("diveval", evaluate_lists, options=(METRICS, CONVENTION), words=("list",))
