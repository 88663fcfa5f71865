"""DataFrames that people made themselves, checked like files; errors name the row, counted from 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from divmetrics.core.checks import shown
from divmetrics.errors import did_you_mean
from divmetrics.readers.checks import judgment_columns, run_columns
from divmetrics.readers.columns import JudgmentColumns, RunColumns
from divmetrics.readers.opening import refusal

JUDGMENTS = "judgments DataFrame"
RUNS = "runs DataFrame"
JUDGMENT_COLUMNS = ("topic", "intent", "doc", "grade")
LARGEST = 2**53 - 1  # from there on a float does not hold every integer
RUN_COLUMNS = ("run", "topic", "doc", "rank", "score")


def judgments(frame: pd.DataFrame) -> JudgmentColumns:
    """Judgments; topics, intents and subtopics may be text or whole numbers, grades are whole numbers."""
    _check_columns(frame, JUDGMENTS, JUDGMENT_COLUMNS, (RUNS, RUN_COLUMNS))
    names = ("topic", "intent", "doc") + (("subtopic",) if "subtopic" in frame else ())
    return judgment_columns(
        JUDGMENTS,
        partial(_place, JUDGMENTS),
        grade=_integers(frame["grade"], JUDGMENTS),
        **{name: _texts(frame[name], JUDGMENTS) for name in names},
    )


def runs(frame: pd.DataFrame) -> list[RunColumns]:
    """Runs, in order of first appearance, each with its rows in the frame's order."""
    _check_columns(frame, RUNS, RUN_COLUMNS, (JUDGMENTS, JUDGMENT_COLUMNS))
    tag = _texts(frame["run"], RUNS).dictionary_encode()
    topic, doc = _texts(frame["topic"], RUNS), _texts(frame["doc"], RUNS)
    rank = _integers(frame["rank"], RUNS)
    score = _numbers(frame["score"], RUNS, "a finite number")
    codes = tag.indices.to_numpy()
    rows_of = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    found = []
    for name, rows in zip(tag.dictionary.to_pylist(), rows_of, strict=True):
        source, place = f"{RUNS}, run {name}", partial(_place_among, rows)
        topics, docs = (column.take(pa.array(rows)) for column in (topic, doc))
        found.append(run_columns(source, place, topics, docs, rank[rows], score[rows], name))
    return found


def _place(source: str, row: int) -> str:
    return f"{source}, row {row} (from 0)"


def _place_among(rows: np.ndarray, row: int) -> str:
    return _place(RUNS, int(rows[row]))


def _check_columns(
    frame: pd.DataFrame, source: str, needed: Sequence[str], other: tuple[str, Sequence[str]]
) -> None:
    expected = f"the columns {', '.join(needed)}"
    if not isinstance(frame, pd.DataFrame):
        what = f"is a {type(frame).__name__}"
        raise refusal(source, what, f"a pandas DataFrame with {expected}", "convert it")
    present = [str(name) for name in frame.columns]
    missing = [name for name in needed if name not in present]
    if missing and all(name in present for name in other[1]):
        raise refusal(source, f"has the columns of a {other[0]}", expected, "swap the arguments")
    if missing:
        hint = did_you_mean(missing[0], (name for name in present if name not in needed))
        what = f"has no column {missing[0]!r} among {', '.join(present) or 'none'}{hint}"
        raise refusal(source, what, expected, "add or rename it with DataFrame.rename(columns=...)")
    if frame.empty:
        raise refusal(source, "is empty", f"at least one row with {expected}", "check where it came from")


def _texts(series: pd.Series, source: str) -> pa.StringArray:
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.dtype.categories.dtype)
    if pd.api.types.is_integer_dtype(series.dtype) and not series.hasnans:
        series = series.astype(str)
    try:
        texts = pa.array(series, pa.string(), from_pandas=True)
        fits = not texts.null_count and "" not in texts.unique().to_pylist()
    except pa.ArrowException:
        fits = False
    if not fits:
        row, value = next((r, v) for r, v in enumerate(series) if not (isinstance(v, str) and v))
        where, expected = _place(source, row), "text that is not empty"
        raise refusal(where, f"{series.name} is {shown(value)}", expected, "correct the row")
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


def _integers(series: pd.Series, source: str) -> np.ndarray:
    if pd.api.types.is_signed_integer_dtype(series.dtype) and not series.hasnans:
        return series.to_numpy(dtype=np.int64)
    return _numbers(series, source, "an integer").astype(np.int64)


def _numbers(series: pd.Series, source: str, noun: Literal["an integer", "a finite number"]) -> np.ndarray:
    values = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    fits = np.isfinite(values)
    expected = f"{noun} there"
    if noun == "an integer":
        fits &= (values == np.floor(values)) & (np.abs(values) <= LARGEST)
        expected = f"an integer of at most {LARGEST} there"
    if not fits.all():
        row = int(np.argmin(fits))
        what = f"{series.name} {shown(series.iloc[row])} is not {noun}"
        raise refusal(_place(source, row), what, expected, "correct the row")
    return values
