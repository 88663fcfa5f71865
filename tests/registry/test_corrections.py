"""A metric's name that somebody typed with a slip leads to the one that was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from divmetrics.registry.parse import metrics
from divmetrics.registry.suggest import suggest_name
from tests.support.strategies import quick


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("err-ia@5", "ERR-IA@5"),
        ("ERR IA @ 7", "ERR-IA@7"),
        ("err ia", "ERR-IA@5"),
        ("ERRIA@20", "ERR-IA@20"),
        ("ERR-AI@20", "ERR-IA@20"),
        ("ndcg 10", "nDCG@10"),
        ("alpha_ndcg (alpha=0.3)", "alpha-nDCG(alpha=0.3)@5"),
        ("alpha-ndcg(alpha=2)@10", "alpha-nDCG@10"),
        ("precision", "Prec@5"),
        ("P", "Prec@5"),
        ("recall@10", "freshstack:Recall@10"),
        ("map", "AP@5"),
        ("mrr@10", "RR@10"),
        ("Coverage@20", "S-recall@20"),
        ("d# ndcg", "D#-nDCG@5"),
        ("d ndcg", "D-nDCG@5"),
        ("p+q", "P+Q@5"),
        ("err-is@3", "ERR-IS@3"),
        ("ERR-IA@0", "ERR-IA@5"),
        ("ndeval:err-ia", "ndeval:ERR-IA@5"),
        ("xyzzy", None),
        ("nope:ERR-IA", None),
        ("", None),
        ("@5", None),
        ("(", None),
        ("x" * 100, None),
    ],
)
def test_what_was_meant(typed: str, meant: str | None) -> None:
    assert suggest_name(typed, cutoff=5) == meant


def test_a_convention_has_its_own_names() -> None:
    assert suggest_name("coverage", "ndeval", 20) == "strec@20"
    assert suggest_name("map ia", "ndeval") == "MAP-IA"


@quick(100)
@given(typed=st.text(max_size=30) | st.sampled_from([name.upper() for name in metrics()]))
def test_it_can_always_be_read(typed: str) -> None:
    meant = suggest_name(typed, cutoff=10)
    if meant is not None:
        assert str(dm.metric(meant)) == meant


@pytest.mark.parametrize("convention", ["paper", "ndeval", "ntcireval"])
def test_a_name_in_capitals_is_that_name(convention: str) -> None:
    """But where two differ in their letters' size alone."""
    known = metrics(convention)
    folded = [name.casefold() for name in known]
    for name in known:
        if folded.count(name.casefold()) == 1:
            assert suggest_name(name.upper(), convention) == name


def test_the_refusal_says_it() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"no metric 'precision' .*did you mean 'Prec'\?"):
        dm.metric("precision@5")
