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
    "jaguar": ("animal", "car", "football", "guitar", "aircraft", "console", "supercomputer"),
    "mercury": ("planet", "metal", "singer", "myth", "car", "spacecraft", "newspaper"),
    "python": ("language", "snake", "comedy", "ride", "missile", "myth", "revolver"),
    "java": ("island", "code", "coffee", "dance", "hen", "sea", "cigarette"),
    "phoenix": ("city", "bird", "band", "probe", "stars", "palm", "theatre"),
    "amazon": ("shop", "river", "legend", "parrot", "forest", "ant", "island"),
    "delta": ("airline", "river mouth", "letter", "variant", "rocket", "blues", "tap"),
    "saturn": ("planet", "car", "console", "god", "rocket", "moth", "award"),
}
SHARES = {
    4: ((0.4, 0.3, 0.2, 0.1), (0.5, 0.25, 0.15, 0.1), (0.4, 0.25, 0.2, 0.15)),
    5: ((0.35, 0.25, 0.2, 0.15, 0.05), (0.3, 0.25, 0.2, 0.15, 0.1), (0.4, 0.2, 0.2, 0.1, 0.1)),
    6: (
        (0.3, 0.25, 0.15, 0.15, 0.1, 0.05),
        (0.35, 0.2, 0.15, 0.1, 0.1, 0.1),
        (0.25, 0.2, 0.2, 0.15, 0.15, 0.05),
    ),
    7: (
        (0.3, 0.2, 0.15, 0.1, 0.1, 0.1, 0.05),
        (0.25, 0.2, 0.15, 0.15, 0.1, 0.1, 0.05),
        (0.35, 0.15, 0.1, 0.1, 0.1, 0.1, 0.1),
    ),
}  # by the number of intents


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
    shares = chance.some(SHARES[4 + chance.below(4)], 1)[0]
    intents = chance.some(TOPICS[query], len(shares))
    topic = dm.Topic(query, tuple(map(dm.Intent, intents, shares)), title=query)
    docs = [f"d{n}" for n in chance.shuffled(tuple(range(10, 30)))[:8]]
    grades = [[max(0, chance.below(7) - 4) for _ in intents] for _ in docs]
    # The first five documents leave some intents out, and the first three some more.
    others = chance.shuffled(range(1, len(intents)))
    missing = others[: 1 + chance.below(min(3, len(others) - 2))]
    others = others[len(missing) :]
    late = others[: 1 + chance.below(min(3, len(others) - 1))]
    early = {0, *others[len(late) :]}
    for n in missing:
        for row in grades[:5]:
            row[n] = 0
    for n in late:
        for row in grades[:3]:
            row[n] = 0
    first, second = sorted(chance.shuffled((0, 1, 2, 3))[:2])
    for n in sorted(early):
        grades[first][n] = 1 + chance.below(TOP_GRADE)
    grades[second] = grades[first]
    for n in late:
        if not grades[3][n]:
            grades[4][n] = 1 + chance.below(TOP_GRADE)
    again = 5 + chance.below(3)
    grades[again] = [max(row[n] for row in grades[:4]) for n in range(len(intents))]
    grades[again][0] = TOP_GRADE
    other = 5 + (again - 4) % 3
    grades[other] = [TOP_GRADE if n in missing else 0 for n in range(len(intents))]
    judged = {
        doc: {intent: grade for intent, grade in zip(intents, row, strict=True) if grade}
        for doc, row in zip(docs, grades, strict=True)
    }
    pool = dm.Judgments.of(topic, judged, scale=TOP_GRADE)
    return Mine(topic, judged, dm.RankedList(topic, docs, pool, run="mine"))
