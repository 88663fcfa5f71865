"""Resolve the lists and metrics that a magic's line names, or choose defaults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.evaluation import resolve_metrics
from divmetrics.notebook.magics.arguments import Arguments
from divmetrics.notebook.magics.session import Session
from divmetrics.registry.parse import metric as metric_named

USUAL = ("S-recall", "strec", "I-rec", "ERR-IA", "alpha-nDCG", "D#-nDCG")
USUAL_CUTOFF = 10


def resolve_lists(session: Session, words: Sequence[str]) -> dict[str, RankedList]:
    """Return {name: list} of the names `words`; without names, the draft's lists, or else the namespace's.

    Raises DivmetricsError if a list is missing or named twice.
    """
    if not words:
        there = dict(session.draft.lists) or session.lists()
        if not there:
            raise DivmetricsError("there is no ranked list yet; write one with %%serp A")
        return there
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice:
        raise DivmetricsError(f"list {twice} is named twice; name it once")
    return {word: one_list(session, word) for word in words}


def one_list(session: Session, word: str) -> RankedList:
    """Return the list named `word`; raises DivmetricsError, with a hint if `word` is the name of a metric."""
    try:
        return session.list(word)
    except DivmetricsError as error:
        if _is_metric(word):
            raise DivmetricsError(f"{word} is a metric, not a list; write -m {word}") from None
        raise error


def resolve_only_list(session: Session, words: Sequence[str]) -> tuple[str, RankedList]:
    """Return (name, list) of the one list named, or of the only list; raises DivmetricsError for several."""
    lists = resolve_lists(session, words)
    if len(lists) > 1:
        got = "got" if words else "there are"
        raise DivmetricsError(f"expected one list, {got} {', '.join(lists)}; name one")
    return next(iter(lists.items()))


def metrics_of_options(
    arguments: Arguments, lists: Iterable[RankedList]
) -> tuple[list[str], list[BaseMetric]]:
    """Return the names after -m and their metrics; by default, the usual metrics for the lists.

    Raises DivmetricsError if there is no metric of a name.
    """
    convention = arguments.one("convention", "paper")
    return resolve_metrics(arguments.all("metric") or _usual_metrics(convention, lists), convention, {})


def _usual_metrics(convention: str, lists: Iterable[RankedList]) -> list[str]:
    """Return names of usual metrics of a convention; the cutoff is the longest list's length, 1 to 10."""
    cutoff = min(max((len(ranked) for ranked in lists), default=1), USUAL_CUTOFF)
    rows = convention_named(convention).rows
    names = [name for name in USUAL if name in rows]
    if "S-recall" in names:  # equal to S-recall
        names.remove("I-rec")
    return [f"{name}@{max(cutoff, 1)}" for name in names]


def _is_metric(word: str) -> bool:
    try:
        metric_named(word)
    except DivmetricsError:
        return False
    return True
