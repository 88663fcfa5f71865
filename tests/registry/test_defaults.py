"""An option for all metrics fills in what names leave open, and changes nothing that a name sets."""

from __future__ import annotations

import pytest

import divmetrics as dm

QRELS = {"q": {"d1": {"film": 1, "book": 1}, "d2": {"film": 1}, "d3": {"book": 1}, "d4": {"film": 1}}}
RUNS = {"A": {"q": ["d2", "d4", "d1", "d3"]}, "B": {"q": ["d4", "d2", "d3"]}}


def test_a_parameter_of_a_name_goes_before_an_option() -> None:
    with_option = dm.evaluate(QRELS, RUNS, ["alpha-nDCG(alpha=0.7)@3", "alpha-nDCG@3"], alpha=0.3)
    alone = dm.evaluate(QRELS, RUNS, ["alpha-nDCG(alpha=0.7)@3", "alpha-nDCG(alpha=0.3)@3"])
    assert with_option["score"].tolist() == alone["score"].tolist()
    assert alone["score"].nunique() == len(alone)


def test_a_warning_counts_the_other_runs_that_it_is_about() -> None:
    runs = {name: {"q": ["d1", *others]} for name, others in {"A": "uv", "B": "", "C": "uvw"}.items()}
    with pytest.warns(dm.DivmetricsWarning, match=r"run 'A' has 2 .*; likewise 1 other run\(s\), 5 in all"):
        dm.evaluate(QRELS, runs, "ERR-IA")
