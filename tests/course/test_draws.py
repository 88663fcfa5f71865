"""Choosing the data that students may get."""

from __future__ import annotations

from types import ModuleType

import pytest

from course.grading import data_draws, ps1


def test_choosing_takes_the_first_that_fit_and_says_every_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("data")
    module.drawn = lambda number: number  # type: ignore[attr-defined] # as an assignment's module has it
    monkeypatch.setattr(data_draws, "separates_all", lambda assignment, data: data % 2 == 1)
    said: list[str] = []
    assert data_draws.accepted_numbers(ps1.ASSIGNMENT, module, 200, said.append) == tuple(range(1, 400, 2))
    assert said == ["  100 of 200"]
