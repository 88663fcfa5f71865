"""For a browser: the smallest edit that flips a metric of a lab, and how far the goal of a lab is reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import SIDES
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual import Goal, Move, NoFlip, Regrade, flip
from divmetrics_widgets.measuring import ListScorer

CELLS = 1_000_000  # of (list, intent, rank, metric) that are scored for an answer: about a second
LEAST = 2_000  # lists, however large they are


def flipped(
    name: str, keep: Sequence[str], a: RankedList, b: RankedList, shown: Sequence[str]
) -> dict[str, Any]:
    """Return the smallest edit that flips a metric, with the rows of `shown` after it, or why there is none.

    keep: names of metrics that have to stay; one that is the metric itself by another name is left out.

    Raises DivmetricsError where the metric cannot be measured or prefers neither list.
    """
    asked = metric_named(name)
    kept = [metric for metric in dict.fromkeys(map(metric_named, keep)) if metric != asked]
    found = flip(asked, a, b, keep=kept, budget=_budget([asked, *kept], a, b))
    if isinstance(found, NoFlip):
        return {"words": repr(found)}
    lists = dict(zip(SIDES, (list(ranked.docs) for ranked in found.after), strict=True))
    moves = [edit for edit in found.edits if isinstance(edit, Move)]
    regrades = [edit for edit in found.edits if isinstance(edit, Regrade)]
    return {
        "words": found.words,
        "edit": " and ".join(map(str, found.edits)),
        "lists": lists,
        "moves": [{"side": edit.side, "doc": edit.doc} for edit in moves],
        "grades": [{"doc": edit.doc, "intent": edit.intent, "grade": edit.new} for edit in regrades],
        "rows": ListScorer(found.after[0].judgments).rows(lists, shown),
    }


def _budget(metrics: Sequence[BaseMetric], a: RankedList, b: RankedList) -> int:
    deepest = max(len(a), len(b), *(metric.cutoff or 0 for metric in metrics), 1)
    return max(LEAST, CELLS // (len(metrics) * len(a.topic.intents) * deepest))


def reached(
    goal: Goal, start: tuple[RankedList, RankedList], now: tuple[RankedList, RankedList]
) -> dict[str, Any]:
    """What is done for a goal and what is not, in words; or why that cannot be said."""
    try:
        progress = goal.progress(start, now)
    except DivmetricsError as error:
        return {"problem": str(error)}
    return {"marks": progress.marks, "reached": progress.reached}
