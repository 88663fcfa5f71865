"""The smallest edit of two lists that flips what a metric prefers: pages with few edits, all scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from divmetrics.core import checks
from divmetrics.core.batch import make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection, Judgments, RankedList, Run, subtopic_index
from divmetrics.core.metric import BaseMetric
from divmetrics.core.tolerances import TIE_DIGITS, score_preferences
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
    Page,
    check_lists,
    no_preference_error,
    resolve_goal_metrics,
)

CELLS = 1_000_000  # of (judgments, list, intent, rank) that are scored at once; bounds the memory
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
    """The smallest edit of two lists that flips which of them a metric prefers.

    An edit moves a document of A or of B to another rank, or gives a document of theirs another grade for an
    intent, on the scale of the judgments; a grade counts in both lists and in ideal lists. The smallest edit
    has the fewest of these; of equally many, the fewest grades; then the fewest ranks moved and grades
    changed by; then the largest margin.

    Parameters
    ----------
    metric : a name such as "ERR-IA@5" or a Metric, which must prefer one of the lists
    a, b : two lists over the same judgments
    keep : metrics that have to prefer the same list as before, or neither as before
    edits : at most so many, 1 to 3
    grades : may grades be changed, too? They never are where a topic has second-level subtopics.
    budget : at most so many lists are scored. Pages with one edit come first; where there are too many with
        as many edits, those with the fewest steps are looked at, and the answer is not `exact`.

    Returns a Flip with the `edits` and the lists after them; or, where no edit is found, a NoFlip: it is
    false, and says whether there is none.

    Raises DivmetricsError for input that cannot be used, in one sentence.
    """
    flipped, *kept = resolve_goal_metrics(metric, keep)
    check_lists(a, b)
    checks.whole("edits", edits, 1, f"a whole number from 1 to {MOST_EDITS}", most=MOST_EDITS)
    checks.whole("budget", budget, 1)
    pages = _Pages((flipped, *kept), a, b, budget)
    before = pages.preferred()
    if not before[0]:
        raise no_preference_error(flipped)
    wanted = np.array([-before[0], *before[1:]])
    may_grade = grades and a.judgments.subtopic_grades is None
    for count in range(1, edits + 1):
        for regrading in range(count + 1 if may_grade else 1):
            found = pages.smallest(count - regrading, regrading, wanted)
            if found is not None:
                return Flip(flipped, tuple(kept), (a, b), *found, pages.searched)
    return NoFlip(flipped, tuple(kept), (a, b), edits, may_grade, pages.searched)


class _Pages:
    """The pages that so many edits make of two lists, and what metrics say of them."""

    def __init__(self, metrics: Sequence[BaseMetric], a: RankedList, b: RankedList, budget: int) -> None:
        self.metrics, self.lists, self.left = metrics, (a, b), budget
        self.compared, self.complete = 0, True
        self.docs = dict.fromkeys((*a.docs, *b.docs))

    @property
    def searched(self) -> SearchedEdits:
        """How many pages were compared, and were these all of their sizes?"""
        return SearchedEdits(self.compared, self.complete)

    def preferred(self) -> np.ndarray:
        """For each metric 1 where it prefers A, -1 where it prefers B."""
        a, b = self._scores([self.lists[0].judgments], [ranked.docs for ranked in self.lists])[:, 0].T
        return score_preferences(a, b)

    def smallest(
        self, moves: int, regrading: int, wanted: np.ndarray
    ) -> tuple[tuple[Edit, ...], Page] | None:
        """The smallest edit with so many moves and new grades after which the metrics prefer what is wanted.

        And the lists after it.
        """
        pool = self.lists[0].judgments
        made = [self._orders(len(ranked), moves) for ranked in self.lists]
        lists = [
            tuple(ranked.docs[k] for k in order.places)
            for ranked, by_moves in zip(self.lists, made, strict=True)
            for of_moves in by_moves
            for order in of_moves
        ]
        changes, every = regrades(pool, self.docs, regrading, max(self.left // len(lists), 1))
        self.complete &= every
        if not changes:
            return None
        pools = [apply_regrades(pool, each) for each in changes]
        scores = self._scores(pools, lists)
        self.left = max(self.left - len(lists) * len(pools), 0)
        ends = np.cumsum([len(of_moves) for by_moves in made for of_moves in by_moves])
        parts = np.split(scores, ends[:-1], axis=2)
        graded = np.array([total_grade_change(each) for each in changes])[:, None, None]
        best: tuple[Any, ...] | None = None
        for in_a in range(moves + 1):
            a, b = parts[in_a][..., None], parts[moves + 1 + moves - in_a][:, :, None]
            in_order = (score_preferences(a, b) == wanted[:, None, None, None]).all(axis=0)
            self.compared += in_order.size
            if in_order.any():
                first, second = (
                    np.array([order.steps for order in by_moves[n]])
                    for by_moves, n in zip(made, (in_a, moves - in_a), strict=True)
                )
                steps = graded + first[:, None] + second
                least = steps[in_order].min()
                margins = np.where(in_order & (steps == least), np.round(np.abs(a - b)[0], TIE_DIGITS), -1.0)
                place = np.unravel_index(margins.argmax(), margins.shape)
                found = (float(least), -float(margins[place]), in_a, *map(int, place))
                best = found if best is None else min(best, found)
        if best is None:
            return None
        *_, in_a, change, first_order, second_order = best
        chosen = made[0][in_a][first_order], made[1][moves - in_a][second_order]
        done = [
            edit
            for side, ranked, order in zip(SIDES, self.lists, chosen, strict=True)
            for edit in moves_between(side, ranked.docs, order)
        ]
        after = [
            RankedList(ranked.topic, [ranked.docs[k] for k in order.places], pools[change], ranked.run)
            for ranked, order in zip(self.lists, chosen, strict=True)
        ]
        return (*done, *changes[change]), (after[0], after[1])

    def _orders(self, length: int, moves: int) -> list[list[Reordering]]:
        """For each number of moves up to the given one, the orders that a list of that length takes by it."""
        found = []
        for made in range(moves + 1):
            of_moves, every = orders(length, made, max(self.left // 4, 1))
            self.complete &= every
            found.append(of_moves)
        return found

    def _scores(self, pools: Sequence[Judgments], lists: Sequence[Sequence[str]]) -> np.ndarray:
        """(metric, judgments, list)."""
        wide = max(len(pools[0].topic.intents), len(subtopic_index(pools[0].topic)), 1)
        deep = max(*map(len, lists), *(m.cutoff or 0 for m in self.metrics), 1)
        step = max(1, CELLS // (wide * deep * len(lists)))
        leaves = any(metric.needs_subtopics for metric in self.metrics)
        found = np.empty((len(self.metrics), len(pools), len(lists)))
        tops = np.array([pool.adhoc_scale for pool in pools])
        for top in np.unique(tops):  # what is measured at once is on one scale
            places = np.flatnonzero(tops == top)
            for some in np.split(places, range(step, len(places), step)):
                named = {f"{i}": replace(pools[i], topic=replace(pools[i].topic, id=f"{i}")) for i in some}
                runs = [
                    Run(f"{r}", docs, dict.fromkeys(named, (0, len(docs)))) for r, docs in enumerate(lists)
                ]
                page = make_batch(Collection(named).with_runs(runs), leaves=leaves)
                found[:, some] = [metric.scores(page) for metric in self.metrics]
        return found
