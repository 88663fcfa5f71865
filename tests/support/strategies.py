"""Random small collections, with everything that real ones have gone wrong with.

Graded and ragged judgments, intents that nothing covers, intents of probability 0, topics without relevant
documents, two levels, navigational intents, documents never judged, negative grades, empty and missing lists,
a scale above the highest grade, several runs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from hypothesis import settings
from hypothesis import strategies as st

import divmetrics as dm

KINDS = ("informational", "navigational")
# Ascending ids are not the order in which the documents are made: d10 < d2.
DOCS = tuple(f"d{i}" for i in (1, 2, 10, 3, 11, 4, 5, 6, 7, 8))
NEVER_JUDGED = ("u1", "d0", "x2")

Key = str | tuple[str, str]  # an intent, or (intent, subtopic)
Judgments = dict[str, dict[Key, int]]  # document -> grades


def quick(examples: int) -> settings:
    """So many examples, few enough for the whole suite to run at every change; or as many times more, or
    fewer, as the profile has than Hypothesis's own 100.
    """
    return settings(max_examples=max(1, examples * settings().max_examples // 100))


@dataclass(frozen=True)
class Sample:
    """A collection as plain Python, from which both the library's and the reference's own are made."""

    topics: tuple[dm.Topic, ...]
    judgments: dict[str, Judgments]
    runs: dict[str, dict[str, list[str]]]
    scale: int | None = None

    def collection(self) -> dm.Collection:
        """The library's form of it."""
        return dm.Collection.of(self.topics, self.judgments, self.runs, self.scale)

    def changed(self, **changes: object) -> Sample:
        """The same sample with some of it replaced."""
        return replace(self, **changes)


class Dice(random.Random):
    """The contents of a sample, from one drawn seed: a draw for every number would be many times slower.

    The sizes of things are drawn one by one, so that Hypothesis finds a small example when a law fails.
    """

    def many(self, n: int, sides: int) -> list[int]:
        """n numbers from 0 to sides - 1."""
        return [self.randrange(sides) for _ in range(n)]

    def one(self, sides: int) -> int:
        """A number from 0 to sides - 1."""
        return self.randrange(sides)

    def weights(self, n: int) -> list[float]:
        """n probabilities that sum to 1, some of them 0."""
        raw = self.many(n, 5)
        raw = raw if sum(raw) else [1] * n
        return [w / sum(raw) for w in raw]

    def intents(
        self, prefix: str, n: int, levels: int, navigational: bool, childless: bool
    ) -> tuple[dm.Intent, ...]:
        """n intents with probabilities and kinds; the ids of a second level repeat from parent to parent."""
        kinds = [KINDS[i if navigational else 0] for i in self.many(n, 2)]
        made = []
        for i, (p, kind) in enumerate(zip(self.weights(n), kinds, strict=True)):
            v = 1 + self.one(3)
            bare = levels == 1 or (childless and v == 3)
            below = () if bare else self.intents("e", v, 1, navigational, False)
            made.append(dm.Intent(f"{prefix}{i}", p, kind, children=below))
        return tuple(made)

    def judgments(self, topic: dm.Topic, docs: tuple[str, ...], grades: list[int]) -> Judgments:
        """Grades for every intent, or for its children where it has some; some topics get none."""
        nothing = self.one(12) == 11
        labels: Judgments = {doc: {} for doc in docs}
        for intent in topic.intents:
            uncovered = nothing or self.one(8) == 7
            keys: list[Key] = [(intent.id, child.id) for child in intent.children]
            # A first-level grade may stand beside the second-level ones; the largest of them counts.
            if not keys or self.one(3) == 2:
                keys.append(intent.id)
            for key in keys:
                for doc, g in zip(docs, self.many(len(docs), len(grades)), strict=True):
                    labels[doc][key] = min(grades[g], 0) if uncovered else grades[g]
        return labels


@st.composite
def samples(
    draw: st.DrawFn,
    levels: int = 1,
    navigational: bool = True,
    most_intents: int = 4,
    most_topics: int = 3,
    most_runs: int = 2,
    top: int = 3,
    lowest: int = -1,
    scale: bool = True,
    childless: bool = False,
) -> Sample:
    """A collection of up to `most_topics` topics and `most_runs` runs.

    childless: some first-level subtopics have no second level.
    """
    dice = Dice(draw(st.integers(0, 2**32)))
    runs = {name: {} for name in ("A", "B", "C")[: draw(st.integers(1, most_runs))]}
    topics, judgments = [], {}
    # Zeros are frequent: documents relevant to nothing, intents never covered.
    grades = [*[0] * (2 if dice.one(2) else top + 2), *range(1, top + 1), *range(lowest, 0)]
    extra = dice.one(4)
    for t in range(draw(st.integers(1, most_topics))):
        m, docs = draw(st.integers(1, most_intents)), DOCS[: draw(st.integers(1, len(DOCS)))]
        topic = dm.Topic(f"{t + 101}", dice.intents("t", m, levels, navigational, childless))
        topics.append(topic)
        judgments[topic.id] = dice.judgments(topic, docs, grades)
        for lists in runs.values():
            if dice.one(8):  # otherwise the run does not answer the topic
                length = min(dice.one(len(docs) + 6), len(docs) + len(NEVER_JUDGED))
                lists[topic.id] = dice.sample((*docs, *NEVER_JUDGED), length)
    return Sample(tuple(topics), judgments, runs, top + 2 * (extra - 2) if scale and extra > 1 else None)


def one_list(**options: object) -> st.SearchStrategy[Sample]:
    """One topic and one run."""
    return samples(most_topics=1, most_runs=1, **options)


cutoffs = st.integers(1, 12)
