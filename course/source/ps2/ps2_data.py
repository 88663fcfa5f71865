"""The data of assignment 2: each student's own topic, judgments, alpha and two ranked lists.

Leave this file as it is: the notebook is graded with the file that was released.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import divmetrics as dm
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()  # `make course` fills these in

TOP_GRADE = 2
LENGTH = 5
OTHERS = (2, 2, 1, 1, 1)  # how many intents each of the other documents serves
TOPICS = {
    "apollo": ("moon flight", "theatre", "god", "hospital", "cinema"),
    "bolt": ("runner", "screw", "film", "lightning", "app"),
    "cobra": ("snake", "car", "yoga", "film", "helicopter"),
    "eclipse": ("sun", "editor", "novel", "chewing gum", "car"),
    "genesis": ("band", "bible", "car", "console", "telescope"),
    "nova": ("star", "television", "salmon", "opera", "chess"),
    "titan": ("moon", "myth", "submersible", "processor", "company"),
    "victoria": ("queen", "falls", "station", "state", "lake"),
}
SHARES = (
    (0.45, 0.25, 0.15, 0.1, 0.05),
    (0.5, 0.2, 0.15, 0.1, 0.05),
    (0.4, 0.25, 0.2, 0.1, 0.05),
    (0.4, 0.3, 0.15, 0.1, 0.05),
    (0.5, 0.2, 0.12, 0.1, 0.08),
)
ALPHAS = (0.6, 0.65, 0.7, 0.75, 0.8)


@dataclass(frozen=True, eq=False)
class Mine:
    """What belongs to one student.

    `topic` has the intents with their probabilities; `judged` says which grade, 1 or 2, each of eight
    documents has for which intent; `a` and `b` are lists of five of them; `alpha` is that of alpha-nDCG.
    """

    topic: dm.Topic
    judged: dict[str, dict[str, int]]
    alpha: float
    a: dm.RankedList
    b: dm.RankedList

    def grades(self, ranked: dm.RankedList) -> np.ndarray:
        """The grades of a list, with a row for each intent and a column for each rank."""
        rows = [[self.judged[doc].get(intent.id, 0) for doc in ranked.docs] for intent in self.topic.intents]
        return np.array(rows)


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    return drawn(student_number(student, DRAWS, COURSE, TERM, "ps2"))


def drawn(number: int) -> Mine:
    """The data of that number: the same everywhere, whatever the version of Python."""
    chance = StableRandom(number)
    query = sorted(TOPICS)[chance.below(len(TOPICS))]
    intents = chance.shuffled(TOPICS[query])
    shares = SHARES[chance.below(len(SHARES))]
    topic = dm.Topic(query, tuple(map(dm.Intent, intents, shares)), title=query)
    # One document serves all intents but one, the next repeats it, and the third has the one that it lacks.
    *most, lacking = chance.shuffled(tuple(range(len(intents))))
    served = [most, most[:3], [lacking, most[0]], *(chance.shuffled(tuple(most))[:count] for count in OTHERS)]
    docs = [f"d{n}" for n in chance.shuffled(tuple(range(10, 40)))[: len(served)]]
    grades = [[1 + chance.below(TOP_GRADE) if n in of else 0 for n in range(len(intents))] for of in served]
    judged = {
        doc: {intent: grade for intent, grade in zip(intents, row, strict=True) if grade}
        for doc, row in sorted(zip(docs, grades, strict=True))
    }
    pool = dm.Judgments.of(topic, judged, scale=TOP_GRADE)
    alpha = ALPHAS[chance.below(len(ALPHAS))]
    a, b = (dm.RankedList(topic, chance.shuffled(tuple(docs))[:LENGTH], pool, run=run) for run in "AB")
    return Mine(topic, judged, alpha, a, b)
