"""Check judgments and runs in DataFrames; errors name the row, counted from 0.

Columns may have the names of ir_measures or PyTerrier.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
import pandas as pd

from divmetrics.core.checks import quote
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.io.columns import (
    INTENT_COLUMNS,
    JUDGMENT_COLUMNS,
    LIST_COLUMNS,
    NO_SUBTOPIC,
    JudgmentColumns,
    RunColumns,
    name_in,
)
from divmetrics.io.file_contents import format_error
from divmetrics.io.number_parsing import LARGEST_WHOLE_FLOAT
from divmetrics.io.string_column import StringColumn
from divmetrics.io.validate import AN_ID, BLANKS, RowLocator, id_text, judgment_columns, run_columns

JUDGMENTS = "judgments DataFrame"
RUNS = "runs DataFrame"
TOPICS = "topics DataFrame"
BLANK_BYTES = np.frombuffer(BLANKS.encode(), dtype=np.uint8)
ONE_RUN = "run"  # the name of a run that has no name


def judgments(
    frame: pd.DataFrame, source: str = JUDGMENTS, place: RowLocator | None = None, ad_hoc: bool = False
) -> JudgmentColumns:
    """Check a table of judgments, a row each: topic, intent, doc, grade and perhaps subtopic; return columns.

    Columns may have other programs' names (`JUDGMENT_COLUMNS`); ids are text or whole numbers, grades whole
    numbers. source: the name of the table in messages. place: returns the name of a row, counted from 0; by
    default its number. ad_hoc: the column of intents may be missing; all are then "0". Repeated judgments are
    left out with a warning. Raises DivmetricsError if a column is missing, a value is invalid, the table is
    empty, or a judgment has two grades.
    """
    named = with_names(frame, source, JUDGMENT_COLUMNS, ("intent",) if ad_hoc else ())
    if "intent" not in named:
        named = named.assign(intent=NO_SUBTOPIC)
    names = ("topic", "intent", "doc") + (("subtopic",) if "subtopic" in named else ())
    place = place or _rows_of(source)
    columns = {name: _texts(named[name], name, place) for name in names}
    return judgment_columns(source, place, grade=_integers(named["grade"], "grade", place), **columns)


def runs(frame: pd.DataFrame, source: str = RUNS, place: RowLocator | None = None) -> list[RunColumns]:
    """Check a table of runs, a row for each document: topic, doc, score or rank, and perhaps run.

    Returns the runs in order of appearance, each with its rows in the frame's order. Without a column "run"
    the one run is called "run"; without scores, they are minus the ranks. Columns may have other programs'
    names (`LIST_COLUMNS`). source, place: the names of the table and of a row, counted from 0, in messages.
    Raises DivmetricsError if a column is missing, a value is invalid, the table is empty, or a run lists a
    document twice for a topic.
    """
    ranked = isinstance(frame, pd.DataFrame) and "rank" in frame
    named = with_names(frame, source, LIST_COLUMNS, ("score",) if ranked else ())
    place = place or _rows_of(source)
    topic, doc = _texts(named["topic"], "topic", place), _texts(named["doc"], "doc", place)
    rank = _integers(named["rank"], "rank", place) if "rank" in named else None
    if rank is None or "score" in named:
        score = _numbers(named["score"], "score", place, "a finite number")
    else:
        score = -rank.astype(np.float64)
    if "run" not in named:
        return [run_columns(source, place, topic, doc, rank, score, ONE_RUN)]
    tag = _texts(named["run"], "run", place).encode()
    codes = tag.codes
    rows_of = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    runs = []
    for name, rows in zip(tag.distinct.tolist(), rows_of, strict=True):
        topics, docs = (column.take(rows) for column in (topic, doc))
        ranks = None if rank is None else rank[rows]
        own, own_place = f"{source}, run {name}", _locate_in(place, rows)
        runs.append(run_columns(own, own_place, topics, docs, ranks, score[rows], name))
    return runs


def intent_rows(
    frame: pd.DataFrame, source: str = TOPICS, place: RowLocator | None = None
) -> Iterator[tuple[str, str, str, float, str]]:
    """Check a table of intents, a row each: topic, intent, probability and perhaps kind.

    Returns an iterator over (place in messages, topic, intent, probability, kind); without a column "kind"
    kinds are "". Probabilities are finite, and not checked further. source, place: the names of the table and
    of a row, counted from 0, in messages. Raises DivmetricsError if a column is missing, a value is invalid,
    or the table is empty.
    """
    named = with_names(frame, source, INTENT_COLUMNS, optional=("kind",))
    place = place or _rows_of(source)
    topic, intent = (_texts(named[name], name, place).tolist() for name in ("topic", "intent"))
    probability = _numbers(named["probability"], "probability", place, "a finite number").tolist()
    kind = named["kind"].fillna("").astype(str).tolist() if "kind" in named else [""] * len(named)
    return zip(map(place, range(len(named))), topic, intent, probability, kind, strict=True)


def with_names(
    frame: pd.DataFrame, source: str, needed: Mapping[str, tuple[str, ...]], optional: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Return the frame with its columns renamed to our names.

    source: the frame's name in messages; needed: {our name: other names that columns may have}; optional: our
    names of columns that may be missing. Other columns stay. Raises DivmetricsError if another one is
    missing, the frame is empty, or it is no DataFrame of pandas.
    """
    expected = f"the columns {', '.join(_or_else(name, others) for name, others in needed.items())}"
    if not isinstance(frame, pd.DataFrame):
        what = f"is a {type(frame).__name__}"
        raise format_error(source, what, f"a pandas DataFrame with {expected}", "convert it")
    present = [str(name) for name in frame.columns]
    originals = {name: name_in(present, name, others) for name, others in needed.items()}
    missing = [name for name, original in originals.items() if original is None and name not in optional]
    other, columns = (RUNS, LIST_COLUMNS) if needed is JUDGMENT_COLUMNS else (JUDGMENTS, JUDGMENT_COLUMNS)
    if missing and all(name_in(present, name, others) for name, others in columns.items()):
        raise format_error(source, f"has the columns of a {other}", expected, "swap the arguments")
    if missing:
        hint = did_you_mean(missing[0], (name for name in present if name not in originals.values()))
        what = f"has no column {missing[0]!r} among {', '.join(present) or 'none'}{hint}"
        raise format_error(source, what, expected, "add or rename it with DataFrame.rename(columns=...)")
    if frame.empty:
        raise format_error(
            source, "is empty", f"at least one row with {expected}", "check where it came from"
        )
    return frame.rename(columns={original: name for name, original in originals.items() if original})


def no_subtopics(source: str) -> DivmetricsError:
    """Return, not raise, the error for judgments that name no subtopics; `source` is their name in it."""
    return format_error(
        source,
        "no judgment names its subtopic (ir_measures calls it iteration, and 0 means none)",
        "diversity judgments: tuples such as ir_measures.Qrel('1', 'd1', 2, iteration='3'), a DataFrame with "
        "the column iteration or intent, or {topic: {document: {intent: grade}}}",
        "add the subtopics (a column called intent may be 0 throughout: one intent for each topic)",
    )


def _or_else(name: str, others: tuple[str, ...]) -> str:
    return f"{name} (or {', '.join(others)})" if others else name


def _rows_of(source: str) -> RowLocator:
    return lambda row: f"{source}, row {row} (from 0)"


def _locate_in(place: RowLocator, rows: np.ndarray) -> RowLocator:
    return lambda row: place(int(rows[row]))


def _texts(series: pd.Series, name: str, place: RowLocator) -> StringColumn:
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.dtype.categories.dtype)
    if pd.api.types.is_integer_dtype(series.dtype) and not series.hasnans:
        series = series.astype(str)
    if pd.api.types.infer_dtype(series, skipna=False) == "string" and not series.hasnans:
        with contextlib.suppress(UnicodeEncodeError):
            column = StringColumn.of(series)
            if _is_tidy(column):
                return column
    texts = [id_text(value) for value in series]
    if None in texts:
        row = texts.index(None)
        raise format_error(place(row), f"{name} is {quote(series.iloc[row])}", AN_ID, "correct it")
    return StringColumn.of(filter(None, texts))


def _is_tidy(ids: StringColumn) -> bool:
    """Return whether no id is empty, or begins or ends with a blank."""
    if (ids.begin == ids.end).any():
        return False
    return not any(np.isin(ids.buffer[at], BLANK_BYTES).any() for at in (ids.begin, ids.end - 1))


def _integers(series: pd.Series, name: str, place: RowLocator) -> np.ndarray:
    if pd.api.types.is_signed_integer_dtype(series.dtype) and not series.hasnans:
        return series.to_numpy(dtype=np.int64)
    return _numbers(series, name, place, "an integer").astype(np.int64)


def _numbers(
    series: pd.Series, name: str, place: RowLocator, noun: Literal["an integer", "a finite number"]
) -> np.ndarray:
    values = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    if series.dtype == object or pd.api.types.is_bool_dtype(series.dtype):  # pandas counts True as 1
        values = np.where([isinstance(value, (bool, np.bool_)) for value in series], np.nan, values)
    fits = np.isfinite(values)
    expected = f"{noun} there"
    if noun == "an integer":
        fits &= (values == np.floor(values)) & (np.abs(values) <= LARGEST_WHOLE_FLOAT)
        expected = f"an integer of at most {LARGEST_WHOLE_FLOAT} there"
    if not fits.all():
        row = int(np.argmin(fits))
        what = f"{name} {quote(series.iloc[row])} is not {noun}"
        raise format_error(place(row), what, expected, "correct it")
    return values
