"""What a reader of the papers would draw: intents, topics, judged documents, ranked lists.

Everything is checked on entry, so that nothing further down has to ask again.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from divmetrics.core.calls import public
from divmetrics.core.checks import is_number, quote
from divmetrics.core.ids import EncodedIds
from divmetrics.core.tolerances import SUM_EXPECTED, SUM_QUIET, sums_to_one
from divmetrics.errors import DivmetricsError, DivmetricsWarning, did_you_mean

IntentKind = Literal["informational", "navigational"]
Grades = Mapping[str, Mapping["str | tuple[str, str]", int]]

LARGEST_GRADE = 2**53  # above it, a float does not hold every whole number


@public
@dataclass(frozen=True)
class Intent:
    """One thing a reader may have meant by a query (a first- or second-level subtopic).

    `probability` is p(t|q), for a child p(e|t,q) within its parent. `kind` is "informational" (several
    relevant documents help) or "navigational" (one is enough; Sakai 2012). `mark` is an annotation for those
    who draw the intent, such as "circle" (divmetrics.notebook.textformat.marks); it takes no part in
    comparisons.
    """

    id: str
    probability: float
    kind: IntentKind = "informational"
    label: str = ""
    children: tuple[Intent, ...] = ()
    mark: str | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
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
    """A query with the intents behind it; their probabilities sum to 1 (within 0.001)."""

    id: str
    intents: tuple[Intent, ...]
    title: str = ""
    description: str = ""
    type: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "intents", tuple(self.intents))
        _check_probabilities(f"topic {self.id}", self.intents)
        twice = first_twice(intent.mark for intent in self.intents if intent.mark)
        if twice is not None:
            same = [repr(intent.id) for intent in self.intents if intent.mark == twice]
            raise DivmetricsError(
                f"topic {self.id}: the mark {twice!r} stands for {' and '.join(same)}; give each its own"
            )

    def uniform(self) -> Topic:
        """The same topic with equally probable intents, at both levels (1/m and 1/v)."""
        return replace(self, intents=_uniform(self.intents))

    def with_kinds(self, kinds: Mapping[str, IntentKind]) -> Topic:
        """The same topic with these kinds, {intent: kind}; other intents and second levels keep theirs."""
        known = [intent.id for intent in self.intents]
        for intent in kinds:
            if intent not in known:
                raise DivmetricsError(
                    f"topic {self.id}: {intent!r} is not an intent of the topic{did_you_mean(intent, known)}"
                    f"; it has {', '.join(known)}"
                )
        return replace(self, intents=tuple(replace(t, kind=kinds.get(t.id, t.kind)) for t in self.intents))


@public
@dataclass(frozen=True, eq=False)
class Judgments:
    """The judgments of one topic.

    `docs`: judged documents, ids ascending; a tuple, or of a file `EncodedIds`. `grades`: (intent, document),
    `leaf_grades`: (second-level subtopic, document) in the order of the intents and their children, or None.
    Grades are 0..`scale`; `adhoc_scale` is the top of the pseudo ad hoc grades (Sakai & Zeng 2019, sec. 4).
    """

    topic: Topic
    docs: Sequence[str]
    grades: np.ndarray
    subtopic_grades: np.ndarray | None = None
    scale: int = 1
    adhoc_scale: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.docs, EncodedIds):
            object.__setattr__(self, "docs", tuple(self.docs))
        rows = {"grades": len(self.topic.intents), "subtopic_grades": len(subtopic_index(self.topic))}
        for name, expected in rows.items():
            given = getattr(self, name)
            if given is None and name == "subtopic_grades":
                continue
            grades = locked(np.asarray(given))
            if grades.shape != (expected, len(self.docs)) or grades.dtype.kind not in "iu":
                raise DivmetricsError(
                    f"topic {self.topic.id}: {name} has the shape {grades.shape} and holds {grades.dtype}, "
                    f"expected whole numbers of the shape {(expected, len(self.docs))} (intent, document); "
                    "Pool.of makes them from {document: {intent: grade}}"
                )
            object.__setattr__(self, name, grades)

    @classmethod
    def of(cls, topic: Topic, judgments: Grades, scale: int | None = None) -> Judgments:
        """From {document: {intent: grade}}; a second-level grade has the key (intent, subtopic)."""
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
        pool = cls(topic, docs, grades, leaf_grades if leaves else None)
        return Collection.on_one_scale({topic.id: pool}, scale).pools[topic.id]

    def __repr__(self) -> str:
        return f"<judgments of topic {self.topic.id}: {len(self.docs)} documents, grades 0-{self.scale}>"

    def with_topic(self, topic: Topic) -> Judgments:
        """The same judgments for a topic with the same intents, whatever their weights and kinds."""
        if topic == self.topic and _marks(topic) == _marks(self.topic):
            return self
        if _ids(topic) != _ids(self.topic):
            raise DivmetricsError(
                f"topic {topic.id}: the judgments are for other intents ({', '.join(_ids(self.topic))}; the "
                f"topic has {', '.join(_ids(topic))}); give the judgments of this topic"
            )
        return replace(self, topic=topic)

    def with_scale(self, scale: int, adhoc_scale: int) -> Judgments:
        """The same judgments read on a scale 0..`scale`."""
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

    @property
    def top_grade(self) -> int:
        """The highest grade given."""
        return int(self.grades.max(initial=0))

    @property
    def top_grade_description(self) -> str:
        """The highest grade given, and where it stands."""
        if not self.top_grade:
            return "0"
        intent, doc = map(int, np.unravel_index(self.grades.argmax(), self.grades.shape))
        return (
            f"{self.top_grade} (topic {self.topic.id}, document {self.docs[int(doc)]!r}, intent "
            f"{self.topic.intents[intent].id!r})"
        )

    @property
    def top_adhoc_grade(self) -> int:
        """The largest floor(log2(S+1)), S a document's sum of grades; 0 with a single intent."""
        if len(self.topic.intents) == 1:
            return 0
        return int(math.log2(self.grades.sum(axis=0, dtype=np.float64).max(initial=0) + 1))

    @property
    def relevant(self) -> np.ndarray:
        """Positions in `docs` of documents that are relevant to at least one intent."""
        return np.flatnonzero(self.grades.any(axis=0))

    @cached_property
    def position(self) -> dict[str, int]:
        """Document id -> its place in `docs`."""
        return {doc: i for i, doc in enumerate(self.docs)}

    def positions_of(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return, for each list, the position of every document in `docs`, or -1 if it was never judged."""
        if isinstance(self.docs, EncodedIds):
            return self.docs.positions_of(lists)
        return [np.array([self.position.get(doc, -1) for doc in docs], dtype=np.int64) for docs in lists]

    def labels(self, doc: str) -> dict[str, int]:
        """{intent: grade} of one document, positive grades only; empty when it was never judged."""
        if doc not in self.position:
            return {}
        column = self.grades[:, self.position[doc]]
        return {t.id: int(g) for t, g in zip(self.topic.intents, column, strict=True) if g > 0}


@public
@dataclass(frozen=True, eq=False)
class RankedList:
    """One ranked list for one topic, with the judgments that say what is in it.

    `judgments` may be given as {document: {intent: grade}}; documents without judgments are not relevant.
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
        pool = (
            judgments.with_topic(topic)
            if isinstance(judgments, Judgments)
            else Judgments.of(topic, judgments)
        )
        object.__setattr__(self, "judgments", pool)
        object.__setattr__(self, "run", run)

    def __len__(self) -> int:
        return len(self.docs)

    def __repr__(self) -> str:
        shown = " ".join(f"{doc}[{self._shown(doc)}]" for doc in self.docs[:5])
        return f"<list {self.run} of topic {self.topic.id}: {shown}{' ...' if len(self) > 5 else ''}>"

    def _shown(self, doc: str) -> str:
        if doc not in self.judgments.position:
            return "?"
        return ",".join(f"{intent}:{grade}" for intent, grade in self.judgments.labels(doc).items())

    def reordered(self, docs: Iterable[str], run: str | None = None) -> RankedList:
        """Another list over the same judgments."""
        return RankedList(self.topic, docs, self.judgments, self.run if run is None else run)


@public
@dataclass(frozen=True, eq=False)
class Run:
    """One system's lists: `docs[start:stop]` is the list of each topic, best first.

    `docs` is any sequence of document ids. Runs that `load_runs` read together share theirs: in a run of 50
    topics and 1,000 documents each, these take 0.2 MB, and what no other of these runs lists its own letters.
    """

    name: str
    docs: Sequence[str]
    spans: Mapping[str, tuple[int, int]]
    ties: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "spans", MappingProxyType(dict(self.spans)))
        if isinstance(self.docs, list):
            object.__setattr__(self, "docs", tuple(self.docs))
        if not isinstance(self.docs, EncodedIds):
            for topic, (start, stop) in self.spans.items():
                _listed(self.docs[start:stop], self.name, topic)

    def __reduce__(self) -> tuple[Any, ...]:  # a proxy cannot be sent to another process
        return type(self), (self.name, self.docs, dict(self.spans), self.ties)

    @classmethod
    def of(cls, name: str, lists: Mapping[str, Sequence[str]]) -> Run:
        """From {topic: [documents, best first]}."""
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
        """The documents of one topic, best first; empty when the run does not answer it."""
        start, stop = self.spans.get(topic, (0, 0))
        return tuple(self.docs[start:stop])


@public
@dataclass(frozen=True, eq=False)
class Collection:
    """Judged topics, in the order of the judgments, and the runs to be measured on them."""

    pools: Mapping[str, Judgments]
    runs: Mapping[str, Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
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
        """From plain Python: {topic: {document: {intent: grade}}} and {run: {topic: [documents]}}."""
        known = by_id(topics)
        stray = next((topic for topic in judgments if topic not in known), None)
        if stray is not None:
            raise DivmetricsError(
                f"there are judgments for topic {stray!r}, which is not among the topics"
                f"{did_you_mean(str(stray), known)}; give this topic, or leave its judgments out"
            )
        pools = {topic: Judgments.of(known[topic], judgments.get(topic, {})) for topic in known}
        collection = cls.on_one_scale(pools, scale)
        return collection.with_runs([Run.of(name, lists) for name, lists in (runs or {}).items()])

    @classmethod
    def on_one_scale(cls, pools: Mapping[str, Judgments], scale: int | None = None) -> Collection:
        """Pools read on one scale: the given one, else the highest grade in the judgments.

        Pseudo ad hoc grades, of topics with several intents, have a scale of their own: their highest.
        """
        top = max((pool.top_grade for pool in pools.values()), default=0)
        adhoc = max((pool.top_adhoc_grade for pool in pools.values()), default=0)
        return cls({t: pool.with_scale(scale or top or 1, adhoc or 1) for t, pool in pools.items()})

    def positions(
        self, runs: Sequence[Run], topics: Iterable[str], depth: int | None = None
    ) -> Iterator[list[np.ndarray]]:
        """Yield, topic by topic, each run's documents as positions in the pool; -1: never judged."""
        for topic in topics:
            lists = []
            for run in runs:
                start, stop = run.spans.get(topic, (0, 0))
                lists.append(run.docs[start : stop if depth is None else min(stop, start + depth)])
            yield self.pools[topic].positions_of(lists)

    def with_runs(self, runs: Iterable[Run]) -> Collection:
        """The same judgments with these runs instead."""
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
        return tuple(pool.topic for pool in self.pools.values())

    @property
    def scale(self) -> int:
        """The top grade Y."""
        return next((pool.scale for pool in self.pools.values()), 1)

    def top_grade_description(self) -> str:
        """The highest grade of all, and where it stands."""
        highest = max(self.pools.values(), key=lambda pool: pool.top_grade, default=None)
        return "0" if highest is None else highest.top_grade_description

    def _pool(self, topic: str) -> Judgments:
        if topic not in self.pools:
            raise DivmetricsError(f"topic {topic!r} has no judgments{did_you_mean(topic, self.pools)}")
        return self.pools[topic]

    def list(self, run: str, topic: str) -> RankedList:
        """One run's list for one topic."""
        pool = self._pool(topic)
        if run not in self.runs:
            raise DivmetricsError(f"there is no run {run!r}{did_you_mean(run, self.runs)}")
        return RankedList(pool.topic, self.runs[run].list(topic), pool, run)

    def lists(self, topic: str) -> Iterator[RankedList]:
        """Every run's list for one topic."""
        return (self.list(run, topic) for run in self.runs)

    def select(self, topics: Iterable[str]) -> Collection:
        """Only these topics, on the same scale."""
        return replace(self, pools={topic: self._pool(topic) for topic in topics})

    def uniform(self) -> Collection:
        """The same collection with equally probable intents, at both levels."""
        return replace(
            self, pools={t: replace(pool, topic=pool.topic.uniform()) for t, pool in self.pools.items()}
        )

    def with_kinds(self, kinds: Mapping[str, Mapping[str, IntentKind]]) -> Collection:
        """The same collection with these kinds of intents, {topic: {intent: kind}}; others keep theirs."""
        known = {topic: self._pool(topic) for topic in kinds}
        changed = {t: replace(pool, topic=pool.topic.with_kinds(kinds[t])) for t, pool in known.items()}
        return replace(self, pools={**self.pools, **changed})


def _whole_grade(grade: Any, told: str) -> int:
    """The grade as an int; `told` says, with its place for the grade, which one it is."""
    if not is_number(grade) or grade != int(grade):
        raise DivmetricsError(f"{told.format(quote(grade))} is not a whole number")
    if grade > LARGEST_GRADE:
        raise DivmetricsError(f"{told.format(quote(grade))} is too large, expected at most {LARGEST_GRADE}")
    return int(grade)


def locked(array: np.ndarray) -> np.ndarray:
    """The same numbers in an array that nobody can change; a copy where somebody still could."""
    if not array.flags.writeable:
        return array
    array = array.copy()
    array.flags.writeable = False
    return array


def _marks(topic: Topic) -> list[str | None]:
    """Return the mark of every intent, in order."""
    return [intent.mark for intent in topic.intents]


def _ids(topic: Topic) -> list[str]:
    """Every intent and second-level subtopic, in order."""
    return [x for t in topic.intents for x in (t.id, *(f"{t.id}/{child.id}" for child in t.children))]


def subtopic_index(topic: Topic) -> dict[tuple[str, str], int]:
    """(intent, second-level subtopic) -> row of `Pool.leaf_grades`."""
    pairs = [(intent.id, child.id) for intent in topic.intents for child in intent.children]
    return {pair: row for row, pair in enumerate(pairs)}


def by_id(topics: Iterable[Topic]) -> dict[str, Topic]:
    """{id: topic} in their order; raises DivmetricsError where two have one id."""
    known: dict[str, Topic] = {}
    for topic in topics:
        if known.setdefault(topic.id, topic) is not topic:
            raise DivmetricsError(f"two topics have the id {topic.id!r}; leave out one or rename it")
    return known


def sum_of(probabilities: Iterable[float]) -> float:
    """The exact sum, rounded once; infinite where it is beyond all numbers."""
    try:
        return math.fsum(probabilities)
    except OverflowError:
        return math.inf


def uneven_topics(topics: Iterable[Topic]) -> dict[str, float]:
    """Topics whose probabilities are used as they are although they sum to 1 only roughly."""
    sums = {topic.id: sum_of(t.probability for t in topic.intents) for topic in topics if topic.intents}
    return {topic: total for topic, total in sums.items() if not sums_to_one(total, SUM_QUIET)}


def warn_unnormalised(topics: Iterable[Topic]) -> None:
    """Say how many topics have probabilities that sum to 1 only roughly."""
    uneven = uneven_topics(topics)
    if uneven:
        topic, total = next(iter(uneven.items()))
        warnings.warn(
            f"intent probabilities of {len(uneven)} topic(s) do not sum to exactly 1 (topic {topic}: "
            f"{total:.6g}); they are used as they are",
            DivmetricsWarning,
            stacklevel=3,
        )


def _check_probabilities(owner: str, intents: tuple[Intent, ...]) -> None:
    twice = first_twice(intent.id for intent in intents)
    if twice is not None:
        raise DivmetricsError(f"{owner}: intent {twice!r} is given twice; ids must differ")
    total = sum_of(intent.probability for intent in intents)
    if intents and not sums_to_one(total):
        raise DivmetricsError(
            f"{owner}: probabilities sum to {total:.6g}, expected {SUM_EXPECTED}; "
            "divide each by their sum, or make them equal"
        )


def _in_order(docs: Iterable[str], run: str, topic: str) -> Iterable[str]:
    """The same, which is neither a single text nor a set."""
    if isinstance(docs, (str, bytes, set, frozenset)):
        what = "a single text" if isinstance(docs, (str, bytes)) else "a set, which has no order"
        raise DivmetricsError(
            f"list {run}, topic {topic}: the documents are {what}; expected a list of them, best first"
        )
    return docs


def _listed(docs: Iterable[str], run: str, topic: str) -> tuple[str, ...]:
    """The documents of a list, best first, each once."""
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


def first_twice(ids: Iterable[str]) -> str | None:
    """The first id that has stood before; None where all differ."""
    seen: set[str] = set()
    return next((i for i in ids if i in seen or seen.add(i)), None)  # type: ignore[func-returns-value]


def _uniform(intents: tuple[Intent, ...]) -> tuple[Intent, ...]:
    return tuple(
        replace(intent, probability=1 / len(intents), children=_uniform(intent.children))
        for intent in intents
    )
