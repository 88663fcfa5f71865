"""A collection: topics with judgments, and runs over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import check_mapping
from divmetrics.core.judgments import Grades, Judgments, on_one_scale
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import IntentKind, Level, Topic, by_id
from divmetrics.errors import DivmetricsError, did_you_mean


@public
@dataclass(frozen=True, eq=False)
class Collection:
    """Judged topics, and the runs to be measured on them.

    Parameters
    ----------
    pools : {topic: Judgments}
        The judgments by the ids of their topics, all with the same `scale` and `adhoc_scale`
        (`Collection.on_one_scale` sees to it; the constructor does not check). Their order is that of
        results.
    runs : {name: Run}
        The runs by their names, in the order of results. A run may lack topics, and have others.

    Raises
    ------
    DivmetricsError
        If `pools` is no mapping to Judgments, or `runs` no mapping to Runs.

    Notes
    -----
    Both are copied to read-only mappings. The methods return new collections and change nothing.

    Examples
    --------
    >>> from divmetrics import Intent
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
        """Make a collection of topics, of judgments and runs in nested mappings.

        Parameters
        ----------
        topics : iterable of Topic
            The topics with their intents.
        judgments : {topic: {document: {intent: grade}}}
            The judgments by topic id, as `Judgments.of` takes them; a topic that is missing has no judged
            documents.
        runs : {run: {topic: [documents, best first]}}, optional
            The lists of each run, as `Run.of` takes them; by default the collection has no runs.
        scale : int, optional
            The top grade Y of all topics; by default (or if it is 0) the highest grade, but at least 1.

        Returns
        -------
        Collection
            The collection, its topics in the order of `topics`, its runs in that of `runs`.

        Raises
        ------
        DivmetricsError
            If two different topics share an id (equal ones count once), judgments are of a topic that is not
            among `topics`, a grade is invalid or above `scale`, or a list is invalid.

        Examples
        --------
        >>> from divmetrics import Intent
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
        """Make a collection in which all topics have the same scales.

        Parameters
        ----------
        pools : {topic: Judgments}
            The judgments by topic id; their own scales are replaced.
        scale : int, optional
            The top grade Y; by default (or if it is 0) the highest grade in the judgments, but at least 1.

        Returns
        -------
        Collection
            A collection without runs. The `adhoc_scale` of all its judgments is the highest
            `Judgments.top_adhoc_grade`, but at least 1.

        Raises
        ------
        DivmetricsError
            If a grade is above `scale`, or `scale` is no whole number of at most 2^53.
        """
        return cls(on_one_scale(pools, scale))

    def positions(
        self, runs: Sequence[Run], topics: Iterable[str], depth: int | None = None
    ) -> Iterator[list[np.ndarray]]:
        """Yield, for each topic, the positions of each run's documents in the topic's judgments.

        Parameters
        ----------
        runs : sequence of Run
            The runs, which need not be those of the collection.
        topics : iterable of str
            The ids of topics of the collection; another one raises KeyError.
        depth : int, optional
            The largest number of documents per list, at least 0; by default all are read.

        Yields
        ------
        list of numpy.ndarray
            An array of integers for each run: the positions of its documents, best first, in
            `Judgments.docs`, or -1 for a document that was never judged. Empty if the run has no list.
        """
        for topic in topics:
            lists = []
            for run in runs:
                start, stop = run.spans.get(topic, (0, 0))
                lists.append(run.docs[start : stop if depth is None else min(stop, start + depth)])
            yield self.pools[topic].positions_of(lists)

    def with_runs(self, runs: Iterable[Run]) -> Collection:
        """Return the collection with other runs, in place of those that it has.

        Parameters
        ----------
        runs : iterable of Run
            The new runs.

        Returns
        -------
        Collection
            The same topics and judgments with these runs, in their order.

        Raises
        ------
        DivmetricsError
            If two runs have the same name, or `runs` is no iterable of Runs.

        Examples
        --------
        >>> from divmetrics import Intent
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
        """The topics, in the order of `pools`."""
        return tuple(judgments.topic for judgments in self.pools.values())

    @property
    def scale(self) -> int:
        """The top grade Y, taken from the first topic; 1 if there is no topic."""
        return next((judgments.scale for judgments in self.pools.values()), 1)

    def top_grade_description(self) -> str:
        """Return the highest grade as text, with its topic, document and intent; "0" if it is 0."""
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
            Its judgments, as in `pools`.

        Raises
        ------
        DivmetricsError
            If the collection lacks the topic.
        """
        if topic not in self.pools:
            raise DivmetricsError(f"topic {topic!r} has no judgments{did_you_mean(str(topic), self.pools)}")
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
            The run of this name, as in `runs`.

        Raises
        ------
        DivmetricsError
            If the collection lacks the run.
        """
        if name not in self.runs:
            raise DivmetricsError(f"there is no run {name!r}{did_you_mean(str(name), self.runs)}")
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
            The list with the topic's judgments and the name of the run; it is empty if the run has none for
            the topic.

        Raises
        ------
        DivmetricsError
            If the collection lacks the run or the topic.

        Examples
        --------
        >>> from divmetrics import Intent
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
            The result of `list` for each run, in the order of the runs. If the collection lacks the topic and
            has runs, the first step of the iterator raises DivmetricsError.

        Examples
        --------
        >>> from divmetrics import Intent
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
            The ids of the topics, in the order that they get; one that is repeated is taken once.

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
        """Return the collection with equally probable intents, as `Topic.uniform` makes them."""
        return self._with_topics(Topic.uniform)

    def nonuniform(self) -> Collection:
        """Return the collection with intents half as probable as the one before (`Topic.nonuniform`)."""
        return self._with_topics(Topic.nonuniform)

    def _with_topics(self, change: Callable[[Topic], Topic]) -> Collection:
        pools = {topic: replace(each, topic=change(each.topic)) for topic, each in self.pools.items()}
        return replace(self, pools=pools)

    def covered(self) -> Collection:
        """Return the collection with `Judgments.covered` of every topic: no intent without relevant document.

        `collection.covered().nonuniform()` has the intents and weights of Sakai et al. (2010) and Sakai
        (2012). A topic without relevant documents is left with no intents, and every list scores 0 on it.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> topic = Topic("7", (Intent("film", 0.4), Intent("book", 0.4), Intent("game", 0.2)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 1}, "d2": {"game": 1}}})
        >>> [(intent.id, round(intent.probability, 3)) for intent in collection.covered().topics[0].intents]
        [('film', 0.667), ('game', 0.333)]
        """
        return replace(self, pools={topic: each.covered() for topic, each in self.pools.items()})

    def on_level(self, level: Level | None) -> Collection:
        """Return the collection with the subtopics of the first or the second level as intents.

        Parameters
        ----------
        level : {1, 2} or None
            The level. None means 2 for topics whose intents are groups of judged nuggets, else 1.

        Returns
        -------
        Collection
            The collection with `Judgments.on_level` of every topic and the same `scale`; itself if nothing
            changes.

        Raises
        ------
        DivmetricsError
            In the cases of `Judgments.on_level`.
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
            The kinds, "informational" or "navigational", by the ids of topic and intent; topics and intents
            that are missing keep theirs.

        Returns
        -------
        Collection
            The same judgments and runs, of topics with these kinds.

        Raises
        ------
        DivmetricsError
            If the collection lacks a topic, a topic an intent, or a kind is none of the two.

        Examples
        --------
        >>> from divmetrics import Intent
        >>> topic = Topic("7", (Intent("film", 0.6), Intent("book", 0.4)))
        >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d1", "d2"]}})
        >>> (topic,) = collection.with_kinds({"7": {"book": "navigational"}}).topics
        >>> [intent.kind for intent in topic.intents]
        ['informational', 'navigational']
        """
        judged = {topic: self.judgments(topic) for topic in kinds}
        changed = {t: replace(each, topic=each.topic.with_kinds(kinds[t])) for t, each in judged.items()}
        return replace(self, pools={**self.pools, **changed})
