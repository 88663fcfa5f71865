"""Check a new metric against the rules of the framework on small random collections."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.calls import public
from divmetrics.core.collection import Collection
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import GreedyIdeal, SortedIdeal
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.exact_ideal import ExactIdeal
from divmetrics.notebook.expressions.expression_parts import ExpressionError
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.rules import CAUSAL, IDEAL, NUMBERS, WEIGHTS, broken_rules

ADDS_UP = "contributions add up to the score, whatever other lists there are"
WITHIN_RANGE = "scores are between 0 and 1"
RULES = (NUMBERS, ADDS_UP, CAUSAL, WEIGHTS, IDEAL, WITHIN_RANGE)
SEEDS = range(6)
CUTOFFS = (3, 12)  # shorter and longer than the lists
Verdict = Literal["kept", "noted", "broken"]


@dataclass(frozen=True)
class RuleResult:
    """The result of one rule: `rule` in words, and the `verdict` "kept", "noted" or "broken".

    `message` says what was noted or what broke the rule. `column` ("N", "f", "w", "M") and `line` (of the
    source of a written part) locate a failure; "" and 0 if they are not known.
    """

    rule: str
    verdict: Verdict
    message: str = ""
    column: str = ""
    line: int = 0


@public
def check_rules(metric: str | BaseMetric, bounded: bool = False) -> tuple[RuleResult, ...]:
    """Check a metric on small random collections against every rule of the framework.

    The rules are those of `divmetrics.check`; that contributions add up to the score, whatever other lists
    are scored; and that scores are between 0 and 1. The check ends with the first rule that the metric
    breaks.

    Parameters
    ----------
    metric : str or Metric
        The metric of ranked lists; one of pages (AS_) is "broken". It is checked at cutoffs 3 and 12,
        whatever its own cutoff is.
    bounded : bool
        Whether a score below 0 or above 1 breaks the last rule; otherwise the result only notes such scores.

    Returns
    -------
    tuple of RuleResult
        The result of each rule (its fields are rule, verdict, message, column, line), with the verdict
        "kept", or "noted" for scores outside 0..1; or only that of the rule that the metric breaks, with the
        verdict "broken".

    Raises
    ------
    DivmetricsError
        If there is no metric of this name.

    Examples
    --------
    >>> from divmetrics.notebook.expressions import check_rules, write_metric
    >>> draft = write_metric("halved", "M = relevant / 2")
    >>> sorted({result.verdict for result in check_rules(draft.metric)})
    ['kept', 'noted']
    """
    metric = metric_named(metric)
    low, high, count = np.inf, -np.inf, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        for collection in _collections():
            whole = make_batch(collection)
            for cutoff in CUTOFFS:
                cut = metric @ cutoff
                try:
                    contributions = cut.contributions(whole)
                    failure = _first_broken(cut, whole) or _alone(cut, collection, contributions)
                except DivmetricsError as error:
                    failure = _failed(error)
                if failure:
                    return (failure if failure.rule != CAUSAL else _earliest(metric, failure),)
                scores = contributions.sum(axis=(2, 3))
                low, high, count = min(low, scores.min()), max(high, scores.max()), count + scores.size
    passed = [RuleResult(rule, "kept") for rule in RULES if rule != WITHIN_RANGE]
    return *passed, _range(metric, float(low), float(high), count, bounded)


def _earliest(metric: BaseMetric, first: RuleResult) -> RuleResult:
    """Return the look-ahead at the smallest rank in all collections, the clearest hint at its cause."""
    results = [first]
    for collection in _collections():
        for cutoff in CUTOFFS:
            try:
                another = _first_broken(metric @ cutoff, make_batch(collection))
            except DivmetricsError:
                continue
            if another is not None and another.rule == CAUSAL:
                results.append(another)
    return min(
        results, key=lambda finding: [int(rank) for rank in re.findall(r"rank (\d+)", finding.message)]
    )


def _failed(error: DivmetricsError) -> RuleResult:
    where = (error.column, error.line) if isinstance(error, ExpressionError) else ()
    return RuleResult(NUMBERS, "broken", str(error), *where)


def _first_broken(metric: BaseMetric, lists: Batch) -> RuleResult | None:
    """Return the first rule that a metric breaks on these lists, or None."""
    for rule, sentences in broken_rules(metric, lists).items():
        for sentence in sentences:
            message = sentence.removeprefix(f"{metric}: ")
            column = re.search(r"\b[NfwM]\b", message)
            return RuleResult(rule, "broken", message, column.group() if column else "")
    return None


def _alone(metric: BaseMetric, collection: Collection, among: np.ndarray) -> RuleResult | None:
    """Check that every list earns the same when no other list and no other topic is scored."""
    for t, topic in enumerate(collection.pools):
        for r, run in enumerate(collection.runs):
            single = make_batch(collection, [topic], [run])
            earned = metric.contributions(single)[0, 0]
            intents, depth = earned.shape
            same = np.zeros(among.shape[2:])
            same[:intents, :depth] = earned
            different = np.abs(same - among[t, r]) > CROSS_CHECK_TOLERANCE
            if different.any():
                rank = int(np.nonzero(different)[1].min()) + 1
                message = (
                    f"what a list earns at rank {rank} changes when other lists or topics are scored too: "
                    "something reads across lists or below a list's end (so_far(x), before_sum(x) and "
                    "over_intents(x) do not; `listed` is 0 below the end)"
                )
                return RuleResult(ADDS_UP, "broken", message, "M")
    return None


def _range(metric: BaseMetric, low: float, high: float, count: int, bounded: bool) -> RuleResult:
    message = f"from {low:.4g} to {high:.4g} on {count} lists"
    if low >= -CROSS_CHECK_TOLERANCE and high <= 1 + CROSS_CHECK_TOLERANCE:
        return RuleResult(WITHIN_RANGE, "kept", message)
    if bounded:
        return RuleResult(WITHIN_RANGE, "broken", f"the cell says bounded, but scores go {message}")
    ideal = metric.N if isinstance(metric, Metric) else None
    if isinstance(ideal, GreedyIdeal) and high > 1:
        message += "; the greedy ideal is not always the best list"
    elif isinstance(ideal, (ExactIdeal, SortedIdeal)):
        message += "; this ideal is not the most that a list can earn"
    else:
        message += "; nothing says that they should be"
    return RuleResult(WITHIN_RANGE, "noted", message)


@cache
def _collections() -> tuple[Collection, ...]:
    from divmetrics.research.datasets import harry_potter  # the data sets load pages and recipes, too

    return (*map(_random_collection, SEEDS), harry_potter())


def _random_collection(seed: int) -> Collection:
    """Return two or three random topics: graded, ragged, with uncovered intents and missing lists."""
    random = np.random.default_rng(seed)
    topics: list[Topic] = []
    judged: dict[str, dict[str, dict[str | tuple[str, str], int]]] = {}
    runs: dict[str, dict[str, list[str]]] = {"A": {}, "B": {}, "C": {}}
    for t in range(2 + seed % 2):
        m, n = int(random.integers(1, 5)), int(random.integers(4, 10))
        weights = random.integers(0, 4, m) + (np.arange(m) == 0)
        kinds: list[Literal["informational", "navigational"]] = ["informational", "navigational"]
        intents = tuple(
            Intent(f"t{i}", float(weights[i] / weights.sum()), kinds[int(random.integers(2))])
            for i in range(m)
        )
        topic = Topic(f"{t}", intents)
        docs = [f"d{i}" for i in range(n)]
        barren = seed == 1 and t == 0
        grades = random.integers(0, 4, (n, m)) * (random.random((n, m)) < 0.6) * (random.random(m) < 0.9)
        topics.append(topic)
        judged[topic.id] = {
            doc: {intent.id: 0 if barren else int(grades[d, i]) for i, intent in enumerate(intents)}
            for d, doc in enumerate(docs)
        }
        for run, lists in runs.items():
            if not (run == "C" and t == 0):
                listed = list(random.permutation([*docs, "never judged", "nor this"]))
                lists[topic.id] = listed[: 1 + int(random.integers(n))]
    return Collection.of(topics, judged, runs, scale=3)


def broken(findings: tuple[RuleResult, ...]) -> Iterator[RuleResult]:
    """Yield the results of broken rules."""
    return (finding for finding in findings if finding.verdict == "broken")
