"""Batches whose intents are merged into one, or whose first-level subtopics become topics."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice
from divmetrics.errors import DivmetricsError, join_words

CELLS = 4_000_000  # cells (topic, run, intent, rank) that are multiplied at once; limits the memory


@public
def global_gain(batch: Batch, novelty: bool = False) -> Batch:
    """Merge the intents into one, with the global gain GG(d) = sum_i p_i gain_i(d).

    Parameters
    ----------
    batch : Batch
        The lists.
    novelty : bool
        Whether a navigational intent counts only for the first relevant document of a list (GG^DIN). In the
        pool, and therefore in ideal lists, it counts for every relevant document.

    Returns
    -------
    Batch
        The same lists with one intent of probability 1: `linear` and `exponential` are the global gains of
        these gains, and a document is relevant if an intent counts for it. The pool is merged, too; `leaves`
        is None, `scale` stays.

    Raises
    ------
    DivmetricsError
        If `batch` is no Batch.

    References
    ----------
    sakaisong2011; sakai2012, Eq. 6 and 8.

    Examples
    --------
    >>> from divmetrics import Intent, RankedList, Topic
    >>> from divmetrics.core import batch_lists
    >>> topic = Topic("7", (Intent("film", 0.75), Intent("book", 0.25)))
    >>> ranked = RankedList(topic, ["d1"], {"d1": {"film": 1, "book": 1}})
    >>> global_gain(batch_lists([ranked])).linear.tolist()
    [[[[1.0]]]]
    """
    counted = _counted(batch, novelty)
    linear, exponential = [], []
    for piece, at in _pieces(batch):
        p = batch.probability[:, None, :, None] * counted[..., at]
        linear.append(np.sum(p * piece.linear, axis=2, keepdims=True))
        if batch.has_exponential:
            exponential.append(np.sum(p * piece.exponential, axis=2, keepdims=True))
    return _one_intent(
        batch,
        np.concatenate(linear, axis=-1),
        np.concatenate(exponential, axis=-1) if exponential else None,
        np.any(counted, axis=2, keepdims=True),
        _pool(batch, "global gain", global_gain),
    )


def pseudo_grade(batch: Batch) -> Batch:
    """Merge the intents into one, with the pseudo ad hoc grade floor(log2(S+1)), S the sum of the grades.

    A topic with a single intent keeps its grades (Sakai & Zeng 2019, section 4). Returns a batch with one
    intent of probability 1, and `adhoc_scale` as the scale of the other topics, (topic, 1, 1, 1). The pool is
    merged, too; `leaves` is None.
    """
    single = (batch.present.sum(axis=1) == 1)[:, None, None, None]
    total = np.sum(batch.linear, axis=2, keepdims=True)
    grade = np.where(single, total, np.floor(np.log2(total + 1)))
    pool = _pool(batch, "pseudo grade", pseudo_grade)
    merged = _one_intent(batch, grade, None, None, pool)
    return replace(merged, scale=np.where(single, batch.scale, batch.adhoc_scale))


def _pieces(batch: Batch) -> Iterator[tuple[Batch, slice]]:
    """Yield the ranks of a large batch in pieces, since each product of all its cells takes its memory again.

    No piece has one rank only: numpy would add up its intents in another order.
    """
    pieces = min(1 + batch.linear.size // CELLS, max(batch.depth // 2, 1))
    ends = np.linspace(0, batch.depth, 1 + pieces).astype(np.int64).tolist()
    for at in map(slice, ends[:-1], ends[1:]):
        yield (batch if pieces == 1 else batch.map_gains(operator.itemgetter((..., at)))), at


def _counted(batch: Batch, novelty: bool) -> np.ndarray:
    """Return whether a document counts for an intent, bool (topic, run, intent, rank).

    Relevant documents count; with `novelty`, only the first relevant one of a navigational intent does.
    """
    if not novelty:
        return batch.relevant
    return np.where(batch.navigational[:, None, :, None], is_first_relevant(batch.relevant), batch.relevant)


def _pool(batch: Batch, key: Hashable, merge: Callable[[Batch], Batch]) -> Batch | None:
    """Return the merged pool, computed once per `key` for all batches that share the pool, or None."""
    pool = batch.pool
    return None if pool is None else pool.memoize(key, lambda: merge(pool))


def _one_intent(
    batch: Batch,
    linear: np.ndarray,
    exponential: np.ndarray | None,
    relevant: np.ndarray | None,
    pool: Batch | None,
) -> Batch:
    one = np.ones((linear.shape[0], 1))
    return batch.with_gains(
        linear,
        exponential,
        relevant,
        probability=one,
        navigational=one == 0,
        present=one == 1,
        pool=pool,
        leaves=None,
        parent=None,
        explicit_importance=None,
    )


def intent_shares(batch: Batch, gain: np.ndarray, novelty: bool = False) -> np.ndarray:
    """Return how the gain of each document in `global_gain` is shared among its intents.

    Parameters
    ----------
    batch : Batch
        The lists before their intents are merged.
    gain : numpy.ndarray
        `batch.linear` or `batch.exponential`.
    novelty : bool
        As in `global_gain`: whether a navigational intent counts only for its first relevant document.

    Returns
    -------
    numpy.ndarray
        The shares, (topic, run, intent, rank), proportional to p_i gain_i over the intents that count for the
        document, or equal if that is 0 for all of them. They sum to 1 over the intents, or are all 0 if no
        intent counts.
    """
    counted = _counted(batch, novelty)
    part = batch.probability[:, None, :, None] * gain * counted
    weightless = part.sum(axis=2, keepdims=True) == 0
    part = np.where(weightless, counted, part)
    total = part.sum(axis=2, keepdims=True)
    return np.divide(part, total, out=np.zeros(part.shape), where=total > 0)


@public
def split_by_intent(batch: Batch, leaf: Literal["refuse", "self"] = "refuse") -> Batch:
    """Make each intent a topic of its own, whose intents are the second-level subtopics of that intent.

    Parameters
    ----------
    batch : Batch
        Lists with second-level subtopics in `Batch.leaves`.
    leaf : {"refuse", "self"}
        What to do with an intent that has no second-level subtopics: "refuse" it with an error, or make it
        its own only subtopic ("self"), of probability 1.

    Returns
    -------
    Batch
        The lists, (topic, run, subtopic, rank), with m topics for each of the given ones, where m is the
        length of the intent axis of `batch`. The i-th intent of topic "7" becomes the topic "7/i", i from 1;
        it has no intents if topic 7 has fewer than i. The pool is split, too.

    Raises
    ------
    DivmetricsError
        If an intent has no second-level subtopics and `leaf` is "refuse", `leaf` is none of these words, or
        `batch` is no Batch.

    References
    ----------
    yu2017, section 4.3.

    Examples
    --------
    >>> from divmetrics import Intent, RankedList, Topic
    >>> from divmetrics.core import batch_lists
    >>> film = Intent("film", 0.5, children=(Intent("cast", 0.5), Intent("trailer", 0.5)))
    >>> ranked = RankedList(Topic("7", (film, Intent("book", 0.5))), ["d1"], {"d1": {("film", "cast"): 1}})
    >>> split = split_by_intent(batch_lists([ranked]), leaf="self")
    >>> split.topics, split.linear.tolist()
    (('7/1', '7/2'), [[[[1.0], [0.0]]], [[[0.0], [0.0]]]])
    """
    check_choice("leaf", leaf, ("refuse", "self"))
    topics, _, intents, _ = batch.linear.shape
    below = batch.leaves
    leaf_count = 0 if below is None else below.linear.shape[2]
    parent = np.zeros((topics, 0), int) if batch.parent is None else batch.parent
    belongs = parent[:, None, :] == np.arange(intents)[:, None]  # (topic, intent, leaf)
    childless = batch.present & ~belongs.any(axis=2)
    if leaf == "refuse" and childless.any():
        names = [batch.topics[t] for t in np.flatnonzero(childless.any(axis=1))]
        raise DivmetricsError(
            f"topic {join_words(names, limit=5)}: an intent has no second-level "
            "subtopics, which intent-square metrics need; leave the topic out, or take such an intent as its "
            "own only child with (leaf=self), as in 'ERR-IS(leaf=self)@20'"
        )
    widest = int(belongs.sum(axis=2).max(initial=1))
    nowhere = leaf_count + intents
    index = np.full((topics, intents, widest), nowhere)
    for t, i in zip(*np.nonzero(batch.present), strict=True):
        rows = np.flatnonzero(belongs[t, i]) if not childless[t, i] else np.array([leaf_count + i])
        index[t, i, : len(rows)] = rows
    flat = index.reshape(topics, intents * widest)

    def regroup(leaf_values: np.ndarray | None, own: np.ndarray) -> np.ndarray:
        """Return an array (topic, run, intent, rank) as (topic * intent, run, child, rank)."""
        parts = [own, np.zeros((topics, own.shape[1], 1, own.shape[3]), dtype=own.dtype)]
        stacked = np.concatenate(parts if leaf_values is None else [leaf_values, *parts], axis=2)
        taken = np.take_along_axis(stacked, flat[:, None, :, None], axis=2)
        grouped = taken.reshape(topics, own.shape[1], intents, widest, own.shape[3])
        return grouped.swapaxes(1, 2).reshape(topics * intents, own.shape[1], widest, own.shape[3])

    def regroup_flags(name: str, own: np.ndarray) -> np.ndarray:
        lift = None if below is None else getattr(below, name)[:, None, :, None]
        return regroup(lift, own[:, None, :, None])[:, 0, :, 0]

    return Batch(
        topics=tuple(f"{topic}/{i + 1}" for topic in batch.topics for i in range(intents)),
        linear=regroup(None if below is None else below.linear, batch.linear),
        probability=regroup_flags("probability", np.ones(batch.probability.shape)),
        navigational=regroup_flags("navigational", batch.navigational),
        present=regroup_flags("present", batch.present),
        explicit_importance=regroup_flags("importance", batch.importance),
        length=np.repeat(batch.length, intents, axis=0),
        scale=batch.scale,
        adhoc_scale=batch.adhoc_scale,
        highest=batch.highest,
        pool=_pool(batch, ("per group", leaf), lambda pool: split_by_intent(pool, leaf)),
    )


def join_by_topic(grouped: np.ndarray, batch: Batch) -> np.ndarray:
    """Return an array that was computed on `split_by_intent(batch)` with the axes of `batch`.

    Its axes (topic, run, subtopic, ...) become (topic, run, intent, subtopic, ...).
    """
    topics, runs, intents, _ = batch.linear.shape
    return grouped.reshape(topics, intents, runs, *grouped.shape[2:]).swapaxes(1, 2)
