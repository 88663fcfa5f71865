"""What a magic works on: the lists and the metrics that its line names, or sensible ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import resolve_metrics
from divmetrics.notebook.magics.arguments import Arguments
from divmetrics.notebook.magics.session import Session
from divmetrics.registry.parse import metric as metric_named

USUAL = ("S-recall", "strec", "I-rec", "ERR-IA", "alpha-nDCG", "D#-nDCG")
USUAL_CUTOFF = 10


def resolve_lists(desk: Session, words: Sequence[str]) -> dict[str, RankedList]:
    """The lists of these names; without any, those written for the topic, or else all there are."""
    if not words:
        there = dict(desk.sheet.lists) or desk.lists()
        if not there:
            raise DivmetricsError("there is no ranked list yet; write one with %%serp A")
        return there
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice:
        raise DivmetricsError(f"list {twice} is named twice; name it once")
    return {word: one_list(desk, word) for word in words}


def one_list(desk: Session, word: str) -> RankedList:
    """The list of this name; where it is a metric's, the error says how metrics are given."""
    try:
        return desk.list(word)
    except DivmetricsError as error:
        if _is_metric(word):
            raise DivmetricsError(f"{word} is a metric, not a list; write -m {word}") from None
        raise error


def resolve_only_list(desk: Session, words: Sequence[str]) -> tuple[str, RankedList]:
    """One list with its name; without a name, the only one there is."""
    lists = resolve_lists(desk, words)
    if len(lists) > 1:
        got = "got" if words else "there are"
        raise DivmetricsError(f"expected one list, {got} {', '.join(lists)}; name one")
    return next(iter(lists.items()))


def metrics_of_options(
    arguments: Arguments, lists: Iterable[RankedList]
) -> tuple[list[str], list[BaseMetric]]:
    """The metrics after -m and their names; without any, a few usual ones, cut where the lists end."""
    convention = arguments.one("convention", "paper")
    return resolve_metrics(arguments.all("metric") or usual_metrics(convention, lists), convention, {})


def usual_metrics(convention: str, lists: Iterable[RankedList]) -> list[str]:
    """Four points of view: how many intents, how soon each, how much that is new, and how good for all."""
    cutoff = min(max((len(ranked) for ranked in lists), default=1), USUAL_CUTOFF)
    rows = convention_named(convention).rows
    found = [name for name in USUAL if name in rows]
    if "S-recall" in found:  # the same number under another name
        found.remove("I-rec")
    return [f"{name}@{max(cutoff, 1)}" for name in found]


def _is_metric(word: str) -> bool:
    try:
        metric_named(word)
    except DivmetricsError:
        return False
    return True
