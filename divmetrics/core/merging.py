"""From View to View: a topic's intents become one, or its first-level subtopics become topics."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Literal

import numpy as np

from divmetrics.core.batch import Batch, is_first_relevant
from divmetrics.errors import DivmetricsError


def global_gain(view: Batch, novelty: bool = False) -> Batch:
    """One pseudo-intent whose gain is GG(d) = sum_i p_i gain_i(d) (Sakai & Song 2011; Sakai 2012, Eq. 6).

    novelty: a navigational intent counts for its first relevant document only (GG^DIN, Eq. 8). The pool,
    hence the ideal list, is always the plain one.
    """
    counted = _counted(view, novelty)
    p = view.probability[:, None, :, None] * counted
    return _one_intent(
        view,
        np.sum(p * view.linear, axis=2, keepdims=True),
        np.sum(p * view.exponential, axis=2, keepdims=True) if view.has_exponential else None,
        np.any(counted, axis=2, keepdims=True),
        _pool(view, "global gain", global_gain),
    )


def pseudo_grade(view: Batch) -> Batch:
    """One intent with the ad hoc grade floor(log2(S+1)), S the sum over intents (Sakai & Zeng 2019, 4).

    A topic with a single intent keeps its grades.
    """
    single = (view.present.sum(axis=1) == 1)[:, None, None, None]
    total = np.sum(view.linear, axis=2, keepdims=True)
    grade = np.where(single, total, np.floor(np.log2(total + 1)))
    pool = _pool(view, "pseudo grade", pseudo_grade)
    merged = _one_intent(view, grade, None, None, pool)
    return replace(merged, scale=np.where(single, view.scale, view.adhoc_scale))


def _counted(view: Batch, novelty: bool) -> np.ndarray:
    """Relevant, and with novelty not the repeated relevance to a navigational intent."""
    if not novelty:
        return view.relevant
    return np.where(view.navigational[:, None, :, None], is_first_relevant(view.relevant), view.relevant)


def _pool(view: Batch, key: Hashable, merge: Callable[[Batch], Batch]) -> Batch | None:
    """The pool merged in the same way, once for all views that share it."""
    pool = view.pool
    return None if pool is None else pool.memoize(key, lambda: merge(pool))


def _one_intent(
    view: Batch,
    linear: np.ndarray,
    exponential: np.ndarray | None,
    relevant: np.ndarray | None,
    pool: Batch | None,
) -> Batch:
    one = np.ones((linear.shape[0], 1))
    return view.with_gains(
        linear,
        exponential,
        relevant,
        probability=one,
        navigational=one == 0,
        present=one == 1,
        pool=pool,
        leaves=None,
        parent=None,
    )


def intent_shares(view: Batch, gain: np.ndarray, novelty: bool = False) -> np.ndarray:
    """How a document's merged contribution is shared among its intents; sums to 1 where it has any.

    In proportion to p_i gain_i; equally among the document's intents where that is 0 for all of them. gain:
    the View's linear or exponential gains.
    """
    counted = _counted(view, novelty)
    part = view.probability[:, None, :, None] * gain * counted
    weightless = part.sum(axis=2, keepdims=True) == 0
    part = np.where(weightless, counted, part)
    total = part.sum(axis=2, keepdims=True)
    return np.divide(part, total, out=np.zeros(part.shape), where=total > 0)


def split_by_intent(view: Batch, leaf: Literal["refuse", "self"] = "refuse") -> Batch:
    """First-level subtopics become topics, their second-level subtopics the intents (Yu et al. 2017, 4.3).

    The first axis is (topic, first-level subtopic) flattened. leaf="self" takes a subtopic without children
    as its own only child; otherwise such a topic is refused by name.
    """
    topics, _, intents, _ = view.linear.shape
    below = view.leaves
    leaf_count = 0 if below is None else below.linear.shape[2]
    parent = np.zeros((topics, 0), int) if view.parent is None else view.parent
    belongs = parent[:, None, :] == np.arange(intents)[:, None]  # (topic, intent, leaf)
    childless = view.present & ~belongs.any(axis=2)
    if leaf == "refuse" and childless.any():
        names = [view.topics[t] for t in np.flatnonzero(childless.any(axis=1))]
        raise DivmetricsError(
            f"topic {', '.join(names[:5])}{' ...' if len(names) > 5 else ''}: an intent has no second-level "
            "subtopics, which intent-square metrics need; leave the topic out, or take such an intent as its "
            "own only child with (leaf=self), as in 'ERR-IS(leaf=self)@20'"
        )
    widest = max(int(belongs.sum(axis=2).max(initial=0)), 1)
    nowhere = leaf_count + intents
    index = np.full((topics, intents, widest), nowhere)
    for t, i in zip(*np.nonzero(view.present), strict=True):
        rows = np.flatnonzero(belongs[t, i]) if not childless[t, i] else np.array([leaf_count + i])
        index[t, i, : len(rows)] = rows
    flat = index.reshape(topics, intents * widest)

    def regroup(leaf_values: np.ndarray | None, own: np.ndarray) -> np.ndarray:
        """(topic, run, intent, rank) arrays -> (topic * intent, run, child, rank)."""
        parts = [own, np.zeros((topics, own.shape[1], 1, own.shape[3]), dtype=own.dtype)]
        stacked = np.concatenate(parts if leaf_values is None else [leaf_values, *parts], axis=2)
        taken = np.take_along_axis(stacked, flat[:, None, :, None], axis=2)
        grouped = taken.reshape(topics, own.shape[1], intents, widest, own.shape[3])
        return grouped.swapaxes(1, 2).reshape(topics * intents, own.shape[1], widest, own.shape[3])

    def regroup_flags(name: str, own: np.ndarray) -> np.ndarray:
        lift = None if below is None else getattr(below, name)[:, None, :, None]
        return regroup(lift, own[:, None, :, None])[:, 0, :, 0]

    return Batch(
        topics=tuple(f"{topic}/{i + 1}" for topic in view.topics for i in range(intents)),
        linear=regroup(None if below is None else below.linear, view.linear),
        probability=regroup_flags("probability", np.ones(view.probability.shape)),
        navigational=regroup_flags("navigational", view.navigational),
        present=regroup_flags("present", view.present),
        length=np.repeat(view.length, intents, axis=0),
        scale=view.scale,
        adhoc_scale=view.adhoc_scale,
        highest=view.highest,
        pool=_pool(view, ("per group", leaf), lambda pool: split_by_intent(pool, leaf)),
    )


def join_by_topic(grouped: np.ndarray, view: Batch) -> np.ndarray:
    """What was worked out on `per_group` of a View, as (topic, run, intent, subtopic, rank)."""
    topics, runs, intents, _ = view.linear.shape
    return grouped.reshape(topics, intents, runs, *grouped.shape[2:]).swapaxes(1, 2)
