"""Explain in a sentence why a metric prefers one list to another; its numbers are contributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divmetrics.core.batch import batch_lists
from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores, rounding_error
from divmetrics.explanations.contributions import Contributions

MOST_INTENTS = 2  # named in favour of a list
DIGITS = range(4, 13)  # decimals tried until two numbers differ


def explain_preference(metric: BaseMetric, better: RankedList, worse: RankedList) -> str:
    """Explain why the score of `better` is higher than that of `worse`, two lists of one topic.

    Names the intents that earn most of the difference (second-level subtopics for an intent-square metric),
    each with the rank where the lists differ most, and the intent that speaks most against it. For a weighted
    sum: the amount each term adds, then the intents of the decisive term.
    """
    batch = batch_lists([better, worse])
    sentence = f"{metric} prefers {better.run}, {_two_numbers(metric.scores(batch)[0], 'to')}: "
    weight = 1.0
    if isinstance(metric, WeightedSum):
        amounts = [weight() * term.scores(batch)[0] for weight, term in metric.terms]
        terms = [term for _, term in metric.terms]
        sentence += " and ".join(
            f"{_two_numbers(x, 'to')} from {term}" for x, term in zip(amounts, terms, strict=True)
        )
        term_weight, metric = metric.terms[int(np.argmax([higher - lower for higher, lower in amounts]))]
        weight = term_weight()
        sentence += f"; in {metric}, "
    both = Contributions.of(metric, batch, better.topic, [better.docs, worse.docs])
    return f"{sentence}{_intent_clauses(both, weight, better, worse)}."


def _intent_clauses(
    both: Sequence[Contributions], weight: float, better: RankedList, worse: RankedList
) -> str:
    """Name the intents that earn more in the better list, with their main ranks, and one that earns less."""
    names = [f"{'subtopic' if row.child else 'intent'} {row.name}" for row in both[0].rows]
    earned = [weight * of_list.values for of_list in both]
    total = np.array([values.sum(axis=1) for values in earned])
    difference = total[0] - total[1]
    order = np.argsort(-difference, kind="stable")
    tie = rounding_error(total)
    enough = int(np.searchsorted(np.cumsum(difference[order]), difference.sum() - tie)) + 1
    clauses = []
    for i in order[: min(enough, MOST_INTENTS)]:
        k = int(np.argmax(earned[0][i, : len(better)] - earned[1][i, : len(worse)]))
        docs = " against ".join(ranked.docs[k] for ranked in (better, worse))
        at_rank = np.array([values[i, k] for values in earned])
        only_there = np.abs(total[:, i] - at_rank).max() <= tie  # nothing else is earned
        rank_text = (
            f"at rank {k + 1} ({docs})"
            if only_there
            else f"mainly at rank {k + 1} ({docs}: {_two_numbers(at_rank, 'against')})"
        )
        clauses.append(f"{names[i]} earns {_two_numbers(total[:, i], 'against')}, {rank_text}")
    last = order[-1]
    if difference[last] < -tie:
        clauses.append(f"although {names[last]} earns {_two_numbers(total[:, last], 'against')}")
    return ", ".join(clauses)


def _two_numbers(numbers: np.ndarray, between: str) -> str:
    """Format two numbers, joined by `between`: four decimals, or up to 12 if they would look equal or 0.

    Zero is "nothing".
    """
    for digits in DIGITS:
        texts = [f"{x:.{digits}f}" if compare_scores(x) else "nothing" for x in numbers.tolist()]
        differ = texts[0] != texts[1] or not compare_scores(*numbers)
        if differ and all(x == "nothing" or float(x) for x in texts):
            break
    return f" {between} ".join(texts)
