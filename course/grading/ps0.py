"""Assignment 0, readers who find something: the example of OWN_QUESTION.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course.grading.assignment import Assignment, Question, Values, WrittenQuestion, WrongAnswer
from course.grading.tolerances import ANSWER_TOLERANCE

SHOWN = 3  # documents that readers see; the next one is to be chosen


def found(mine: Any, docs: Iterable[str]) -> set[str]:
    """Return the intents whose readers find something among the documents."""
    return {intent for doc in docs for intent in mine.judged[doc]}


def readers(mine: Any, intents: Iterable[str]) -> float:
    """Compute the share of the readers who have one of these intents."""
    share = {intent.id: intent.probability for intent in mine.topic.intents}
    return sum(share[intent] for intent in intents)


def served(mine: Any) -> float:
    return readers(mine, found(mine, mine.ranking.docs[:SHOWN]))


def served_by_all(mine: Any) -> float:
    return readers(mine, found(mine, mine.ranking.docs))


def intents_found(mine: Any) -> float:
    return len(found(mine, mine.ranking.docs[:SHOWN])) / len(mine.topic.intents)


def counted_twice(mine: Any) -> float:
    return sum(readers(mine, mine.judged[doc]) for doc in mine.ranking.docs[:SHOWN])


def added(mine: Any) -> Values:
    """Compute for each document that may come next which share of the readers finds something only there."""
    before = found(mine, mine.ranking.docs[:SHOWN])
    return {doc: readers(mine, set(mine.judged[doc]) - before) for doc in mine.ranking.docs[SHOWN:]}


def alone(mine: Any) -> Values:
    return {doc: readers(mine, mine.judged[doc]) for doc in mine.ranking.docs[SHOWN:]}


def best(values: Values) -> str:
    return str(max(values, key=lambda doc: values[doc]))


def sound(mine: Any) -> bool:
    """Return whether one document is clearly the best and another clearly the most tempting."""
    for values in (added(mine), alone(mine)):
        second, first = sorted(values.values())[-2:]
        if first - second < 10 * ANSWER_TOLERANCE:
            return False
    return True


ASSIGNMENT = Assignment(
    name="ps0",
    title="Readers who find something",
    questions=(
        Question(
            "q1",
            served,
            (
                WrongAnswer("intents", intents_found, "that is the share of the intents, not of the readers"),
                WrongAnswer(
                    "twice", counted_twice, "that counts readers again who have found something above"
                ),
                WrongAnswer(
                    "all", served_by_all, "that is for the whole list; the first three were asked for"
                ),
            ),
            lesson="01_ambiguous_queries#S-recall by hand",
        ),
        Question(
            "q2",
            lambda mine: best(added(mine)),
            (
                WrongAnswer(
                    "alone",
                    lambda mine: best(alone(mine)),
                    "that one serves most readers, but most of these have found something above",
                ),
                WrongAnswer(
                    "as it is",
                    lambda mine: mine.ranking.docs[SHOWN],
                    "that one stands there now; another adds more",
                ),
            ),
            lesson="01_ambiguous_queries#S-recall by hand",
        ),
    ),
    written=(
        WrittenQuestion(
            "w1",
            (
                (0.5, "names both documents with the share of the readers that each serves alone"),
                (1.0, "names the intents of the tempting one that are served above, and their share"),
                (0.5, "says for which readers the tempting one would be the better choice all the same"),
            ),
        ),
    ),
    solutions={
        "by sets": {
            "q1": """
p = {intent.id: intent.probability for intent in mine.topic.intents}
shown, rest = mine.ranking.docs[:3], mine.ranking.docs[3:]
served = set().union(*[set(mine.judged[doc]) for doc in shown])
share = sum(p[i] for i in served)""",
            "q2": "adds_most = max(rest, key=lambda doc: sum(p[i] for i in set(mine.judged[doc]) - served))",
        },
        "by table": {
            "q1": """
shown = pd.DataFrame({doc: {i: i in mine.judged[doc] for i in intents} for doc in mine.ranking.docs[:3]})
weights = pd.Series([intent.probability for intent in mine.topic.intents], intents)
share = weights[shown.any(axis=1)].sum()""",
            "q2": """
every = pd.DataFrame({doc: {i: i in mine.judged[doc] for i in intents} for doc in mine.ranking.docs})
unhappy = ~every.iloc[:, :3].any(axis=1)
weights = pd.Series([intent.probability for intent in mine.topic.intents], intents)
adds_most = every.iloc[:, 3:].mul(weights * unhappy, axis=0).sum().idxmax()""",
        },
    },
    sound=sound,
    documents=lambda mine: mine.ranking.docs,
)
