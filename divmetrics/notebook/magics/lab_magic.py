"""%lab: open lists in a widget."""

from __future__ import annotations

from typing import Any

from divmetrics.errors import DivmetricsError, join_words
from divmetrics.notebook.magics.arguments import at_most, read_arguments
from divmetrics.notebook.magics.magic import CONVENTION, METRICS, Magic
from divmetrics.notebook.magics.resolve import metrics_of_options, resolve_lists
from divmetrics.notebook.magics.session import Session


def _open_lab(session: Session, line: str) -> Any:
    """%lab [LIST [LIST]] [-m METRIC ...] [--convention NAME]

    One or two lists to be taken in the hands: documents are moved, labels clicked, probabilities changed, and
    every metric follows. Without a LIST, the two (or the one) of the topic.

        %lab A B
        %lab A -m ERR-IA@5 -m D#-nDCG@5
        lab = %lab A B

    -m, --metric METRIC    may be given several times
    --convention NAME      whose formulas bare names mean: paper, ndeval or ntcireval

    The lists themselves stay as they are; what the hands made of them is lab.a and lab.b. Returns the
    RankedListLab.
    """
    arguments = read_arguments(MAGIC, line)
    at_most(arguments.words, 2, "one or two lists")
    lists = resolve_lists(session, arguments.words)
    if len(lists) > 2:
        raise DivmetricsError(f"there are {len(lists)} lists ({', '.join(lists)}), expected two; name them")
    _, metrics = metrics_of_options(arguments, lists.values())
    from divmetrics_widgets import RankedListLab  # slow to import

    if tuple(lists) not in (("A",), ("A", "B")):
        as_ = [f"{name} is list {side}" for name, side in zip(lists, "AB", strict=False)]
        session.note(f"In the lab {join_words(as_)}.")
    first, *others = lists.values()
    return RankedListLab(
        first, *others[:1], metrics=[str(m) for m in metrics], about=session.about(first.judgments)
    )


MAGIC = Magic("lab", _open_lab, options=(METRICS, CONVENTION), words=("list", "list", ""))
