"""What a metric makes of every order of a page's documents: tables that a reader without Python can follow.

What a document earns at a rank hangs on little of what stands above it: on how many documents of each kind,
seldom on which ones in which order. So a small automaton follows every reordering exactly, with no formula:
its state is what stood above, its output what the next document earns, and all its numbers are the library's.

Which documents are of one *kind* is tried from few kinds to many. A try is given up where two lists that
should earn the same do not, on lists at random and on one list for each entry of the table. A metric for
which no try holds, or only one that is too large, has no table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.collection import Collection, Judgments, Run
from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.tolerances import TIE_TOLERANCE, score_preferences
from divmetrics.explanations.contributions import IntentRow, intent_rows

ENTRIES = 60_000  # that an automaton may have; one that would be larger is not made
AT_ONCE = 500  # lists
TRIES = 60  # lists at random for each of a page's lists
CHOSEN = 10  # times as many where a list holds only some of the documents

Permutation = tuple[int, ...]  # documents by their places, best first
Measured = Callable[[Sequence[Permutation]], np.ndarray]  # (list, row, rank): a row is an intent or below one


@dataclass(frozen=True, eq=False)
class Automaton:
    """What one row, an intent or a second-level subtopic, earns from a list, rank by rank.

    kinds: of each document what it does to the state; looks: of each document how it is looked up there.
    `next` (state, kind) is the state after a document, -1 for none. A document earns `values` (state, look);
    where `whole`, the values of all ranks, (state, rank), follow from the last state. State 0 is the
    beginning. A list is followed down to `depth`; below, nothing is earned.
    """

    kinds: np.ndarray
    looks: np.ndarray
    next: np.ndarray
    values: np.ndarray
    depth: int
    whole: bool

    def follow(self, order: Permutation) -> np.ndarray:
        """What the documents at these places earn, (rank,)."""
        read = order[: self.depth]
        states = self.states(read)
        if self.whole:
            return self.values[states[-1], : len(read)]
        return np.array(
            [self.values[state, self.looks[place]] for state, place in zip(states, read, strict=False)]
        )

    def states(self, order: Permutation) -> list[int]:
        """The state before each document, and after the last."""
        states = [0]
        for place in order:
            states.append(int(self.next[states[-1], self.kinds[place]]))
        return states


@dataclass(frozen=True, eq=False)
class Reorderings:
    """What a metric makes of every order of some lists.

    docs: the documents, as automata count them. parts: by term of a weighted sum (one for other metrics) an
    automaton for each row; the contributions of all terms add up. below: of each list what is charged
    below its end, (row, rank), whatever its order.
    """

    docs: tuple[str, ...]
    parts: tuple[tuple[Automaton, ...], ...]
    below: tuple[np.ndarray, ...]

    def contributions(self, which: int, listed: Sequence[str]) -> np.ndarray:
        """(row, rank), as `explain` has them, of an order of the list with this number."""
        order = tuple(map(self.docs.index, listed))
        found = np.zeros((len(self.parts[0]), len(order)))
        for part in self.parts:
            for i, automaton in enumerate(part):
                earned = automaton.follow(order)
                found[i, : len(earned)] += earned
        return np.concatenate([found, self.below[which]], axis=1)


def reorderings(metric: BaseMetric, orders: ListPermutations, two_levels: bool = False) -> Reorderings | None:
    """Tables for all orders of each list; None where they would be too large.

    Their rows are the intents, with two_levels what is below them: the second-level subtopics that earn under
    an intent-square metric. Raises DivmetricsError where the metric cannot be measured on the topic.
    """
    rows = intent_rows(orders.pool.topic, two_levels)
    below = []
    for lists in orders.tried:
        charged = orders.measure(metric, rows=rows)(lists)[:, :, len(lists[0]) :]
        if np.ptp(charged, axis=0).max(initial=0) > TIE_TOLERANCE:
            return None
        below.append(charged[0])
    parts = []
    for weight, term in weighted_terms(metric):
        found = orders.automata(orders.measure(term, weight, rows), term.cutoff, rows=rows)
        if found is None:
            return None
        parts.append(found)
    return Reorderings(orders.docs, tuple(parts), tuple(below))


def weighted_terms(metric: BaseMetric) -> list[tuple[float, BaseMetric]]:
    """The terms of a weighted sum, each with its weight; any other metric once."""
    if isinstance(metric, WeightedSum):
        return [(weight(), term) for weight, term in metric.terms]
    return [(1.0, metric)]


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Of each document, what it does to the state and how it is looked up."""

    kinds: np.ndarray
    looks: np.ndarray
    whole: bool = False


class ListPermutations:
    """The orders of some lists of one topic; `docs` are their documents, `tried` lists at random, by list.

    length: of what is put in order, so many documents of a list; without one, all of them.
    """

    def __init__(
        self, pool: Judgments, lists: Sequence[Sequence[str]], seed: int = 1, length: int | None = None
    ) -> None:
        self.pool = pool
        self.docs = tuple(dict.fromkeys(doc for listed in lists for doc in listed))
        self.longest = min(max(map(len, lists)), length or len(self.docs))
        rng = np.random.default_rng(seed)
        places = [[self.docs.index(doc) for doc in listed] for listed in lists]
        self.tried = [
            [tuple(rng.permutation(listed).tolist()) for _ in range(TRIES)]
            if length is None
            else [self._chosen(listed, length, rng) for _ in range(TRIES * CHOSEN)]
            for listed in places
        ]
        self._judged: Batch | None = None

    def _chosen(self, listed: Sequence[int], length: int, rng: np.random.Generator) -> Permutation:
        """Some of these documents at random; often without all that have the same labels.

        A metric may look at what is not above: what is lacking below must have been tried, too.
        """
        alike: dict[frozenset[object], list[int]] = {}
        for place in listed:
            doc = self.docs[place]
            labels = self.pool.labels(doc) if doc in self.pool.position else {}
            alike.setdefault(frozenset(labels.items()), []).append(place)
        kept = [place for members in alike.values() if rng.random() < 0.5 for place in members]
        return tuple(rng.permutation(kept if len(kept) >= length else listed)[:length].tolist())

    def measure(self, metric: BaseMetric, weight: float = 1.0, rows: Sequence[IntentRow] = ()) -> Measured:
        """What is earned by these rows, or by each intent, times the weight."""
        places = [row.place for row in rows], [row.below or 0 for row in rows]

        def earned(lists: Sequence[Permutation]) -> np.ndarray:
            seen = self.view(lists)
            if all(row.below is None for row in rows):
                return metric.contributions(seen)[0]
            return metric.subtopic_contributions(seen)[0][:, *places]

        return lambda lists: (
            weight
            * np.concatenate([earned(lists[at : at + AT_ONCE]) for at in range(0, len(lists), AT_ONCE)])
        )

    def automata(
        self, measured: Measured, cutoff: int | None, most: float = math.inf, rows: Sequence[IntentRow] = ()
    ) -> tuple[Automaton, ...] | None:
        """One for each of these rows, or of the intents.

        None where one would be too large, or no kinds are fine enough.
        most: lists that are measured for it; None where it takes more.
        """
        depth = min(self.longest, cutoff or self.longest)
        known = _Known(measured, [order for lists in self.tried for order in lists], most)
        found = []
        for i, row in enumerate(rows or intent_rows(self.pool.topic, two_levels=False)):
            made = (self._automaton(known, kinds, i, depth) for kinds in self._ways(row))
            automaton = next(filter(None, made), None)
            if automaton is None:
                return None
            found.append(automaton)
        return tuple(found)

    def view(self, lists: Sequence[Permutation]) -> Batch:
        """The lists as the runs of a View."""
        topic = self.pool.topic.id
        runs = [
            Run.of(f"{number}", {topic: tuple(self.docs[place] for place in order)})
            for number, order in enumerate(lists)
        ]
        seen = make_batch(Collection({topic: self.pool}).with_runs(runs), leaves=True, pool=self._judged)
        self._judged = seen.pool
        return seen

    def _ways(self, row: IntentRow) -> Iterator[_Kinds]:
        """From few kinds of documents to many."""
        seen = self.view([tuple(range(len(self.docs)))])
        grades, below = seen.linear[0, 0], np.zeros((0, len(self.docs)))
        mine = below
        if seen.leaves is not None and seen.parent is not None:
            below = seen.leaves.linear[0, 0]
            mine = below[seen.parent[0] == row.place]
        own, every = _numbered(grades[[row.place]], mine), _numbered(grades, below)
        shares = seen.probability[0][:, None]
        merged = _numbered(
            *((shares * gain[0, 0]).sum(axis=0)[None].round(12) for gain in (seen.linear, seen.exponential))
        )
        if row.child is not None:
            only = _numbered(mine[[row.below or 0]])
            yield _Kinds(only, only)
        yield _Kinds(own, own)
        yield _Kinds(np.zeros_like(own), every)
        yield _Kinds(own, every)
        yield _Kinds(merged, every)
        yield _Kinds(every, every)
        yield _Kinds(own, own, whole=True)
        yield _Kinds(every, every, whole=True)

    def _automaton(self, known: _Known, by: _Kinds, i: int, depth: int) -> Automaton | None:
        """None where it would be too large, or two lists that should earn the same do not."""
        found = self._states(by, depth)
        if found is None:
            return None
        following, histories = found
        wide = depth if by.whole else int(by.looks.max(initial=0)) + 1
        empty = Automaton(
            by.kinds, by.looks, following, np.full((len(following), wide), np.nan), depth, by.whole
        )
        seen = 0
        while True:
            if not all(_taken(empty, *told, i) for told in known.since(seen)):
                return None
            seen = len(known.lists)
            missing = self._whole_missing(empty, histories) if by.whole else self._missing(empty, histories)
            if not missing:
                break
            if not known.more(missing):
                return None
        np.nan_to_num(empty.values, copy=False)  # what no list comes to
        return empty if by.whole else _smallest(empty)

    def _missing(self, empty: Automaton, histories: Sequence[Permutation]) -> list[Permutation]:
        """A list for each entry that is not known, of the deepest rank where one is missing."""
        lists: list[Permutation] = []
        deepest = 0
        for state in range(len(histories) - 1, -1, -1):
            places = histories[state]
            if lists and len(places) < deepest:
                break
            if len(places) < empty.depth:
                left = [place for place in range(len(self.docs)) if place not in places]
                looks = {int(empty.looks[place]): place for place in reversed(left)}
                asked = [place for look, place in looks.items() if np.isnan(empty.values[state, look])]
                lists += [self._filled((*places, place)) for place in asked]
                deepest = len(places)
        return lists

    def _whole_missing(self, empty: Automaton, histories: Sequence[Permutation]) -> list[Permutation]:
        ends = {min(empty.depth, len(lists[0])): len(lists[0]) for lists in self.tried}
        return [
            self._filled(places, ends[len(places)])
            for state, places in enumerate(histories)
            if len(places) in ends and np.isnan(empty.values[state, : len(places)]).any()
        ]

    def _states(self, by: _Kinds, depth: int) -> tuple[np.ndarray, list[Permutation]] | None:
        """(state, kind) -> the state after it, and a history of each; None where there are too many."""
        of_kind = [
            np.flatnonzero(by.kinds == kind).tolist() for kind in range(int(by.kinds.max(initial=0)) + 1)
        ]
        keys: list[tuple[int, ...]] = [() if by.whole else (0,) * len(of_kind)]
        known = {keys[0]: 0}
        histories: list[Permutation] = [()]
        following: list[list[int]] = []
        room = ENTRIES // (len(of_kind) + int(by.looks.max(initial=0)) + 1)
        for key in keys:  # which grows meanwhile
            row, places = [], histories[len(following)]
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
        return np.array(following, dtype=np.int64), histories

    def _filled(self, places: Permutation, length: int | None = None) -> Permutation:
        """A list of that length, or the longest, that begins so."""
        rest = (place for place in range(len(self.docs)) if place not in places)
        return (*places, *rest)[: length or self.longest]


class _Known:
    """Lists with what their documents earn; more are measured when they are needed."""

    def __init__(self, measured: Measured, lists: Sequence[Permutation], most: float) -> None:
        self.measured, self.most = measured, most
        self.lists: list[Permutation] = []
        self.earned: list[np.ndarray] = []
        self.more(lists)

    def more(self, lists: Sequence[Permutation]) -> bool:
        """Measure these, too; False, and nothing is done, where they would be too many."""
        if len(self.lists) + len(lists) > self.most:
            return False
        self.lists += lists
        self.earned += list(self.measured(lists))
        return True

    def since(self, seen: int) -> Iterator[tuple[Permutation, np.ndarray]]:
        return zip(self.lists[seen:], self.earned[seen:], strict=True)


def _taken(automaton: Automaton, order: Permutation, earned: np.ndarray, i: int) -> bool:
    """Put what a list earns into the table; False where the table has something else there."""
    read = order[: automaton.depth]
    states, values = automaton.states(read), earned[i, : len(read)]
    whole = automaton.whole
    rows = np.array(states[-1:] * len(read) if whole else states[:-1], dtype=np.int64)
    at = rows, np.arange(len(read)) if whole else automaton.looks[list(read)]
    before = automaton.values[at]
    new = np.isnan(before)
    if score_preferences(before[~new], values[~new]).any():
        return False
    automaton.values[at] = np.where(new, values, before)
    return True


def _numbered(*rows: np.ndarray) -> np.ndarray:
    """Of arrays (row, document) a number for each document, from 0; the same for equal columns."""
    return np.unique(np.vstack(rows), axis=1, return_inverse=True)[1].reshape(-1)


def _smallest(made: Automaton) -> Automaton:
    """States from which every list earns the same are one."""
    merged = np.zeros(len(made.next), dtype=np.int64)
    rows: dict[tuple[bytes, bytes], int] = {}
    firsts: list[int] = []
    for state in range(len(made.next) - 1, -1, -1):  # a state comes after those that lead to it
        after = np.where(made.next[state] < 0, -1, merged[made.next[state]])
        key = made.values[state].tobytes(), after.tobytes()
        if key not in rows:
            rows[key] = len(firsts)
            firsts.append(state)
        merged[state] = rows[key]
    kept = firsts[::-1]  # the beginning was seen last
    number = len(kept) - 1 - merged
    following = np.where(made.next[kept] < 0, -1, number[made.next[kept]])
    values = made.values[kept]
    return Automaton(made.kinds, made.looks, following, values, made.depth, made.whole)
