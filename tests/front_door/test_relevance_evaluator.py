"""Code written against pytrec_eval or pyndeval: the same calls, the numbers of `evaluate` and of pyndeval."""

from __future__ import annotations

import random
import re
from typing import Any

import pyndeval
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import divmetrics as dm
from tests.support.strategies import Sample, quick, samples

QRELS = {"1": {"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": {"y": 0}}, "2": {"a": {"x": 1}}}
RUN = {"1": {"a": 1.0, "b": 2.0, "c": 3.0}, "2": {"a": 1.0}}
EVERY = {
    *(f"{name}@{k}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG") for k in (2, 5, 20)),
    *(f"{name}@{k}" for name in ("P-IA", "strec") for k in (1, 2, 5, 20)),
    *("NRBP", "nNRBP", "MAP-IA"),
}
ignored = pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")


def rows_of(sample: Sample) -> tuple[list[tuple[str, str, str, int]], list[tuple[str, str, float]]]:
    qrels = [
        (topic, intent, doc, grade)
        for topic, docs in sample.judgments.items()
        for doc, labels in docs.items()
        for intent, grade in labels.items()
    ]
    lists = sample.runs["A"].items()
    return qrels, [(topic, doc, -float(k)) for topic, docs in lists for k, doc in enumerate(docs)]


@ignored
@quick(60)
@given(
    samples(top=2, scale=False, navigational=False, most_intents=5, most_runs=1),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.sampled_from([0.3, 0.5]),
    st.integers(1, 2),
)
def test_the_numbers_of_pyndeval(sample: Sample, alpha: float, beta: float, level: int) -> None:
    """Two of its faults are not asked for: cutoff 1 of two measures, and nan where nothing is relevant."""
    qrels, run = rows_of(sample)
    if not run:
        return
    options = {"relevance_level": level, "alpha": alpha, "beta": beta}
    theirs = pyndeval.RelevanceEvaluator(qrels, EVERY, **options).evaluate(run)
    ours = dm.RelevanceEvaluator(qrels, EVERY, **options).evaluate(run)
    assert ours.keys() == theirs.keys()
    for topic, scores in theirs.items():
        assert ours[topic].keys() == scores.keys()
        if any(row[0] == topic and row[3] >= level for row in qrels):
            assert ours[topic] == pytest.approx(scores, abs=1e-9)
        else:
            assert set(ours[topic].values()) == {0.0}


@ignored
@quick(30)
@given(samples(most_runs=1, scale=False))
def test_the_numbers_of_evaluate(sample: Sample) -> None:
    """A name of ndeval's means ndeval's number, any other the paper's.

    Topics that the run does not answer are not looked at, so that sums may be added up in another order.
    """
    qrels, run = rows_of(sample)
    random.Random(len(run)).shuffle(run)
    if not run:
        return
    names = {"ERR-IA@5", "strec@30", "D#-nDCG@5", "paper:ERR-IA@5", "ntcireval:D#-nDCG@5", "RBU@5"}
    results = dm.RelevanceEvaluator(qrels, names, topics=sample.topics).evaluate(run)
    for name in names:
        convention = "ndeval" if name in ("ERR-IA@5", "strec@30") else "paper"
        scores = dm.evaluate(qrels, [run], name, sample.topics, convention, order="score", mean_over="both")
        expected = dict(zip(scores["topic"], scores["score"], strict=True))
        assert {t: values[name] for t, values in results.items()} == pytest.approx(expected, abs=1e-12)


def test_the_columns_of_ndeval_are_the_default() -> None:
    (scores,) = dm.RelevanceEvaluator(QRELS).evaluate({"2": {"a": 1.0}}).values()
    assert set(scores) == set(pyndeval.DEFAULT_MEASURES)
    assert list(dm.RelevanceEvaluator(QRELS, ["strec@2", "D-nDCG@2", "NRBP"]).evaluate(RUN)["1"]) == [
        "strec@2", "D-nDCG@2", "NRBP",
    ]  # fmt: skip


def test_the_call_of_pytrec_eval() -> None:
    """The same dict of a run goes into both; a topic that the run does not answer is not there."""
    adhoc = {t: {doc: max(labels.values()) for doc, labels in docs.items()} for t, docs in QRELS.items()}
    theirs = pytrec_eval.RelevanceEvaluator(adhoc, {"P_5"}).evaluate({"2": RUN["2"]})
    assert (
        dm.RelevanceEvaluator(QRELS, {"strec@5"}).evaluate({"2": RUN["2"]}).keys() == theirs.keys() == {"2"}
    )


def test_equal_scores_are_ordered_as_in_trec_eval() -> None:
    tied = {"1": dict.fromkeys("abc", 1.0)}
    with pytest.warns(dm.DivmetricsWarning, match="tied scores, which are ordered by descending document id"):
        ours = dm.RelevanceEvaluator(QRELS, {"strec@1"}).evaluate(tied)
    assert ours == {"1": {"strec@1": 0.0}}  # c comes first
    rows = [("1", doc, 1.0) for doc in "abc"]
    qrels = [
        (t, i, doc, g) for t, docs in QRELS.items() for doc, grades in docs.items() for i, g in grades.items()
    ]
    assert pyndeval.RelevanceEvaluator(qrels, {"strec@1"}).evaluate(rows) == {"1": {"strec@1": 0.5}}  # a does


def test_rows_of_a_topic_need_not_stand_together() -> None:
    rows = [("1", "b", 2.0), ("2", "a", 1.0), ("1", "a", 3.0)]
    evaluator = dm.RelevanceEvaluator(QRELS, {"strec@2", "alpha-nDCG@2"})
    assert evaluator.evaluate(rows) == evaluator.evaluate(sorted(rows)) == evaluator.evaluate(iter(rows))


def test_only_judged_documents() -> None:
    evaluator = dm.RelevanceEvaluator(QRELS, {"strec@1"}, judged_docs_only_flag=True)
    run = {"1": {"u": 9.0, "b": 2.0}, "2": {"u": 1.0}}
    assert evaluator.evaluate(run) == {"1": {"strec@1": 1.0}, "2": {"strec@1": 0.0}}
    with pytest.warns(dm.DivmetricsWarning, match="never judged"):
        plain = dm.RelevanceEvaluator(QRELS, {"strec@1"}).evaluate(run)
    assert plain == {"1": {"strec@1": 0.0}, "2": {"strec@1": 0.0}}


@ignored
def test_topics_are_spelled_as_in_the_judgments() -> None:
    qrels = [("wt09-1", "x", "a", 1), ("wt09-2", "x", "a", 1)]
    assert list(dm.RelevanceEvaluator(qrels, ["strec@1"]).evaluate({"1": {"a": 1.0}})) == ["wt09-1"]
    numbers = {7: {"a": {1: 1}}}
    assert dm.RelevanceEvaluator(numbers, ["strec@1"]).evaluate({7: {"a": 1.0}}) == {7: {"strec@1": 1.0}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((QRELS, {"map"}), "there is no metric 'map' in convention 'paper'"),
        ((QRELS, 5), "measures is 5, expected names such as {'alpha-nDCG@20'}"),
        ((QRELS, set()), "no metric was asked for"),
        ((QRELS, {"strec"}, 0), "the relevance level is 0, expected a whole number of at least 1"),
        (({"1": {"a": 1}}, {"strec"}), "judgments: no judgment names its subtopic"),
    ],
)
def test_judgments_or_measures_that_cannot_be_used(arguments: Any, message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        dm.RelevanceEvaluator(*arguments)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"9": {"a": 1.0}}, "run 'run' has no topic in common with the judgments"),
        ({"A": RUN, "B": RUN}, "2 runs were given; give one at a time"),
        ({}, "run: is empty; expected at least one row"),
    ],
)
def test_runs_that_cannot_be_used(run: Any, message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        dm.RelevanceEvaluator(QRELS, {"strec@5"}).evaluate(run)
