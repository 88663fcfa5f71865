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
from divmetrics.core.metric import Metric
from divmetrics.core.tolerances import TIE_TOLERANCE
from divmetrics.exact_ideal import optimal_lists
from divmetrics.registry.rules import check


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


def test_topics_with_intents_of_their_own_are_loaded_in_linear_work() -> None:
    few, many = (topics_of_their_own(n) for n in (50, 400))
    dm.load_collection(few)  # what is imported and remembered once
    assert steps(lambda: dm.load_collection(many)) < 10 * steps(lambda: dm.load_collection(few))


def test_an_explanation_works_out_each_column_once(monkeypatch: pytest.MonkeyPatch) -> None:
    topic = dm.Topic("7", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    ranked = dm.RankedList(topic, ["d"], {"d": {"a": 1}})
    calls = []
    whole = Metric.columns
    monkeypatch.setattr(Metric, "columns", lambda row, read: calls.append(row) or whole(row, read))
    lengths = []
    for cutoff in (10, 400):
        calls.clear()
        words = dm.explain_in_words(f"RBU@{cutoff}", ranked)
        lengths.append(len(calls))
        assert f"rank {cutoff}  (no document)" in words
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
    optimum = optimal_lists.search_optimal_lists(
        many_kinds(4000), 1 / np.log2(np.arange(400) + 2), 0.5, time_limit=0
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400e6
    assert not optimum.proved[-1]
    assert 0 < optimum.gap[-1] < optimum.value_at[-1]


def test_an_exact_search_ends_where_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still until the deadline has passed, whatever the load of the machine."""
    asked, made = [], []
    monkeypatch.setattr(optimal_lists.time, "perf_counter", lambda: asked.append(1) or float(len(asked) > 30))
    whole = optimal_lists._Kinds.documents
    monkeypatch.setattr(optimal_lists._Kinds, "documents", lambda *given: made.append(1) or whole(*given))
    found = optimal_lists.search_optimal_lists(
        many_kinds(300), 1 / np.log2(np.arange(200) + 2), 0.5, time_limit=0.5, every_cutoff=False
    )
    assert len(asked) < 30 + 8
    assert len(made) <= 2
    assert found.value_at[-1] > 0
    assert not found.proved[-1]


def test_bound_without_a_search_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    relevant, discount = many_kinds(40)[:6], 1 / np.log2(np.arange(12) + 2)
    best = optimal_lists.search_optimal_lists(relevant, discount, 0.5)
    assert best.proved.all()
    monkeypatch.setattr(optimal_lists, "CELLS", 50)  # too few to search, and bounds come some ranks at a time
    bounded = optimal_lists.search_optimal_lists(relevant, discount, 0.5)
    assert (bounded.bound_at >= best.value_at).all()
    assert (bounded.value_at <= best.value_at * (1 + TIE_TOLERANCE)).all()
    assert (bounded.bound_at <= 1.2 * best.value_at).all()


def test_the_lists_of_runs_are_looked_through_once() -> None:
    """When they are made, and not again where they are given."""
    few, many = ({"1": [f"d{i}" for i in range(n)]} for n in (10, 1010))
    made = [[dm.Run.of("r", lists)] for lists in (few, many)]
    dm.load_runs(made[0], "file")  # what is imported and remembered once
    assert len({steps(lambda runs=runs: dm.load_runs(runs, "file")) for runs in made}) == 1
    more = steps(lambda: dm.Run.of("r", many)) - steps(lambda: dm.Run.of("r", few))
    assert more <= 4 * 1000  # lines for each document
