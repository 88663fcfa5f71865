"""The data of assignment 1: each student's own topic, judgments and ranked list.

Leave this file as it is: the notebook is graded with the file that was released.
"""

from __future__ import annotations

from dataclasses import dataclass

import divmetrics as dm
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()  # `make course` fills these in

TOP_GRADE = 2
TOPICS = {
    "jaguar": ("animal", "car", "football", "guitar"),
    "mercury": ("planet", "metal", "singer", "myth"),
    "python": ("language", "snake", "comedy", "ride"),
    "java": ("island", "code", "coffee", "dance"),
    "phoenix": ("city", "bird", "band", "probe"),
    "amazon": ("shop", "river", "legend", "parrot"),
    "delta": ("airline", "river mouth", "letter", "variant"),
    "saturn": ("planet", "car", "console", "god"),
}
SHARES = (
    (0.4, 0.3, 0.2, 0.1),
    (0.45, 0.25, 0.2, 0.1),
    (0.5, 0.25, 0.15, 0.1),
    (0.4, 0.25, 0.2, 0.15),
    (0.35, 0.3, 0.25, 0.1),
)


@dataclass(frozen=True)
class Mine:
    """What belongs to one student.

    `ranking` is the list, of eight documents; `topic` has its intents with their probabilities; `judged` says
    which grade, 1 or 2, each document has for which intent.
    """

    topic: dm.Topic
    judged: dict[str, dict[str, int]]
    ranking: dm.RankedList


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    return drawn(student_number(student, DRAWS, COURSE, TERM, "ps1"))


def drawn(number: int) -> Mine:
    """The data of that number: the same everywhere, whatever the version of Python."""
    chance = StableRandom(number)
    query = sorted(TOPICS)[chance.below(len(TOPICS))]
    intents = chance.shuffled(TOPICS[query])
    shares = SHARES[chance.below(len(SHARES))]
    topic = dm.Topic(query, tuple(map(dm.Intent, intents, shares)), title=query)
    docs = [f"d{n}" for n in chance.shuffled(tuple(range(10, 30)))[:8]]
    grades = [[max(0, chance.below(7) - 4) for _ in intents] for _ in docs]
    missing, late = chance.shuffled((1, 2, 3))[:2]
    for row in grades[:5]:
        row[missing] = 0
    for row in grades[:3]:
        row[late] = 0
    first, second = sorted(chance.shuffled((0, 1, 2, 3))[:2])
    for n in {0, 1, 2, 3} - {missing, late}:
        grades[first][n] = 1 + chance.below(TOP_GRADE)
    grades[second] = grades[first]
    if not grades[3][late]:
        grades[4][late] = 1 + chance.below(TOP_GRADE)
    again = 5 + chance.below(3)
    grades[again] = [max(row[n] for row in grades[:4]) for n in range(len(intents))]
    grades[again][0] = TOP_GRADE
    other = 5 + (again - 4) % 3
    grades[other] = [TOP_GRADE if n == missing else 0 for n in range(len(intents))]
    judged = {
        doc: {intent: grade for intent, grade in zip(intents, row, strict=True) if grade}
        for doc, row in zip(docs, grades, strict=True)
    }
    pool = dm.Judgments.of(topic, judged, scale=TOP_GRADE)
    return Mine(topic, judged, dm.RankedList(topic, docs, pool, run="mine"))
