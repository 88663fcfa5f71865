"""Tabulate a metric over every order of a page's documents, for browsers without Python.

A document's contribution at a rank depends on little above it: on how many documents of each kind there are,
seldom on which ones in which order. So a small automaton reproduces every reordering exactly without a
formula: its state is the documents above, its output the next document's contribution; all numbers are the
library's.

Candidate partitions of documents into *kinds* are tried from coarse to fine. A candidate fails if two lists
that share a state earn differently, on random lists and on one list for each entry of the table. A metric for
which every candidate fails or is too large has no table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric, WeightedSum
from divmetrics.core.runs import Run
from divmetrics.core.tolerances import TIE_TOLERANCE, score_preferences
from divmetrics.explanations.contributions import IntentRow, intent_rows

ENTRIES = 60_000  # the most entries of an automaton
AT_ONCE = 500  # lists per batch
TRIES = 60  # random orders for each of a page's lists
PARTIAL_TRIES = 10  # factor on TRIES if a list holds only some of the documents

Permutation = tuple[int, ...]  # indices of documents, best first
Measured = Callable[[Sequence[Permutation]], np.ndarray]  # (list, row, rank): a row is an intent or below one


@dataclass(frozen=True, eq=False)
class Automaton:
    """The contributions of one row, an intent or a second-level subtopic, to any list, rank by rank.

    `kinds`: the kind of each document, which moves the state; `looks`: its column in `values`. `next`
    (state, kind) is the state after a document, or -1. A document earns `values` (state, look); with `whole`,
    the last state determines the values of all ranks, (state, rank). State 0 is the start. Below `depth`
    nothing is earned.
    """

    kinds: np.ndarray
    looks: np.ndarray
    next: np.ndarray
    values: np.ndarray
    depth: int
    whole: bool

    def follow(self, order: Permutation) -> np.ndarray:
        """Return the contributions of a list, (rank,), down to `depth`; `order` are indices of documents."""
        read = order[: self.depth]
        states = self.states(read)
        if self.whole:
            return self.values[states[-1], : len(read)]
        return np.array(
            [self.values[state, self.looks[place]] for state, place in zip(states, read, strict=False)]
        )

    def states(self, order: Permutation) -> list[int]:
        """Return the state before each document, and after the last."""
        states = [0]
        for place in order:
            states.append(int(self.next[states[-1], self.kinds[place]]))
        return states


@dataclass(frozen=True, eq=False)
class Reorderings:
    """The contributions of a metric to every order of some lists.

    `docs`: the documents in the automata's numbering. `parts`: for each term of a weighted sum (one for
    other metrics) one automaton per row; contributions of terms add up. `below`: for each list the charges
    below its end, (row, rank), independent of its order.
    """

    docs: tuple[str, ...]
    parts: tuple[tuple[Automaton, ...], ...]
    below: tuple[np.ndarray, ...]

    def contributions(self, which: int, listed: Sequence[str]) -> np.ndarray:
        """Return the contributions (row, rank) of an order of the list with index `which`."""
        order = tuple(map(self.docs.index, listed))
        total = np.zeros((len(self.parts[0]), len(order)))
        for part in self.parts:
            for i, automaton in enumerate(part):
                earned = automaton.follow(order)
                total[i, : len(earned)] += earned
        return np.concatenate([total, self.below[which]], axis=1)


def reorderings(metric: BaseMetric, orders: ListPermutations, two_levels: bool = False) -> Reorderings | None:
    """Return tables for all orders of each list, or None if they would be too large.

    Rows are the intents, or with `two_levels` the second-level subtopics that earn under an intent-square
    metric. Raises DivmetricsError if the metric cannot score the topic.
    """
    rows = intent_rows(orders.judgments.topic, two_levels)
    below = []
    for lists in orders.tried:
        charged = orders.measure(metric, rows=rows)(lists)[:, :, len(lists[0]) :]
        if np.ptp(charged, axis=0).max(initial=0) > TIE_TOLERANCE:
            return None
        below.append(charged[0])
    parts = []
    for weight, term in weighted_terms(metric):
        automata = orders.automata(orders.measure(term, weight, rows), term.cutoff, rows=rows)
        if automata is None:
            return None
        parts.append(automata)
    return Reorderings(orders.docs, tuple(parts), tuple(below))


def weighted_terms(metric: BaseMetric) -> list[tuple[float, BaseMetric]]:
    """Return (weight, term) pairs of a weighted sum; any other metric is its only term."""
    if isinstance(metric, WeightedSum):
        return [(weight(), term) for weight, term in metric.terms]
    return [(1.0, metric)]


@dataclass(frozen=True, eq=False)
class _Kinds:
    """A partition of documents: for each its kind and its look-up column."""

    kinds: np.ndarray
    looks: np.ndarray
    whole: bool = False


class ListPermutations:
    """The orders of some lists of one topic; `docs` are their documents, `tried` random orders of each list.

    `length` is the number of documents in an order; by default, an order has all documents of the list.
    """

    def __init__(
        self, judgments: Judgments, lists: Sequence[Sequence[str]], seed: int = 1, length: int | None = None
    ) -> None:
        self.judgments = judgments
        self.docs = tuple(dict.fromkeys(doc for listed in lists for doc in listed))
        self.longest = min(max(map(len, lists)), length or len(self.docs))
        rng = np.random.default_rng(seed)
        places = [[self.docs.index(doc) for doc in listed] for listed in lists]
        self.tried = [
            [tuple(rng.permutation(listed).tolist()) for _ in range(TRIES)]
            if length is None
            else [self._random_list(listed, length, rng) for _ in range(TRIES * PARTIAL_TRIES)]
            for listed in places
        ]
        self._judged: Batch | None = None

    def _random_list(self, listed: Sequence[int], length: int, rng: np.random.Generator) -> Permutation:
        """Return `length` random documents of `listed`; often, all documents with some labels are missing.

        A metric may read which documents are missing above, so that lists must be tried with each label
        missing.
        """
        alike: dict[frozenset[object], list[int]] = {}
        for place in listed:
            doc = self.docs[place]
            labels = self.judgments.labels(doc) if doc in self.judgments.position else {}
            alike.setdefault(frozenset(labels.items()), []).append(place)
        selection = [place for members in alike.values() if rng.random() < 0.5 for place in members]
        return tuple(rng.permutation(selection if len(selection) >= length else listed)[:length].tolist())

    def measure(self, metric: BaseMetric, weight: float = 1.0, rows: Sequence[IntentRow] = ()) -> Measured:
        """Return a function from lists to contributions times `weight`, (list, row, rank).

        The rows are `rows`; by default, one per intent.
        """
        places = [row.intent_index for row in rows], [row.below or 0 for row in rows]

        def earned(lists: Sequence[Permutation]) -> np.ndarray:
            batch = self.view(lists)
            if all(row.below is None for row in rows):
                return metric.contributions(batch)[0]
            return metric.subtopic_contributions(batch)[0][:, *places]

        return lambda lists: (
            weight
            * np.concatenate(
                [earned(lists[start : start + AT_ONCE]) for start in range(0, len(lists), AT_ONCE)]
            )
        )

    def automata(
        self, measured: Measured, cutoff: int | None, most: float = math.inf, rows: Sequence[IntentRow] = ()
    ) -> tuple[Automaton, ...] | None:
        """Return one automaton for each of `rows`; by default, for each intent.

        Returns None if an automaton would be too large, no partition is fine enough, or more than `most`
        lists must be scored.
        """
        depth = min(self.longest, cutoff or self.longest)
        scored_lists = _ScoredLists(measured, [order for lists in self.tried for order in lists], most)
        automata = []
        for i, row in enumerate(rows or intent_rows(self.judgments.topic, two_levels=False)):
            made = (self._automaton(scored_lists, kinds, i, depth) for kinds in self._partitions(row))
            automaton = next(filter(None, made), None)
            if automaton is None:
                return None
            automata.append(automaton)
        return tuple(automata)

    def view(self, lists: Sequence[Permutation]) -> Batch:
        """Return lists of indices of `docs` as the runs of a batch of one topic."""
        topic = self.judgments.topic.id
        runs = [
            Run.of(f"{number}", {topic: tuple(self.docs[place] for place in order)})
            for number, order in enumerate(lists)
        ]
        batch = make_batch(
            Collection({topic: self.judgments}).with_runs(runs), leaves=True, pool=self._judged
        )
        self._judged = batch.pool
        return batch

    def _partitions(self, row: IntentRow) -> Iterator[_Kinds]:
        """Yield partitions of the documents from coarse to fine."""
        batch = self.view([tuple(range(len(self.docs)))])
        grades, below = batch.linear[0, 0], np.zeros((0, len(self.docs)))
        mine = below
        if batch.leaves is not None and batch.parent is not None:
            below = batch.leaves.linear[0, 0]
            mine = below[batch.parent[0] == row.intent_index]
        own, every = _numbered(grades[[row.intent_index]], mine), _numbered(grades, below)
        shares = batch.probability[0][:, None]
        merged = _numbered(
            *((shares * gain[0, 0]).sum(axis=0)[None].round(12) for gain in (batch.linear, batch.exponential))
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

    def _automaton(self, scored_lists: _ScoredLists, by: _Kinds, i: int, depth: int) -> Automaton | None:
        """Build the automaton of row `i` for the partition `by` of the documents.

        Returns None if it would be too large, or two lists in the same state earn differently.
        """
        states = self._states(by, depth)
        if states is None:
            return None
        following, histories = states
        wide = depth if by.whole else int(by.looks.max(initial=0)) + 1
        empty = Automaton(
            by.kinds, by.looks, following, np.full((len(following), wide), np.nan), depth, by.whole
        )
        seen = 0
        while True:
            if not all(_enter(empty, *scored, i) for scored in scored_lists.since(seen)):
                return None
            seen = len(scored_lists.lists)
            missing = self._whole_missing(empty, histories) if by.whole else self._missing(empty, histories)
            if not missing:
                break
            if not scored_lists.more(missing):
                return None
        np.nan_to_num(empty.values, copy=False)  # entries that no list reaches
        return empty if by.whole else _smallest(empty)

    def _missing(self, empty: Automaton, histories: Sequence[Permutation]) -> list[Permutation]:
        """Return a list for each unknown entry at the deepest rank with unknown entries."""
        lists: list[Permutation] = []
        deepest = 0
        for state in range(len(histories) - 1, -1, -1):
            places = histories[state]
            if lists and len(places) < deepest:
                break
            if len(places) < empty.depth:
                unknown = np.isnan(empty.values[state])
                for place, look in enumerate(empty.looks.tolist()):
                    above = _without(place, places, empty.kinds) if unknown[look] else None
                    if above is not None:
                        lists.append(self._filled((*above, place)))
                        unknown[look] = False
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
        """Return the transitions (state, kind) and a history of each state; None if there are too many."""
        of_kind = [
            np.flatnonzero(by.kinds == kind).tolist() for kind in range(int(by.kinds.max(initial=0)) + 1)
        ]
        keys: list[tuple[int, ...]] = [() if by.whole else (0,) * len(of_kind)]
        state_of = {keys[0]: 0}
        histories: list[Permutation] = [()]
        following: list[list[int]] = []
        room = ENTRIES // (len(of_kind) + int(by.looks.max(initial=0)) + 1)
        for key in keys:  # the loop appends to it
            row, places = [], histories[len(following)]
            for kind, members in enumerate(of_kind):
                used = key.count(kind) if by.whole else key[kind]
                if len(places) >= depth or used >= len(members):
                    row.append(-1)
                    continue
                after = (*key, kind) if by.whole else (*key[:kind], used + 1, *key[kind + 1 :])
                if after not in state_of:
                    state_of[after] = len(keys)
                    keys.append(after)
                    histories.append((*places, members[used]))
                row.append(state_of[after])
            following.append(row)
            if len(keys) > room:
                return None
        return np.array(following, dtype=np.int64), histories

    def _filled(self, places: Permutation, length: int | None = None) -> Permutation:
        """Return `places` followed by the other documents in order, cut at `length` (default: `longest`)."""
        rest = (place for place in range(len(self.docs)) if place not in places)
        return (*places, *rest)[: length or self.longest]


class _ScoredLists:
    """Lists with the contributions of their documents; further lists are scored on demand."""

    def __init__(self, measured: Measured, lists: Sequence[Permutation], most: float) -> None:
        self.measured, self.most = measured, most
        self.lists: list[Permutation] = []
        self.earned: list[np.ndarray] = []
        self.more(lists)

    def more(self, lists: Sequence[Permutation]) -> bool:
        """Score further lists; return False, without scoring them, if there would be too many in all."""
        if len(self.lists) + len(lists) > self.most:
            return False
        self.lists += lists
        self.earned += list(self.measured(lists))
        return True

    def since(self, seen: int) -> Iterator[tuple[Permutation, np.ndarray]]:
        return zip(self.lists[seen:], self.earned[seen:], strict=True)


def _enter(automaton: Automaton, order: Permutation, earned: np.ndarray, i: int) -> bool:
    """Enter `earned`, a list's contributions, into the table; return False if an entry has another value."""
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


def _without(place: int, history: Permutation, kinds: np.ndarray) -> Permutation | None:
    """Return a history of the same state without the document, or None if the state has all of its kind."""
    if place not in history:
        return history
    others = (other for other in np.flatnonzero(kinds == kinds[place]).tolist() if other not in history)
    instead = next(others, None)
    return None if instead is None else tuple(instead if one == place else one for one in history)


def _numbered(*rows: np.ndarray) -> np.ndarray:
    """Number documents, the columns of arrays (row, document), from 0; equal columns share a number."""
    return np.unique(np.vstack(rows), axis=1, return_inverse=True)[1].reshape(-1)


def _smallest(automaton: Automaton) -> Automaton:
    """Merge states from which every list earns the same."""
    merged = np.zeros(len(automaton.next), dtype=np.int64)
    rows: dict[tuple[bytes, bytes], int] = {}
    firsts: list[int] = []
    for state in range(len(automaton.next) - 1, -1, -1):  # predecessors have smaller indices
        after = np.where(automaton.next[state] < 0, -1, merged[automaton.next[state]])
        key = automaton.values[state].tobytes(), after.tobytes()
        if key not in rows:
            rows[key] = len(firsts)
            firsts.append(state)
        merged[state] = rows[key]
    states = firsts[::-1]  # the start was visited last
    number = len(states) - 1 - merged
    following = np.where(automaton.next[states] < 0, -1, number[automaton.next[states]])
    values = automaton.values[states]
    return Automaton(automaton.kinds, automaton.looks, following, values, automaton.depth, automaton.whole)
