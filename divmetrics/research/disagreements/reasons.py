"""Why a metric prefers one list to another, in a sentence whose numbers are contributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divmetrics.core.batch import batch_lists
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.tolerances import compare_scores, rounding_error
from divmetrics.explanations.contributions import Contributions

MOST_INTENTS = 2  # that are named in favour of a list
DIGITS = range(4, 13)  # decimals: the fewest that show a difference


def why(metric: BaseMetric, better: RankedList, worse: RankedList) -> str:
    """What makes the score of `better` higher than that of `worse`, two lists of one topic.

    Named are the intents that earn most of the difference (of an intent-square metric the second-level
    subtopics), each with the rank where the lists differ most, and the intent that speaks most against it. Of
    a weighted sum, first what each of its terms adds, then the intents of the term that decides.
    """
    view = batch_lists([better, worse])
    told = f"{metric} prefers {better.run}, {_pair(metric.scores(view)[0], 'to')}: "
    weight = 1.0
    if isinstance(metric, WeightedSum):
        added = [weight() * term.scores(view)[0] for weight, term in metric.terms]
        terms = [term for _, term in metric.terms]
        told += " and ".join(f"{_pair(x, 'to')} from {term}" for x, term in zip(added, terms, strict=True))
        of_term, metric = metric.terms[int(np.argmax([higher - lower for higher, lower in added]))]
        weight = of_term()
        told += f"; in {metric}, "
    both = Contributions.of(metric, view, better.topic, [better.docs, worse.docs])
    return f"{told}{_who(both, weight, better, worse)}."


def _who(both: Sequence[Contributions], weight: float, better: RankedList, worse: RankedList) -> str:
    """Which rows earn more in the better list, and at which rank above all; and which one earns less."""
    names = [f"{'subtopic' if row.child else 'intent'} {row.name}" for row in both[0].rows]
    earned = [weight * of_list.values for of_list in both]
    total = np.array([values.sum(axis=1) for values in earned])
    ahead = total[0] - total[1]
    order = np.argsort(-ahead, kind="stable")
    tie = rounding_error(total)
    enough = int(np.searchsorted(np.cumsum(ahead[order]), ahead.sum() - tie)) + 1
    told = []
    for i in order[: min(enough, MOST_INTENTS)]:
        k = int(np.argmax(earned[0][i, : len(better)] - earned[1][i, : len(worse)]))
        docs = " against ".join(ranked.docs[k] for ranked in (better, worse))
        here = np.array([values[i, k] for values in earned])
        alone = np.abs(total[:, i] - here).max() <= tie  # nothing else is earned
        where = (
            f"at rank {k + 1} ({docs})"
            if alone
            else f"mainly at rank {k + 1} ({docs}: {_pair(here, 'against')})"
        )
        told.append(f"{names[i]} earns {_pair(total[:, i], 'against')}, {where}")
    last = order[-1]
    if ahead[last] < -tie:
        told.append(f"although {names[last]} earns {_pair(total[:, last], 'against')}")
    return ", ".join(told)


def _pair(numbers: np.ndarray, between: str) -> str:
    """Two numbers with four decimals, or as many as it takes to tell them from each other and from 0."""
    for digits in DIGITS:
        shown = [f"{x:.{digits}f}" if compare_scores(x) else "nothing" for x in numbers.tolist()]
        differ = shown[0] != shown[1] or not compare_scores(*numbers)
        if differ and all(x == "nothing" or float(x) for x in shown):
            break
    return f" {between} ".join(shown)
