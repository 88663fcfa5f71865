"""dm.score: one ranked list of ids, the score that evaluate gives it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from tests.support.strategies import quick

JUDGMENTS = {"d1": {"film": 1}, "d2": {"book": 1}}
METRICS = ["ERR-IA@3", "alpha-nDCG@3", "D#-nDCG", "Q-IA@5", "ndeval:ERR-IA@3", "ntcireval:D-Q@3", "P+Q#@5"]
DOCS = [f"d{i}" for i in range(8)]


@quick(25)
@given(
    ranking=st.lists(st.sampled_from(DOCS), unique=True),
    judgments=st.dictionaries(
        st.sampled_from(DOCS),
        st.dictionaries(st.sampled_from(["0", "1", "2", "10", "a"]), st.integers(-1, 3), min_size=1),
        min_size=1,
    ),
    scale=st.sampled_from([None, 4]),
    weighted=st.booleans(),
)
@pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")
def test_the_score_is_that_of_evaluate(ranking, judgments, scale, weighted):
    """To the last bit, whatever the grades, with and without probabilities, with subtopic 0 too."""
    probabilities = {"a": 0.5, "1": 0.125, "2": 0.125, "10": 0.125, "0": 0.125} if weighted else None
    topics = {"q": probabilities} if probabilities else None
    for metric in METRICS:
        frame = dm.evaluate(
            {"q": judgments}, {"q": ranking}, metric, topics, dm.metric(metric).convention,
            scale=scale, mean_over="judged",
        )  # fmt: skip
        assert dm.score(metric, ranking, judgments, probabilities, scale=scale) == frame["score"].item(), (
            metric
        )


def test_two_intents_by_hand():
    """ERR-IA: 1/2 of the film's user at rank 1, and of the book's at rank 3."""
    assert dm.score("ERR-IA@5", ["d1", "d3", "d2"], JUDGMENTS) == pytest.approx(0.5 * 0.5 + 0.5 * 0.5 / 3)
    weighted = dm.score(dm.metric("ERR-IA@5"), ("d1", "d3", "d2"), JUDGMENTS, {"film": 0.75, "book": 0.25})
    assert weighted == pytest.approx(0.75 * 0.5 + 0.25 * 0.5 / 3)
    assert dm.score(
        "S-recall@5", ["d1"], JUDGMENTS, {"film": 0.5, "book": 0.25, "play": 0.25}
    ) == pytest.approx(1 / 3)
    assert dm.score("ERR-IA@5", [1, 3], {1: {5: 1}}) == 0.5


def score(ranking=("d1",), judgments=JUDGMENTS, probabilities=None, metric="ERR-IA@5", **options):
    return dm.score(metric, ranking, judgments, probabilities, **options)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: score(["d1", "d2", "d1"]), ["'d1' stands at rank 1 and again at rank 3"]),
        (lambda: score(probabilities={"film": 1}), ["intent 'book'", "(film)"]),
        (lambda: score(probabilities={"flim": 0.5, "book": 0.5}), ["intent 'film'", "(flim, book)"]),
        (lambda: score(probabilities={"film": 0.5, "book": 0.4}), ["sum to 0.9"]),
        (lambda: score(probabilities={}), ["has no intent"]),
        (lambda: score(probabilities={"film": "half", "book": 0.5}), ["intent film", "'half'"]),
        (lambda: score(probabilities=[0.5, 0.5]), ["probabilities is [0.5, 0.5]"]),
        (lambda: score(judgments={}), ["name no intent"]),
        (lambda: score(judgments={"d1": 1}), ["document 'd1': has 1", "{intent: grade}"]),
        (lambda: score(judgments={"d1": {"a": 1.5}}), ["document 'd1'", "grade 1.5 of 'a'"]),
        (lambda: score(judgments={"d1": {None: 1}}), ["document 'd1'", "None"]),
        (lambda: score(judgments=[("d1", "a", 1)]), ["judgments is [('d1', 'a', 1)]"]),
        (lambda: score("d1"), ["a single text"]),
        (lambda: score({"d1"}), ["a set, which has no order"]),
        (lambda: score(["d1", None]), ["the document at rank 2 is None"]),
        (lambda: score(7), ["ranking is 7"]),
        (lambda: score(metric="P-IA"), ["P-IA@10"]),
        (lambda: score(metric="ERR-IAA"), ["did you mean 'ERR-IA'"]),
        (lambda: score(scale=0), ["scale is 0"]),
        (lambda: score(judgments={"d1": {"a": 3}}, scale=2), ["scale", "2", "3"]),
    ],
)
def test_what_is_refused_in_one_sentence(call: Callable[[], object], words: list[str]) -> None:
    with pytest.raises(dm.DivmetricsError) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "\n" not in str(caught.value)


def test_probabilities_that_sum_to_one_only_roughly_are_counted() -> None:
    with pytest.warns(dm.DivmetricsWarning, match=r"do not sum to exactly 1 .*0\.9995"):
        score(probabilities={"film": 0.4995, "book": 0.5})
