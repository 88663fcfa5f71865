"""Runs as ranked ids, probabilities as dicts, and the default order of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import divmetrics as dm

# Documents of these runs that nobody judged are counted in warnings.
pytestmark = pytest.mark.filterwarnings("ignore::divmetrics.errors.DivmetricsWarning")

QRELS = {"q": {"d1": {"a": 1}, "d2": {"b": 1}}, "r": {"d1": {"a": 1, "b": 2}}}
LISTS = {"q": ["d2", "d3", "d1"], "r": ("d3", "d1")}
METRICS = ["ERR-IA@5", "D#-nDCG@5"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run file and a file named like a document, as the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_text("q Q0 d2 1 9 tag\nq Q0 d3 2 8 tag\nq Q0 d1 3 7 tag\n")
    (tmp_path / "b.run").write_text("q Q0 d1 1 9 other\n")
    (tmp_path / "d3").write_text("")
    return tmp_path


def scores(runs: Any, qrels: Any = QRELS) -> pd.DataFrame:
    return dm.evaluate(qrels, runs, METRICS)


def test_lists_of_ids_are_a_run_in_their_order() -> None:
    """Also where an id is the name of a file; the scores are those of a Run of the same lists."""
    expected = scores(dm.Run.of("run", LISTS))
    pd.testing.assert_frame_equal(scores(LISTS), expected)
    for convention in ("paper", "ndeval", "ntcireval"):
        pd.testing.assert_frame_equal(
            dm.evaluate(QRELS, LISTS, "ERR-IA@5", convention=convention),
            dm.evaluate(QRELS, dm.Run.of("run", LISTS), "ERR-IA@5", convention=convention),
        )


def test_named_runs_of_lists() -> None:
    runs = {"A": LISTS, "B": {"q": ["d1"], "r": []}}
    expected = scores([dm.Run.of(name, lists) for name, lists in runs.items()])
    pd.testing.assert_frame_equal(scores(runs), expected)
    loaded = dm.load_runs(runs)
    assert [run.name for run in loaded] == ["A", "B"]
    assert loaded[0].list("q") == ("d2", "d3", "d1")
    pd.testing.assert_frame_equal(scores([LISTS]), scores(LISTS))
    pd.testing.assert_frame_equal(
        scores([LISTS, dm.Run.of("B", runs["B"])])[lambda t: t.run == "run"], scores(LISTS)
    )


def test_a_run_of_one_document_per_topic() -> None:
    assert scores({"A": {"q": ["d3"], "r": ["d3"]}})["score"].sum() == 0
    assert dm.load_runs({"q": ["d1"], "r": ["d2"]})[0].list("r") == ("d2",)


def test_whole_numbers_are_ids() -> None:
    qrels = {101: {1: {5: 1}, 2: {6: 1}}}
    assert dm.evaluate(qrels, {101: [2, 1]}, "S-recall@2")["score"].item() == 1
    assert dm.load_runs({"wt09-101": [2, 1]})[0].list("101") == ("2", "1")


def test_names_of_paths_stay_names_of_paths(folder: Path) -> None:
    """{name: path} and {name: [path]}, as text or as a Path."""
    for path in ("a.run", folder / "a.run"):
        for source in ({"A": path}, {"A": [path]}):
            (run,) = dm.load_runs(source)
            assert (run.name, run.list("q")) == ("A", ("d2", "d3", "d1"))
            assert set(scores(source)["run"]) == {"A"}
    assert [run.name for run in dm.load_runs({"A": ["a.run"], "B": ["b.run"]})] == ["A", "B"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: scores({"q": ["a.run"]}),
            ["{topic: [document, ...]}", "'a.run' is an existing path", "[path]"],
        ),
        (
            lambda: scores({"q": ["d3"], "r": ["d3"]}),
            ["{topic: [document, ...]}", "'d3' is an existing path"],
        ),
        (lambda: dm.load_runs({"q": ["d1", "d3"]}), ["{topic: [document, ...]}", "'d3' is an existing path"]),
        (lambda: scores({"A": ["a.run", "b.run"]}), ["2 runs were given under the name 'A'"]),
        (lambda: scores({"x": ["d1", "d2"]}), ["no topic in common", "'q'", "'x'"]),
        (lambda: scores({"q": ["d1", "d2", "d1"]}), ["'d1' stands at rank 1 and again at rank 3"]),
        (lambda: scores({"q": ["d1", ""]}), ["topic q: the document at rank 2 is ''"]),
        (lambda: scores({"q": ["d1"], "wt09-1": ["d1"], "1": []}), ["two lists for topic '1'"]),
        (lambda: scores({"A": {"q": ["d1"], "r": {"d1": 2}}}), ["run 'A' is", "{topic: {document: score}}"]),
    ],
)
def test_what_is_refused(call: Callable[[], object], words: list[str]) -> None:
    """One sentence each; where two readings are possible, it names both."""
    with pytest.raises(dm.DivmetricsError) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "\n" not in str(caught.value)


def test_compare_and_the_evaluator_take_lists() -> None:
    runs = {"A": LISTS, "B": {"q": ["d1"], "r": ["d3"]}}
    compared = dm.compare(QRELS, runs, "ERR-IA@5", trials=10)
    assert (
        compared.scores["score"].tolist() == scores(runs)[lambda t: t.metric == "ERR-IA@5"]["score"].tolist()
    )
    evaluator = dm.RelevanceEvaluator(QRELS, ["paper:ERR-IA@5"])
    expected = scores(LISTS)[lambda t: t.metric == "ERR-IA@5"]["score"].tolist()
    assert [row["paper:ERR-IA@5"] for row in evaluator.evaluate({"A": LISTS}).values()] == expected


def test_the_default_order_is_that_of_evaluate() -> None:
    frame = pd.DataFrame({"topic": "q", "doc": ["d1", "d2"], "rank": [1, 2], "score": [1.0, 2.0]})
    (run,) = dm.load_runs(frame)
    assert run.list("q") == dm.load_runs(frame, "score")[0].list("q") == ("d2", "d1")


# --------------------------------------------------------------------------------------- probabilities


def test_probabilities_are_topics() -> None:
    probabilities = {"q": {"a": 0.25, "b": 0.75}, "r": {"a": 0.5, "b": 0.25, "c": 0.25}}
    topics = [
        dm.Topic(topic, tuple(dm.Intent(i, p) for i, p in of.items())) for topic, of in probabilities.items()
    ]
    assert dm.load_collection(QRELS, probabilities).topics == tuple(topics)
    pd.testing.assert_frame_equal(
        dm.evaluate(QRELS, LISTS, METRICS, topics=probabilities),
        dm.evaluate(QRELS, LISTS, METRICS, topics=topics),
    )
    runs = {"A": LISTS, "B": {"q": ["d1"], "r": ["d3"]}}
    assert dm.compare(QRELS, runs, "ERR-IA@5", probabilities, trials=10).scores.equals(
        dm.evaluate(QRELS, runs, "ERR-IA@5", probabilities)
    )
    assert dm.load_collection({7: {"d": {1: 1}}}, {7: {1: 1.0}}).topics[0].intents == (dm.Intent("1", 1.0),)


@pytest.mark.parametrize(
    ("topics", "words"),
    [
        ({"q": {"a": 0.5, "b": 0.4}}, ["topic q", "sum to 0.9"]),
        ({"q": {"a": 1.0}}, ["topic q", "intent 'b'"]),
        ({"q": {}}, ["topic q has no intent"]),
        ({"q": {"a": "half", "b": 0.5}}, ["intent a of topic q", "'half'"]),
        ({"q": 0.5}, ["0.5", "{topic: {intent: probability}}"]),
        ({"x": {"a": 1.0}}, ["'q'", "'x'"]),
        ({None: {"a": 1.0}}, ["the id of a topic is None"]),
    ],
)
def test_probabilities_that_are_refused(topics: Any, words: list[str]) -> None:
    with pytest.raises(dm.DivmetricsError) as caught:
        dm.load_collection({"q": QRELS["q"]}, topics)
    assert all(word in str(caught.value) for word in words), str(caught.value)
