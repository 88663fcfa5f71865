"""The arrays that metrics are computed on.

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

from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.prefix_sums import exclusive_cumsum
from divmetrics.core.runs import RankedList, Run
from divmetrics.core.topics import Intent
from divmetrics.errors import DivmetricsError

T = TypeVar("T")
HIGHEST_EXPONENT = 1023  # 2^1024 is beyond a float


@public
@dataclass(frozen=True, eq=False)
class Batch:
    """The ranked lists of some topics and runs as arrays; `make_batch` and `batch_lists` make it.

    The axes of all arrays are (topic, run, intent, rank), in this order, without those that an array lacks.
    Topics with fewer intents than others and lists with fewer documents are padded with grade 0.

    Parameters
    ----------
    topics : tuple of str
        The ids of the topics.
    linear : numpy.ndarray
        The grade g of the document at each rank for each intent, (topic, run, intent, rank).
    probability : numpy.ndarray
        The probability of each intent, (topic, intent); 0 for padding.
    navigational : numpy.ndarray
        Whether an intent is navigational, bool (topic, intent).
    present : numpy.ndarray
        Whether the topic has the intent, bool (topic, intent); False for padding.
    length : numpy.ndarray
        The number of documents in each list, (topic, run); 0 if a run lacks the topic.
    scale : int or numpy.ndarray
        The top grade Y, of all topics or (topic, 1, 1, 1).
    adhoc_scale : int
        The highest pseudo ad hoc grade, see `Judgments.top_adhoc_grade`.
    explicit_exponential, explicit_relevant : numpy.ndarray, optional
        The values of `exponential` and `relevant`, shaped like `linear`, if they do not follow from the
        grades: where intents are merged. By default 2^g - 1, and whether g is above 0.
    pool : Batch, optional
        The judged documents that are relevant to an intent, as one run per topic, by ascending document id.
        Ideal lists are made of them; None for a pool itself.
    leaves : Batch, optional
        The same lists over second-level subtopics: its intent axis is the subtopic.
    parent : numpy.ndarray, optional
        The position of each subtopic's intent, (topic, subtopic); -1 for padding.
    effort : numpy.ndarray, optional
        The cost of reading, (topic, run, 1, rank); for pages of blocks (`divmetrics.aggregated`).
    highest : callable, optional
        Returns a description of the highest grade, for error messages.
    explicit_ranks : numpy.ndarray, optional
        The rank of each document in the whole list if documents are left out, (topic, run, 1, rank); below
        the last one, the length of the longest list plus 1.
    explicit_importance : numpy.ndarray, optional
        The importance of each intent's nugget, str (topic, intent).

    Raises
    ------
    DivmetricsError
        If the shape of `probability`, `navigational`, `present` or `length` does not fit that of `linear`,
        which has four axes. Nothing else is checked.

    Notes
    -----
    The arrays are stored as read-only views of those that are passed. `cache` holds what `memoize` stores.

    Examples
    --------
    >>> from divmetrics import Collection, Intent, Topic
    >>> topic = Topic("7", (Intent("film", 1.0),))
    >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d0", "d1"]}})
    >>> make_batch(collection).linear.tolist()
    [[[[0.0, 2.0]]]]
    """

    topics: tuple[str, ...]
    linear: np.ndarray
    probability: np.ndarray
    navigational: np.ndarray
    present: np.ndarray
    length: np.ndarray
    scale: int | np.ndarray
    adhoc_scale: int
    explicit_exponential: np.ndarray | None = None
    explicit_relevant: np.ndarray | None = None
    pool: Batch | None = None
    leaves: Batch | None = None
    parent: np.ndarray | None = None
    effort: np.ndarray | None = None
    highest: Callable[[], str] | None = field(default=None, repr=False)
    explicit_ranks: np.ndarray | None = None
    explicit_importance: np.ndarray | None = None
    cache: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)  # of this batch alone

    def __post_init__(self) -> None:
        if self.linear.ndim != 4:
            raise DivmetricsError(f"Batch: linear has {self.linear.ndim} axes, expected 4")
        topics, runs, intents, _ = self.linear.shape
        for name, expected in (
            ("probability", (topics, intents)),
            ("navigational", (topics, intents)),
            ("present", (topics, intents)),
            ("length", (topics, runs)),
        ):
            shape = getattr(self, name).shape
            if shape != expected:
                raise DivmetricsError(f"Batch: {name} has shape {shape}, expected {expected}")
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray) and array.flags.writeable:
                read_only = array.view()
                read_only.flags.writeable = False
                object.__setattr__(self, name, read_only)

    @property
    def depth(self) -> int:
        """The number of ranks."""
        return self.linear.shape[-1]

    @property
    def ranks(self) -> np.ndarray:
        """The ranks 1 to `depth`, (rank,), integers; if documents are left out, `explicit_ranks` instead."""
        return np.arange(1, self.depth + 1) if self.explicit_ranks is None else self.explicit_ranks

    @property
    def importance(self) -> np.ndarray:
        """The importance of each intent's nugget, such as "vital", str (topic, intent); "" for none."""
        if self.explicit_importance is None:
            return np.zeros(self.present.shape, dtype="U1")
        return self.explicit_importance

    @property
    def has_exponential(self) -> bool:
        """Whether `exponential` can be computed: the top grade is at most 1023, so that 2^Y is a float."""
        return bool(np.max(self.scale, initial=1) <= HIGHEST_EXPONENT)

    @cached_property
    def exponential(self) -> np.ndarray:
        """The exponential gains 2^g - 1, or `explicit_exponential`, (topic, run, intent, rank).

        Raises DivmetricsError if 2^Y exceeds the largest float (`has_exponential`).
        """
        if not self.has_exponential:
            raise DivmetricsError(
                f"{self.top_grade_description}, too much for 2^g, which a computer holds up to "
                f"2^{HIGHEST_EXPONENT}; give grades and a scale of at most {HIGHEST_EXPONENT}, or metrics "
                "that read g itself (gain=linear, and none whose readers stop, as in ERR)"
            )
        return np.exp2(self.linear) - 1 if self.explicit_exponential is None else self.explicit_exponential

    @property
    def top_grade_description(self) -> str:
        """The scale and, if `highest` is not None, the highest grade, as text for error messages."""
        scale = f"the scale's top is {np.max(self.scale, initial=1)}"
        return scale if self.highest is None else f"{scale} and the highest grade {self.highest()}"

    @cached_property
    def relevant(self) -> np.ndarray:
        """Whether the document at a rank is relevant to an intent, bool (topic, run, intent, rank)."""
        return self.linear > 0 if self.explicit_relevant is None else self.explicit_relevant

    @cached_property
    def listed(self) -> np.ndarray:
        """Whether a list has a document at a rank, bool (topic, run, 1, rank); False below its end."""
        return np.asarray(self.ranks <= self.length[..., None, None])

    @property
    def judged(self) -> Batch:
        """The `pool` of relevant judged documents; raises DivmetricsError if it is None."""
        if self.pool is None:
            raise DivmetricsError("this Batch has no pool of judged documents, so it has no ideal list")
        return self.pool

    @cached_property
    def covered(self) -> np.ndarray:
        """Whether an intent has a relevant judged document, bool (topic, intent).

        Raises DivmetricsError if the batch has no `pool`.
        """
        return self.present & self.judged.relevant.any(axis=(1, 3))

    def memoize(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value that is stored in this batch under a key; make and store it at the first use.

        Parameters
        ----------
        key : hashable
            The key.
        make : callable
            A function without arguments that returns the value. It is called only if the key is new.

        Returns
        -------
        object
            The value. Batches that are derived from this one do not have it.
        """
        if key not in self.cache:
            self.cache[key] = make()
        value: T = self.cache[key]
        return value

    def with_gains(
        self, linear: np.ndarray, exponential: np.ndarray | None, relevant: np.ndarray | None, **changes: Any
    ) -> Batch:
        """Return a batch like this one with other gains.

        Parameters
        ----------
        linear : numpy.ndarray
            The new `linear`, (topic, run, intent, rank).
        exponential : numpy.ndarray or None
            The new `explicit_exponential`, of the same shape; None if it is 2^g - 1.
        relevant : numpy.ndarray or None
            The new `explicit_relevant`, bool of the same shape; None if it is g > 0.
        **changes : object
            Other fields of the batch that change with the gains, by name.

        Returns
        -------
        Batch
            A new batch; this one is not changed.

        Raises
        ------
        DivmetricsError
            If the shapes of the fields disagree.
        """
        return replace(
            self, linear=linear, explicit_exponential=exponential, explicit_relevant=relevant, **changes
        )

    def map_gains(self, change: Callable[[np.ndarray], np.ndarray], **changes: Any) -> Batch:
        """Return a batch like this one with a function applied to each array of gains.

        Parameters
        ----------
        change : callable
            A function of an array (topic, run, intent, rank). It is called with `linear`, and with
            `explicit_exponential` and `explicit_relevant` unless they are None.
        **changes : object
            Other fields of the batch that change with the gains, by name.

        Returns
        -------
        Batch
            A new batch; this one is not changed.

        Raises
        ------
        DivmetricsError
            If the shapes of the fields disagree.
        """
        exponential, relevant = self.explicit_exponential, self.explicit_relevant
        return self.with_gains(
            change(self.linear),
            None if exponential is None else change(exponential),
            None if relevant is None else change(relevant),
            **changes,
        )

    def _map_rank_arrays(self, move: Callable[[np.ndarray], np.ndarray], **changes: Any) -> Batch:
        """Return the batch with `move` applied to every array that has a rank axis, and other `changes`."""
        effort = None if self.effort is None else move(self.effort)
        ranks = None if self.explicit_ranks is None else move(self.explicit_ranks)
        return self.map_gains(move, effort=effort, explicit_ranks=ranks, **changes)

    def cut(self, depth: int) -> Batch:
        """Return the batch with another number of ranks.

        Parameters
        ----------
        depth : int
            The number of ranks. Ranks below it are dropped; missing ones are added, without documents.

        Returns
        -------
        Batch
            A batch of this depth with the same `pool`; this one itself if it has the depth.

        Raises
        ------
        DivmetricsError
            If `depth` is no whole number of at least 0.
        """
        if depth == self.depth:
            return self
        check_whole("depth", depth, 0)

        def fit(x: np.ndarray) -> np.ndarray:
            if depth <= x.shape[-1]:
                return x[..., :depth]
            return np.concatenate([x, np.zeros((*x.shape[:-1], depth - x.shape[-1]), dtype=x.dtype)], axis=-1)

        return self._map_rank_arrays(
            fit,
            length=np.minimum(self.length, depth),
            leaves=None if self.leaves is None else self.leaves.cut(depth),
        )

    def stop_after(self, rank: np.ndarray) -> Batch:
        """Return the batch with gain 0 below the rank where the user of each intent stops.

        Parameters
        ----------
        rank : numpy.ndarray
            The last rank with gains, counted from 1, (topic, run, intent); 0 leaves no gain.

        Returns
        -------
        Batch
            A new batch. Only the gains change: depth and `length` stay.
        """
        read = self.ranks <= rank[..., None]
        return self.map_gains(lambda gain: gain * read)

    def take(self, order: np.ndarray) -> Batch:
        """Return new lists of the documents of this batch, which must have one run, such as a `pool`.

        Parameters
        ----------
        order : numpy.ndarray
            The documents of the new lists: their positions in this batch's list, from 0, (topic, run, rank).
            -1 is a rank without document, and may only be followed by others.

        Returns
        -------
        Batch
            The lists, with as many runs and ranks as `order`. Their pool is this batch; `leaves` is None.
        """
        at, filled = order[:, :, None, :], order >= 0

        def gather(x: np.ndarray) -> np.ndarray:
            return np.take_along_axis(x, at, axis=-1) * filled[:, :, None, :]

        return self._map_rank_arrays(gather, length=filled.sum(axis=-1), pool=self, leaves=None)

    def as_single_docs(self) -> Batch:
        """Return each document of this batch, which must have one run, as a list of its own.

        The result has a run for each rank of this batch, and one rank. Its pool is this batch; `leaves` has
        the same lists.
        """
        return self._map_rank_arrays(
            lambda array: array.transpose(0, 3, 2, 1),
            length=self.listed[:, 0, 0].astype(np.int64),
            pool=self,
            leaves=None if self.leaves is None else self.leaves.as_single_docs(),
        )

    def pick(self, topics: np.ndarray) -> Batch:
        """Return the batch with some of its topics.

        Parameters
        ----------
        topics : numpy.ndarray
            The positions of the topics, integers from 0, in the order that they get; there may be none.

        Returns
        -------
        Batch
            These topics, all runs, and the pool of these topics. `leaves` and `parent` are None.
        """
        return self._map_rank_arrays(
            lambda array: array[topics],
            topics=tuple(self.topics[t] for t in topics.tolist()),
            probability=self.probability[topics],
            navigational=self.navigational[topics],
            present=self.present[topics],
            length=self.length[topics],
            scale=self.scale[topics] if isinstance(self.scale, np.ndarray) else self.scale,
            explicit_importance=None if self.explicit_importance is None else self.importance[topics],
            pool=None if self.pool is None else self.pool.pick(topics),
            leaves=None,
            parent=None,
        )


@public
def batch_lists(lists: Sequence[RankedList], depth: int | None = None) -> Batch:
    """Make a batch of ranked lists, usually of one topic: the i-th list becomes the i-th run.

    Parameters
    ----------
    lists : sequence of RankedList
        The lists. Those of one topic must have the same judgments: those of the last one count.
    depth : int, optional
        The largest number of ranks to read, at least 0; by default all.

    Returns
    -------
    Batch
        The axes are (topic, list, intent, rank), with the topics in the order of their first lists. A list
        is empty for all topics but its own. Second-level subtopics are in `leaves` if any are judged.

    Raises
    ------
    DivmetricsError
        If `lists` is no sequence of RankedList, or `depth` is not a whole number of at least 0.

    Examples
    --------
    >>> from divmetrics import Intent, RankedList, Topic
    >>> ranked = RankedList(Topic("7", (Intent("film", 1.0),)), ["d0", "d1"], {"d1": {"film": 2}})
    >>> batch_lists([ranked, ranked.reordered(["d1"])]).linear.tolist()
    [[[[0.0, 2.0]], [[2.0, 0.0]]]]
    """
    lists = tuple(lists)  # an iterator can be read once
    runs = [Run.of(f"{i}", {ranked.topic.id: ranked.docs}) for i, ranked in enumerate(lists)]
    collection = Collection({ranked.topic.id: ranked.judgments for ranked in lists}).with_runs(runs)
    return make_batch(collection, depth=depth, leaves=True)


@public
def make_batch(
    collection: Collection,
    topics: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    depth: int | None = None,
    leaves: bool = False,
    pool: Batch | None = None,
    only_relevant: bool = False,
) -> Batch:
    """Make a batch of the lists of some topics and runs.

    Parameters
    ----------
    collection : Collection
        Judgments and runs.
    topics, runs : sequence of str, optional
        The ids of the topics and the names of the runs, in the order that the axes get; by default all, in
        the order of the collection.
    depth : int, optional
        The largest number of ranks to read, at least 0; by default all. The batch is as deep as its longest
        list.
    leaves : bool
        Whether to add the second-level subtopics as `Batch.leaves`, if any are judged.
    pool : Batch, optional
        The `pool` of an earlier batch of the same topics in the same order and with the same `leaves` (not
        checked), to be used again; by default it is made.
    only_relevant : bool
        Whether to leave out documents that are relevant to no intent. The others keep their ranks, in
        `Batch.ranks`, and `Batch.length` counts all; the batch is as deep as one list has such documents.
        Metrics with `ignores_nonrelevant` allow it, and then need far fewer cells.

    Returns
    -------
    Batch
        The lists with the pool of relevant judged documents. A run without a topic has an empty list there.

    Raises
    ------
    DivmetricsError
        If the collection lacks a topic or run, or `depth` is not a whole number of at least 0.

    Examples
    --------
    >>> from divmetrics import Collection, Intent, Topic
    >>> topic = Topic("7", (Intent("film", 1.0),))
    >>> collection = Collection.of([topic], {"7": {"d1": {"film": 2}}}, {"r": {"7": ["d0", "d1"]}})
    >>> make_batch(collection, depth=1).linear.tolist()
    [[[[0.0]]]]
    """
    if depth is not None:
        check_whole("depth", depth, 0)
    chosen_topics = list(collection.pools) if topics is None else list(topics)
    judgments = [collection.judgments(topic) for topic in chosen_topics]
    chosen_runs = [collection.run(run) for run in (collection.runs if runs is None else runs)]
    positions = list(collection.positions(chosen_runs, chosen_topics, depth))
    length = np.array([list(map(len, of_topic)) for of_topic in positions], dtype=np.int64)
    length = length.reshape(len(judgments), len(chosen_runs))
    ranks = None
    if only_relevant:
        positions, ranks = _relevant_positions(positions, judgments, int(length.max(initial=0)))
    leaves = leaves and any(p.subtopic_grades is not None for p in judgments)
    if pool is None:
        every = [[p.relevant] for p in judgments]
        documents = np.array([[len(p.relevant)] for p in judgments], dtype=np.int64).reshape(-1, 1)
        pool = _two_levels(collection, judgments, _padded(every, 1), documents, leaves, None)
    lists = _two_levels(collection, judgments, _padded(positions, len(chosen_runs)), length, leaves, pool)
    return lists if ranks is None else replace(lists, explicit_ranks=ranks)


def _relevant_positions(
    positions: Sequence[Sequence[np.ndarray]], judgments: Sequence[Judgments], longest: int
) -> tuple[list[list[np.ndarray]], np.ndarray]:
    """Return the relevant documents' positions by topic and run, and their ranks, (topic, run, 1, rank).

    Below the end of a list, the rank is `longest` + 1.
    """
    relevant_positions, indices = [], []
    for of_topic, judged in zip(positions, judgments, strict=True):
        relevant = np.append(
            judged.grades.any(axis=0), False
        )  # position -1, the last one, is a document never judged
        indices.append([np.flatnonzero(relevant[of_run]) for of_run in of_topic])
        relevant_positions.append(
            [of_run[index] for of_run, index in zip(of_topic, indices[-1], strict=True)]
        )
    runs = len(positions[0]) if positions else 0
    return relevant_positions, 1 + _padded(indices, runs, fill=longest)[:, :, None]


def _padded(numbers: Sequence[Sequence[np.ndarray]], runs: int, fill: int = -1) -> np.ndarray:
    """Return numbers by topic and run as an array (topic, run, rank), with `fill` after the end of a list."""
    longest = max((len(of_run) for of_topic in numbers for of_run in of_topic), default=0)
    padded = np.full((len(numbers), runs, longest), fill, dtype=np.int64)
    for t, of_topic in enumerate(numbers):
        for r, of_run in enumerate(of_topic):
            padded[t, r, : len(of_run)] = of_run
    return padded


def _two_levels(
    collection: Collection,
    judgments: Sequence[Judgments],
    positions: np.ndarray,
    length: np.ndarray,
    leaves: bool,
    pool: Batch | None,
) -> Batch:
    """Make the batch of the intents; if `leaves`, with the batch of their second-level subtopics.

    positions: of documents in the judgments, (topic, run, rank); length: documents per list, (topic, run).
    """
    topics, runs, depth = positions.shape

    def level(grades: Sequence[np.ndarray], intents: Sequence[Sequence[Intent]], pool: Batch | None) -> Batch:
        widest = max((len(row) for row in intents), default=0)
        linear = np.zeros((topics, runs, widest, depth))
        probability = np.zeros((topics, widest))
        navigational, present = np.zeros((2, topics, widest), dtype=bool)
        for t, row in enumerate(intents):
            m = len(row)
            # Position -1 (never judged) reads the last column, which is all 0.
            extended = np.concatenate([grades[t], np.zeros((m, 1), dtype=grades[t].dtype)], axis=1)
            linear[t, :, :m] = extended[:, positions[t]].transpose(1, 0, 2)
            probability[t, :m] = [intent.probability for intent in row]
            navigational[t, :m] = [intent.kind == "navigational" for intent in row]
            present[t, :m] = True
        importance = None
        if any(intent.importance for row in intents for intent in row):
            importance = np.array(
                [[intent.importance for intent in row] + [""] * (widest - len(row)) for row in intents]
            )
        return Batch(
            topics=tuple(p.topic.id for p in judgments),
            linear=linear,
            probability=probability,
            navigational=navigational,
            present=present,
            length=length,
            scale=judgments[0].scale if judgments else 1,
            adhoc_scale=judgments[0].adhoc_scale if judgments else 1,
            pool=pool,
            highest=collection.top_grade_description,
            explicit_importance=importance,
        )

    first = level([p.grades for p in judgments], [p.topic.intents for p in judgments], pool)
    if not leaves:
        return first
    below = level(
        [
            np.zeros((0, len(p.docs)), int) if p.subtopic_grades is None else p.subtopic_grades
            for p in judgments
        ],
        [[e for t in p.topic.intents for e in t.children] for p in judgments],
        None if pool is None else pool.leaves,
    )
    parent = np.full(below.present.shape, -1, dtype=np.int64)
    for t, p in enumerate(judgments):
        owners = [i for i, intent in enumerate(p.topic.intents) for _ in intent.children]
        parent[t, : len(owners)] = owners
    return replace(first, leaves=below, parent=parent)


@public
def is_first_relevant(relevant: np.ndarray) -> np.ndarray:
    """Return whether a document is an intent's first relevant one (isnew of Sakai 2012, Eq. 8).

    Parameters
    ----------
    relevant : numpy.ndarray
        Whether a document is relevant, bool, of one or more axes; the last one is the rank.

    Returns
    -------
    numpy.ndarray
        Bool, of the same shape: True at the first True along the last axis.

    Raises
    ------
    DivmetricsError
        If `relevant` is not an array of bool with an axis.

    Examples
    --------
    >>> import numpy as np
    >>> is_first_relevant(np.array([False, True, True])).tolist()
    [False, True, False]
    """
    if relevant.dtype != bool:
        raise DivmetricsError(f"relevant holds {relevant.dtype}, expected bool; give grades > 0")
    return relevant & none_relevant_above(relevant)


def none_relevant_above(relevant: np.ndarray) -> np.ndarray:
    """Return whether no document above a rank is relevant, bool of the same shape; the last axis is the rank.

    `relevant` is bool. The result is True at rank 1.
    """
    none_above: np.ndarray = exclusive_cumsum(relevant) == 0
    return none_above
