"""The data of assignment 3: each student's judgments and runs as files, what colleagues report, and the
scores of real runs.

Leave this file as it is: the notebook is graded with the file that was released.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

import divmetrics as dm
from divmetrics_widgets.own_data import StableRandom, student_number

COURSE = ""
TERM = ""
DRAWS: tuple[int, ...] = ()  # `make course` fills these in
GIVEN: dict[int, tuple[tuple[str, float, float], ...]] = {}

JUDGMENTS, INTENTS = "judgments.qrels", "intents.DINprob"
TOP_GRADE = 2
TOPICS = 30
JUDGED, UNJUDGED = 26, 60  # documents of a topic
LISTED = 15  # documents of a list
REAL_RUNS, REAL_TOPICS = 4, 25
TREES = ("ash", "beech", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "rowan", "willow", "yew")
WORDS = ("order", "mean", "probabilities", "scale", "formula", "level", "unjudged")
# What the lists of each run are drawn with.
RUNS = ((0.66, 0.04, 2), (0.62, 0.04, 3), (0.7, 0.22, 0), (0.15, 0.04, 0))
SHARES = (
    (0.5, 0.3, 0.2),
    (0.6, 0.3, 0.1),
    (0.4, 0.3, 0.2, 0.1),
    (0.5, 0.25, 0.15, 0.1),
    (0.45, 0.25, 0.2, 0.1),
)


@dataclass(frozen=True)
class Claim:
    """Two numbers that two colleagues report under the same name of a metric."""

    metric: str
    first: float
    second: float


@dataclass(frozen=True)
class Mine:
    """What belongs to one student.

    `judgments` and `intents` are names of files, `runs` has the name of each run's file. `reported` is the
    run that the claims are about, `other` the one to show the cause on, `new` the one that came later.
    `real` are the names of four runs of NTCIR-11 IMine, of which the first two are compared, on `topics`.
    """

    number: int
    texts: tuple[tuple[str, str], ...]
    reported: str
    other: str
    new: str
    real: tuple[str, ...]
    topics: tuple[str, ...]
    claims: tuple[Claim, ...] = ()

    @property
    def judgments(self) -> str:
        return JUDGMENTS

    @property
    def intents(self) -> str:
        return INTENTS

    @property
    def runs(self) -> dict[str, str]:
        """The file of each run, the runs in the order of the alphabet."""
        return {name.removesuffix(".run"): name for name, _ in self.texts if name.endswith(".run")}

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of the real runs, in the order of the alphabet."""
        names = sorted(self.real)
        return [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]

    @property
    def scores(self) -> pd.DataFrame:
        """ERR-IA@10 of the real runs, with the columns run, topic, metric and score."""
        table = _scores()
        return table[table["run"].isin(self.real) & table["topic"].isin(self.topics)].reset_index(drop=True)

    def write(self, folder: str | Path = ".") -> None:
        """Write the files, over those that are there."""
        for name, text in self.texts:
            Path(folder, name).write_text(text, encoding="utf-8")


def of(student: str) -> Mine:
    """The data of the student with that id; capitals, blanks and signs in the id do not count."""
    number = student_number(student, DRAWS, COURSE, TERM, "ps3")
    return replace(drawn(number), claims=tuple(Claim(*each) for each in GIVEN[number]))


def drawn(number: int) -> Mine:
    """The data of that number, without claims: the same everywhere, whatever the version of Python."""
    chance = StableRandom(number)
    names = chance.some(TREES, len(RUNS))
    out = {name: chance.some(range(TOPICS), count) for name, (_, _, count) in zip(names, RUNS, strict=True)}
    judged: list[str] = []
    shares: list[str] = []
    lines: dict[str, list[str]] = {name: [] for name in names}
    for n in range(TOPICS):
        topic = str(201 + n)
        weights = SHARES[chance.below(len(SHARES))]
        shares += [f"{topic} {i} {share} inf" for i, share in enumerate(weights, 1)]
        docs = [f"d{number}" for number in chance.some(range(100, 1000), JUDGED + UNJUDGED)]
        known, unknown = docs[:JUDGED], docs[JUDGED:]
        worth = {}
        for doc in known:
            grades = [max(0, chance.below(9) - 6) for _ in weights]
            worth[doc] = sum(share * grade for share, grade in zip(weights, grades, strict=True))
            judged += [f"{topic} {i} {doc} {grade}" for i, grade in enumerate(grades, 1)]
        for name, (q, rate, count) in zip(names, RUNS, strict=True):
            score = {doc: 10 * (q * worth[doc] / TOP_GRADE + (1 - q) * chance.random()) for doc in known}
            best = sorted(score, key=lambda doc: -score[doc])[:LISTED]
            for at, doc in enumerate(best):
                if chance.random() < rate:
                    best[at] = unknown[chance.below(len(unknown))]
                    score[best[at]] = score[doc]
            if n not in out[name]:
                lines[name] += _lines(chance, topic, name, dict.fromkeys(best), score, count > 0)
    texts = [(JUDGMENTS, judged), (INTENTS, shares)]
    texts += [(f"{name}.run", lines[name]) for name in sorted(names)]
    reported, other, new, _ = names
    real = tuple(chance.some(sorted(set(_scores()["run"])), REAL_RUNS))
    topics = tuple(sorted(chance.some(sorted(set(_scores()["topic"])), REAL_TOPICS)))
    files = tuple((name, "\n".join(each) + "\n") for name, each in texts)
    return Mine(number, files, reported, other, new, real, topics)


@lru_cache
def _scores() -> pd.DataFrame:
    """ERR-IA@10 of all English runs that were submitted to NTCIR-11 IMine."""
    table = dm.datasets.imine_scores("en")
    return table[table["metric"] == "ERR-IA@10"]


def _lines(
    chance: StableRandom, topic: str, run: str, docs: dict[str, None], score: dict[str, float], again: bool
) -> list[str]:
    """The lines of a list."""
    ranked = list(docs)
    if again and chance.random() < 0.4:
        ranked = [*chance.some(ranked[:6], 6), *ranked[6:]]
    written = ranked
    if again and chance.random() < 0.4:
        written = sorted(ranked)
    digits = 0 if again else 3
    return [f"{topic} Q0 {doc} {ranked.index(doc) + 1} {score[doc]:.{digits}f} {run}" for doc in written]
