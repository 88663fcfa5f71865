"""%explain: decompose the score of a list into contributions."""

from __future__ import annotations

from divmetrics.errors import DivmetricsError
from divmetrics.notebook.magics.arguments import read_arguments
from divmetrics.notebook.magics.explain_result import Explanation
from divmetrics.notebook.magics.magic import CONVENTION, METRIC, Magic
from divmetrics.notebook.magics.resolve import metrics_of_options, resolve_only_list
from divmetrics.notebook.magics.session import Session


def explain_list(session: Session, line: str) -> Explanation:
    """%explain [LIST] [-m METRIC] [--convention NAME]

    Where a score comes from: what each intent earns at each rank, which adds up to the score, and in words.
    Without a LIST, the only one; without a METRIC, ERR-IA down to the end of the list.

        %explain A
        %explain A -m alpha-nDCG@5
        why = %explain A -m ntcireval:ERR-IA@5

    -m, --metric METRIC    one metric
    --convention NAME      whose formula a bare name means: paper, ndeval or ntcireval

    Returns an Explanation: `.table` (a DataFrame of contributions), `.score`, `.words`, and `.figure`, a
    picture.
    """
    arguments = read_arguments(MAGIC, line)
    name, ranked = resolve_only_list(session, arguments.words)
    _, metrics = metrics_of_options(arguments, [ranked])
    if not arguments.has("metric"):
        metrics = [m for m in metrics if m.name == "ERR-IA"] or metrics[:1]
    if len(metrics) > 1:
        raise DivmetricsError(f"got {len(metrics)} metrics ({', '.join(map(str, metrics))}), expected one")
    if not len(ranked):
        raise DivmetricsError(f"list {name} has no documents, so nothing is earned")
    return Explanation.of(metrics[0], name, ranked)


MAGIC = Magic("explain", explain_list, options=(METRIC, CONVENTION), words=("list", ""))
