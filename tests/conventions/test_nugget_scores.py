"""Scores of nuggets: the laws of the best grade so far, the tools' numbers, and how their names differ."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import divmetrics as dm
from divmetrics.core.batch import Batch, make_batch
from divmetrics.explanations.catalogue import table_of_differences
from divmetrics.notebook.expressions.parse_metric import write_metric
from divmetrics.parts import (
    AtLeast,
    BestSoFar,
    Credit,
    FirstCover,
    Importance,
    Linear,
    Log2,
    One,
    Probability,
    TotalWeight,
)
from divmetrics.registry.suggest import suggest_name
from tests.support.refused_files import written
from tests.support.strategies import Sample, quick, samples

FRESHSTACK = json.loads(
    Path(__file__).parents[1].joinpath("io", "freshstack.json").read_text(encoding="utf-8")
)


def batch_of(sample: Sample) -> Batch:
    return make_batch(sample.collection())


@quick(60)
@given(samples())
def test_the_best_grade_so_far_telescopes(sample: Sample) -> None:
    """The sum down to rank k is the best value of the first k documents."""
    batch = batch_of(sample)
    for value in (Linear(), Credit(), AtLeast()):
        down_to_k = np.cumsum(BestSoFar(value)(batch), axis=-1)
        assert down_to_k == pytest.approx(np.maximum.accumulate(value(batch), axis=-1), abs=1e-12)


@quick(60)
@given(samples())
def test_at_grade_1_it_is_the_first_cover(sample: Sample) -> None:
    batch = batch_of(sample)
    assert BestSoFar(AtLeast(1))(batch).tolist() == FirstCover()(batch).tolist()


@quick(40)
@given(samples())
def test_it_is_the_best_page_of_lesson_23(sample: Sample) -> None:
    text = "M = max(grade - before_max(grade), 0)\nw = 1 / log2(rank + 1)\nf = probability"
    best_page = write_metric("best-page", text).metric
    row = dm.Metric("mine", N=One(), f=Probability(), w=Log2(), M=BestSoFar())
    batch = batch_of(sample)
    assert row.scores(batch) == pytest.approx(best_page.scores(batch), abs=1e-9)


@quick(60)
@given(samples())
def test_a_list_of_sentences_scores_as_its_best_labels(sample: Sample) -> None:
    """V and W of a list, computed nugget by nugget from the best grade and the importance."""
    collection = sample.collection()
    labels = ("vital", "okay", "other", "")
    pools = {}
    for t, judged in collection.pools.items():
        intents = tuple(
            dm.Intent(intent.id, intent.probability, importance=labels[i % 4])
            for i, intent in enumerate(judged.topic.intents)
        )
        pools[t] = dm.Judgments(dm.Topic(t, intents), judged.docs, judged.grades, None, judged.scale)
    collection = dm.Collection(pools, collection.runs)
    batch = make_batch(collection)
    for name, okay in (("V", 0), ("V_strict", 0), ("W", 0.5), ("W_strict", 0.5)):
        ours = dm.metric(f"nuggetizer:{name}").scores(batch)
        for t, topic in enumerate(collection.topics):
            weights = [{"vital": 1, "": 1, "okay": okay}.get(i.importance, 0) for i in topic.intents]
            best = batch.linear[t].max(axis=-1, initial=0)[:, : len(weights)]
            value = best >= 2 if name.endswith("strict") else np.minimum(best / 2, 1)
            expected = value @ np.array(weights) / max(sum(weights), 1e-300)
            assert ours[t] == pytest.approx(expected, abs=1e-12)


def test_names_of_the_track_and_of_the_files() -> None:
    for written_name, name in (
        ("Vital Strict", "V_strict"),
        ("strict_vital_score", "V_strict"),
        ("V-strict", "V_strict"),
        ("vital_score", "V"),
        ("All", "A"),
        ("strict all", "A_strict"),
        ("Weighted", "W"),
        ("strict_weighted_score", "W_strict"),
        ("weighted coverage", "W_strict"),
    ):
        assert str(dm.metric(f"nuggetizer:{written_name}")) == f"nuggetizer:{name}"
    with pytest.raises(dm.DivmetricsError, match="'nuggetizer:V_strict'"):
        dm.metric("V_strict")


def test_freshstack_is_made_of_rows_of_two_conventions() -> None:
    assert dm.metric("freshstack:alpha-nDCG@10") == dm.metric("ndeval:alpha-nDCG@10")
    assert dm.metric("freshstack:Coverage@20") == dm.metric("S-recall@20").with_name("Coverage")
    with pytest.raises(dm.DivmetricsError, match="'freshstack:Recall@50'"):
        dm.metric("Recall@50")
    assert suggest_name("Recall@50") == "freshstack:Recall@50"


def test_one_query_of_freshstack() -> None:
    """Nugget 3 has no relevant document: it counts in Coverage, not in strec; the package's numbers."""
    topic = dm.Topic("q", tuple(dm.Intent(i, 1 / 3) for i in "123"))
    collection = dm.Collection.of([topic], {"q": {"d1": {"1": 1}, "d2": {"2": 1}}}, {"r": {"q": ["d1", "x"]}})
    names = ["freshstack:Coverage@10", "freshstack:alpha-nDCG@10", "freshstack:Recall@50", "ndeval:strec@10"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # x was never judged
        scores = dm.evaluate(collection, None, names).score.tolist()
    assert scores == pytest.approx([1 / 3, 0.6131471927654585, 1 / 2, 1 / 2], abs=1e-15)


@pytest.mark.parametrize("case", ["distinct", "prefix"])
def test_the_means_of_the_package_freshstack(tmp_path: Path, case: str) -> None:
    golden: dict[str, Any] = FRESHSTACK[case]
    rows = written(tmp_path, "".join(json.dumps(row) + "\n" for row in golden["rows"]), "queries.jsonl")
    run = written(tmp_path, json.dumps(golden["results"]), "results.json")
    names = [f"{name}@{k}" for name in ("alpha-nDCG", "Coverage") for k in (5, 10, 20)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dm.DivmetricsWarning)  # of a query without a list
        means = dm.evaluate(rows, run, names, convention="freshstack", mean=True).loc["results"]
    assert dict(means) == pytest.approx(golden["scores of own nuggets"], abs=0.5e-4 + 1e-9)


@pytest.mark.filterwarnings("ignore::divmetrics.DivmetricsWarning")  # of the topic without a list
@pytest.mark.parametrize(
    ("names", "mean"),
    [
        (["nuggetizer:A"], 1.0),
        (["nuggetizer:A", "nuggetizer:V"], 1.0),
        (["nuggetizer:A", "crux:Cov"], 0.5),
        (["nuggetizer:A", "S-recall"], 0.5),
    ],
)
def test_the_mean_is_over_answered_topics_if_all_metrics_are_of_one_such_tool(
    names: list[str], mean: float
) -> None:
    topics = [dm.Topic(t, (dm.Intent("1", 1.0, importance="vital"),)) for t in "qr"]
    collection = dm.Collection.of(topics, {t: {"d": {"1": 5}} for t in "qr"}, {"a": {"q": ["d"]}})
    assert dm.evaluate(collection, None, names, mean=True).to_numpy().tolist() == [[mean] * len(names)]


@quick(60)
@given(samples())
def test_recall_counts_documents_relevant_to_any_nugget(sample: Sample) -> None:
    collection = sample.collection()
    recall = dm.metric("freshstack:Recall@3")
    for name in collection.runs:
        for topic, judged in collection.pools.items():
            relevant = {judged.docs[int(i)] for i in judged.relevant}
            ranked = collection.list(name, topic)
            share = len(relevant & set(ranked.docs[:3])) / max(len(relevant), 1)
            assert recall.score(ranked) == pytest.approx(share, abs=1e-12)


def test_six_scores_of_one_name_differ() -> None:
    """Grades of four nuggets: 5, 3, 1 and none; and a nugget for which no document is relevant."""
    topic = dm.Topic("q", tuple(dm.Intent(i, 0.25, importance="vital") for i in "1234"))
    judgments = {"d": {"1": 5, "2": 3, "3": 1}}
    collection = dm.Collection.of([topic], {"q": judgments}, {"r": {"q": ["d"]}})
    expected = {
        "ndeval:strec": 1.0,
        "freshstack:Coverage": 0.75,
        "webis:vital_and_okay": 0.75,
        "nuggetizer:A": 2.5 / 4,
        "nuggetizer:A_strict": 0.5,
        "crux:Cov": 0.5,
        "rubric:NUGGET_COVERAGE": 0.5,
        "rubric:COVERED_COUNT": 2.0,
        "rubric:AVG_GRADE": 9 / 4,
    }
    frame = dm.evaluate(collection, None, list(expected))
    assert dict(zip(frame.metric, frame.score, strict=True)) == pytest.approx(expected)
    table = table_of_differences()
    assert all(name in table for name in expected)


def test_the_weights_of_importance_may_be_changed() -> None:
    row = dm.metric("nuggetizer:W(okay=0.25)")
    assert row == dm.metric("nuggetizer:W").with_parameters(okay=0.25)
    assert (row.f, row.N) == (Importance(okay=0.25), TotalWeight())
