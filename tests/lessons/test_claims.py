"""Every conclusion of a lesson is tried under other choices, and what is no trial is noticed."""

from __future__ import annotations

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from tests.support.lessons import code, words
from tools.claims import broken_claims, without_claim

LESSON = "04"
TAKEAWAYS = ["Order counts. <!-- claim: order -->"]
SUMMARY = words("## Summary\n\n1. Order counts. <!-- claim: order -->\n\nNext: more.")
TRIAL = code("assert sorted(scores) != scores", claim="order")


def made(*cells: NotebookNode) -> NotebookNode:
    return new_notebook(cells=list(cells))


def test_a_lesson_whose_claims_are_tried_breaks_nothing() -> None:
    assert list(broken_claims(LESSON, TAKEAWAYS, made(TRIAL, SUMMARY))) == []
    assert list(broken_claims("B", ["No claim."], made(words("## Summary\n\n1. One.")))) == []


@pytest.mark.parametrize(
    ("takeaways", "cells", "complaint"),
    [
        (["Order counts."], [TRIAL, SUMMARY], "the conclusion 'Order counts.' does not end with"),
        (["Order. <!-- claim: order --> Or not."], [TRIAL, SUMMARY], "does not end with"),
        (TAKEAWAYS, [TRIAL, words("## Summary\n\n1. Order counts.")], "the conclusion '1. Order counts.'"),
        (TAKEAWAYS, [SUMMARY], "no cell has the claim 'order' in its metadata"),
        (TAKEAWAYS, [TRIAL, SUMMARY, words("**So.** <!-- claim: so -->")], "no cell has the claim 'so'"),
        (TAKEAWAYS, [code("scores", claim="order"), SUMMARY], "cell 1 tries the claim 'order' and asserts"),
        (TAKEAWAYS, [words("assert True", claim="order"), SUMMARY], "'order' and asserts nothing"),
        (TAKEAWAYS, [code("# assert", claim="order"), SUMMARY], "'order' and asserts nothing"),
        (TAKEAWAYS, [TRIAL, code("assert x", claim="y"), SUMMARY], "'y', which no sentence names"),
    ],
)
def test_what_is_not_tried_is_noticed(
    takeaways: list[str], cells: list[NotebookNode], complaint: str
) -> None:
    complaints = list(broken_claims(LESSON, takeaways, made(*cells)))
    assert any(complaint in each for each in complaints), complaints


def test_the_comment_is_no_part_of_the_sentence() -> None:
    assert without_claim("Order counts. <!-- claim: order -->") == "Order counts."
    assert without_claim("Order <!-- counts -->.") == "Order <!-- counts -->."
