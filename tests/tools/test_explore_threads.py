"""The explorer of threads: a little of it, and that it notices an answer that is not like the others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tools.explore import Effort, threads

pytestmark = pytest.mark.slow


def test_short_exploration_finds_nothing():
    (names, left) = threads.explore(Effort(1, 0, only="names"))
    assert [names.failure, left.failure] == ["", ""]
    assert names.examples == threads.THREADS * threads.LAPS


def test_an_answer_like_no_other_is_found(monkeypatch):
    def answers(folder, seed, count, only):
        other = {"other": [1, "0.25"]} if count > 1 and seed == 7 else {}
        return {"scores": {"one": [count - len(other), "0.5"], **other}}

    monkeypatch.setattr(threads, "_in_a_process", answers)
    assert [each.failed for each in threads.explore(Effort(2, 1))] == [False]
    (scores,) = threads.explore(Effort(3, 5))
    assert scores.failure == "round 2: alone ['0.5']\nin eight threads ['0.25']"
    assert scores.examples == 3 * threads.THREADS


def test_a_process_that_dies_is_found(monkeypatch, tmp_path):
    monkeypatch.setattr(threads.sys, "executable", "false")
    assert [each.failed for each in threads.explore(Effort(1, 0))] == [True]


def test_every_bit_counts():
    table = pd.DataFrame({"run": ["A"], "score": [0.1]})
    for one, other in (
        (0.3, 0.1 + 0.2),
        (np.array([0.3]), np.array([0.1 + 0.2])),
        (np.zeros(2), np.zeros((2, 1))),
        (table, table.assign(score=np.nextafter(0.1, 1))),
        ([table, "a"], [table, "b"]),
        ({"a": 1}, {"a": 1.0}),
    ):
        assert threads.bits(one) == threads.bits(one)
        assert threads.bits(one) != threads.bits(other)
