"""Lists as an answer: what their scores must be, told in Python and held for a page."""

from __future__ import annotations

import json
from typing import Any

import pytest

import divmetrics as dm
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics_widgets import Check

A = dm.datasets.harry_potter().list("A", "0083")
GOOD, POOR = ["d7", "d1", "d14"], ["d18", "d3", "d2"]


def of(docs: list[str], name: str) -> str:
    return f"{dm.metric(name).score(A.reordered(docs)):.4f}"


def description(test: Any) -> dict[str, Any]:
    """What a page holds of a check."""
    html = Check(..., test, "So it is.")._in_book()
    return json.loads(html.split('<script type="application/json">')[1].removesuffix("</script>"))


def test_the_first_rule_that_is_broken_is_told():
    both = Check.lists(
        A,
        {"yours": 3},
        Check.rule("yours", "ERR-IA@3", ">", 0.4),
        Check.rule("yours", "S-recall@3", ">=", A, "{left} is below {right}"),
    )
    assert repr(Check(GOOD, both, "So it is.")) == "right: So it is."
    assert repr(Check("d7 d1 d14", both)) == repr(Check(tuple(GOOD), both)) == "right"
    assert both(POOR) == f"ERR-IA@3 of yours is {of(POOR, 'ERR-IA@3')}, expected > 0.4"
    rich = A.reordered(GOOD, run="rich")
    above = Check.lists(A, {"yours": 3}, Check.rule("yours", "S-recall@3", ">=", rich, "{left} < {right}"))
    assert above(POOR) == f"{of(POOR, 'S-recall@3')} < {of(GOOD, 'S-recall@3')}"


@pytest.mark.parametrize(
    ("relation", "holds"), [(">", "+"), (">=", "+0"), ("=", "0"), ("<=", "-0"), ("<", "-")]
)
def test_relations_are_those_of_scores_that_rounding_does_not_part(relation, holds):
    score = dm.metric("ERR-IA@3").score(A.reordered(GOOD))
    for sign, limit in {"+": score - 0.01, "0": score + 1e-15, "-": score + 0.01}.items():
        test = Check.lists(A, {"yours": 3}, Check.rule("yours", "ERR-IA@3", relation, limit))
        assert (test(GOOD) is True) == (sign in holds), sign


def test_a_rule_names_what_it_compares():
    sentences = {
        ("first", ">", "second"): "ERR-IA@3 of first is {left}, that of second {right}",
        ("first", "<", A): "ERR-IA@3 of first is {left}, that of A {right}",
        ("first", "=", ("first", "S-recall@3")): "ERR-IA@3 of first is {left}, S-recall@3 {right}",
        ("first", "=", ("second", "S-recall@3")): "ERR-IA@3 of first is {left}, S-recall@3 of second {right}",
        ("first", ">=", 0.25): "ERR-IA@3 of first is {left}, expected >= 0.25",
    }
    for (name, relation, than), sentence in sentences.items():
        assert Check.rule(name, "ERR-IA@3", relation, than).otherwise == sentence


def test_so_many_times_another_score():
    high, low = (float(of(docs, "ERR-IA@3")) for docs in (GOOD, POOR))
    for times, right in ((0.9 * high / low, True), (1.1 * high / low, False)):
        test = Check.lists(
            A, {"a": 3, "b": 3}, Check.rule("a", "ERR-IA@3", ">=", "b", times=times), together=""
        )
        assert Check((GOOD, POOR), test).right is right


def test_so_much_more_than_another_score():
    more = float(of(GOOD, "ERR-IA@3")) - float(of(POOR, "ERR-IA@3"))
    for off, right in ((-0.001, True), (0.001, False)):
        test = Check.lists(A, {"a": 3, "b": 3}, Check.rule("a", "ERR-IA@3", ">=", "b", more=more + off))
        assert Check((A.reordered(GOOD), POOR), test).right is right


def test_a_page_holds_the_rules_and_no_scores_of_given_lists_but_these():
    test = Check.lists(
        A,
        {"first": (1, 2), "second": 2},
        Check.rule("first", "ERR-IA@3", ">", A),
        Check.rule("second", "ERR-IA@3", "<", ("first", "Prec@2"), times=2),
    )
    held = description(test)
    tables = held["tables"]
    assert [name["name"] for name in held["traits"]["_fields"]] == ["first", "second"]
    assert tables["right"] == ["right", "So it is."]
    assert tables["none"] == ["not answered yet", ""]
    assert [(rule["left"], rule["holds"], rule["times"]) for rule in tables["rules"]] == [
        ([0, 0], [1], 1),
        ([1, 0], [-1], 2),
    ]
    assert tables["rules"][0]["right"] == dm.metric("ERR-IA@3").score(A)
    assert tables["rules"][1]["right"] == [0, 1]
    assert [sorted(of_lengths) for of_lengths in tables["scores"]] == [["1", "2"]] * 2
    assert (
        description(Check.lists(A, {"yours": 2}, Check.rule("yours", "ERR-IA@3", ">", A)))["traits"][
            "_fields"
        ]
        == []
    )


@pytest.mark.parametrize(
    "answer",
    [
        *(5, ["d1"], ["d1", "d1", "d2"], ["d1", "d2", 3], ["d1", "d2", "d99"], "d1, d2", {"d1": 1}),
        *({"d1", "d2", "d3"}, [["d1"], ["d2"], ["d3"]], ["d1", "d2", "d3", "d4"], ["d2", "d3", "d1"]),
    ],
)
def test_non_lists_get_the_expected_form(answer):
    test = Check.lists(
        A,
        {"yours": 3},
        Check.rule("yours", "ERR-IA@3", ">", 0),
        docs=["d1", "d2", "d3", "d4"],
        but=["d3", "d1", "d2"],
    )
    assert Check(answer, test).reason == (
        "expected 3 documents, best first and none of them twice, of these: d1 d2 d3 d4; "
        "not these together: d1 d2 d3"
    )


def test_lists_that_belong_together():
    more, same = (
        Check.lists(
            A,
            {"a": (1, 3), "b": (1, 3)},
            Check.rule("a", "ERR-IA@3", ">=", 0),
            docs=["d1", "d2", "d3"],
            together=how,
        )
        for how in ("one more", "same documents")
    )
    assert Check((["d1"], ["d1", "d2"]), more).right
    assert Check((["d1", "d2"], ["d2", "d1"]), same).right
    for answer in ((["d1"], ["d2", "d1"]), (["d1"], ["d1"]), (["d1"], ["d1", "d2", "d3"])):
        assert Check(answer, more).reason.endswith(
            "; each list is the one before with one document added at its end"
        )
    assert Check((["d1", "d2"], ["d1", "d3"]), same).reason == (
        "expected a (1 to 3 documents) and b (1 to 3 documents), best first and none of them twice, "
        "of these: d1 d2 d3; the lists hold the same documents"
    )


def test_a_metric_whose_every_list_is_too_much_for_a_page_is_refused_where_one_is_made(monkeypatch):
    monkeypatch.setattr("divmetrics.notebook.offline.permutation_tables.ENTRIES", 10)
    test = Check.lists(A, {"yours": 3}, Check.rule("yours", "ERR-IA@3", ">", 0.1))
    assert test(GOOD) is True
    with pytest.raises(
        DivmetricsError, match="ERR-IA@3 makes of every list of 3 documents is more than a page"
    ):
        Check(..., test)._in_book()


def rule(*given: Any, **more: Any) -> Any:
    return Check.rule(*(given or ("yours", "ERR-IA@3", ">", 0.5)), **more)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: rule("yours", "ERR-IA@3", "above", 0.5),
            "the relation is 'above', expected one of >, >=, =, <=, <",
        ),
        (lambda: rule("yours", "ERR-IO@3", ">", 0.5), "ERR-IO"),
        (lambda: rule("yours", "ERR-IA@3", ">", None), "than is None"),
        (lambda: rule(more="less"), "more is 'less'"),
        (
            lambda: rule("yours", "ERR-IA@3", ">", 0.5, "{left:.2f}"),
            "has other braces than {left} and {right}",
        ),
        (lambda: rule(times="three"), "times is 'three'"),
        (lambda: Check.lists(A, {"first": 3}, rule()), "a rule is about 'yours', expected one of first"),
        (lambda: Check.lists(A, {"yours": 3}), "and one rule"),
        (lambda: Check.lists(A, {}, rule()), "the size of one list"),
        (lambda: Check.lists(A, {"yours": 0}, rule()), "the size of yours is 0"),
        (lambda: Check.lists(A, {"yours": (3, 2)}, rule()), "the size of yours is 2"),
        (lambda: Check.lists(A, {"yours": 19}, rule()), "yours holds 19 documents, but there are 18"),
        (lambda: Check.lists(A, {"yours": 1}, rule(), docs=["a b"]), "'a b' is not one word"),
        (lambda: Check.lists(A, {"yours": 1}, rule(), together="alike"), "together is 'alike'"),
    ],
)
def test_what_can_be_no_test_of_lists_is_refused(make, sentence):
    with pytest.raises(DivmetricsError, match=sentence):
        make()


def test_a_metric_of_ones_own_is_no_name():
    own: BaseMetric = dm.metric("ERR-IA@3")
    assert Check.rule("yours", own, ">", 0).left == ("yours", own)
