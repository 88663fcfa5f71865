"""The data of assignment 0: each student's own topic, judgments and ranked list.

Leave this file as it is: the notebook is graded with the file that was released.
"""

from __future__ import annotations

from dataclasses import dataclass

import divmetrics as dm
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()  # `make course` fills these in

TOPICS = {
    "jaguar": ("animal", "car", "football", "guitar"),
    "mercury": ("planet", "metal", "singer", "myth"),
    "python": ("language", "snake", "comedy", "ride"),
    "saturn": ("planet", "car", "console", "god"),
}
SHARES = ((0.4, 0.3, 0.2, 0.1), (0.45, 0.25, 0.2, 0.1), (0.5, 0.25, 0.15, 0.1), (0.35, 0.3, 0.25, 0.1))


@dataclass(frozen=True)
class Mine:
    """What belongs to one student.

    `ranking` is the list, of seven documents; `topic` has its intents with their probabilities; `judged` says
    which intents each document is relevant to.
    """

    topic: dm.Topic
    judged: dict[str, list[str]]
    ranking: dm.RankedList


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    return drawn(student_number(student, DRAWS, COURSE, TERM, "ps0"))


def drawn(number: int) -> Mine:
    """The data of that number: the same everywhere, whatever the version of Python."""
    chance = StableRandom(number)
    query = sorted(TOPICS)[chance.below(len(TOPICS))]
    intents = chance.shuffled(TOPICS[query])
    topic = dm.Topic(query, tuple(map(dm.Intent, intents, SHARES[chance.below(len(SHARES))])), title=query)
    docs = [f"d{n}" for n in chance.shuffled(tuple(range(10, 30)))[:7]]
    judged = {doc: [intent for intent in intents if chance.below(3) == 0] for doc in docs}
    grades = {doc: dict.fromkeys(served, 1) for doc, served in judged.items() if served}
    return Mine(topic, judged, dm.RankedList(topic, docs, dm.Judgments.of(topic, grades), run="mine"))
