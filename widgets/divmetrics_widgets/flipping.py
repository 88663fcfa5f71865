"""The smallest edit that flips a metric of a lab, and the progress towards a lab's goal, for the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import SIDES
from divmetrics.registry.parse import metric as metric_named
from divmetrics.research.counterfactual import Goal, Move, NoFlip, Regrade, flip
from divmetrics_widgets.measuring import ListScorer

CELLS = 1_000_000  # (list, intent, rank, metric) cells to score for an answer: about a second
LEAST = 2_000  # lists to score, however long they are


def flipped(
    name: str, keep: Sequence[str], a: RankedList, b: RankedList, displayed: Sequence[str]
) -> dict[str, Any]:
    """Return the smallest edit that flips a metric and the rows of `displayed` after it, or a reason.

    keep: names of metrics whose preference must not change; other names of the metric itself are ignored.

    Raises DivmetricsError if the metric cannot be scored or prefers neither list.
    """
    metric_to_flip = metric_named(name)
    constraints = [metric for metric in dict.fromkeys(map(metric_named, keep)) if metric != metric_to_flip]
    result = flip(
        metric_to_flip, a, b, keep=constraints, budget=_budget([metric_to_flip, *constraints], a, b)
    )
    if isinstance(result, NoFlip):
        return {"words": repr(result)}
    lists = dict(zip(SIDES, (list(ranked.docs) for ranked in result.after), strict=True))
    moves = [edit for edit in result.edits if isinstance(edit, Move)]
    regrades = [edit for edit in result.edits if isinstance(edit, Regrade)]
    return {
        "words": result.words,
        "edit": " and ".join(map(str, result.edits)),
        "lists": lists,
        "moves": [{"side": edit.side, "doc": edit.doc} for edit in moves],
        "grades": [{"doc": edit.doc, "intent": edit.intent, "grade": edit.new} for edit in regrades],
        "rows": ListScorer(result.after[0].judgments).rows(lists, displayed),
    }


def _budget(metrics: Sequence[BaseMetric], a: RankedList, b: RankedList) -> int:
    deepest = max(len(a), len(b), *(metric.cutoff or 0 for metric in metrics), 1)
    return max(LEAST, CELLS // (len(metrics) * len(a.topic.intents) * deepest))


def reached(
    goal: Goal, start: tuple[RankedList, RankedList], now: tuple[RankedList, RankedList]
) -> dict[str, Any]:
    """Return the marks of a goal's progress and whether it is reached, or a problem."""
    try:
        progress = goal.progress(start, now)
    except DivmetricsError as error:
        return {"problem": str(error)}
    return {"marks": progress.marks, "reached": progress.reached}
