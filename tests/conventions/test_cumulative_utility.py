"""Normalised cumulative utility and 1-call on a list that can be worked by hand."""

from __future__ import annotations

import pytest

import divmetrics as dm

# Of three relevant documents, with grades 2, 1 and 1, the list has one at rank 2 and the best at rank 4. The
# ideal list has gained 2, 3, 4, 4, so the blended ratio is (1+1)/(2+3) at rank 2 and (2+3)/(4+4) at 4.
JUDGED = {"a": {"t": 2}, "b": {"t": 1}, "c": {"t": 1}, "x": {"t": 0}}
LIST = ["x", "b", "y", "a"]
FIRST, SECOND = 2 / 5, 5 / 8


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("O", FIRST),
        ("O(gain=exponential)", (1 + 1) / (2 + 4)),
        ("O@1", 0),
        ("NCUrb-BR", (FIRST + 0.95 * SECOND) / (1 + 0.95 + 0.95**2)),
        ("NCUrb-BR(alpha=0)", (FIRST + SECOND) / 3),  # every relevant document stops as many: Q
        ("NCUrb-BR(alpha=1)", FIRST),  # all stop at the first: O
        ("NCUrb-P", (1 / 2 + 0.95 * 2 / 4) / (1 + 0.95 + 0.95**2)),
        ("NCUrb-P@3", (1 / 2) / (1 + 0.95 + 0.95**2)),
        ("NCUrb-P(alpha=0)", (1 / 2 + 2 / 4) / 3),
        ("1-call@1", 0),
        ("1-call@2", 1),
        ("1-call", 1),
    ],
)
def test_worked_by_hand(name, score):
    assert dm.score(name, LIST, JUDGED) == pytest.approx(score, abs=1e-12)


def test_nothing_relevant_is_judged():
    """The stopping probabilities are those of no document, and the score is 0."""
    for name in ("O@5", "NCUrb-P@5", "NCUrb-BR@5", "1-call@5"):
        assert dm.score(name, ["x"], {"x": {"t": 0}}) == 0


@pytest.mark.parametrize("typed", ["Hit@5", "success@5", "O-measure@5"])
def test_other_words_are_answered_with_the_name(typed):
    with pytest.raises(dm.DivmetricsError, match=r"did you mean '(1-call|O)"):
        dm.metric(typed)
