"""The judgments of a topic: the grade of each document for each intent.

Constructors check their arguments, so that the code that computes scores need not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import (
    check_whole,
    is_number,
    quote,
)
from divmetrics.core.ids import EncodedIds
from divmetrics.core.topics import (
    Level,
    Topic,
    ids_with_subtopics,
    marks_of,
    normalised_intents,
    subtopic_index,
)
from divmetrics.errors import DivmetricsError, did_you_mean

Grades = Mapping[str, Mapping["str | tuple[str, str]", int]]
LARGEST_GRADE = 2**53  # above it, a float does not hold every whole number


@public
@dataclass(frozen=True, eq=False)
class Judgments:
    """The judgments of one topic.

    Parameters
    ----------
    topic : Topic
        The topic.
    docs : sequence of str
        Ids of the judged documents, ascending.
    grades : numpy.ndarray
        Whole numbers 0..`scale`, (intent, document).
    subtopic_grades : numpy.ndarray, optional
        Grades of the children of all intents, in order, (subtopic, document).
    scale : int
        The top grade Y.
    adhoc_scale : int
        The top of the pseudo ad hoc grades, see `top_adhoc_grade` (Sakai & Zeng 2019, section 4).

    Raises
    ------
    DivmetricsError
        If an array has the wrong shape or is not of integers.

    Examples
    --------
    >>> from divmetrics import Intent
    >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
    >>> Judgments.of(topic, {"d1": {"film": 2}, "d2": {"book": 1}})
    <judgments of topic 7: 2 documents, grades 0-2>
    """

    topic: Topic
    docs: Sequence[str]
    grades: np.ndarray
    subtopic_grades: np.ndarray | None = None
    scale: int = 1
    adhoc_scale: int = 1

    def __post_init__(self) -> None:
        check_whole("Judgments: scale", self.scale, 0)
        check_whole("Judgments: adhoc_scale", self.adhoc_scale, 0)
        if not isinstance(self.docs, EncodedIds):
            object.__setattr__(self, "docs", tuple(self.docs))
        rows = {"grades": len(self.topic.intents), "subtopic_grades": len(subtopic_index(self.topic))}
        for name, expected in rows.items():
            value = getattr(self, name)
            if value is None and name == "subtopic_grades":
                continue
            grades = read_only(np.asarray(value))
            if grades.shape != (expected, len(self.docs)) or grades.dtype.kind not in "iu":
                raise DivmetricsError(
                    f"topic {self.topic.id}: {name} has the shape {grades.shape} and holds {grades.dtype}, "
                    f"expected whole numbers of the shape {(expected, len(self.docs))} (intent, document); "
                    "Judgments.of makes them from {document: {intent: grade}}"
                )
            object.__setattr__(self, name, grades)

    @classmethod
    def of(cls, topic: Topic, judgments: Grades, scale: int | None = None) -> Judgments:
        """Make judgments from {document: {intent: grade}}.

        Parameters
        ----------
        topic : Topic
            The topic with its intents.
        judgments : {document: {intent: grade}}
            The grades; those of second-level subtopics have keys (intent, subtopic).
        scale : int, optional
            The top grade Y; by default the highest grade.

        Returns
        -------
        Judgments
            The judgments, documents by ascending id; grades that are missing are 0.

        Raises
        ------
        DivmetricsError
            If a grade is invalid or above `scale`, or the topic lacks an intent or subtopic.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> Judgments.of(topic, {"d1": {"film": 2}}, scale=3).scale
        3
        """
        docs = tuple(sorted(judgments))
        first = {intent.id: i for i, intent in enumerate(topic.intents)}
        leaves = subtopic_index(topic)
        grades = np.zeros((len(first), len(docs)), dtype=np.int64)
        leaf_grades = np.zeros((len(leaves), len(docs)), dtype=np.int64)
        for column, doc in enumerate(docs):
            for key, grade in judgments[doc].items():
                where = f"topic {topic.id}, document {doc!r}"
                grade = max(_whole_grade(grade, f"{where}: grade {{}} of {key!r}"), 0)
                intent = key[0] if isinstance(key, tuple) else key
                if intent not in first:
                    raise DivmetricsError(
                        f"{where}: {intent!r} is not an intent of the topic{did_you_mean(intent, first)}; "
                        f"it has {', '.join(first)}"
                    )
                if isinstance(key, tuple):
                    if key not in leaves:
                        raise DivmetricsError(
                            f"{where}: {key[1]!r} is not a second-level subtopic of {intent!r}; "
                            f"it has {', '.join(child for parent, child in leaves if parent == intent)}"
                        )
                    leaf_grades[leaves[key], column] = grade
                grades[first[intent], column] = max(grades[first[intent], column], grade)
        made = cls(topic, docs, grades, leaf_grades if leaves else None)
        return on_one_scale({topic.id: made}, scale)[topic.id]

    def __repr__(self) -> str:
        return f"<judgments of topic {self.topic.id}: {len(self.docs)} documents, grades 0-{self.scale}>"

    def with_topic(self, topic: Topic) -> Judgments:
        """Return the judgments for a topic that differs only in the weights, kinds or marks of its intents.

        Parameters
        ----------
        topic : Topic
            The topic.

        Returns
        -------
        Judgments
            The same grades for this topic.

        Raises
        ------
        DivmetricsError
            If the ids of the intents differ.
        """
        if topic == self.topic and marks_of(topic) == marks_of(self.topic):
            return self
        own, other = ids_with_subtopics(self.topic), ids_with_subtopics(topic)
        if own != other:
            raise DivmetricsError(
                f"topic {topic.id}: the judgments are for other intents ({', '.join(own)}; the "
                f"topic has {', '.join(other)}); give the judgments of this topic"
            )
        return replace(self, topic=topic)

    def with_scale(self, scale: int, adhoc_scale: int) -> Judgments:
        """Return the judgments with other top grades.

        Parameters
        ----------
        scale : int
            The top grade Y.
        adhoc_scale : int
            The top of the pseudo ad hoc grades, see `top_adhoc_grade`.

        Returns
        -------
        Judgments
            The same grades on these scales.

        Raises
        ------
        DivmetricsError
            If a grade is above `scale`, or `scale` is too large.
        """
        if self.top_grade > scale:
            raise DivmetricsError(
                f"topic {self.topic.id} has a grade of {self.top_grade}, above the scale's top {scale}; "
                f"give a scale of at least {self.top_grade}"
            )
        if scale > LARGEST_GRADE:
            raise DivmetricsError(
                f"the scale's top is {quote(scale)}, expected at most {LARGEST_GRADE}; the highest grade is "
                f"{self.top_grade_description}"
            )
        return replace(self, scale=scale, adhoc_scale=adhoc_scale)

    def on_level(self, level: Level | None) -> Judgments:
        """Return the judgments with the subtopics of a level as intents.

        Parameters
        ----------
        level : {1, 2} or None
            The level of the subtopics. None means 2 for nuggets that are judged in groups, and 1 for all
            other topics.

        Returns
        -------
        Judgments
            The judgments; themselves if nothing changes.

        Raises
        ------
        DivmetricsError
            If the topic has no judgments on the second level.
        """
        if not self.topic.in_groups or level == 1:
            return self
        if self.subtopic_grades is None:
            if level is None:
                return self
            raise DivmetricsError(
                f"topic {self.topic.id} is judged on the first level only; leave out level=2, or give "
                "judgments of its second-level subtopics"
            )
        if level is None and not self.topic.nuggets:
            return self
        own = [not intent.children for intent in self.topic.intents]
        grades = np.concatenate([self.subtopic_grades, self.grades[own]])
        return replace(self, topic=self.topic.second_level(), grades=grades, subtopic_grades=None)

    def covered(self) -> Judgments:
        """Return the judgments without the intents and second-level subtopics that have no relevant document.

        The probabilities of the intents that remain are divided by their sum, or made equal if the sum is 0.
        If the second level is not judged, the intents that remain keep all their subtopics.
        """
        below = self.subtopic_grades
        rows = np.asarray(self.grades.any(axis=1))
        n_leaves = len(subtopic_index(self.topic))
        leaf_rows = np.ones(n_leaves, dtype=bool) if below is None else np.asarray(below.any(axis=1))
        leaves = iter(leaf_rows.tolist())
        intents = [
            replace(intent, children=normalised_intents([c for c in intent.children if next(leaves)]))
            for intent in self.topic.intents
        ]
        own = np.repeat(rows, [len(intent.children) for intent in self.topic.intents])
        return replace(
            self,
            topic=replace(self.topic, intents=normalised_intents(list(compress(intents, rows)))),
            grades=self.grades[rows],
            subtopic_grades=None if below is None else below[leaf_rows & own],
        )

    @property
    def top_grade(self) -> int:
        """The highest grade of any document."""
        return int(self.grades.max(initial=0))

    @property
    def top_grade_description(self) -> str:
        """The highest grade with its topic, document and intent, in words."""
        if not self.top_grade:
            return "0"
        intent, doc = map(int, np.unravel_index(self.grades.argmax(), self.grades.shape))
        return (
            f"{self.top_grade} (topic {self.topic.id}, document {self.docs[int(doc)]!r}, intent "
            f"{self.topic.intents[intent].id!r})"
        )

    @property
    def top_adhoc_grade(self) -> int:
        """The highest pseudo ad hoc grade floor(log2(S+1)), S the sum of a document's grades over intents.

        0 for a topic with one intent, whose grades are its pseudo ad hoc grades.
        """
        if len(self.topic.intents) == 1:
            return 0
        return int(math.log2(self.grades.sum(axis=0, dtype=np.float64).max(initial=0) + 1))

    @property
    def relevant(self) -> np.ndarray:
        """The positions in `docs` of the documents that are relevant to at least one intent."""
        return np.flatnonzero(self.grades.any(axis=0))

    @cached_property
    def position(self) -> dict[str, int]:
        """The position in `docs` of every document, {id: position}."""
        return {doc: i for i, doc in enumerate(self.docs)}

    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return the positions of documents in `docs`.

        Parameters
        ----------
        lists : sequence of sequences of str
            The ids of the documents of each list.

        Returns
        -------
        list of numpy.ndarray
            The positions for each list; -1 for a document that was never judged.
        """
        if isinstance(self.docs, EncodedIds):
            return self.docs.positions_of(lists)
        return [np.array([self.position.get(doc, -1) for doc in docs], dtype=np.int64) for docs in lists]

    def labels(self, doc: str) -> dict[str, int]:
        """Return the positive grades of a document.

        Parameters
        ----------
        doc : str
            The id of the document.

        Returns
        -------
        dict of str to int
            {intent: grade}; empty if the document was never judged.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> Judgments.of(topic, {"d1": {"film": 2}}).labels("d1")
        {'film': 2}
        """
        if doc not in self.position:
            return {}
        column = self.grades[:, self.position[doc]]
        return {t.id: int(g) for t, g in zip(self.topic.intents, column, strict=True) if g > 0}


def _whole_grade(grade: Any, what: str) -> int:
    """Return the grade as an int, or raise DivmetricsError.

    `what` names the grade in the message; `{}` in it stands for the value.
    """
    if not is_number(grade) or grade != int(grade):
        raise DivmetricsError(f"{what.format(quote(grade))} is not a whole number")
    if grade > LARGEST_GRADE:
        raise DivmetricsError(f"{what.format(quote(grade))} is too large, expected at most {LARGEST_GRADE}")
    return int(grade)


def read_only(array: np.ndarray) -> np.ndarray:
    """Return a read-only array of the same numbers; a copy, unless the array is read-only itself."""
    if not array.flags.writeable:
        return array
    array = array.copy()
    array.flags.writeable = False
    return array


def on_one_scale(pools: Mapping[str, Judgments], scale: int | None = None) -> dict[str, Judgments]:
    """Return the judgments with one scale: `scale`, or the highest grade.

    Raises DivmetricsError if a grade is above `scale`.

    The scale of pseudo ad hoc grades is always the highest such grade.
    """
    top = max((judgments.top_grade for judgments in pools.values()), default=0)
    adhoc = max((judgments.top_adhoc_grade for judgments in pools.values()), default=0)
    return {topic: each.with_scale(scale or top or 1, adhoc or 1) for topic, each in pools.items()}
