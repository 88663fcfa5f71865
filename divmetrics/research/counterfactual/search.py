"""Search the smallest edit of two lists that flips a metric's preference: score all pages with few edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from divmetrics.core import checks
from divmetrics.core.batch import make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.tolerances import TIE_DIGITS, score_preferences
from divmetrics.core.topics import subtopic_index
from divmetrics.research.counterfactual.edits import (
    Edit,
    Reordering,
    Side,
    apply_regrades,
    moves_between,
    orders,
    regrades,
    total_grade_change,
)
from divmetrics.research.counterfactual.flip_result import Flip, NoFlip, SearchedEdits
from divmetrics.research.counterfactual.inputs import (
    ListPair,
    check_lists,
    no_preference_error,
    resolve_goal_metrics,
)

CELLS = 1_000_000  # size of the arrays (judgments, list, intent, rank) scored at once; bounds the memory
MOST_EDITS = 3
SIDES = get_args(Side)


@public
def flip(
    metric: str | BaseMetric,
    a: RankedList,
    b: RankedList,
    *,
    keep: str | BaseMetric | Iterable[str | BaseMetric] = (),
    edits: int = 2,
    grades: bool = True,
    budget: int = 100_000,
) -> Flip | NoFlip:
    """Find the smallest edit of two lists after which a metric prefers the other list.

    A page is the two lists with their judgments. An edit moves a document of A or B to another rank, or
    changes the grade of a listed document for an intent, on the scale of the judgments; a new grade counts
    in both lists and in ideal lists. The smallest edit has the fewest moves and new grades, then the fewest
    new grades, then the smallest sum of ranks moved and grades changed, then the largest margin.

    Parameters
    ----------
    metric : str or BaseMetric
        The metric to flip, such as "ERR-IA@5". It must prefer one of the lists.
    a, b : RankedList
        Two lists with the same judgments. They are not changed.
    keep : str or BaseMetric, or iterable of these
        The metrics that must prefer the same list as before, or still neither list; none by default.
    edits : int
        The largest number of moves and new grades together, 1 to 3.
    grades : bool
        Whether grades may change. They never do if second-level subtopics are judged.
    budget : int
        The largest number of lists scored beside A and B themselves, at least 1. Pages after one edit come
        first; if too many pages are the same number of edits away, only those with the smallest edits are
        scored, and the result is not `exact`.

    Returns
    -------
    Flip or NoFlip
        The `edits` with the lists `before` and `after` them, and a sentence on them (`words`); or, if no edit
        flips the metric, a NoFlip, which is false. Its `exact` is whether it is proved that no edit within
        the limits flips the metric.

    Raises
    ------
    DivmetricsError
        If a metric is unknown, both to flip and to keep, or prefers neither list (the one to flip), the lists
        have different judgments, or a number is out of range.

    Examples
    --------
    >>> import divmetrics as dm
    >>> from divmetrics.research.datasets import harry_potter
    >>> a, c = (harry_potter().list(run, "0083") for run in ("A", "C"))
    >>> print(dm.flip("ERR-IA@5", a, c, edits=1).words)  # doctest: +NORMALIZE_WHITESPACE
    Move d14 in B up from rank 4 to rank 1: ERR-IA@5 then prefers A (0.2870 against 0.2722 for B) instead of
    B (0.3590 against 0.2870 for A). Exact: all 98 pages with no more edits were compared.
    """
    to_flip, *to_keep = resolve_goal_metrics(metric, keep)
    check_lists(a, b)
    checks.check_whole("edits", edits, 1, f"a whole number from 1 to {MOST_EDITS}", most=MOST_EDITS)
    checks.check_whole("budget", budget, 1)
    pages = _Pages((to_flip, *to_keep), a, b, budget)
    before = pages.preferred()
    if not before[0]:
        raise no_preference_error(to_flip)
    target = np.array([-before[0], *before[1:]])
    may_grade = grades and a.judgments.subtopic_grades is None
    for count in range(1, edits + 1):
        for regrading in range(count + 1 if may_grade else 1):
            smallest = pages.smallest(count - regrading, regrading, target)
            if smallest is not None:
                return Flip(to_flip, tuple(to_keep), (a, b), *smallest, pages.searched)
    return NoFlip(to_flip, tuple(to_keep), (a, b), edits, may_grade, pages.searched)


class _Pages:
    """The pages that edits make of two lists, and the preferences of metrics on them."""

    def __init__(self, metrics: Sequence[BaseMetric], a: RankedList, b: RankedList, budget: int) -> None:
        self.metrics, self.lists, self.left = metrics, (a, b), budget
        self.compared, self.complete = 0, True
        self.docs = dict.fromkeys((*a.docs, *b.docs))

    @property
    def searched(self) -> SearchedEdits:
        """The number of pages compared, and whether no page with the tried numbers of edits was left out."""
        return SearchedEdits(self.compared, self.complete)

    def preferred(self) -> np.ndarray:
        """Return 1 for each metric that prefers A, -1 for B, 0 for neither."""
        a, b = self._scores([self.lists[0].judgments], [ranked.docs for ranked in self.lists])[:, 0].T
        return score_preferences(a, b)

    def smallest(
        self, moves: int, regrading: int, target: np.ndarray
    ) -> tuple[tuple[Edit, ...], ListPair] | None:
        """Return the smallest edit of `moves` moves and `regrading` regrades, and the lists after it.

        Returns None if no such edit reaches `target`.

        `target` are the preferences to reach, (metric,): 1 for A, -1 for B, 0 for neither.
        """
        judgments = self.lists[0].judgments
        reorderings = [self._orders(len(ranked), moves) for ranked in self.lists]
        lists = [
            tuple(ranked.docs[k] for k in order.positions)
            for ranked, by_moves in zip(self.lists, reorderings, strict=True)
            for of_moves in by_moves
            for order in of_moves
        ]
        changes, complete = regrades(judgments, self.docs, regrading, self.left // len(lists))
        self.complete &= complete
        if not changes:
            return None
        regraded = [apply_regrades(judgments, each) for each in changes]
        scores = self._scores(regraded, lists)
        self.left -= len(lists) * len(regraded)
        ends = np.cumsum([len(of_moves) for by_moves in reorderings for of_moves in by_moves])
        scores_by_moves = np.split(scores, ends[:-1], axis=2)
        grade_steps = np.array([total_grade_change(each) for each in changes])[:, None, None]
        best: tuple[Any, ...] | None = None
        for in_a in range(moves + 1):
            a, b = scores_by_moves[in_a][..., None], scores_by_moves[moves + 1 + moves - in_a][:, :, None]
            matches = (score_preferences(a, b) == target[:, None, None, None]).all(axis=0)
            self.compared += matches.size
            if matches.any():
                first, second = (
                    np.array([order.steps for order in by_moves[n]])
                    for by_moves, n in zip(reorderings, (in_a, moves - in_a), strict=True)
                )
                steps = grade_steps + first[:, None] + second
                least = steps[matches].min()
                margins = np.where(matches & (steps == least), np.round(np.abs(a - b)[0], TIE_DIGITS), -1.0)
                position = np.unravel_index(margins.argmax(), margins.shape)
                candidate = (float(least), -float(margins[position]), in_a, *map(int, position))
                best = candidate if best is None else min(best, candidate)
        if best is None:
            return None
        *_, in_a, change, first_order, second_order = best
        orders_of_best = reorderings[0][in_a][first_order], reorderings[1][moves - in_a][second_order]
        edits = [
            edit
            for side, ranked, order in zip(SIDES, self.lists, orders_of_best, strict=True)
            for edit in moves_between(side, ranked.docs, order)
        ]
        after = [
            RankedList(ranked.topic, [ranked.docs[k] for k in order.positions], regraded[change], ranked.run)
            for ranked, order in zip(self.lists, orders_of_best, strict=True)
        ]
        return (*edits, *changes[change]), (after[0], after[1])

    def _orders(self, length: int, moves: int) -> list[list[Reordering]]:
        """Return the orders of a list of `length` that take exactly k moves, at index k = 0, ..., `moves`.

        They are at most half as many as the lists that may still be scored.
        """
        by_moves, rest = [[Reordering(tuple(range(length)), (), 0)]], self.left // 2 - 1
        for count in range(1, moves + 1):
            most = min(self.left // 4, rest // (moves - count + 1))
            of_moves, complete = orders(length, count, max(most, 0))
            self.complete &= complete
            by_moves.append(of_moves)
            rest -= len(of_moves)
        return by_moves

    def _scores(self, graded: Sequence[Judgments], lists: Sequence[Sequence[str]]) -> np.ndarray:
        """Return the scores, (metric, judgments, list)."""
        wide = max(len(graded[0].topic.intents), len(subtopic_index(graded[0].topic)), 1)
        deep = max(*map(len, lists), *(m.cutoff or 0 for m in self.metrics), 1)
        step = max(1, CELLS // (wide * deep * len(lists)))
        leaves = any(metric.needs_subtopics for metric in self.metrics)
        scores = np.empty((len(self.metrics), len(graded), len(lists)))
        scales = np.array([judgments.adhoc_scale for judgments in graded])
        for scale in np.unique(scales):  # one batch has one scale
            positions = np.flatnonzero(scales == scale)
            for block in np.split(positions, range(step, len(positions), step)):
                by_topic = {
                    f"{i}": replace(graded[i], topic=replace(graded[i].topic, id=f"{i}")) for i in block
                }
                runs = [
                    Run(f"{r}", docs, dict.fromkeys(by_topic, (0, len(docs)))) for r, docs in enumerate(lists)
                ]
                batch = make_batch(Collection(by_topic).with_runs(runs), leaves=leaves)
                scores[:, block] = [metric.scores(batch) for metric in self.metrics]
        return scores
