"""dm.explain and dm.explain_in_words of judgments, a run and a topic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import divmetrics as dm

QRELS = {"q": {"d1": {"a": 2}, "d2": {"b": 1}}, "r": {"d9": {"a": 1}}}
RUN = {"q": ["d3", "d2", "d1"]}
TOPICS = {"q": {"a": 0.75, "b": 0.25}, "r": {"a": 1.0}}
METRICS = ["ERR-IA@3", "D#-nDCG@3", "ndeval:alpha-nDCG@3"]


@pytest.mark.parametrize("function", [dm.explain, dm.explain_in_words])
@pytest.mark.parametrize("metric", METRICS)
def test_files_and_objects_are_explained_like_their_list(function: Any, metric: str, tmp_path: Path) -> None:
    ranked = dm.load_collection(QRELS, TOPICS).with_runs([dm.Run.of("run", RUN)]).list("run", "q")
    collection = dm.load_collection(QRELS, TOPICS).with_runs(dm.load_runs({"run": RUN, "B": {"r": ["d9"]}}))
    qrels, run = tmp_path / "qrels", tmp_path / "file.run"
    qrels.write_text("q a d1 2\nq b d2 1\nr a d9 1\n")
    run.write_text("".join(f"q Q0 {doc} {k} {9 - k} run\n" for k, doc in enumerate(RUN["q"], 1)))
    expected = function(metric, ranked)
    for explained in (
        function(metric, QRELS, RUN, "q", topics=TOPICS),
        function(metric, QRELS, {"run": RUN}, topic="q", topics=TOPICS),
        function(metric, qrels, str(run), "q", topics=TOPICS),
        function(metric, collection, "run", "q"),
        function(metric, collection.with_runs(dm.load_runs(RUN)), None, "q"),
    ):
        if isinstance(expected, str):
            assert explained == expected
        else:
            pd.testing.assert_frame_equal(explained, expected)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"convention": "ndeval"},
        {"convention": "ntcireval", "order": "rank"},
        {"scale": 4},
        {"relevance_level": 2},
        {"topics": TOPICS},
        {"order": "rank"},
        {"order": "file"},
    ],
)
@pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")
def test_contributions_sum_to_what_evaluate_says(options: dict[str, Any]) -> None:
    """With the same keywords; the run's scores, ranks and rows each give another order."""
    columns = {"topic": "q", "doc": ["d1", "d2", "d3"], "rank": [2, 3, 1], "score": [0.1, 0.3, 0.2]}
    run = pd.DataFrame(columns)
    score = dm.evaluate(QRELS, run, "ERR-IA@2", **options).set_index("topic").loc["q", "score"]
    table = dm.explain("ERR-IA@2", QRELS, run, "q", **options)
    assert table["contribution"].sum() == pytest.approx(score)
    factors = dm.explain("ERR-IA@2", QRELS, run, "q", factors=True, **options)
    assert factors["contribution"].sum() == pytest.approx(score)


def test_a_topic_may_be_a_whole_number() -> None:
    qrels, run = {101: {1: {1: 1}}}, {101: [1]}
    assert dm.explain("ERR-IA@1", qrels, run, 101)["contribution"].sum() == 0.5
    assert dm.explain("ERR-IA@1", qrels, run, "wt09-101")["contribution"].sum() == 0.5


LIST = dm.RankedList(dm.Topic("q", (dm.Intent("a", 1.0),)), ["d1"], {"d1": {"a": 1}})


@pytest.mark.parametrize("function", [dm.explain, dm.explain_in_words])
@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((QRELS, RUN, "qq"), {}, ["topic 'qq' has no judgments", "did you mean 'q'"]),
        ((QRELS, RUN, "r"), {}, ["topic 'r' is not answered"]),
        ((QRELS, RUN), {}, ["without a run and a topic"]),
        ((QRELS,), {}, ["without a run and a topic"]),
        (("x",), {}, ["'x' comes without"]),
        ((QRELS, {"A": RUN, "B": RUN}, "q"), {}, ["2 runs were given (A and B)"]),
        ((dm.load_collection(QRELS), None, "q"), {}, ["0 runs were given"]),
        ((LIST, RUN, "q"), {}, ["a RankedList already has its run"]),
        ((LIST,), {"scale": 2}, ["leave out run, topic, topics, order, scale"]),
        ((QRELS, RUN, 5.5), {}, ["topic is 5.5"]),
        ((QRELS, RUN, "q"), {"convention": "ndevil"}, ["no convention 'ndevil'"]),
        ((QRELS, RUN, "q"), {"probabilities": {}}, ["no argument is called 'probabilities'", "topics="]),
    ],
)
def test_what_is_refused(
    function: Callable[..., object], arguments: tuple[Any, ...], options: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(dm.DivmetricsError) as caught:
        function("ERR-IA@2", *arguments, **options)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "\n" not in str(caught.value)
