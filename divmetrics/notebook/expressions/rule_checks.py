"""A new metric is tried out: the rules of the framework, on small collections made to break it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.collection import Collection, Intent, Topic
from divmetrics.core.metric import BaseMetric, Metric
from divmetrics.core.parts import GreedyIdeal, SortedIdeal
from divmetrics.core.rules import CAUSAL, IDEAL, NUMBERS, WEIGHTS, broken_rules
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.exact_ideal import ExactIdeal
from divmetrics.notebook.expressions.expression_parts import ExpressionError
from divmetrics.research.datasets import harry_potter

ADDS_UP = "contributions add up to the score, whatever other lists there are"
WITHIN_RANGE = "scores are between 0 and 1"
RULES = (NUMBERS, ADDS_UP, CAUSAL, WEIGHTS, IDEAL, WITHIN_RANGE)
SEEDS = range(6)
CUTOFFS = (3, 12)  # lists are longer than the one, and shorter than the other
Verdict = Literal["kept", "noted", "broken"]


@dataclass(frozen=True)
class RuleResult:
    """What came of one rule. `column` and `line` (of a written part's source) say where, if that is known."""

    rule: str
    verdict: Verdict
    said: str = ""
    column: str = ""
    line: int = 0


def check_rules(metric: BaseMetric, bounded: bool = False) -> tuple[RuleResult, ...]:
    """Does a metric keep each rule? A finding for every rule, or up to the first that is broken.

    bounded: the metric claims that scores are between 0 and 1; otherwise a score beyond is only noted, and
    only where N divides by an ideal list, so that one would expect it.
    """
    low, high, count = np.inf, -np.inf, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivmetricsWarning)
        for collection in _collections():
            whole = make_batch(collection)
            for cutoff in CUTOFFS:
                cut = metric @ cutoff
                try:
                    contributions = cut.contributions(whole)
                    found = _first_broken(cut, whole) or _alone(cut, collection, contributions)
                except DivmetricsError as error:
                    found = _failed(error)
                if found:
                    return (found if found.rule != CAUSAL else _earliest(metric, found),)
                scores = contributions.sum(axis=(2, 3))
                low, high, count = min(low, scores.min()), max(high, scores.max()), count + scores.size
    kept = [RuleResult(rule, "kept") for rule in RULES if rule != WITHIN_RANGE]
    return *kept, _range(metric, float(low), float(high), count, bounded)


def _earliest(metric: BaseMetric, first: RuleResult) -> RuleResult:
    """Of all lists the look-ahead at the smallest rank, which says most about where it comes from."""
    found = [first]
    for collection in _collections():
        for cutoff in CUTOFFS:
            try:
                another = _first_broken(metric @ cutoff, make_batch(collection))
            except DivmetricsError:
                continue
            if another is not None and another.rule == CAUSAL:
                found.append(another)
    return min(found, key=lambda finding: [int(rank) for rank in re.findall(r"rank (\d+)", finding.said)])


def _failed(error: DivmetricsError) -> RuleResult:
    where = (error.column, error.line) if isinstance(error, ExpressionError) else ()
    return RuleResult(NUMBERS, "broken", str(error), *where)


def _first_broken(metric: BaseMetric, lists: Batch) -> RuleResult | None:
    for rule, sentences in broken_rules(metric, lists).items():
        for sentence in sentences:
            said = sentence.removeprefix(f"{metric}: ")
            column = re.search(r"\b[NfwM]\b", said)
            return RuleResult(rule, "broken", said, column.group() if column else "")
    return None


def _alone(metric: BaseMetric, collection: Collection, among: np.ndarray) -> RuleResult | None:
    """Does every list earn the same when no other list, and no other topic, is there?"""
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
                said = (
                    f"what a list earns at rank {rank} changes when other lists or topics are scored too: "
                    "something reads across lists or below a list's end (so_far(x), before_sum(x) and "
                    "over_intents(x) do not; `listed` is 0 below the end)"
                )
                return RuleResult(ADDS_UP, "broken", said, "M")
    return None


def _range(metric: BaseMetric, low: float, high: float, count: int, bounded: bool) -> RuleResult:
    said = f"from {low:.4g} to {high:.4g} on {count} lists"
    if low >= -CROSS_CHECK_TOLERANCE and high <= 1 + CROSS_CHECK_TOLERANCE:
        return RuleResult(WITHIN_RANGE, "kept", said)
    if bounded:
        return RuleResult(WITHIN_RANGE, "broken", f"the cell says bounded, but scores go {said}")
    ideal = metric.N if isinstance(metric, Metric) else None
    if isinstance(ideal, GreedyIdeal) and high > 1:
        said += "; the greedy ideal is not always the best list"
    elif isinstance(ideal, (ExactIdeal, SortedIdeal)):
        said += "; this ideal is not the most that a list can earn"
    else:
        said += "; nothing says that they should be"
    return RuleResult(WITHIN_RANGE, "noted", said)


@cache
def _collections() -> tuple[Collection, ...]:
    return (*map(_random_collection, SEEDS), harry_potter())


def _random_collection(seed: int) -> Collection:
    """Two or three topics: graded, ragged, with intents nothing covers, unjudged documents, missing lists."""
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
    """Those whose rule is broken."""
    return (finding for finding in findings if finding.verdict == "broken")
