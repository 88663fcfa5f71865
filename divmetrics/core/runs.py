"""Ranked lists: one with its judgments, and a run, which has one for each topic.

Constructors check their arguments, so that the code that computes scores need not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from divmetrics.core.calls import public
from divmetrics.core.checks import UNORDERED, check_text_fields, check_whole, quote
from divmetrics.core.ids import EncodedIds
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.topics import Level, Topic
from divmetrics.errors import DivmetricsError


@public
@dataclass(frozen=True, eq=False)
class RankedList:
    """One ranked list for one topic, with the topic's judgments.

    Parameters
    ----------
    topic : Topic
        The topic.
    docs : iterable of str
        Document ids, best first, each once; stored as a tuple. Documents without judgments count as not
        relevant.
    judgments : Judgments or {document: {intent: grade}}
        The judgments of the topic, or of another one with the same intents, whose place `topic` takes; of a
        mapping, `Judgments.of` makes them, with the highest grade as scale and 0 for negative ones.
    run : str
        The name of the list.

    Raises
    ------
    DivmetricsError
        If a document is listed twice, `docs` is text, a mapping or a set, an id or the name is not text, or
        the judgments are invalid or for other intents.

    Examples
    --------
    >>> from divmetrics import Intent
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
        """Return a new list of the given documents, with the topic and the judgments of this one.

        Parameters
        ----------
        docs : iterable of str
            The ids of the documents, best first; they need not be those of this list.
        run : str, optional
            The name of the new list; by default the name of this one.

        Returns
        -------
        RankedList
            The new list; this one is not changed.

        Raises
        ------
        DivmetricsError
            If a document is listed twice, `docs` is text, a mapping or a set, or an id or the name is not
            text.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> ranked = RankedList(Topic("7", (Intent("film", 1.0),)), ["d1", "d2"], {"d2": {"film": 1}})
        >>> ranked.reordered(["d2", "d1"], "B")
        <list B of topic 7: d2[film:1] d1[?]>
        """
        return RankedList(self.topic, docs, self.judgments, self.run if run is None else run)

    def on_level(self, level: Level | None) -> RankedList:
        """Return the list with the subtopics of the first or the second level as intents.

        Parameters
        ----------
        level : {1, 2} or None
            The level. None means 2 if the intents are groups of nuggets and the nuggets are judged, else 1.

        Returns
        -------
        RankedList
            The same documents with `Judgments.on_level` of this level; the list itself if that changes
            nothing.

        Raises
        ------
        DivmetricsError
            In the cases of `Judgments.on_level`.
        """
        judgments = self.judgments.on_level(level)
        if judgments is self.judgments:
            return self
        return RankedList(judgments.topic, self.docs, judgments, self.run)


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
        The document ids of all topics, one list after the other.
    spans : {topic: (start, stop)}
        `docs[start:stop]` is the list of a topic, best first; positions outside `docs` are not checked.
    ties : int
        The number of documents whose score equals that of another one of their list. `load_runs` counts them
        where it orders by score, for warnings.
    contradictions : int
        The number of topics in which a printed rank contradicts the scores: a document with a higher score
        has a worse rank. `load_runs` counts them, for warnings.

    Raises
    ------
    DivmetricsError
        If a list names a document twice, an id in a list or the name is not text, or `ties` or
        `contradictions` is no whole number of at least 0.

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
            The ids of the documents of each topic, best first, by the id of the topic. A list may be empty.

        Returns
        -------
        Run
            A run with no ties and no contradictions.

        Raises
        ------
        DivmetricsError
            If a list is text, a mapping or a set, repeats a document or holds an id that is not text, or
            the name is not text.

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
        >>> run = Run.of("r", {"7": ["d1", "d2"]})
        >>> run.list("7"), run.list("8")
        (('d1', 'd2'), ())
        """
        start, stop = self.spans.get(topic, (0, 0))
        return tuple(self.docs[start:stop])


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
