"""Assignment 4: the lists on which a student's metric is called, and the judgment of its scores.

A case is one list, never a pair, and the cases come in a drawn order; every list of a hidden pair comes
three times, once with other names. So a metric cannot know which lists are compared, and one that remembers,
guesses or reads names is detected.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

import divmetrics as dm
from course.grading.judge import UnreadableAnswer, numbers
from course.grading.ps4_pairs import deciding_pairs, once
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import CROSS_CHECK_TOLERANCE, compare_scores

SCALE = 2
FUNCTION = {"function": True}  # what hand_in writes of one


@dataclass
class Cases:
    """The lists, and the indices of those that are compared.

    lists, rankings : the described lists that are sent, and the rankings they describe
    same : indices of one list, twice as it is and once with other names
    better, earlier, longer : indices of a list and of one that it must not score less than
    empty : indices of lists that serve nobody
    hidden : indices of the better and the worse list of a hidden pair
    systems : indices by run and topic
    """

    lists: list[dict[str, Any]] = field(default_factory=list)
    rankings: list[RankedList] = field(default_factory=list)
    same: list[tuple[int, ...]] = field(default_factory=list)
    better: list[tuple[int, int]] = field(default_factory=list)
    earlier: list[tuple[int, int]] = field(default_factory=list)
    longer: list[tuple[int, int]] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    hidden: list[tuple[int, int]] = field(default_factory=list)
    systems: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, ranking: RankedList, renamed: bool = False) -> int:
        """Add a case and return its index."""
        self.lists.append(described(ranking, renamed))
        self.rankings.append(ranking)
        return len(self.lists) - 1


def described(ranking: RankedList, renamed: bool = False) -> dict[str, Any]:
    """Convert a list to plain text and numbers, under names that keep only the order that breaks ties."""
    topic, judgments = ranking.topic, ranking.judgments
    before = 500 if renamed else 100
    every = sorted({*judgments.position, *ranking.docs})
    name = {doc: f"p{before + n}" for n, doc in enumerate(every)}
    sign = {intent.id: f"{'xyzuvw'[n] if renamed else 'abcdef'[n]}" for n, intent in enumerate(topic.intents)}
    judged = {
        name[doc]: {sign[i]: grade for i, grade in judgments.labels(doc).items()}
        for doc in judgments.position
    }
    intents = [[sign[intent.id], intent.probability, intent.kind] for intent in topic.intents]
    return {
        "topic": "t",
        "intents": intents[::-1] if renamed else intents,
        "scale": SCALE,
        "judged": judged,
        "docs": [name[doc] for doc in ranking.docs],
    }


def dominates(ranking: RankedList, one: str, other: str) -> bool:
    """Return whether a document is at least as good for every intent, and better for one."""
    grades = [ranking.judgments.labels(doc) for doc in (one, other)]
    a, b = ([each.get(intent.id, 0) for intent in ranking.topic.intents] for each in grades)
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


@once
def cases(mine: Any) -> Cases:
    """Return the lists on which a student's metric is called."""
    made = Cases()
    for pair in deciding_pairs(mine).hidden:
        both = []
        for ranking in (pair.better, pair.worse):
            places = made.add(ranking), made.add(ranking), made.add(ranking, renamed=True)
            made.same.append(places)
            both.append(places[0])
            _varied(made, ranking, places[0], mine.documents(int(ranking.topic.id)).docs)
        made.hidden.append((both[0], both[1]))
        nobody = [doc for doc in pair.better.docs if not pair.better.judgments.labels(doc)] or ["nobody"]
        made.empty.append(made.add(pair.better.reordered(nobody[:1])))
        made.empty.append(made.add(pair.better.reordered(["n1", "n2", "n3"])))
    for topic in mine.collection.pools:
        for run in mine.collection.runs:
            made.systems[run, topic] = made.add(mine.collection.list(run, topic))
    return _shuffled(made, mine.number)


def _varied(cases: Cases, ranking: RankedList, place: int, every: Iterable[str]) -> None:
    """Vary a list: one document replaced by a better one, neighbours exchanged, the end cut off."""
    docs = list(ranking.docs)
    for k in range(len(docs)):
        for doc in every:
            if doc not in docs and dominates(ranking, doc, docs[k]):
                cases.better.append((cases.add(ranking.reordered([*docs[:k], doc, *docs[k + 1 :]])), place))
                break
        if k and dominates(ranking, docs[k], docs[k - 1]):
            swapped = [*docs[: k - 1], docs[k], docs[k - 1], *docs[k + 1 :]]
            cases.earlier.append((cases.add(ranking.reordered(swapped)), place))
        if k and dominates(ranking, docs[k - 1], docs[k]):
            swapped = [*docs[: k - 1], docs[k], docs[k - 1], *docs[k + 1 :]]
            cases.earlier.append((place, cases.add(ranking.reordered(swapped))))
    cases.longer.append((place, cases.add(ranking.reordered(docs[:-1]))))
    cases.longer.append((place, cases.add(ranking.reordered(docs[:2]))))


def _shuffled(cases: Cases, number: int) -> Cases:
    chance = random.Random(f"order {number}")
    left = list(range(len(cases.lists)))
    order = [left.pop(int(chance.random() * len(left))) for _ in cases.lists]
    at = {old: new for new, old in enumerate(order)}

    def moved(places: Iterable[tuple[int, ...]]) -> list[Any]:
        return [tuple(at[place] for place in each) for each in places]

    return replace(
        cases,
        lists=[cases.lists[old] for old in order],
        rankings=[cases.rankings[old] for old in order],
        same=moved(cases.same),
        better=moved(cases.better),
        earlier=moved(cases.earlier),
        longer=moved(cases.longer),
        empty=[at[place] for place in cases.empty],
        hidden=moved(cases.hidden),
        systems={key: at[place] for key, place in cases.systems.items()},
    )


def alike(a: float, b: float) -> bool:
    """Return whether two calls gave the same score, up to the rounding of a sum."""
    return abs(a - b) <= CROSS_CHECK_TOLERANCE * max(1.0, abs(a), abs(b))


def ahead(scores: list[float], pairs: Iterable[tuple[int, int]]) -> bool:
    """Return whether no first list scores less than the second."""
    return all(scores[a] >= scores[b] or alike(scores[a], scores[b]) for a, b in pairs)


def scores(mine: Any, value: Any, results: list[Any]) -> list[float]:
    """Return the metric's scores on the cases; raises UnreadableAnswer if it is no metric."""
    tested = cases(mine)
    if value != FUNCTION:
        raise UnreadableAnswer("Not right: a metric was asked for.")
    values = [each for each in numbers(results, len(tested.lists)) if each is not None]
    if len(values) < len(tested.lists):
        missing = len(tested.lists) - len(values)
        raise UnreadableAnswer(
            f"Not right: your metric gave no number on {missing} of {len(tested.lists)} lists."
        )
    if not all(alike(values[places[0]], values[other]) for places in tested.same for other in places[1:]):
        raise UnreadableAnswer(
            "Not right: your metric gave the same list different scores. A score may depend on grades, "
            "intents and ranks; not on names, on chance, or on what was scored before."
        )
    if all(alike(values[a], values[b]) for a, b in [*tested.hidden, *tested.better]):
        raise UnreadableAnswer("Not right: your metric gives the lists of a topic the same score.")
    if not ahead(values, tested.better):
        raise UnreadableAnswer("Not right: your metric falls where a page is replaced by a better one.")
    return values


LAWS: dict[str, Callable[[Cases, list[float]], bool]] = {
    "scores are between 0 and 1": lambda tested, values: (
        min(values) >= -CROSS_CHECK_TOLERANCE and max(values) <= 1 + CROSS_CHECK_TOLERANCE
    ),
    "a list that serves nobody scores 0": lambda tested, values: all(
        alike(values[place], 0.0) for place in tested.empty
    ),
    "a better page further up never lowers a score": lambda tested, values: ahead(values, tested.earlier),
    "one more page at the end never lowers a score": lambda tested, values: ahead(values, tested.longer),
}


def lawful(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
    """Return the share of the laws that hold and the broken ones; being a metric counts as one law."""
    tested, values = cases(mine), scores(mine, value, results)
    broken = [law for law, holds in LAWS.items() if not holds(tested, values)]
    most = len(LAWS) + 1
    if not broken:
        return 1.0, "Right."
    satisfied = most - len(broken)
    return satisfied / most, f"{satisfied} of {most} laws are kept. Broken: {'; '.join(broken)}."


def share_of_laws(mine: Any, metric: BaseMetric) -> float:
    """Return the share of the laws that a metric keeps on a student's cases."""
    results = [{"value": metric.score(ranking)} for ranking in cases(mine).rankings]
    return lawful(mine, FUNCTION, results)[0]


def in_order(mine: Any, value: Any, results: list[Any]) -> tuple[float, str]:
    """Return the share of the hidden pairs in the card's order, and the parts that the others turn on."""
    tested, values = cases(mine), scores(mine, value, results)
    good = [compare_scores(values[a], values[b]) > 0 for a, b in tested.hidden]
    if all(good):
        return 1.0, "Right."
    hidden = deciding_pairs(mine).hidden
    about = dict.fromkeys(pair.part for pair, right in zip(hidden, good, strict=True) if not right)
    named = " and ".join(part for part in about if part)
    again = f"Read again what the card says about {named}." if named else "Read the whole card again."
    return sum(good) / len(good), f"{sum(good)} of {len(good)} hidden pairs are in order. {again}"


def table(mine: Any, values: list[float], name: str) -> pd.DataFrame:
    """Return the scores of the systems' lists under a name, in the form of `divmetrics.evaluate`."""
    rows = [(run, topic, name, values[place]) for (run, topic), place in cases(mine).systems.items()]
    return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])


def of_library(mine: Any, names: list[str]) -> pd.DataFrame:
    """Score the systems' lists with metrics of the library."""
    return dm.evaluate(mine.collection, None, names)
