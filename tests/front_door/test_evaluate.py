"""evaluate: what it takes, what it gives back, and how much it works on at once."""

from __future__ import annotations

import inspect
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given

import divmetrics as dm
from divmetrics import evaluate as evaluate_function
from divmetrics.evaluation import Options, score_runs
from tests.support.reference import METRICS as REFERENCE
from tests.support.reference import cases_of
from tests.support.strategies import cutoffs, quick, samples

# What is counted in warnings is asked for in test_bad_input.py.
pytestmark = pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")

METRICS = ["ERR-IA@5", "alpha-nDCG@5", "D#-Q@3", "RBU@4", "nDCG-IA", "P+Q#@5", "ndeval:ERR-IA@5"]


@quick(25)
@given(samples(levels=2, most_runs=3, most_topics=3))
def test_small_blocks_change_nothing(sample):
    """Working on one list at a time gives the very scores of working on all at once."""
    import sys

    import divmetrics.evaluation  # noqa: F401  (the module, which the function of its name hides)

    module = sys.modules["divmetrics.evaluation"]
    collection = sample.collection()
    metrics = [*METRICS, "ERR-IS@5", "alpha-nDCG-IS@3"]
    if not any(topic in collection.pools for run in collection.runs.values() for topic in run.spans):
        return
    if any(not any(t in collection.pools for t in run.spans) for run in collection.runs.values()):
        return
    with pytest.MonkeyPatch.context() as patch:
        whole = score_runs(collection, None, metrics)
        patch.setattr(module, "CELLS", 1)
        pieces = score_runs(collection, None, metrics)
    assert np.allclose(whole.values, pieces.values, rtol=0, atol=1e-12)


def test_the_options_are_the_keywords_of_evaluate():
    """The same names, types and defaults in the same order: they are handed on by place."""
    keywords, fields = (inspect.signature(f).parameters.values() for f in (evaluate_function, Options))
    named = [p for p in keywords if p.kind is p.KEYWORD_ONLY and p.name != "mean"]
    assert [str(p) for p in named] == [str(p) for p in fields]


def test_memory_does_not_grow_with_the_runs():
    """The arrays of many runs are never there at once: 1,600 runs take about what 400 take."""
    topic = dm.Topic("1", tuple(dm.Intent(f"t{i}", 0.2) for i in range(5)))
    docs = [f"d{i}" for i in range(1000)]
    judgments = {"1": {doc: {f"t{n % 5}": 1} for n, doc in enumerate(docs[:200])}}
    peaks = []
    for runs in (400, 1600):
        collection = dm.Collection.of([topic], judgments, {f"r{i}": {"1": docs} for i in range(runs)})
        tracemalloc.start()
        score_runs(collection, None, ["NRBP", "ERR-IA"])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
    assert peaks[1] < 200e6


def test_every_kind_of_input_gives_the_same_scores(tmp_path):
    import pandas as pd

    qrels = pd.DataFrame(
        {"topic": ["1", "1", "2"], "intent": ["a", "b", "a"], "doc": ["d1", "d2", "d3"], "grade": [2, 1, 1]}
    )
    listed = {"topic": ["1", "1", "2"], "doc": ["d2", "d1", "d3"], "rank": [1, 2, 1], "score": [9.0, 8, 7]}
    run = pd.DataFrame({"run": "A", **listed})
    paths = tmp_path / "qrels", tmp_path / "run"
    qrels.to_csv(paths[0], sep=" ", header=False, index=False)
    lines = [f"{r.topic} Q0 {r.doc} {r.rank} {r.score} {r.run}\n" for r in run.itertuples()]
    paths[1].write_text("".join(lines))
    collection = dm.load_collection(qrels)
    first = dm.RankedList(collection.pools["1"].topic, ["d2", "d1"], collection.pools["1"])
    second = dm.RankedList(collection.pools["2"].topic, ["d3"], collection.pools["2"])
    expected = dm.evaluate(*paths, METRICS[:3])
    assert expected.columns.tolist() == ["run", "topic", "metric", "score"]
    for qrels_like, runs_like in (
        (qrels, run),
        (str(paths[0]), [run]),
        (collection, [first, second]),
        (collection, paths[1]),
        (collection.with_runs(dm.load_runs(paths[1], "score")), None),
    ):
        pd.testing.assert_frame_equal(dm.evaluate(qrels_like, runs_like, METRICS[:3]), expected)
    assert dm.read_qrels(paths[0]).equals(qrels.astype({"grade": "int64"}))
    read = dm.read_run(paths[1])
    assert read.columns.tolist() == ["run", "topic", "doc", "rank", "score"]
    assert read["doc"].tolist() == ["d2", "d1", "d3"]


def test_names_are_given_back_as_asked_and_conventions_mix():
    topic = dm.Topic("1", (dm.Intent("a", 0.5), dm.Intent("b", 0.5)))
    judgments = {"1": {"d1": {"a": 2}, "d2": {"a": 1}}}
    collection = dm.Collection.of([topic], judgments, {"A": {"1": ["d2", "d1"]}})
    metrics = ["ERR-IA@2", "paper:ERR-IA@2", "ndeval:ERR-IA@2", "ntcireval:ERR-IA@2"]
    scores = dm.evaluate(collection, None, metrics).set_index("metric")["score"]
    assert scores.index.tolist() == metrics
    assert scores["ERR-IA@2"] == scores["paper:ERR-IA@2"] == pytest.approx(0.5 * (0.25 + 0.5 * 0.75 * 0.75))
    assert scores["ndeval:ERR-IA@2"] == pytest.approx(1.0)
    assert scores["ntcireval:ERR-IA@2"] == pytest.approx(0.5 * (1 / 3 + 0.5 * 2 / 3 * 2 / 3))
    assert dm.evaluate(collection, None, dm.metric("ERR-IA@2"))["metric"].tolist() == ["ERR-IA@2"]


def test_lists_of_one_name_must_be_of_different_topics():
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    ranked = dm.RankedList(topic, ["d1"], {"d1": {"a": 1}})
    collection = dm.Collection.of([topic], {"1": {"d1": {"a": 1}}})
    with pytest.raises(dm.DivmetricsError, match="given twice for topic 1"):
        dm.evaluate(collection, [ranked, ranked], ["ERR-IA@2"])
    both = dm.evaluate(collection, [ranked, ranked.reordered([], run="B")], ["ERR-IA@2"])
    assert both["run"].tolist() == ["A", "B"]
    assert both["score"].tolist() == [0.5, 0]


def test_relevance_level_and_scale():
    topic = dm.Topic("1", (dm.Intent("a", 1.0),))
    frame = {"topic": ["1", "1"], "intent": ["a", "a"], "doc": ["d1", "d2"], "grade": [1, 3]}
    import pandas as pd

    qrels = pd.DataFrame(frame)
    run = dm.RankedList(topic, ["d1", "d2"], {})
    assert dm.evaluate(qrels, run, ["ERR-IA@1"])["score"].item() == 1 / 8
    assert dm.evaluate(qrels, run, ["ERR-IA@1"], scale=4)["score"].item() == 1 / 16
    assert dm.evaluate(qrels, run, ["S-recall@1"], relevance_level=2)["score"].item() == 0


@pytest.mark.parametrize("level", [2, 3, 4])
@quick(20)
@given(samples(), cutoffs)
def test_relevance_level_makes_lower_grades_zero_and_leaves_the_others(level, sample, cutoff):
    """A grade at or above the level keeps its size: graded metrics equal the naive transcription of them on
    judgments whose lower grades are 0.
    """
    assume(all(sample.runs.values()))
    names = ("ERR-IA", "nDCG-IA", "alpha-nDCG", "D-Q", "P+Q", "RBP-IA", "nDCG", "P-IA")
    raised = {
        topic: {
            doc: {intent: grade if grade >= level else 0 for intent, grade in labels.items()}
            for doc, labels in docs.items()
        }
        for topic, docs in sample.judgments.items()
    }
    scores = dm.evaluate(
        sample.judgments,
        list(sample.collection().runs.values()),
        [f"{name}@{cutoff}" for name in names],
        sample.topics,
        relevance_level=level,
        scale=sample.scale,
    )
    cases = cases_of(sample.changed(judgments=raised))
    for run, topic, label, score_of_list in scores.itertuples(index=False):
        expected = REFERENCE[label.split("@")[0]](cases[run, topic], cutoff)
        assert score_of_list == pytest.approx(expected, abs=1e-9), (run, topic, label)


@pytest.mark.parametrize("level", [None, 1, 2])
def test_a_level_applies_to_flat_metrics_only(level):
    """X-IS needs both levels, and scores the same beside a metric that is measured on one of them."""
    collection = dm.datasets.harry_potter()
    both = dm.evaluate(collection, None, ["alpha-nDCG@5", "alpha-nDCG-IS@5"], level=level, mean=True)
    flat = dm.evaluate(collection, None, ["alpha-nDCG@5"], level=level, mean=True)
    square = dm.evaluate(collection, None, ["alpha-nDCG-IS@5"], mean=True)
    assert both["alpha-nDCG@5"].equals(flat["alpha-nDCG@5"])
    assert both["alpha-nDCG-IS@5"].equals(square["alpha-nDCG-IS@5"])


@pytest.mark.parametrize("mean_over", ["judged", "both"])
@quick(40)
@given(samples(most_runs=3, most_topics=4))
def test_a_mean_divides_by_the_topics_that_count(mean_over, sample):
    """By all that are judged, or by those that the run answers: as many as it has rows."""
    assume(all(sample.runs.values()))
    scores = score_runs(
        sample.collection(), None, ["nDCG-IA", "S-recall@2"], options=Options(mean_over=mean_over)
    )
    for r, run in enumerate(sample.runs):
        answered = [t for t, topic in enumerate(scores.topics) if topic in sample.runs[run]]
        divisor = len(sample.topics) if mean_over == "judged" else len(answered)
        expected = scores.values[r, answered].sum(axis=0) / divisor
        assert scores.means()[r] == pytest.approx(expected, abs=1e-12), run


def test_the_function_is_not_hidden_by_its_module():
    assert dm.evaluate is evaluate_function
    assert callable(dm.explain)
    assert callable(dm.metric)
    assert callable(dm.check)


@pytest.mark.parametrize("mean_over", [None, "judged", "both"])
@pytest.mark.parametrize("convention", ["paper", "ndeval"])
def test_means_are_those_of_the_command_line(mean_over, convention, tmp_path, capsys):
    """A table of runs by metrics: to the last bit what --mean prints, over the topics of mean_over."""
    import pandas as pd

    from divmetrics.cli import main

    qrels, runs = tmp_path / "qrels", {name: tmp_path / f"{name}.run" for name in "BA"}
    qrels.write_text("1 1 d1 1\n1 2 d2 1\n2 1 d1 1\n3 1 d3 1\n")
    runs["B"].write_text("1 Q0 d3 1 9 B\n1 Q0 d2 2 8 B\n")
    runs["A"].write_text("2 Q0 d2 1 9 A\n2 Q0 d1 2 8 A\n3 Q0 d3 1 7 A\n")
    names = ["ERR-IA@5", "alpha-nDCG@5"]
    means = dm.evaluate(
        qrels, list(runs.values()), names, convention=convention, mean_over=mean_over, mean=True
    )
    assert means.index.tolist() == ["B", "A"]
    assert (means.index.name, means.columns.tolist()) == ("run", names)
    options = [] if mean_over is None else ["--mean-over", mean_over]
    metrics = [part for name in names for part in ("-m", name)]
    main(
        [
            "evaluate",
            str(qrels),
            *map(str, runs.values()),
            *metrics,
            "--mean",
            "--convention",
            convention,
            *options,
        ]
    )
    printed = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert {(run, name): float(mean) for run, topic, name, mean in printed[1:] if topic == "all"} == {
        (run, name): means.loc[run, name] for run in runs for name in names
    }
    scores = dm.evaluate(qrels, list(runs.values()), names, convention=convention, mean_over=mean_over)
    of_rows = scores.groupby(["run", "metric"], sort=False)["score"].mean().unstack().loc[list(runs), names]
    pd.testing.assert_frame_equal(means, of_rows, check_names=False)
    answered = (convention == "ndeval" and mean_over is None) or mean_over == "both"
    assert len(scores) == (3 if answered else 6) * len(names)
