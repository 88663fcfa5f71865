"""What a metric makes of every order of a page's documents: tables that a reader without Python can follow.

What a document earns at a rank hangs on little of what stands above it: on how many documents of each kind,
seldom on which ones in which order. So a small automaton follows every reordering exactly, with no formula:
its state is what stood above, its output what the next document earns, and all its numbers are the library's.

Which documents are of one *kind* is tried from few kinds to many, and each try is compared with the library
on lists at random. A metric for which none of the tries holds, or only one that is too large, has no table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from divmetrics.core.collection import Collection, Pool, Run
from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.views import View, view

ENTRIES = 60_000  # that an automaton may have; one that would be larger is not made
CELLS = 4_000_000  # (list, intent, rank) that are measured at once
TRIES = 300  # lists at random that a table is compared with
ROUNDING = 1e-12  # of numbers that were added or multiplied in another order


@dataclass(frozen=True, eq=False)
class Automaton:
    """What one intent earns from a list, rank by rank.

    kinds: of each document what it does to the state; looks: of each document how it is looked up there.
    `next` (state, kind) is the state after a document, -1 for none. Where `whole`, the values of all ranks,
    (state, rank), follow from the last state; else a document earns `values` (state, look). State 0 is the
    beginning. A list is followed down to `depth`; below, nothing is earned.
    """

    kinds: np.ndarray
    looks: np.ndarray
    next: np.ndarray
    values: np.ndarray
    depth: int
    whole: bool

    def follow(self, order: Sequence[int]) -> np.ndarray:
        """What the documents at these places earn, (rank,)."""
        state, earned = 0, []
        for place in order[: self.depth]:
            earned.append(0.0 if self.whole else self.values[state, self.looks[place]])
            state = self.next[state, self.kinds[place]]
        if self.whole:
            return self.values[state, : len(earned)]
        return np.array(earned)


@dataclass(frozen=True, eq=False)
class Reorderings:
    """What a metric makes of every order of some documents.

    docs: the documents, as automata count them. parts: by term of a weighted sum (one for other metrics) an
    automaton for each intent; the contributions of all terms add up. below: of each list what is charged
    below its end, (intent, rank), whatever its order.
    """

    docs: tuple[str, ...]
    parts: tuple[tuple[Automaton, ...], ...]
    below: tuple[np.ndarray, ...]

    def contributions(self, which: int, listed: Sequence[str]) -> np.ndarray:
        """(intent, rank), as `explain` has them, of an order of the list with this number."""
        order = [self.docs.index(doc) for doc in listed]
        found = np.zeros((len(self.parts[0]), len(order)))
        for part in self.parts:
            for i, automaton in enumerate(part):
                earned = automaton.follow(order)
                found[i, : len(earned)] += earned
        return np.concatenate([found, self.below[which]], axis=1)


def reorderings(
    metric: BaseMetric, pool: Pool, lists: Sequence[Sequence[str]], seed: int = 1
) -> Reorderings | None:
    """Tables for all orders of each of these lists of one topic; None where they would be too large.

    Raises DivmetricsError where the metric cannot be measured on the topic.
    """
    docs = tuple(dict.fromkeys(doc for listed in lists for doc in listed))
    bench = _Bench(pool, docs, max(map(len, lists)))
    rng = np.random.default_rng(seed)
    tried = [[rng.permutation([docs.index(doc) for doc in listed]) for _ in range(TRIES)] for listed in lists]
    below = []
    for orders in tried:
        charged = bench.measure(metric.contributions, orders)[:, :, len(orders[0]) :]
        if np.ptp(charged, axis=0).max(initial=0) > ROUNDING:
            return None
        below.append(charged[0])
    parts = []
    for weight, term in metric.terms if isinstance(metric, WeightedSum) else ((None, metric),):
        found = bench.automata(_weighted(term, weight), term.cutoff, [order for orders in tried for order in orders])
        if found is None:
            return None
        parts.append(found)
    return Reorderings(docs, tuple(parts), tuple(below))


def _weighted(metric: BaseMetric, weight: Callable[[], float] | None) -> Measured:
    if weight is None:
        return metric.contributions
    return lambda seen: weight() * metric.contributions(seen)


Measured = Callable[[View], np.ndarray]


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Of each document, what it does to the state and how it is looked up, for one intent."""

    kinds: np.ndarray
    looks: np.ndarray
    whole: bool = False


class _Bench:
    """The documents of a page, measured in many orders at once."""

    def __init__(self, pool: Pool, docs: tuple[str, ...], longest: int) -> None:
        self.pool, self.docs, self.longest = pool, docs, longest
        self.judged: View | None = None

    def automata(
        self, measured: Measured, cutoff: int | None, tried: Sequence[np.ndarray]
    ) -> tuple[Automaton, ...] | None:
        """One for each intent; None where one would be too large."""
        depth = min(self.longest, cutoff or self.longest)
        truth = self.measure(measured, tried)
        found = []
        for i in range(truth.shape[1]):
            for kinds in self.ways(i):
                made = self.automaton(measured, kinds, i, depth)
                if made is not None and _holds(made, tried, truth[:, i]):
                    found.append(made)
                    break
            else:
                return None
        return tuple(found)

    def ways(self, i: int) -> Iterator[_Kinds]:
        """From few kinds of documents to many."""
        seen = self.view([tuple(range(len(self.docs)))])
        leaves = None if seen.leaves is None else seen.leaves.linear[0, 0, seen.parent[0] == i]
        own = _numbered(np.vstack([seen.linear[0, 0, [i]], *([] if leaves is None else [leaves])]))
        every = [seen.linear[0, 0], *([] if seen.leaves is None else [seen.leaves.linear[0, 0]])]
        alike = _numbered(np.vstack(every))
        weights = seen.probability[0][:, None]
        merged = [np.round(weights * gain[0, 0], 12).sum(axis=0) for gain in (seen.linear, seen.exponential)]
        gain = _numbered(np.vstack(merged))
        yield _Kinds(own, own)
        yield _Kinds(np.zeros_like(own), alike)
        yield _Kinds(own, alike)
        yield _Kinds(gain, alike)
        yield _Kinds(alike, alike)
        yield _Kinds(own, own, whole=True)
        yield _Kinds(alike, alike, whole=True)

    def automaton(self, measured: Measured, by: _Kinds, i: int, depth: int) -> Automaton | None:
        states = self.states(by, depth)
        if states is None:
            return None
        following, histories = states
        looks = int(by.looks.max(initial=0)) + 1
        if by.whole:
            ends = [s for s, places in enumerate(histories) if len(places) == depth]
            values = np.zeros((len(histories), depth))
            earned = self.measure(measured, [self.filled(histories[s]) for s in ends])
            values[ends] = earned[:, i, :depth]
            return Automaton(by.kinds, by.looks, following, values, depth, whole=True)
        values = np.zeros((len(histories), looks))
        asked, orders = [], []
        for s, places in enumerate(histories):
            if len(places) >= depth:
                continue
            left = [place for place in range(len(self.docs)) if place not in places]
            for place in {int(by.looks[place]): place for place in reversed(left)}.values():
                asked.append((s, int(by.looks[place]), len(places)))
                orders.append(self.filled((*places, place)))
        earned = self.measure(measured, orders)
        for (s, look, k), of_list in zip(asked, earned, strict=True):
            values[s, look] = of_list[i, k]
        return _smallest(Automaton(by.kinds, by.looks, following, values, depth, whole=False))

    def states(self, by: _Kinds, depth: int) -> tuple[np.ndarray, list[tuple[int, ...]]] | None:
        """(state, kind) -> the state after it, and a history of each; None where there are too many."""
        of_kind = [np.flatnonzero(by.kinds == kind).tolist() for kind in range(int(by.kinds.max(initial=0)) + 1)]
        known: dict[Hashable, int] = {(0,) * len(of_kind) if not by.whole else (): 0}
        keys: list[tuple[int, ...]] = list(known)
        histories: list[tuple[int, ...]] = [()]
        following: list[list[int]] = []
        room = ENTRIES // (len(of_kind) + int(by.looks.max(initial=0)) + 1)
        s = 0
        while s < len(keys):
            row, key, places = [], keys[s], histories[s]
            for kind, members in enumerate(of_kind):
                used = key.count(kind) if by.whole else key[kind]
                if len(places) >= depth or used >= len(members):
                    row.append(-1)
                    continue
                after = (*key, kind) if by.whole else (*key[:kind], used + 1, *key[kind + 1 :])
                if after not in known:
                    known[after] = len(keys)
                    keys.append(after)
                    histories.append((*places, members[used]))
                row.append(known[after])
            following.append(row)
            if len(keys) > room:
                return None
            s += 1
        return np.array(following, dtype=np.int64), histories

    def filled(self, places: tuple[int, ...]) -> np.ndarray:
        """The longest list that begins so."""
        rest = [place for place in range(len(self.docs)) if place not in places]
        return np.array([*places, *rest][: self.longest], dtype=np.int64)

    def measure(self, measured: Measured, orders: Sequence[np.ndarray]) -> np.ndarray:
        """What is earned, (list, intent, rank)."""
        step = max(1, CELLS // max(1, len(self.pool.topic.intents) * self.longest))
        found = [measured(self.view(orders[at : at + step]))[0] for at in range(0, len(orders), step)]
        return np.concatenate(found)

    def view(self, orders: Sequence[Sequence[int]]) -> View:
        topic = self.pool.topic.id
        runs = [Run.of(f"{r}", {topic: tuple(self.docs[place] for place in order)}) for r, order in enumerate(orders)]
        seen = view(Collection({topic: self.pool}).with_runs(runs), leaves=True, pool=self.judged)
        self.judged = seen.pool
        return seen


def _numbered(columns: np.ndarray) -> np.ndarray:
    """Equal columns have one number, from 0."""
    return np.unique(columns, axis=1, return_inverse=True)[1].reshape(-1)


def _holds(made: Automaton, tried: Sequence[np.ndarray], truth: np.ndarray) -> bool:
    for order, expected in zip(tried, truth, strict=True):
        earned = made.follow(order.tolist())
        if not np.allclose(earned, expected[: len(earned)], rtol=ROUNDING, atol=ROUNDING):
            return False
    return True


def _smallest(made: Automaton) -> Automaton:
    """States from which every list earns the same are one."""
    merged = np.zeros(len(made.next), dtype=np.int64)
    rows: dict[tuple[bytes, bytes], int] = {}
    firsts: list[int] = []
    for s in range(len(made.next) - 1, -1, -1):  # a state comes after those that lead to it
        after = np.where(made.next[s] < 0, -1, merged[made.next[s]])
        key = (made.values[s].tobytes(), after.tobytes())
        if key not in rows:
            rows[key] = len(firsts)
            firsts.append(s)
        merged[s] = rows[key]
    turned = len(firsts) - 1 - merged  # the beginning was seen last
    order = firsts[::-1]
    following = np.where(made.next[order] < 0, -1, turned[made.next[order]])
    return Automaton(made.kinds, made.looks, following, made.values[order], made.depth, made.whole)
