"""Intents, topics, judgments, ranked lists, runs, and collections of them.

Constructors check their arguments, so that the code that computes scores need not.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import (
    UNORDERED,
    check_choice,
    check_mapping,
    check_ordered,
    check_text_fields,
    check_whole,
    is_number,
    quote,
)
from divmetrics.core.ids import EncodedIds
from divmetrics.core.tolerances import SUM_EXPECTED, SUM_QUIET, sums_to_one
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean

IntentKind = Literal["informational", "navigational"]
NuggetWeights = Literal["", "unset", "uniform", "given"]
Level = Literal[1, 2]
Grades = Mapping[str, Mapping["str | tuple[str, str]", int]]

LARGEST_GRADE = 2**53  # above it, a float does not hold every whole number


@public
@dataclass(frozen=True)
class Intent:
    """One intent behind a query (a first- or second-level subtopic).

    Parameters
    ----------
    id : str
        Unique in the topic, or in the parent intent.
    probability : float
        p(t|q); of a child, p(e|t,q) within its parent.
    kind : {"informational", "navigational"}
        Whether several relevant documents help, or one is enough (Sakai 2012).
    label : str
        What the user wants, in words.
    children : tuple of Intent
        Second-level subtopics.
    mark : str, optional
        An annotation for drawings, such as "circle"; not compared.
    importance : str
        The label of a nugget, such as "vital" or "okay"; "" for none.

    Raises
    ------
    DivmetricsError
        If a field is invalid or the probabilities of the children do not sum to 1.

    Examples
    --------
    >>> Intent("film", 0.6).kind
    'informational'
    """

    id: str
    probability: float
    kind: IntentKind = "informational"
    label: str = ""
    children: tuple[Intent, ...] = ()
    mark: str | None = field(default=None, repr=False, compare=False)
    importance: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "label", "importance")
        check_ordered("Intent: children", self.children)
        object.__setattr__(self, "children", tuple(self.children))
        if self.kind not in get_args(IntentKind):
            raise DivmetricsError(
                f"intent {self.id!r}: kind is {self.kind!r}, expected 'informational' or 'navigational'"
            )
        p = self.probability
        if not is_number(p) or p < 0:
            raise DivmetricsError(
                f"intent {self.id!r} has probability {quote(p)}, expected a number of at least 0"
            )
        _check_probabilities(f"second-level subtopics of intent {self.id!r}", self.children)


@public
@dataclass(frozen=True)
class Topic:
    """A query and its intents.

    Parameters
    ----------
    id : str
        The id that judgments and runs use.
    intents : tuple of Intent
        Their probabilities sum to 1 (within 0.001).
    title, description : str
        The query as typed, and the information need in words.
    type : str
        A class of topics, such as "ambiguous".
    nuggets : {"", "unset", "uniform", "given"}
        For a topic of nuggets, where their weights come from: "given", "uniform" as asked for, or "unset"
        and therefore uniform; "" for other topics. If nuggets are in groups, metrics measure the nuggets, not
        the groups, unless `level=1` is asked for.

    Raises
    ------
    DivmetricsError
        If two intents share an id or a mark, or the probabilities do not sum to 1.

    Examples
    --------
    >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
    >>> [intent.probability for intent in topic.uniform().intents]
    [0.5, 0.5]
    """

    id: str
    intents: tuple[Intent, ...]
    title: str = ""
    description: str = ""
    type: str = ""
    nuggets: NuggetWeights = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "title", "description", "type")
        check_choice("Topic: nuggets", self.nuggets, get_args(NuggetWeights))
        check_ordered("Topic: intents", self.intents)
        object.__setattr__(self, "intents", tuple(self.intents))
        _check_probabilities(f"topic {self.id}", self.intents)
        twice = first_duplicate(intent.mark for intent in self.intents if intent.mark)
        if twice is not None:
            same = [repr(intent.id) for intent in self.intents if intent.mark == twice]
            raise DivmetricsError(
                f"topic {self.id}: the mark {twice!r} stands for {' and '.join(same)}; give each its own"
            )

    def uniform(self) -> Topic:
        """Return the topic with equally probable intents, at both levels (1/m and 1/v)."""
        return replace(self, intents=_uniform(self.intents), nuggets="uniform" if self.nuggets else "")

    def nonuniform(self) -> Topic:
        """Return the topic with the probability 2^(n-j+1) / (2^1 + ... + 2^n) for the j-th of n intents.

        So are the second-level subtopics of every intent weighted (Sakai et al. 2010, section 4.1).
        """
        return replace(self, intents=_nonuniform(self.intents), nuggets="given" if self.nuggets else "")

    @property
    def in_groups(self) -> bool:
        """Whether an intent has second-level subtopics."""
        return any(intent.children for intent in self.intents)

    def second_level(self) -> Topic:
        """Return the topic with its second-level subtopics as intents, and every intent that has none.

        Their probabilities are p(t|q) p(e|t,q); those of nuggets without given weights are equal.
        """
        below = tuple(
            replace(
                child,
                id=f"{intent.id}/{child.id}",
                probability=intent.probability * child.probability,
                label=child.label or child.id,
            )
            for intent in self.intents
            for child in intent.children
        )
        own = tuple(intent for intent in self.intents if not intent.children)
        flat = replace(self, intents=below + own)
        return replace(flat, intents=_uniform(flat.intents)) if self.nuggets in ("unset", "uniform") else flat

    def with_kinds(self, kinds: Mapping[str, IntentKind]) -> Topic:
        """Return the topic with other kinds of intents.

        Parameters
        ----------
        kinds : {intent: kind}
            The kinds; other intents and all children keep theirs.

        Returns
        -------
        Topic
            The topic with these kinds.

        Raises
        ------
        DivmetricsError
            If the topic lacks an intent.
        """
        ids = [intent.id for intent in self.intents]
        for intent in kinds:
            if intent not in ids:
                raise DivmetricsError(
                    f"topic {self.id}: {intent!r} is not an intent of the topic{did_you_mean(intent, ids)}"
                    f"; it has {', '.join(ids)}"
                )
        return replace(self, intents=tuple(replace(t, kind=kinds.get(t.id, t.kind)) for t in self.intents))


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
        The top of the pseudo ad hoc grades (Sakai & Zeng 2019, section 4).

    Raises
    ------
    DivmetricsError
        If an array has the wrong shape or is not of integers.

    Examples
    --------
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
        return Collection.on_one_scale({topic.id: made}, scale).pools[topic.id]

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
        if topic == self.topic and _marks(topic) == _marks(self.topic):
            return self
        if _ids(topic) != _ids(self.topic):
            raise DivmetricsError(
                f"topic {topic.id}: the judgments are for other intents ({', '.join(_ids(self.topic))}; the "
                f"topic has {', '.join(_ids(topic))}); give the judgments of this topic"
            )
        return replace(self, topic=topic)

    def with_scale(self, scale: int, adhoc_scale: int) -> Judgments:
        """Return the judgments with other top grades.

        Parameters
        ----------
        scale : int
            The top grade Y.
        adhoc_scale : int
            The top of the pseudo ad hoc grades.

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
            The level; None for the second level of nuggets that are judged in groups, and the first level
            of all other topics.

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

        The probabilities of the others are divided by their sum, or made equal if it is 0. Without judgments
        of the second level, covered intents keep their subtopics.
        """
        below = self.subtopic_grades
        rows = np.asarray(self.grades.any(axis=1))
        n_leaves = len(subtopic_index(self.topic))
        leaf_rows = np.ones(n_leaves, dtype=bool) if below is None else np.asarray(below.any(axis=1))
        leaves = iter(leaf_rows.tolist())
        intents = [
            replace(intent, children=_normalised([c for c in intent.children if next(leaves)]))
            for intent in self.topic.intents
        ]
        own = np.repeat(rows, [len(intent.children) for intent in self.topic.intents])
        return replace(
            self,
            topic=replace(self.topic, intents=_normalised(list(compress(intents, rows)))),
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
        """The largest floor(log2(S+1)), S the sum of a document's grades; 0 for a topic with one intent."""
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
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> Judgments.of(topic, {"d1": {"film": 2}}).labels("d1")
        {'film': 2}
        """
        if doc not in self.position:
            return {}
        column = self.grades[:, self.position[doc]]
        return {t.id: int(g) for t, g in zip(self.topic.intents, column, strict=True) if g > 0}


@public
@dataclass(frozen=True, eq=False)
class RankedList:
    """One ranked list for one topic, with the topic's judgments.

    Parameters
    ----------
    topic : Topic
        The topic.
    docs : iterable of str
        Document ids, best first, each once.
    judgments : Judgments or {document: {intent: grade}}
        Documents without judgments are not relevant.
    run : str
        The name of the list.

    Raises
    ------
    DivmetricsError
        If a document appears twice, or the judgments are for other intents.

    Examples
    --------
    >>> topic = Topic("7", (Intent("film", 1.0),))
    >>> RankedList(topic, ["d1", "d2"], {"d1": {"film": 2}})
    <list A of topic 7: d1[film:2] d2[?]>
    """

    topic: Topic
    docs: tuple[str, ...]
    judgments: Judgments
    run: str = "A"

    def __init__(
        self, topic: Topic, docs: Iterable[str], judgments: Judgments | Grades, run: str = "A"
    ) -> None:
        object.__setattr__(self, "topic", topic)
        object.__setattr__(self, "docs", _listed(docs, run, topic.id))
        if not isinstance(judgments, Judgments):
            judgments = Judgments.of(topic, judgments)
        object.__setattr__(self, "judgments", judgments.with_topic(topic))
        object.__setattr__(self, "run", run)
        check_text_fields(self, "run")

    def __len__(self) -> int:
        return len(self.docs)

    def __repr__(self) -> str:
        top = " ".join(f"{doc}[{self._labels(doc)}]" for doc in self.docs[:5])
        return f"<list {self.run} of topic {self.topic.id}: {top}{' ...' if len(self) > 5 else ''}>"

    def _labels(self, doc: str) -> str:
        if doc not in self.judgments.position:
            return "?"
        return ",".join(f"{intent}:{grade}" for intent, grade in self.judgments.labels(doc).items())

    def reordered(self, docs: Iterable[str], run: str | None = None) -> RankedList:
        """Return another list for the same topic, with the same judgments.

        Parameters
        ----------
        docs : iterable of str
            The ids of the documents, best first; they need not be those of this list.
        run : str, optional
            The name of the list; by default the name of this one.

        Returns
        -------
        RankedList
            The list.

        Raises
        ------
        DivmetricsError
            If a document stands twice in it.

        Examples
        --------
        >>> ranked = RankedList(Topic("7", (Intent("film", 1.0),)), ["d1", "d2"], {"d2": {"film": 1}})
        >>> ranked.reordered(["d2", "d1"], "B")
        <list B of topic 7: d2[film:1] d1[?]>
        """
        return RankedList(self.topic, docs, self.judgments, self.run if run is None else run)

    def on_level(self, level: Level | None) -> RankedList:
        """Return the list with the judgments of a level.

        Parameters
        ----------
        level : {1, 2} or None
            The level; None for the second level of nuggets that are judged in groups, and the first level
            of all other topics.

        Returns
        -------
        RankedList
            The list; itself if nothing changes.

        Raises
        ------
        DivmetricsError
            If the topic has no judgments on the second level.
        """
        judgments = self.judgments.on_level(level)
        return (
            self
            if judgments is self.judgments
            else RankedList(judgments.topic, self.docs, judgments, self.run)
        )


@public
@dataclass(frozen=True, eq=False)
class Run:
    """The ranked lists of one system for several topics.

    Runs that `load_runs` reads together share their ids: a run of 50 topics and 1,000 documents each takes
    0.2 MB, plus the text of the ids that only this run lists.

    Parameters
    ----------
    name : str
        The name of the run.
    docs : sequence of str
        Document ids of all topics.
    spans : {topic: (start, stop)}
        `docs[start:stop]` is the list of a topic, best first.
    ties : int
        The number of documents whose scores tied when the run was ordered by score.
    contradictions : int
        The number of topics in which a printed rank contradicts the scores: a document with a higher score
        has a worse rank.

    Raises
    ------
    DivmetricsError
        If a list names a document twice.

    Examples
    --------
    >>> Run.of("r", {"7": ["d1", "d2"], "8": ["d1"]})
    <run r: 3 documents, 2 topics>
    """

    name: str
    docs: Sequence[str]
    spans: Mapping[str, tuple[int, int]]
    ties: int = 0
    contradictions: int = 0

    def __post_init__(self) -> None:
        check_text_fields(self, "name")
        check_whole("Run: ties", self.ties, 0)
        check_whole("Run: contradictions", self.contradictions, 0)
        object.__setattr__(self, "spans", MappingProxyType(dict(self.spans)))
        if isinstance(self.docs, list):
            object.__setattr__(self, "docs", tuple(self.docs))
        if not isinstance(self.docs, EncodedIds):
            for topic, (start, stop) in self.spans.items():
                _listed(self.docs[start:stop], self.name, topic)

    def __reduce__(self) -> tuple[Any, ...]:  # a proxy cannot be sent to another process
        return type(self), (self.name, self.docs, dict(self.spans), self.ties, self.contradictions)

    @classmethod
    def of(cls, name: str, lists: Mapping[str, Sequence[str]]) -> Run:
        """Make a run of {topic: [document ids, best first]}.

        Parameters
        ----------
        name : str
            The name of the run.
        lists : {topic: sequence of str}
            The list of each topic.

        Returns
        -------
        Run
            The run.

        Raises
        ------
        DivmetricsError
            If a list is a text, a mapping or a set, or repeats a document.

        Examples
        --------
        >>> Run.of("r", {"7": ["d1", "d2"]}).list("7")
        ('d1', 'd2')
        """
        docs: list[str] = []
        spans = {}
        for topic, listed in lists.items():
            start = len(docs)
            docs.extend(_in_order(listed, name, topic))
            spans[topic] = (start, len(docs))
        return cls(name, docs, spans)

    def __repr__(self) -> str:
        return f"<run {self.name}: {len(self.docs)} documents, {len(self.spans)} topics>"

    def list(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic, best first.

        Parameters
        ----------
        topic : str
            The id of the topic.

        Returns
        -------
        tuple of str
            The ids; empty if the run has no list for the topic.

        Examples
        --------
        >>> Run.of("r", {"7": ["d1", "d2"]}).list("8")
        ()
        """
        start, stop = self.spans.get(topic, (0, 0))
        return tuple(self.docs[start:stop])


@public
@dataclass(frozen=True, eq=False)
class Collection:
    """Judged topics, and the runs to be measured on them.

    Parameters
    ----------
    pools : {topic: Judgments}
        Judgments by topic id; their order is that of the results.
    runs : {name: Run}
        Runs by name.

    Raises
    ------
    DivmetricsError
        If `pools` or `runs` is no such mapping.

    Examples
    --------
    >>> topic = Topic("7", (Intent("film", 1.0),))
    >>> Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
    <collection: 1 topics, 1 runs, top grade Y = 2>
    """

    pools: Mapping[str, Judgments]
    runs: Mapping[str, Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_mapping("Collection: pools", self.pools, Judgments)
        check_mapping("Collection: runs", self.runs, Run)
        object.__setattr__(self, "pools", MappingProxyType(dict(self.pools)))
        object.__setattr__(self, "runs", MappingProxyType(dict(self.runs)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.pools), dict(self.runs))

    @classmethod
    def of(
        cls,
        topics: Iterable[Topic],
        judgments: Mapping[str, Grades],
        runs: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        scale: int | None = None,
    ) -> Collection:
        """Make a collection of {topic: {document: {intent: grade}}} and {run: {topic: [documents]}}.

        Parameters
        ----------
        topics : iterable of Topic
            The topics with their intents.
        judgments : {topic: {document: {intent: grade}}}
            The judgments; a topic that is missing has no judged documents.
        runs : {run: {topic: [documents, best first]}}, optional
            The lists of each run; by default the collection has no runs.
        scale : int, optional
            The top grade Y; by default the highest grade.

        Returns
        -------
        Collection
            The collection, its topics in the order of `topics`.

        Raises
        ------
        DivmetricsError
            If judgments are of an unknown topic, or judgments or runs are invalid.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> collection
        <collection: 1 topics, 1 runs, top grade Y = 2>
        """
        topic_of = by_id(topics)
        stray = next((topic for topic in judgments if topic not in topic_of), None)
        if stray is not None:
            raise DivmetricsError(
                f"there are judgments for topic {stray!r}, which is not among the topics"
                f"{did_you_mean(str(stray), topic_of)}; give this topic, or leave its judgments out"
            )
        by_topic = {topic: Judgments.of(topic_of[topic], judgments.get(topic, {})) for topic in topic_of}
        collection = cls.on_one_scale(by_topic, scale)
        return collection.with_runs([Run.of(name, lists) for name, lists in (runs or {}).items()])

    @classmethod
    def on_one_scale(cls, pools: Mapping[str, Judgments], scale: int | None = None) -> Collection:
        """Make a collection with one scale.

        Parameters
        ----------
        pools : {topic: Judgments}
            The judgments of each topic.
        scale : int, optional
            The top grade Y; by default the highest grade in the judgments.

        Returns
        -------
        Collection
            A collection without runs. The scale of pseudo ad hoc grades is always the highest such grade.

        Raises
        ------
        DivmetricsError
            If a grade is above `scale`.
        """
        top = max((judgments.top_grade for judgments in pools.values()), default=0)
        adhoc = max((judgments.top_adhoc_grade for judgments in pools.values()), default=0)
        return cls({t: each.with_scale(scale or top or 1, adhoc or 1) for t, each in pools.items()})

    def positions(
        self, runs: Sequence[Run], topics: Iterable[str], depth: int | None = None
    ) -> Iterator[list[np.ndarray]]:
        """Yield, for each topic, the positions of each run's documents in the topic's judgments.

        Parameters
        ----------
        runs : sequence of Run
            The runs.
        topics : iterable of str
            The ids of topics.
        depth : int, optional
            The number of documents per list; by default all.

        Yields
        ------
        list of numpy.ndarray
            The positions for each run; -1 if the document was never judged.
        """
        for topic in topics:
            lists = []
            for run in runs:
                start, stop = run.spans.get(topic, (0, 0))
                lists.append(run.docs[start : stop if depth is None else min(stop, start + depth)])
            yield self.pools[topic].positions_of(lists)

    def with_runs(self, runs: Iterable[Run]) -> Collection:
        """Return the collection with these runs only.

        Parameters
        ----------
        runs : iterable of Run
            The runs.

        Returns
        -------
        Collection
            The same topics and judgments with these runs.

        Raises
        ------
        DivmetricsError
            If two runs have the same name.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> [*collection.with_runs([Run.of("s", {"7": ["d2"]})]).runs]
        ['s']
        """
        named: dict[str, Run] = {}
        for run in runs:
            if named.setdefault(run.name, run) is not run:
                raise DivmetricsError(f"two runs are called {run.name!r}; give them different names")
        return replace(self, runs=named)

    def __repr__(self) -> str:
        return f"<collection: {len(self.pools)} topics, {len(self.runs)} runs, top grade Y = {self.scale}>"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The judged topics, in the order of the judgments."""
        return tuple(judgments.topic for judgments in self.pools.values())

    @property
    def scale(self) -> int:
        """The top grade Y."""
        return next((judgments.scale for judgments in self.pools.values()), 1)

    def top_grade_description(self) -> str:
        """Return the highest grade of all with its topic, document and intent, in words."""
        highest = max(self.pools.values(), key=lambda judgments: judgments.top_grade, default=None)
        return "0" if highest is None else highest.top_grade_description

    def judgments(self, topic: str) -> Judgments:
        """Return the judgments of a topic.

        Parameters
        ----------
        topic : str
            The id of the topic.

        Returns
        -------
        Judgments
            Its judgments.

        Raises
        ------
        DivmetricsError
            If the collection lacks the topic.
        """
        if topic not in self.pools:
            raise DivmetricsError(f"topic {topic!r} has no judgments{did_you_mean(topic, self.pools)}")
        return self.pools[topic]

    def run(self, name: str) -> Run:
        """Return a run.

        Parameters
        ----------
        name : str
            The name of the run.

        Returns
        -------
        Run
            The run of this name.

        Raises
        ------
        DivmetricsError
            If the collection lacks the run.
        """
        if name not in self.runs:
            raise DivmetricsError(f"there is no run {name!r}{did_you_mean(name, self.runs)}")
        return self.runs[name]

    def list(self, run: str, topic: str) -> RankedList:
        """Return the list of a run for a topic.

        Parameters
        ----------
        run : str
            The name of the run.
        topic : str
            The id of the topic.

        Returns
        -------
        RankedList
            The list; it is empty if the run has none for the topic.

        Raises
        ------
        DivmetricsError
            If the collection lacks the run or the topic.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> collection.list("r", "7")
        <list r of topic 7: d1[film:2] d2[?]>
        """
        judgments = self.judgments(topic)
        return RankedList(judgments.topic, self.run(run).list(topic), judgments, run)

    def lists(self, topic: str) -> Iterator[RankedList]:
        """Return an iterator over the lists of all runs for a topic.

        Parameters
        ----------
        topic : str
            The id of the topic.

        Returns
        -------
        iterator of RankedList
            A list for each run, in the order of the runs; the first use raises DivmetricsError if the
            collection lacks the topic.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> [ranked.run for ranked in collection.lists("7")]
        ['r']
        """
        return (self.list(run, topic) for run in self.runs)

    def select(self, topics: Iterable[str]) -> Collection:
        """Return the collection with some of its topics, on the same scale.

        Parameters
        ----------
        topics : iterable of str
            The ids of the topics, in the order that they get.

        Returns
        -------
        Collection
            These topics with their judgments, and all runs.

        Raises
        ------
        DivmetricsError
            If the collection lacks a topic.
        """
        return replace(self, pools={topic: self.judgments(topic) for topic in topics})

    def uniform(self) -> Collection:
        """Return the collection with equally probable intents, at both levels."""
        uniform = {t: replace(each, topic=each.topic.uniform()) for t, each in self.pools.items()}
        return replace(self, pools=uniform)

    def nonuniform(self) -> Collection:
        """Return the collection with halving probabilities, as `Topic.nonuniform` defines them."""
        nonuniform = {t: replace(each, topic=each.topic.nonuniform()) for t, each in self.pools.items()}
        return replace(self, pools=nonuniform)

    def covered(self) -> Collection:
        """Return the collection without intents that have no relevant document, as `Judgments.covered` does.

        `collection.covered().nonuniform()` has the intents and weights of Sakai et al. (2010) and Sakai
        (2012). A topic without relevant documents is left with no intents, and every list scores 0 on it.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.4), Intent("book", 0.4), Intent("game", 0.2)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 1}, "d2": {"game": 1}}})
        >>> [(intent.id, round(intent.probability, 3)) for intent in collection.covered().topics[0].intents]
        [('film', 0.667), ('game', 0.333)]
        """
        return replace(self, pools={topic: each.covered() for topic, each in self.pools.items()})

    def on_level(self, level: Level | None) -> Collection:
        """Return the collection with the judgments of a level.

        Parameters
        ----------
        level : {1, 2} or None
            The level; None for the second level of nuggets that are judged in groups, and the first level
            of all other topics.

        Returns
        -------
        Collection
            The collection, with the subtopics of the level as intents; itself if nothing changes.

        Raises
        ------
        DivmetricsError
            If a topic has no judgments on the second level.
        """
        pools = {topic: judgments.on_level(level) for topic, judgments in self.pools.items()}
        if all(pools[topic] is judgments for topic, judgments in self.pools.items()):
            return self
        return replace(self, pools=Collection.on_one_scale(pools, self.scale).pools)

    def with_kinds(self, kinds: Mapping[str, Mapping[str, IntentKind]]) -> Collection:
        """Return the collection with other kinds of intents.

        Parameters
        ----------
        kinds : {topic: {intent: kind}}
            The kinds, "informational" or "navigational"; intents without one keep theirs.

        Returns
        -------
        Collection
            The same judgments and runs, of topics with these kinds.

        Raises
        ------
        DivmetricsError
            If the collection lacks a topic, or a topic an intent.

        Examples
        --------
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> (topic,) = collection.with_kinds({"7": {"book": "navigational"}}).topics
        >>> [str(intent.kind) for intent in topic.intents]
        ['informational', 'navigational']
        """
        judged = {topic: self.judgments(topic) for topic in kinds}
        changed = {t: replace(each, topic=each.topic.with_kinds(kinds[t])) for t, each in judged.items()}
        return replace(self, pools={**self.pools, **changed})


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


def _marks(topic: Topic) -> list[str | None]:
    """Return the mark of every intent, in order; None for an intent whose mark follows from its position."""
    return [intent.mark for intent in topic.intents]


def _ids(topic: Topic) -> list[str]:
    """Return the ids of all intents, each followed by its second-level subtopics."""
    return [x for t in topic.intents for x in (t.id, *(f"{t.id}/{child.id}" for child in t.children))]


def subtopic_index(topic: Topic) -> dict[tuple[str, str], int]:
    """Return {(intent, second-level subtopic): row in `Judgments.subtopic_grades`}."""
    pairs = [(intent.id, child.id) for intent in topic.intents for child in intent.children]
    return {pair: row for row, pair in enumerate(pairs)}


def by_id(topics: Iterable[Topic]) -> dict[str, Topic]:
    """Return {id: topic} in the order of the topics; raise DivmetricsError if two share an id."""
    topic_of: dict[str, Topic] = {}
    for topic in topics:
        if topic_of.setdefault(topic.id, topic) is not topic:
            raise DivmetricsError(f"two topics have the id {topic.id!r}; leave out one or rename it")
    return topic_of


def sum_of(probabilities: Iterable[float]) -> float:
    """Return the exact sum of the probabilities, rounded once; infinity if it exceeds the largest float."""
    try:
        return math.fsum(probabilities)
    except OverflowError:
        return math.inf


def unnormalised_topics(topics: Iterable[Topic]) -> dict[str, float]:
    """Return {topic id: sum of probabilities} of topics whose sum differs from 1 by more than rounding."""
    sums = {topic.id: sum_of(t.probability for t in topic.intents) for topic in topics if topic.intents}
    return {topic: total for topic, total in sums.items() if not sums_to_one(total, SUM_QUIET)}


def warn_unnormalised(topics: Iterable[Topic]) -> None:
    """Warn of topics whose probabilities sum to 1 only roughly, with their count and an example."""
    uneven = unnormalised_topics(topics)
    if uneven:
        topic, total = next(iter(uneven.items()))
        warnings.warn(
            f"intent probabilities of {len(uneven)} topic(s) do not sum to exactly 1 (topic {topic}: "
            f"{total:.6g}); they are used as they are",
            DivmetricsWarning,
            stacklevel=3,
        )


def _check_probabilities(owner: str, intents: tuple[Intent, ...]) -> None:
    twice = first_duplicate(intent.id for intent in intents)
    if twice is not None:
        raise DivmetricsError(f"{owner}: intent {twice!r} appears twice; ids must differ")
    total = sum_of(intent.probability for intent in intents)
    if intents and not sums_to_one(total):
        raise DivmetricsError(
            f"{owner}: probabilities sum to {total:.6g}, expected {SUM_EXPECTED}; "
            "divide each by their sum, or make them equal"
        )


def _in_order(docs: Iterable[str], run: str, topic: str) -> Iterable[str]:
    """Return the documents; raise DivmetricsError if they are a text, a mapping or a set."""
    if isinstance(docs, (str, bytes, Mapping, *UNORDERED)):
        kind = "a single text" if isinstance(docs, (str, bytes)) else f"a {type(docs).__name__}"
        unordered = ", which has no order" if isinstance(docs, UNORDERED) else ""
        raise DivmetricsError(
            f"list {run}, topic {topic}: the documents are {kind}{unordered}; expected a list of them, best "
            "first"
        )
    return docs


def _listed(docs: Iterable[str], run: str, topic: str) -> tuple[str, ...]:
    """Return the documents as a tuple; raise DivmetricsError if one is not text or appears twice."""
    docs = tuple(_in_order(docs, run, topic))
    rank_of: dict[str, int] = {}
    for rank, doc in enumerate(docs, 1):
        if not isinstance(doc, str):
            raise DivmetricsError(
                f"list {run}, topic {topic}: the document at rank {rank} is {quote(doc)}, expected its id as "
                "text"
            )
        if rank_of.setdefault(doc, rank) != rank:
            raise DivmetricsError(
                f"list {run}, topic {topic}: document {doc!r} stands at rank {rank_of[doc]} and again at "
                f"rank {rank}; a document may appear once in a list"
            )
    return docs


def first_duplicate(ids: Iterable[str]) -> str | None:
    """Return the first id that occurs a second time, or None if all ids differ."""
    seen: set[str] = set()
    return next((i for i in ids if i in seen or seen.add(i)), None)  # type: ignore[func-returns-value]


def _uniform(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    return tuple(
        replace(intent, probability=1 / len(intents), children=_uniform(intent.children))
        for intent in intents
    )


def nonuniform_probabilities(count: int) -> list[float]:
    """Return the probability 2^(n-j+1) / (2^1 + ... + 2^n) for each j of n = `count` (Sakai et al. 2010)."""
    weights = np.exp2(-np.arange(count))
    probabilities: list[float] = (weights / weights.sum()).tolist()
    return probabilities


def _nonuniform(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    return tuple(
        replace(intent, probability=probability, children=_nonuniform(intent.children))
        for intent, probability in zip(intents, nonuniform_probabilities(len(intents)), strict=True)
    )


def _normalised(intents: list[Intent]) -> tuple[Intent, ...]:
    """Return the intents with their probabilities divided by their sum, or equal if the sum is 0."""
    total = sum_of(intent.probability for intent in intents)
    return tuple(
        replace(intent, probability=intent.probability / total if total else 1 / len(intents))
        for intent in intents
    )
