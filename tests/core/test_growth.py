"""Work and memory grow as they should: counted in calls and cells, never by a clock."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import divmetrics as dm
from divmetrics.core import exact, ideal
from divmetrics.core.metric import Metric
from divmetrics.core.rules import check
from divmetrics.core.ties import TIE
from divmetrics.core.views import View, view
from divmetrics.parts import Novelty


def topics_of_their_own(count: int) -> pd.DataFrame:
    """Judgments of topics that share no intent."""
    rows = [(str(t), f"i{t}-{i}", f"d{i}", 1) for t in range(count) for i in range(3)]
    return pd.DataFrame(rows, columns=["topic", "intent", "doc", "grade"])


def steps(work: Callable[[], object]) -> int:
    """Lines of Python that run, a measure of work that no load changes."""
    seen = 0

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal seen
        seen += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return seen


def judged(random: np.random.Generator, count: int, docs: int, intents: int, share: float) -> View:
    """The pool of random topics, whose documents differ in their intents."""
    topics, grades = [], {}
    for t in range(count):
        topic = dm.Topic(str(t), tuple(dm.Intent(f"i{i}", 1 / intents) for i in range(intents)))
        relevant = random.random((docs, intents)) < share
        grades[topic.id] = {
            f"d{d:04d}": {f"i{i}": 1 for i in np.flatnonzero(row)} for d, row in enumerate(relevant)
        }
        topics.append(topic)
    return view(dm.Collection.of(topics, grades, {"r": {}})).judged


def test_topics_with_intents_of_their_own_are_loaded_in_linear_work() -> None:
    few, many = (topics_of_their_own(n) for n in (50, 400))
    dm.load_collection(few)  # what is imported and remembered once
    assert steps(lambda: dm.load_collection(many)) < 10 * steps(lambda: dm.load_collection(few))


def plain_greedy(pool: View, row: Metric, ties: str, depth: int) -> np.ndarray:
    """By the definition: every document left is tried below those chosen, and scored by the row itself."""
    topics, docs = len(pool.topics), pool.depth
    order = np.full((topics, depth), -1)
    left = pool.listed[:, 0, 0].copy()
    largest = np.zeros(topics)
    for k in range(depth):
        above = np.broadcast_to(order[:, None, :k], (topics, docs, k))
        every = np.broadcast_to(np.arange(docs)[:, None], (topics, docs, 1))
        tried = pool.take(np.concatenate([above, every], axis=2))
        earned = row.w(tried)[..., -1:] * row.f(tried) * row.M(tried)[..., -1:]
        largest = np.maximum(largest, np.where(left[..., None, None], np.abs(earned), 0).max(axis=(1, 2, 3)))
        gain = np.where(left, earned.sum(axis=(2, 3)), -np.inf)
        for t in np.flatnonzero(left.any(axis=1)):
            best = np.flatnonzero(left[t] & (gain[t] >= gain[t].max() - TIE * largest[t]))
            order[t, k] = best[0] if ties == "ascending" else best[-1]
            left[t, order[t, k]] = False
    return order


@pytest.mark.parametrize("name", ["alpha-nDCG", "ndeval:nERR-IA", "ndeval:nNRBP", "alpha-nDCG(alpha=1)"])
def test_the_greedy_ideal_is_that_of_the_definition_on_a_thousand_topics(name: str) -> None:
    random = np.random.default_rng(7)
    row = dm.metric(name)
    assert isinstance(row, Metric)
    ties = row.N.ties  # type: ignore[attr-defined]
    for intents, share in ((1, 0.5), (4, 0.4), (9, 0.3)):
        pool = judged(random, 350, 9, intents, share)
        found = ideal.greedy_order(pool, row, ties, None)
        assert np.array_equal(found, plain_greedy(pool, row, ties, pool.depth))


def test_a_greedy_ideal_tries_two_documents_at_each_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every one that is left: 2,000 documents took minutes."""
    pool = judged(np.random.default_rng(1), 1, 300, 12, 0.3)
    cells = []
    whole = Novelty.pieces

    def counted(self: Novelty, tried: View) -> Any:
        cells.append(tried.linear.size)
        return whole(self, tried)

    monkeypatch.setattr(Novelty, "pieces", counted)
    ideal.greedy_order(pool, dm.metric("alpha-nDCG"), "ascending", None)  # type: ignore[arg-type]
    assert len(cells) == pool.depth
    assert max(cells) == 2 * 12 * pool.depth


def test_an_explanation_works_out_each_column_once(monkeypatch: pytest.MonkeyPatch) -> None:
    topic = dm.Topic("7", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    ranked = dm.RankedList(topic, ["d"], {"d": {"a": 1}})
    calls = []
    whole = Metric.columns
    monkeypatch.setattr(Metric, "columns", lambda row, read: calls.append(row) or whole(row, read))
    lengths = []
    for cutoff in (10, 400):
        calls.clear()
        told = dm.explain_in_words(f"RBU@{cutoff}", ranked)
        lengths.append(len(calls))
        assert f"rank {cutoff}  (no document)" in told
    assert lengths[0] == lengths[1]


def test_rules_are_checked_no_deeper_than_lists_go() -> None:
    topic = dm.Topic("7", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    ranked = dm.RankedList(topic, ["d", "e"], {"d": {"a": 1}})
    shallow, deep = (steps(lambda k=k: check(dm.metric(f"RBU@{k}"), ranked)) for k in (10, 10_000))
    assert deep < 2 * shallow


def many_kinds(docs: int) -> np.ndarray:
    """Judgments in which nearly no two documents are relevant to the same intents, (intent, document)."""
    return np.random.default_rng(3).random((20, docs)) < 0.3


def test_an_exact_ideal_of_many_kinds_of_documents_is_bounded_in_memory() -> None:
    tracemalloc.start()
    found = exact.best_list(many_kinds(4000), 1 / np.log2(np.arange(400) + 2), 0.5, time_limit=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400e6
    assert not found.proved[-1]
    assert 0 < found.gap[-1] < found.value_at[-1]


def test_an_exact_search_ends_where_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still until the deadline has passed, whatever the load of the machine."""
    asked, made = [], []
    monkeypatch.setattr(exact.time, "perf_counter", lambda: asked.append(1) or float(len(asked) > 30))
    whole = exact._Kinds.documents
    monkeypatch.setattr(exact._Kinds, "documents", lambda *given: made.append(1) or whole(*given))
    found = exact.best_list(
        many_kinds(300), 1 / np.log2(np.arange(200) + 2), 0.5, time_limit=0.5, every_cutoff=False
    )
    assert len(asked) < 30 + 8
    assert len(made) <= 2
    assert found.value_at[-1] > 0
    assert not found.proved[-1]


def test_a_bound_without_a_search_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    relevant, discount = many_kinds(40)[:6], 1 / np.log2(np.arange(12) + 2)
    best = exact.best_list(relevant, discount, 0.5)
    assert best.proved.all()
    monkeypatch.setattr(exact, "CELLS", 50)  # too few to search, and bounds come some ranks at a time
    bounded = exact.best_list(relevant, discount, 0.5)
    assert (bounded.bound_at >= best.value_at).all()
    assert (bounded.value_at <= best.value_at * (1 + TIE)).all()
    assert (bounded.bound_at <= 1.2 * best.value_at).all()


def test_the_lists_of_runs_are_looked_through_once() -> None:
    """When they are made, and not again where they are given."""
    few, many = ({"1": [f"d{i}" for i in range(n)]} for n in (10, 1010))
    made = [[dm.Run.of("r", lists)] for lists in (few, many)]
    dm.load_runs(made[0], "file")  # what is imported and remembered once
    assert len({steps(lambda runs=runs: dm.load_runs(runs, "file")) for runs in made}) == 1
    more = steps(lambda: dm.Run.of("r", many)) - steps(lambda: dm.Run.of("r", few))
    assert more <= 4 * 1000  # lines for each document
