"""What other programs keep in memory: dicts, tuples and tables of pytrec_eval, ir_measures and others.

None of them is imported, nor is ranx or polars: a value is known by its shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd

from divmetrics.core.checks import is_number, quote
from divmetrics.io import dataframes
from divmetrics.io.columns import JudgmentColumns, RunColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.validate import RowLocator, topic_id
from divmetrics.optional import import_optional

QRELS = "judgments"
RUN = "run"
JUDGMENT = ("topic", "intent", "doc", "grade")  # the order of pyndeval's tuples, and of a line of qrels
SCORED = ("topic", "doc", "score")
A_QREL = "a tuple (topic, intent, document, grade) or one with names, such as ir_measures.Qrel"
A_SCORED_DOC = "a tuple (topic, document, score) or one with names, such as ir_measures.ScoredDoc"
A_TABLE = "a table that is not one of pandas"
QRELS_EXPECTED = (
    "a path, a DataFrame (topic, intent, doc, grade), {topic: {document: {intent: grade}}} or tuples such as "
    "ir_measures.Qrel"
)
RUN_EXPECTED = (
    "a path, a DataFrame (topic, doc, score), {topic: {document: score}}, tuples such as "
    "ir_measures.ScoredDoc, or a Run"
)


@dataclass(frozen=True, eq=False)
class InMemoryJudgments:
    """Judgments in memory as a table, whose columns may have other names than ours.

    source, place: what messages call the table, and a row of it. ad_hoc: without subtopics they will do, too.
    """

    frame: pd.DataFrame
    source: str
    place: RowLocator | None
    ad_hoc: bool

    def columns(self) -> JudgmentColumns:
        """Checked."""
        return dataframes.judgments(self.frame, self.source, self.place, self.ad_hoc)

    def topics(self) -> dict[str, Any]:
        """Each topic's id as it was given, by ours: text, and "101" for "wt09-101"."""
        named = dataframes.with_names(
            self.frame, self.source, {"topic": dataframes.JUDGMENT_COLUMNS["topic"]}
        )
        return {topic_id(str(topic)): topic for topic in named["topic"].unique().tolist()}


def wrap_judgments(given: Any, ad_hoc: bool = False) -> InMemoryJudgments:
    """Judgments as somebody holds them."""
    if isinstance(given, InMemoryJudgments):
        return given
    return InMemoryJudgments(*_judgments_table(given, ad_hoc), ad_hoc)


def runs(given: Any) -> list[RunColumns]:
    """Runs as somebody holds them; one that has no name is called "run"."""
    if isinstance(given, Mapping):
        return [_run_of_dict(given)]
    if _is_of_ranx(given, "Run"):
        return [_run_of_dict(given.to_dict(), str(given.name or dataframes.ONE_RUN))]
    table = _table(given)
    if table is not None:
        return dataframes.runs(table)
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        return dataframes.runs(_rows(given, RUN, SCORED, A_SCORED_DOC), RUN, _items(RUN))
    raise format_error(RUN, f"is {quote(given)}", RUN_EXPECTED, "convert it")


def _judgments_table(given: Any, ad_hoc: bool) -> tuple[pd.DataFrame, str, RowLocator | None]:
    if isinstance(given, Mapping):
        return _table_of_dict(given, ad_hoc)
    if _is_of_ranx(given, "Qrels"):
        if not ad_hoc:
            raise dataframes.no_subtopics("ranx.Qrels")
        return _table_of_dict(given.to_dict(), ad_hoc)
    table = _table(given)
    if table is not None:
        if not ad_hoc and _lacks_only_subtopics(table):
            raise dataframes.no_subtopics(dataframes.JUDGMENTS)
        return table, dataframes.JUDGMENTS, None
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        return _rows(given, QRELS, JUDGMENT, A_QREL), QRELS, _items(QRELS)
    raise format_error(QRELS, f"are {quote(given)}", QRELS_EXPECTED, "convert them")


def _lacks_only_subtopics(table: pd.DataFrame) -> bool:
    there = {
        name: not {name, *others}.isdisjoint(table) for name, others in dataframes.JUDGMENT_COLUMNS.items()
    }
    return not there.pop("intent") and all(there.values())


def _table(given: Any) -> pd.DataFrame | None:
    """A table of pandas, polars or whoever else hands its columns on; None for anything else."""
    if isinstance(given, pd.DataFrame):
        return given
    if hasattr(given, "to_arrow"):  # polars; its own choice of types is the one that pandas reads
        import_optional("pyarrow", A_TABLE)
        return given.to_arrow().to_pandas()
    if hasattr(given, "__arrow_c_stream__"):
        return import_optional("pyarrow", A_TABLE).table(given).to_pandas()
    if hasattr(given, "__dataframe__"):
        return import_optional("pyarrow.interchange", A_TABLE).from_dataframe(given).to_pandas()
    return None


def _is_of_ranx(given: Any, name: str) -> bool:
    kind = type(given)
    return kind.__name__ == name and kind.__module__.partition(".")[0] == "ranx"


def _table_of_dict(given: Mapping[Any, Any], ad_hoc: bool) -> tuple[pd.DataFrame, str, RowLocator | None]:
    rows: list[tuple[Any, ...]] = []
    for topic, docs in given.items():
        for doc, labels in _inside(docs, f"{QRELS}, topic {quote(topic)}", QRELS_EXPECTED):
            if is_number(labels) and ad_hoc:
                labels = {dataframes.NO_SUBTOPIC: labels}
            elif is_number(labels):
                raise dataframes.no_subtopics(QRELS)
            where = f"{QRELS}, topic {quote(topic)}, document {quote(doc)}"
            rows += [(topic, intent, doc, grade) for intent, grade in _inside(labels, where, QRELS_EXPECTED)]

    def place(row: int) -> str:
        topic, intent, doc, _ = rows[row]
        return f"{QRELS}, topic {quote(topic)}, document {quote(doc)}, intent {quote(intent)}"

    return pd.DataFrame(rows, columns=list(JUDGMENT)), QRELS, place


def _run_of_dict(given: Mapping[Any, Any], name: str = dataframes.ONE_RUN) -> RunColumns:
    """The run {topic: {document: score}}. A dict tells no order, so its rows go by score."""
    rows: list[tuple[Any, ...]] = []
    for topic, docs in given.items():
        listed = list(_inside(docs, f"{RUN}, topic {quote(topic)}", RUN_EXPECTED))
        if all(is_number(score) and isinstance(doc, str) for doc, score in listed):
            listed.sort(reverse=True)
            listed.sort(key=lambda pair: -pair[1])
        rows += [(topic, doc, score) for doc, score in listed]

    def place(row: int) -> str:
        topic, doc, _ = rows[row]
        return f"{RUN}, topic {quote(topic)}, document {quote(doc)}"

    (run,) = dataframes.runs(pd.DataFrame(rows, columns=list(SCORED)).assign(run=name), RUN, place)
    return run


def _inside(held: Any, where: str, expected: str) -> Iterable[tuple[Any, Any]]:
    if not isinstance(held, Mapping):
        raise format_error(where, f"has {quote(held)}", expected, "correct it")
    return held.items()


def _rows(given: Iterable[Any], source: str, order: tuple[str, ...], each: str) -> pd.DataFrame:
    """Tuples as a table: by their names where they have some, else by their order."""
    coming: Iterator[Any] = iter(given)
    first = next(coming, None)
    if first is None:
        return pd.DataFrame(columns=list(order))
    names = getattr(first, "_fields", order)
    rows = list(chain([first], coming))
    wrong = next((i for i, row in enumerate(rows) if not _is_row(row, names)), None)
    if wrong is not None:
        raise format_error(_items(source)(wrong), f"is {quote(rows[wrong])}", each, "give all in one form")
    return pd.DataFrame(rows, columns=list(names))


def _is_row(row: Any, names: Sequence[str]) -> bool:
    return isinstance(row, tuple) and len(row) == len(names) and getattr(row, "_fields", names) == names


def _items(source: str) -> RowLocator:
    return lambda row: f"{source}, item {row} (from 0)"
