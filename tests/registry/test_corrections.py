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
        ("a-nDCG@10", "alpha-nDCG@10"),
        ("nDCG-\u03b1@10", "alpha-nDCG@10"),
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
def test_suggested_names(typed: str, meant: str | None) -> None:
    assert suggest_name(typed, cutoff=5) == meant


@pytest.mark.parametrize(
    ("in_papers", "name"),
    [
        ("\u03b1-nDCG(\u03b1=0.3)@5", "alpha-nDCG(alpha=0.3)@5"),
        ("\U0001d6fc-nDCG@5", "alpha-nDCG@5"),
        ("NRBP(\u03b2=0.8)", "NRBP(beta=0.8)"),
        ("D\u266f-nDCG(\u03b3=0.2)@5", "D#-nDCG(gamma=0.2)@5"),
        ("IA-nDCG@5", "nDCG-IA@5"),
        ("IA-P@5", "P-IA@5"),
        ("ndeval:MAP\u2010IA", "ndeval:MAP-IA"),
        ("I-Recall@5", "S-recall@5"),
    ],
)
def test_names_of_papers_are_read(in_papers: str, name: str) -> None:
    assert dm.metric(in_papers) == dm.metric(name)


def test_a_convention_has_its_own_names() -> None:
    assert suggest_name("coverage", "ndeval", 20) == "strec@20"
    assert suggest_name("map ia", "ndeval") == "MAP-IA"


@quick(100)
@given(typed=st.text(max_size=30) | st.sampled_from([name.upper() for name in metrics()]))
def test_suggestions_parse(typed: str) -> None:
    meant = suggest_name(typed, cutoff=10)
    if meant is not None:
        assert str(dm.metric(meant)) == meant


@pytest.mark.parametrize("convention", ["paper", "ndeval", "ntcireval"])
def test_a_name_in_capitals_is_that_name(convention: str) -> None:
    """But where two differ in their letters' size alone."""
    names = metrics(convention)
    folded = [name.casefold() for name in names]
    for name in names:
        if folded.count(name.casefold()) == 1:
            assert suggest_name(name.upper(), convention) == name


def test_errors_contain_the_suggestion() -> None:
    with pytest.raises(dm.DivmetricsError, match=r"no metric 'precision' .*did you mean 'Prec'\?"):
        dm.metric("precision@5")
