"""The arrays that metrics are computed on, and the functions from View to View.

Axis order is always (topic, run, intent, rank); arrays without an axis drop it. Ranks count from 1. Ragged
collections are padded: an intent that a topic does not have is not `present` and has grade 0 everywhere;
a rank beyond a list's `length` has grade 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from divmetrics.core.collection import Collection, Intent, Judgments, RankedList, Run
from divmetrics.core.prefix_sums import exclusive_cumsum
from divmetrics.errors import DivmetricsError

T = TypeVar("T")
HIGHEST_EXPONENT = 1023  # 2^1024 is beyond a float


@dataclass(frozen=True, eq=False)
class Batch:
    """Frozen arrays of a block of topics and runs.

    linear, exponential: gains g and 2^g - 1, (topic, run, intent, rank); relevant: the same shape, bool.
    probability, navigational, present: (topic, intent). length: (topic, run), documents in each list.
    scale: top of the grades, a number or (topic, 1, 1, 1); adhoc_scale: top of the pseudo ad hoc grades.
    pool: the relevant judged documents as a one-run View, in ascending order of document id.
    leaves: the same lists over the second-level subtopics; `parent` (topic, leaf) says whose they are.
    effort: what reading costs, (topic, run, 1, rank), where ranks are a page's blocks (`divmetrics.research.aggregated`).
    highest: says of the highest grade what it is and where it stands, for those who cannot use it.
    given_ranks: (topic, run, 1, rank), where documents are left out and the others keep their ranks.
    """

    topics: tuple[str, ...]
    linear: np.ndarray
    probability: np.ndarray
    navigational: np.ndarray
    present: np.ndarray
    length: np.ndarray
    scale: int | np.ndarray
    adhoc_scale: int
    given_exponential: np.ndarray | None = None
    given_relevant: np.ndarray | None = None
    pool: Batch | None = None
    leaves: Batch | None = None
    parent: np.ndarray | None = None
    effort: np.ndarray | None = None
    highest: Callable[[], str] | None = field(default=None, repr=False)
    given_ranks: np.ndarray | None = None
    cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)  # never another View's

    def __post_init__(self) -> None:
        topics, runs, intents, _ = self.linear.shape
        for name, expected in (
            ("probability", (topics, intents)),
            ("navigational", (topics, intents)),
            ("present", (topics, intents)),
            ("length", (topics, runs)),
        ):
            got = getattr(self, name).shape
            if got != expected:
                raise DivmetricsError(f"View: {name} has shape {got}, expected {expected}")
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray) and array.flags.writeable:
                seen = array.view()
                seen.flags.writeable = False
                object.__setattr__(self, name, seen)

    @property
    def depth(self) -> int:
        """The number of ranks."""
        return self.linear.shape[-1]

    @property
    def ranks(self) -> np.ndarray:
        """1, 2, ... depth; where documents are left out, those of the others, (topic, run, 1, rank)."""
        return np.arange(1, self.depth + 1) if self.given_ranks is None else self.given_ranks

    @property
    def has_exponential(self) -> bool:
        """Is 2^Y a number, and so 2^g of every grade?"""
        return bool(np.max(self.scale, initial=1) <= HIGHEST_EXPONENT)

    @cached_property
    def exponential(self) -> np.ndarray:
        """2^g - 1, (topic, run, intent, rank); DivmetricsError where grades are too large for that."""
        if not self.has_exponential:
            raise DivmetricsError(
                f"{self.top_grade_description}, too much for 2^g, which a computer holds up to 2^{HIGHEST_EXPONENT}; "
                f"give grades and a scale of at most {HIGHEST_EXPONENT}, or metrics that read g itself "
                "(gain=linear, and none whose readers stop, as in ERR)"
            )
        return np.exp2(self.linear) - 1 if self.given_exponential is None else self.given_exponential

    @property
    def top_grade_description(self) -> str:
        """The scale and the highest grade, in words."""
        scale = f"the scale's top is {np.max(self.scale, initial=1)}"
        return scale if self.highest is None else f"{scale} and the highest grade {self.highest()}"

    @cached_property
    def relevant(self) -> np.ndarray:
        """Relevant at all, bool (topic, run, intent, rank)."""
        return self.linear > 0 if self.given_relevant is None else self.given_relevant

    @cached_property
    def listed(self) -> np.ndarray:
        """(topic, run, 1, rank): is there a document at this rank?"""
        return np.asarray(self.ranks <= self.length[..., None, None])

    @property
    def judged(self) -> Batch:
        """The pool, which ideal lists are made of; an error where there is none."""
        if self.pool is None:
            raise DivmetricsError("this View has no pool of judged documents, so it has no ideal list")
        return self.pool

    @cached_property
    def covered(self) -> np.ndarray:
        """(topic, intent): does the intent have a relevant judged document?"""
        return self.present & self.judged.relevant.any(axis=(1, 3))

    def memoize(self, key: Hashable, make: Callable[[], T]) -> T:
        """make(), worked out the first time that this View is asked for the key, and remembered."""
        if key not in self.cache:
            self.cache[key] = make()
        made: T = self.cache[key]
        return made

    def with_gains(
        self, linear: np.ndarray, exponential: np.ndarray | None, relevant: np.ndarray | None, **changes: Any
    ) -> Batch:
        """The same lists with other gains, (topic, run, intent, rank) each.

        None: what follows from the linear ones, 2^g - 1 and g > 0.
        """
        return replace(self, linear=linear, given_exponential=exponential, given_relevant=relevant, **changes)

    def changed(self, change: Callable[[np.ndarray], np.ndarray], **changes: Any) -> Batch:
        """The same lists with `change` done to all their gains."""
        exponential, relevant = self.given_exponential, self.given_relevant
        return self.with_gains(
            change(self.linear),
            None if exponential is None else change(exponential),
            None if relevant is None else change(relevant),
            **changes,
        )

    def moved(self, move: Callable[[np.ndarray], np.ndarray], **changes: Any) -> Batch:
        """The same documents in other places: gains, effort and ranks that were given go with them."""
        beside = {"effort": self.effort, "given_ranks": self.given_ranks}
        moved = {name: None if array is None else move(array) for name, array in beside.items()}
        return self.changed(move, **moved, **changes)

    def cut(self, depth: int) -> Batch:
        """Exactly `depth` ranks: longer lists are cut, shorter ones padded with nothing."""
        if depth == self.depth:
            return self

        def fit(x: np.ndarray) -> np.ndarray:
            if depth <= x.shape[-1]:
                return x[..., :depth]
            return np.concatenate([x, np.zeros((*x.shape[:-1], depth - x.shape[-1]), dtype=x.dtype)], axis=-1)

        return self.moved(
            fit,
            length=np.minimum(self.length, depth),
            leaves=None if self.leaves is None else self.leaves.cut(depth),
        )

    def stop_after(self, rank: np.ndarray) -> Batch:
        """As if every reader left after `rank` (topic, run, intent): nothing below earns anything."""
        seen = self.ranks <= rank[..., None]
        return self.changed(lambda gain: gain * seen)

    def take(self, order: np.ndarray) -> Batch:
        """Lists made of this one-run View's documents: `order` (topic, run, rank) holds their positions.

        A position of -1 is an empty rank at the end of a list.
        """
        at, filled = order[:, :, None, :], order >= 0

        def gather(x: np.ndarray) -> np.ndarray:
            return np.take_along_axis(x, at, axis=-1) * filled[:, :, None, :]

        return self.moved(gather, length=filled.sum(axis=-1), pool=self, leaves=None)

    def as_single_docs(self) -> Batch:
        """Every document of this one-run View as a run of one rank, on both levels."""
        return self.moved(
            lambda array: array.transpose(0, 3, 2, 1),
            length=self.listed[:, 0, 0].astype(np.int64),
            pool=self,
            leaves=None if self.leaves is None else self.leaves.as_single_docs(),
        )

    def pick(self, topics: np.ndarray) -> Batch:
        """Only these topics, by their places; without second-level subtopics."""
        return self.moved(
            lambda array: array[topics],
            topics=tuple(self.topics[t] for t in topics.tolist()),
            probability=self.probability[topics],
            navigational=self.navigational[topics],
            present=self.present[topics],
            length=self.length[topics],
            scale=self.scale[topics] if isinstance(self.scale, np.ndarray) else self.scale,
            pool=None if self.pool is None else self.pool.pick(topics),
            leaves=None,
            parent=None,
        )


def batch_lists(lists: Sequence[RankedList], depth: int | None = None) -> Batch:
    """A View of one list per topic (or several of one topic, if they share their judgments)."""
    runs = [Run.of(f"{i}", {ranked.topic.id: ranked.docs}) for i, ranked in enumerate(lists)]
    collection = Collection({ranked.topic.id: ranked.judgments for ranked in lists}).with_runs(runs)
    return make_batch(collection, depth=depth, leaves=True)


def make_batch(
    collection: Collection,
    topics: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    depth: int | None = None,
    leaves: bool = False,
    pool: Batch | None = None,
    only_relevant: bool = False,
) -> Batch:
    """The lists of some topics and runs, no deeper than `depth`, with their pool.

    leaves: also over second-level subtopics, where the topics have them. pool: the pool of the same topics
    from an earlier call, to be shared. only_relevant: without the documents that are relevant to no intent,
    all others at their ranks; for metrics that say `only_relevant`, far fewer cells in long lists.
    """
    chosen_topics = list(collection.pools) if topics is None else list(topics)
    pools = [collection.pools[topic] for topic in chosen_topics]
    chosen_runs = [collection.runs[run] for run in (collection.runs if runs is None else runs)]
    found = list(collection.positions(chosen_runs, chosen_topics, depth))
    length = np.array([list(map(len, of_topic)) for of_topic in found], dtype=np.int64)
    length = length.reshape(len(pools), len(chosen_runs))
    ranks = None
    if only_relevant:
        found, ranks = _relevant_places(found, pools, int(length.max(initial=0)))
    leaves = leaves and any(p.subtopic_grades is not None for p in pools)
    if pool is None:
        every = [[p.relevant] for p in pools]
        documents = np.array([[len(p.relevant)] for p in pools], dtype=np.int64).reshape(-1, 1)
        pool = _two_levels(collection, pools, _padded(every, 1), documents, leaves, None)
    lists = _two_levels(collection, pools, _padded(found, len(chosen_runs)), length, leaves, pool)
    return lists if ranks is None else replace(lists, given_ranks=ranks)


def _relevant_places(
    found: Sequence[Sequence[np.ndarray]], pools: Sequence[Judgments], longest: int
) -> tuple[list[list[np.ndarray]], np.ndarray]:
    """Of places by topic and run, those of relevant documents, and their ranks, (topic, run, 1, rank)."""
    kept, at = [], []
    for of_topic, pool in zip(found, pools, strict=True):
        relevant = np.append(pool.grades.any(axis=0), False)  # the last one: never judged
        at.append([np.flatnonzero(relevant[places]) for places in of_topic])
        kept.append([places[where] for places, where in zip(of_topic, at[-1], strict=True)])
    runs = len(found[0]) if found else 0
    return kept, 1 + _padded(at, runs, below=longest)[:, :, None]


def _padded(found: Sequence[Sequence[np.ndarray]], runs: int, below: int = -1) -> np.ndarray:
    """Numbers by topic and run as (topic, run, rank), with `below` where a list has ended."""
    longest = max((len(numbers) for of_topic in found for numbers in of_topic), default=0)
    padded = np.full((len(found), runs, longest), below, dtype=np.int64)
    for t, of_topic in enumerate(found):
        for r, numbers in enumerate(of_topic):
            padded[t, r, : len(numbers)] = numbers
    return padded


def _two_levels(
    collection: Collection,
    pools: Sequence[Judgments],
    positions: np.ndarray,
    length: np.ndarray,
    leaves: bool,
    pool: Batch | None,
) -> Batch:
    topics, runs, depth = positions.shape

    def level(grades: Sequence[np.ndarray], intents: Sequence[Sequence[Intent]], pool: Batch | None) -> Batch:
        widest = max((len(row) for row in intents), default=0)
        linear = np.zeros((topics, runs, widest, depth))
        probability = np.zeros((topics, widest))
        navigational, present = np.zeros((2, topics, widest), dtype=bool)
        for t, row in enumerate(intents):
            m = len(row)
            # Position -1 reads the last column, which is added for what was never judged.
            extended = np.concatenate([grades[t], np.zeros((m, 1), dtype=np.int64)], axis=1)
            linear[t, :, :m] = extended[:, positions[t]].transpose(1, 0, 2)
            probability[t, :m] = [intent.probability for intent in row]
            navigational[t, :m] = [intent.kind == "navigational" for intent in row]
            present[t, :m] = True
        return Batch(
            topics=tuple(p.topic.id for p in pools),
            linear=linear,
            probability=probability,
            navigational=navigational,
            present=present,
            length=length,
            scale=pools[0].scale if pools else 1,
            adhoc_scale=pools[0].adhoc_scale if pools else 1,
            pool=pool,
            highest=collection.top_grade_description,
        )

    first = level([p.grades for p in pools], [p.topic.intents for p in pools], pool)
    if not leaves:
        return first
    below = level(
        [np.zeros((0, len(p.docs)), int) if p.subtopic_grades is None else p.subtopic_grades for p in pools],
        [[e for t in p.topic.intents for e in t.children] for p in pools],
        None if pool is None else pool.leaves,
    )
    parent = np.full(below.present.shape, -1, dtype=np.int64)
    for t, p in enumerate(pools):
        owners = [i for i, intent in enumerate(p.topic.intents) for _ in intent.children]
        parent[t, : len(owners)] = owners
    return replace(first, leaves=below, parent=parent)


def is_first_relevant(relevant: np.ndarray) -> np.ndarray:
    """Is this the first relevant document of its intent? (isnew of Sakai 2012, Eq. 8)"""
    return relevant & none_relevant_above(relevant)


def none_relevant_above(relevant: np.ndarray) -> np.ndarray:
    """Is no document above relevant to the intent?"""
    found: np.ndarray = exclusive_cumsum(relevant) == 0
    return found
