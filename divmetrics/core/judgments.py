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
from divmetrics.core.checks import check_whole, is_number, quote
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
    """The judgments of one topic; `Judgments.of` makes them from a mapping.

    Parameters
    ----------
    topic : Topic
        The topic.
    docs : sequence of str
        The ids of the judged documents, each once, ascending; none of this is checked.
    grades : numpy.ndarray
        The grade of each document for each intent, (intent, document): integers from 0 to `scale`, a range
        that is not checked. 0 is a document that is not relevant to the intent, or not judged for it.
    subtopic_grades : numpy.ndarray, optional
        The same for the second-level subtopics of all intents, one intent after the other, (subtopic,
        document). None if only the first level is judged.
    scale : int
        The top grade Y that assessors could give.
    adhoc_scale : int
        The highest `top_adhoc_grade` of the topics that are scored together.

    Raises
    ------
    DivmetricsError
        If an array has the wrong shape or is not of integers, or a scale is no whole number of at least 0.

    Notes
    -----
    The arrays are stored as read-only copies.

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
            Whole numbers by the ids of document and intent; a negative grade counts as 0. The grade for a
            second-level subtopic has the key (intent, subtopic), and the grade for the intent is then the
            highest of those for it and its subtopics.
        scale : int, optional
            The top grade Y; by default (or if it is 0) the highest grade, but at least 1.

        Returns
        -------
        Judgments
            The judgments, documents by ascending id; grades that are missing are 0, also those of
            second-level subtopics, if the topic has any.

        Raises
        ------
        DivmetricsError
            If a grade is no whole number (2.0 is one) or is above `scale`, `scale` is no whole number of at
            most 2^53, or the topic lacks an intent or subtopic.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> made = Judgments.of(topic, {"d2": {"film": 2}, "d1": {"book": 1}}, scale=3)
        >>> made.docs, made.grades.tolist(), made.scale
        (('d1', 'd2'), [[0, 2], [1, 0]], 3)
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
        """Return the judgments with another `topic`, such as one with other probabilities.

        Parameters
        ----------
        topic : Topic
            A topic with the same ids of intents and second-level subtopics, in the same order.

        Returns
        -------
        Judgments
            The same documents and grades; these judgments themselves if the topic is equal and has the same
            marks.

        Raises
        ------
        DivmetricsError
            If these ids, or their order, differ, or `topic` is no Topic.
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
            The new `scale`, at least the highest grade and at most 2^53.
        adhoc_scale : int
            The new `adhoc_scale`.

        Returns
        -------
        Judgments
            The same grades with these scales.

        Raises
        ------
        DivmetricsError
            If `scale` is out of this range, or one of the two is no whole number of at least 0.
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
        """Return the judgments with the subtopics of the first or the second level as intents.

        Parameters
        ----------
        level : {1, 2} or None
            The level. None means 2 if the intents are groups of nuggets and the nuggets are judged, else 1.

        Returns
        -------
        Judgments
            For level 2, the judgments of `Topic.second_level`, with the grades of the subtopics. For level 1,
            or if no intent has subtopics, these judgments themselves.

        Raises
        ------
        DivmetricsError
            If `level` is something else; or if it is 2, intents have subtopics, and only the first level is
            judged: there are no grades of subtopics, or they are all 0 although documents are relevant to
            intents with subtopics.
        """
        if level is not None:
            check_whole("level", level, 1, most=2)
        if not self.topic.in_groups or level == 1:
            return self
        below = self.subtopic_grades
        own = np.array([not intent.children for intent in self.topic.intents])
        if below is None or (not below.any() and self.grades[~own].any()):
            if level is None:
                return self
            raise DivmetricsError(
                f"topic {self.topic.id} is judged on the first level only; give judgments of its "
                "second-level subtopics, or leave out level=2"
            )
        if level is None and not self.topic.nuggets:
            return self
        grades = np.concatenate([below, self.grades[own]])
        return replace(self, topic=self.topic.second_level(), grades=grades, subtopic_grades=None)

    def covered(self) -> Judgments:
        """Return the judgments without the intents and second-level subtopics that have no relevant document.

        The probabilities of the intents that remain are divided by their sum, or made equal if the sum is 0,
        and so are those of the subtopics within each intent. If `subtopic_grades` is None, the intents that
        remain keep all their subtopics. Documents and scales stay, and the topic may have no intents.
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
        """The highest grade of any document for a first-level intent; 0 if there is none."""
        return int(self.grades.max(initial=0))

    @property
    def top_grade_description(self) -> str:
        """The `top_grade` as text, with its topic, document and intent; "0" if it is 0."""
        if not self.top_grade:
            return "0"
        intent, doc = map(int, np.unravel_index(self.grades.argmax(), self.grades.shape))
        return (
            f"{self.top_grade} (topic {self.topic.id}, document {self.docs[int(doc)]!r}, intent "
            f"{self.topic.intents[intent].id!r})"
        )

    @property
    def top_adhoc_grade(self) -> int:
        """The highest pseudo ad hoc grade of a document (Sakai & Zeng 2019, section 4).

        That is floor(log2(S+1)), where S is the sum of its grades over the intents: a grade for the topic as
        a whole. For a topic with one intent this is 0, since its grades need no such conversion.
        """
        if len(self.topic.intents) == 1:
            return 0
        return int(math.log2(self.grades.sum(axis=0, dtype=np.float64).max(initial=0) + 1))

    @property
    def relevant(self) -> np.ndarray:
        """The positions in `docs`, ascending integers, of the documents that are relevant to an intent."""
        return np.flatnonzero(self.grades.any(axis=0))

    @cached_property
    def position(self) -> dict[str, int]:
        """The position in `docs` of every document, {id: position from 0}."""
        return {doc: i for i, doc in enumerate(self.docs)}

    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return the positions in `docs` of the documents of some lists.

        Parameters
        ----------
        lists : sequence of sequences of str
            The ids of the documents of each list.

        Returns
        -------
        list of numpy.ndarray
            An array of integers for each list: the position of each of its documents, in their order, or -1
            for a document that was never judged.
        """
        if isinstance(self.docs, EncodedIds):
            return self.docs.positions_of(lists)
        return [np.array([self.position.get(doc, -1) for doc in docs], dtype=np.int64) for docs in lists]

    def labels(self, doc: str) -> dict[str, int]:
        """Return the first-level intents that a document is relevant to, with its grades.

        Parameters
        ----------
        doc : str
            The id of the document.

        Returns
        -------
        dict of str to int
            {id of the intent: grade above 0}, in the order of the intents; empty if the document is relevant
            to none, or was never judged.

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


def equal_judgments(one: Judgments, other: Judgments) -> bool:
    """Return whether two judgments have equal topics, documents, scales and grades on both levels."""
    if one is other:
        return True
    contents, others = ((each.topic, each.scale, each.adhoc_scale, tuple(each.docs)) for each in (one, other))
    grades: list[tuple[Any, Any]] = [
        (one.grades, other.grades),
        (one.subtopic_grades, other.subtopic_grades),
    ]
    return contents == others and all(np.array_equal(*pair) for pair in grades)


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
    """Return a read-only copy of an array; a read-only array is returned itself."""
    if not array.flags.writeable:
        return array
    array = array.copy()
    array.flags.writeable = False
    return array


def on_one_scale(pools: Mapping[str, Judgments], scale: int | None = None) -> dict[str, Judgments]:
    """Return {topic: judgments} with one scale for all: `scale`, or for None (or 0) the highest grade.

    All get as `adhoc_scale` the highest `top_adhoc_grade`; both scales are at least 1. Raises
    DivmetricsError, as `Judgments.with_scale`, if a grade is above `scale`.
    """
    top = max((judgments.top_grade for judgments in pools.values()), default=0)
    adhoc = max((judgments.top_adhoc_grade for judgments in pools.values()), default=0)
    return {topic: each.with_scale(scale or top or 1, adhoc or 1) for topic, each in pools.items()}
