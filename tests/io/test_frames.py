"""DataFrames made by people become the same columns as files, or one sentence that names the row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.io import dataframes, load_qrel_columns, load_run_columns, read_qrels, read_run

QRELS = pd.DataFrame(
    {"topic": ["1", "1", "2"], "intent": ["1", "2", "0"], "doc": ["a", "a", "b"], "grade": [1, 2, -2]}
)
RUNS = pd.DataFrame(
    {
        "run": ["x", "y", "x", "y"],
        "topic": ["1", "1", "1", "2"],
        "doc": ["a", "a", "b", "a"],
        "rank": [1, 1, 2, 1],
        "score": [2.5, 1.0, 2.5, -1.0],
    }
)


def test_what_was_read_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d9 -2\n1 1 d1 1\n1 2 d1 2\n2 1 d3 0\n")
    (tmp_path / "run").write_text("1 Q0 d1 1 9.5 t\n2 Q0 d3 1 7 t\n1 Q0 d2 2 9.5 t\n")
    qrels, again = load_qrel_columns(tmp_path / "qrels"), dataframes.judgments(read_qrels(tmp_path / "qrels"))
    for column in ("topic", "intent", "doc"):
        assert list(getattr(again, column)) == list(getattr(qrels, column))
    assert again.grade.tolist() == qrels.grade.tolist()
    assert again.grade.dtype == np.int64
    assert again.subtopic is None
    run, (same,) = load_run_columns(tmp_path / "run"), dataframes.runs(read_run(tmp_path / "run"))
    assert (list(same.topic), same.doc.tolist(), same.tag) == (list(run.topic), run.doc.tolist(), run.tag)
    assert same.rank.tolist() == run.rank.tolist()
    assert same.score.tolist() == run.score.tolist()


def test_several_runs_in_one_frame() -> None:
    x, y = dataframes.runs(RUNS)
    assert (x.tag, list(x.topic), x.doc.tolist(), x.rank.tolist()) == (
        "x",
        ["1", "1"],
        ["a", "b"],
        [1, 2],
    )
    assert (y.tag, list(y.topic), y.doc.tolist(), y.score.tolist()) == (
        "y",
        ["1", "2"],
        ["a", "a"],
        [1, -1],
    )


def changed(frame: pd.DataFrame, column: str, row: int, value: Any) -> pd.DataFrame:
    return frame.astype({column: object}).assign(
        **{column: [value if i == row else v for i, v in enumerate(frame[column])]}
    )


@pytest.mark.parametrize(
    "other",
    [
        QRELS.astype({"topic": int, "intent": "int32"}),
        QRELS.astype({"topic": float, "intent": "float32"}),
        changed(QRELS, "topic", 1, 1),
        QRELS.astype(object),
        QRELS.astype({"topic": "category", "doc": "string", "grade": "Int64"}),
        QRELS.astype({"grade": float}),
        QRELS.astype({"grade": str}),
        QRELS.set_index(pd.Index([7, 7, 7])),
        QRELS[["grade", "doc", "topic", "intent"]].assign(note="more"),
        QRELS.assign(topic=["wt09-1", "1", "wt10-2"]),
    ],
)
def test_other_types_of_the_same(other: pd.DataFrame) -> None:
    assert dataframes.judgments(other).frame().equals(dataframes.judgments(QRELS).frame())


def test_two_levels() -> None:
    frame = QRELS.assign(subtopic=["1", "1", "2"])[["topic", "intent", "subtopic", "doc", "grade"]]
    assert dataframes.judgments(frame).frame().equals(frame)


BAD_QRELS = [
    (
        changed(QRELS, "grade", 1, 1.5),
        "judgments DataFrame, row 1 (from 0): grade 1.5 is not an integer; expected",
    ),
    (changed(QRELS, "grade", 2, None), "judgments DataFrame, row 2 (from 0): grade"),
    (changed(QRELS, "grade", 2, "L2"), "judgments DataFrame, row 2 (from 0): grade 'L2' is not an integer"),
    (changed(QRELS, "doc", 1, None), "judgments DataFrame, row 1 (from 0): doc is "),
    (changed(QRELS, "doc", 1, ""), "judgments DataFrame, row 1 (from 0): doc is ''; expected text"),
    (changed(QRELS, "doc", 1, b"a"), "judgments DataFrame, row 1 (from 0): doc is b'a'; expected text"),
    (
        QRELS.assign(doc=pd.Series(["a", "\ud800", "c"], dtype=object)),
        "judgments DataFrame, row 1 (from 0): doc is '\\ud800'; expected text that is not empty",
    ),
    (QRELS.assign(topic=[1.0, 1.5, 2.0]), "judgments DataFrame, row 1 (from 0): topic is 1.5; expected text"),
    (
        QRELS.drop(columns="grade"),
        "judgments DataFrame: has no column 'grade' among topic, intent, doc; expected",
    ),
    (QRELS.rename(columns={"intent": "intents"}), "judgments DataFrame: has no column 'intent' among "),
    (QRELS[:0], "judgments DataFrame: is empty; expected"),
    (RUNS, "judgments DataFrame: has the columns of a runs DataFrame; expected"),
    ([1], "judgments DataFrame: is a list; expected a pandas DataFrame"),
    (
        pd.concat([QRELS, QRELS.assign(grade=[1, 0, 0])], ignore_index=True),
        "judgments DataFrame, row 4 (from 0): topic 1, intent 2, document 'a' has grade 0 but grade 2 at "
        "judgments DataFrame, row 1 (from 0); expected",
    ),
]


@pytest.mark.parametrize(("frame", "message"), BAD_QRELS)
def test_bad_judgments(frame: Any, message: str) -> None:
    with pytest.raises(DivmetricsError, match="^" + re.escape(message)):
        dataframes.judgments(frame)


BAD_RUNS = [
    (changed(RUNS, "score", 3, np.nan), "runs DataFrame, row 3 (from 0): score nan is not a finite number"),
    (changed(RUNS, "score", 3, np.inf), "runs DataFrame, row 3 (from 0): score inf is not a finite number"),
    (changed(RUNS, "rank", 2, "second"), "runs DataFrame, row 2 (from 0): rank 'second' is not an integer"),
    (changed(RUNS, "run", 0, True), "runs DataFrame, row 0 (from 0): run is True"),
    (RUNS.drop(columns=["score", "rank"]), "runs DataFrame: has no column 'score' among"),
    (QRELS, "runs DataFrame: has the columns of a judgments DataFrame"),
    (
        changed(RUNS, "topic", 3, "1"),
        "runs DataFrame, row 3 (from 0): document 'a' stands in the list of topic 1 for the second time "
        "(first at runs DataFrame, row 1 (from 0)); expected",
    ),
]


@pytest.mark.parametrize(("frame", "message"), BAD_RUNS)
def test_bad_runs(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(DivmetricsError, match="^" + re.escape(message)):
        dataframes.runs(frame)


def test_repeats_are_counted_once_with_a_warning() -> None:
    with pytest.warns(DivmetricsWarning, match=r"judgments DataFrame: 3 judgment\(s\) repeat"):
        assert (
            dataframes.judgments(pd.concat([QRELS, QRELS]))
            .frame()
            .equals(dataframes.judgments(QRELS).frame())
        )


def test_more_distinct_values_than_one_code_can_hold() -> None:
    """With 2**17 values in four columns, topics 2**13 apart would share a code of 64 bits."""
    numbers = np.arange(2**17)
    frame = pd.DataFrame(dict.fromkeys(("topic", "intent", "subtopic", "doc"), numbers)).assign(grade=0)
    close = pd.DataFrame({"topic": [2**13], "intent": [0], "subtopic": [0], "doc": [0], "grade": [1]})
    assert len(dataframes.judgments(pd.concat([frame, close])).doc) == 2**17 + 1
