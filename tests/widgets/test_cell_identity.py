"""Where a widget was made: what a browser knows it by when it is made again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from divmetrics_widgets import DisagreementFinder, HierarchyLab, Predict, RankedListLab, place


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """run(message, cell) begins to run a notebook's cell."""
    parent: dict[str, Any] = {}

    def begin(message: str, cell: str | None) -> None:
        metadata = {} if cell is None else {"cellId": cell}
        parent.update(header={"msg_id": message}, metadata=metadata)

    monkeypatch.setattr(place, "get_ipython", lambda: SimpleNamespace(get_parent=lambda: parent))
    return begin


def test_outside_a_notebook_a_widget_has_no_place() -> None:
    assert RankedListLab()._place == ""
    assert DisagreementFinder().lab._place == ""


def test_a_widget_has_the_place_of_the_one_that_the_same_cell_made_before(run: Any) -> None:
    def made() -> list[str]:
        tools = RankedListLab(), RankedListLab(), HierarchyLab(), Predict("Which?", ["A", "B"])
        return [tool._place for tool in tools]

    run("1", "here")
    first = made()
    assert len(set(first)) == 4
    run("2", "there")
    assert not set(made()) & set(first)
    run("3", "here")
    assert made() == first
    run("4", None)  # a message of a widget
    assert made() == [""] * 4


def test_a_widget_about_something_else_has_another_place(run: Any) -> None:
    run("1", "here")
    one = RankedListLab("harry potter")._place
    run("2", "here")
    assert RankedListLab("synthetic")._place != one


def test_the_lab_of_a_finder_has_a_place_of_its_own(run: Any) -> None:
    run("1", "here")
    finder, lab = DisagreementFinder(), RankedListLab()
    run("2", None)
    assert finder.lab._place not in ("", finder._place, lab._place)
