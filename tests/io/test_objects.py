"""What other programs hold in memory means the same as a file: dicts, tuples, tables; or one sentence."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import pyndeval
import pytest

import divmetrics as dm
from divmetrics.optional import MissingPackage

LABELS = {"1": {"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": {"y": -1}}, "2": {"a": {"x": 3}, "d": {"z": 0}}}
ROWS = [
    (t, i, doc, g) for t, docs in LABELS.items() for doc, grades in docs.items() for i, g in grades.items()
]
SCORES = {"2": {"d": 5.0, "a": 7.5}, "1": {"b": 1.0, "u": 3.0, "a": 3.0, "c": 2.0}}
TUPLES = [(topic, doc, score) for topic, docs in SCORES.items() for doc, score in docs.items()]
LISTS = {"1": ("u", "a", "c", "b"), "2": ("a", "d")}


class SubtopicQrel(NamedTuple):
    """As ir_datasets has them."""

    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class OfOthers:
    """A table that is not one of pandas."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def table(self) -> Any:
        import pyarrow as pa

        return pa.Table.from_pandas(self.frame)


class LikePolars(OfOthers):
    """A table with the method that polars has."""

    def to_arrow(self) -> Any:
        return self.table()


class LikeArrow(OfOthers):
    """A table that hands its columns on as Arrow's own do."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table().__arrow_c_stream__(requested_schema)


class OnlyInterchange(OfOthers):
    """A table that speaks nothing but the older protocol."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self.table().__dataframe__(nan_as_null, allow_copy)


QRELS = pd.DataFrame(ROWS, columns=["topic", "intent", "doc", "grade"])
IR_MEASURES = {"topic": "query_id", "intent": "iteration", "doc": "doc_id", "grade": "relevance"}
PYTERRIER = {"topic": "qid", "intent": "iteration", "doc": "docno", "grade": "label"}
RUN = pd.DataFrame(TUPLES, columns=["topic", "doc", "score"])


def pools(qrels: Any) -> dict[str, Any]:
    judgments = dm.load_collection(qrels).pools
    return {
        t: (pool.docs, tuple(i.id for i in pool.topic.intents), pool.grades.tolist())
        for t, pool in judgments.items()
    }


def lists(runs: Any, order: str = "score") -> dict[str, dict[str, tuple[str, ...]]]:
    return {run.name: {t: run.list(t) for t in sorted(run.spans)} for run in dm.load_runs(runs, order)}


@pytest.fixture(scope="module")
def from_a_file(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("files") / "qrels"
    path.write_text("".join(f"{t} {i} {doc} {g}\n" for t, i, doc, g in ROWS))
    return pools(path)


@pytest.mark.parametrize(
    "held",
    [
        LABELS,
        ROWS,
        iter(ROWS),
        [pyndeval.SubtopicQrel(*row) for row in ROWS],
        [ir_measures.Qrel(t, doc, g, i) for t, i, doc, g in ROWS],
        (ir_measures.Qrel(t, doc, g, i) for t, i, doc, g in ROWS),
        [SubtopicQrel(t, doc, g, i) for t, i, doc, g in ROWS],
        QRELS.rename(columns=IR_MEASURES),
        QRELS.rename(columns=PYTERRIER),
        QRELS.rename(columns={"intent": "subtopic"}),
        QRELS.rename(columns={"intent": "subtopic_id"}).assign(iteration="0"),
        LikeArrow(QRELS),
        LikePolars(QRELS.rename(columns=IR_MEASURES)),
        OnlyInterchange(QRELS),
    ],
    ids=lambda held: type(held).__name__,
)
def test_judgments(held: Any, from_a_file: dict[str, Any]) -> None:
    assert pools(held) == from_a_file


@pytest.mark.parametrize("order", ["score", "rank", "file"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: SCORES,
        lambda: {t: {doc: np.float64(s) for doc, s in docs.items()} for t, docs in SCORES.items()},
        lambda: sorted(TUPLES, key=lambda row: (-row[2], -ord(row[1]))),
        lambda: iter(sorted(TUPLES, key=lambda row: (-row[2], -ord(row[1])))),
        lambda: [ir_measures.ScoredDoc(*r) for r in sorted(TUPLES, key=lambda r: (-r[2], -ord(r[1])))],
    ],
)
def test_runs_without_ranks(make: Callable[[], Any], order: str) -> None:
    """Whatever the order asked for: there is none but that of the scores, ties by document id descending."""
    assert lists(make(), order) == {"run": LISTS}


@pytest.mark.parametrize("order", ["score", "rank"])
def test_rows_without_ranks_go_by_score(order: str) -> None:
    """In whatever order the rows come, where ranks are asked for, too: worst first, here."""
    worst_first = sorted(TUPLES, key=lambda row: (row[2], ord(row[1])))
    assert lists(worst_first, order) == {"run": LISTS}


@pytest.mark.parametrize(
    "frame",
    [
        RUN,
        RUN.rename(columns={"topic": "query_id", "doc": "doc_id"}),
        RUN.rename(columns={"topic": "qid", "doc": "docno"}).assign(rank=0, query="words", docid=7),
        LikePolars(RUN),
        LikeArrow(RUN),
    ],
    ids=["ours", "ir_measures", "PyTerrier", "polars", "arrow"],
)
def test_tables_of_a_run(frame: Any) -> None:
    assert lists(frame) == lists([frame]) == {"run": LISTS}


def test_ranks_and_rows_are_kept_where_they_are_given() -> None:
    frame = RUN.assign(rank=[1, 2, 4, 3, 2, 1])
    assert lists(frame, "rank")["run"] == {"1": ("c", "a", "u", "b"), "2": ("d", "a")}
    assert lists(RUN, "file")["run"] == {"1": ("b", "u", "a", "c"), "2": ("d", "a")}


def test_runs_with_names(tmp_path: Path) -> None:
    (tmp_path / "file.run").write_text("".join(f"{t} Q0 {doc} 0 {s} tag\n" for t, doc, s in TUPLES))
    named = {"A": SCORES, "B": TUPLES, "C": RUN, "D": tmp_path / "file.run", "E": dm.Run.of("x", LISTS)}
    assert lists(named) == dict.fromkeys("ABCDE", LISTS)
    assert lists([dm.Run.of("x", LISTS), SCORES]) == {"x": LISTS, "run": LISTS}
    with pytest.warns(dm.DivmetricsWarning):  # of ties, and of a document never judged
        scores = dm.evaluate(LABELS, {"A": SCORES, "B": SCORES}, "I-rec@2")
    assert scores["run"].tolist() == ["A", "A", "B", "B"]


def test_tables_of_polars(from_a_file: dict[str, Any]) -> None:
    """polars is too large to be installed for this; where it is, its tables are read."""
    pl = pytest.importorskip("polars", reason="polars is not installed")
    for names in (list(QRELS), list(IR_MEASURES.values()), list(PYTERRIER.values())):
        frame = pl.DataFrame(ROWS, schema=names, orient="row")
        assert pools(frame) == pools(frame.with_columns(pl.col(names[2]).cast(pl.Categorical))) == from_a_file
    assert lists(pl.DataFrame(TUPLES, schema=["qid", "docno", "score"], orient="row")) == {"run": LISTS}
    with pytest.raises(dm.DivmetricsError, match=r"^judgments: are <LazyFrame"):
        dm.load_collection(pl.LazyFrame({"topic": ["1"]}))


def test_the_runs_of_ranx() -> None:
    """ranx brings too much to be installed for this; where it is, its Run is read and its Qrels refused."""
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    assert lists(ranx.Run(SCORES, name="mine")) == {"mine": LISTS}
    plain = ranx.Qrels({"1": {"a": 1}})
    with pytest.raises(dm.DivmetricsError, match=r"^ranx\.Qrels: no judgment names its subtopic"):
        dm.load_collection(plain)


def test_ranx_is_known_by_its_name() -> None:
    def made(name: str, held: Any) -> Any:
        kind = type(name, (), {"to_dict": lambda self: held, "name": "mine", "__module__": "ranx.data"})
        return kind()

    assert lists(made("Run", SCORES)) == {"mine": LISTS}
    with pytest.raises(dm.DivmetricsError, match=r"^ranx\.Qrels: no judgment names its subtopic"):
        dm.load_collection(made("Qrels", {"1": {"a": 1}}))


def test_an_intent_that_is_called_0_on_purpose() -> None:
    """One intent for each topic, as in a file of ad hoc judgments."""
    assert pools(pd.DataFrame({"topic": ["1"], "intent": ["0"], "doc": ["a"], "grade": [1]}))["1"][1] == (
        "0",
    )
    assert pools({"1": {"a": {"0": 1}}})["1"][1] == ("0",)


NO_SUBTOPIC = "no judgment names its subtopic (ir_measures calls it iteration, and 0 means none); expected"
BAD_QRELS: list[tuple[Any, str]] = [
    ({"1": {"a": 1}}, f"judgments: {NO_SUBTOPIC}"),
    (
        pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1]}),
        f"judgments DataFrame: {NO_SUBTOPIC}",
    ),
    ({"1": {"a": {"x": 1.5}}}, "judgments, topic '1', document 'a', intent 'x': grade 1.5 is not an integer"),
    ({"1": {"a": {3.5: 1}}}, "judgments, topic '1', document 'a', intent 3.5: intent is 3.5; expected text"),
    ({"1": ["a"]}, "judgments, topic '1': has ['a']; expected"),
    ({"1": {"a": "x"}}, "judgments, topic '1', document 'a': has 'x'; expected"),
    ({}, "judgments: is empty; expected at least one row"),
    ([], "judgments: is empty; expected at least one row"),
    ([("1", "x", "a")], "judgments, item 0 (from 0): is ('1', 'x', 'a'); expected a tuple (topic, intent,"),
    ([ROWS[0], ("1", "a", 2.0)], "judgments, item 1 (from 0): is ('1', 'a', 2.0); expected a tuple"),
    ([*ROWS, ("1", "x", "a", 2)], "judgments, item 6 (from 0): topic 1, intent x, document 'a' has grade 2"),
    (TUPLES, "judgments, item 0 (from 0): is ('2', 'd', 5.0); expected a tuple (topic, intent, document"),
    (7, "judgments: are 7; expected a path, a DataFrame (topic, intent, doc, grade)"),
    (
        LikeArrow(pd.DataFrame({"topic": ["1"]})),
        "judgments DataFrame: has no column 'intent' among topic; expected",
    ),
]


@pytest.mark.parametrize(("held", "message"), BAD_QRELS)
def test_judgments_that_cannot_be_used(held: Any, message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        dm.load_collection(held)


BAD_RUNS: list[tuple[Any, str]] = [
    ({"1": {"a": "x"}}, "run, topic '1', document 'a': score 'x' is not a finite number; expected"),
    ({"1": {"a": float("nan")}}, "run, topic '1', document 'a': score nan is not a finite number; expected"),
    ({"1": {5.5: 1.0}}, "run, topic '1', document 5.5: doc is 5.5; expected text that is not empty"),
    ({"1": {}}, "run: is empty; expected at least one row with the columns topic (or query_id, qid), doc"),
    ({"A": {"1": {"a": {"b": 1}}}}, "run 'A' is {'1': {'a': {'b': 1}}}, expected {topic: {document: score}}"),
    ({"A": [SCORES, TUPLES]}, "two runs are called 'run'; give"),
    ({"": SCORES, "B": TUPLES}, "the name of a run is '', expected text that is not empty"),
    ([SCORES, SCORES], "two runs are called 'run'; give runs that are not files different names"),
    ([("1", "a")], "run, item 0 (from 0): is ('1', 'a'); expected a tuple (topic, document, score)"),
    ([("1", "a", 1.0), ("1", "a", 2.0)], "run, item 1 (from 0): document 'a' stands in the list of topic 1"),
    ([ROWS[0]], "run, item 0 (from 0): is ('1', 'x', 'a', 1); expected a tuple (topic, document, score)"),
    (7, "run: is 7; expected a path, a DataFrame (topic, doc, score), {topic: {document: score}}"),
    ({}, "run: is empty; expected at least one row"),
    ([], "no runs were given"),
]


@pytest.mark.parametrize(("held", "message"), BAD_RUNS)
def test_runs_that_cannot_be_used(held: Any, message: str) -> None:
    with pytest.raises(dm.DivmetricsError, match="^" + re.escape(message)):
        dm.load_runs(held, "score")


@pytest.mark.parametrize("table", [LikePolars, LikeArrow, OnlyInterchange])
def test_tables_of_others_need_pyarrow(table: type[OfOthers], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "pyarrow.interchange"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPackage, match=r"^a table that is not .*divmetrics\[arrow\]"):
        dm.load_runs(table(RUN), "score")
