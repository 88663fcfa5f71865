"""Read judgments and runs that other programs hold in memory: dicts, tuples and tables.

ir_measures, ranx, polars and others are not imported: values are recognised by their structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from divmetrics.core.checks import is_number, quote
from divmetrics.io import dataframes
from divmetrics.io.columns import JUDGMENT_COLUMNS, LEVELS, NO_SUBTOPIC, JudgmentColumns, RunColumns
from divmetrics.io.file_contents import format_error
from divmetrics.io.validate import RowLocator, id_text, topic_id
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
    "a path, a DataFrame (topic, doc, score), {topic: {document: score}}, {topic: [document, ...]}, tuples "
    "such as ir_measures.ScoredDoc, or a Run"
)


@dataclass(frozen=True, eq=False)
class InMemoryJudgments:
    """A table of judgments that are not checked yet, with columns named as here or in other programs.

    `source` is the name of the table in messages; `place` returns that of a row (None: its number); `ad_hoc`
    says whether subtopics may be missing.
    """

    frame: pd.DataFrame
    source: str
    place: RowLocator | None
    ad_hoc: bool

    def columns(self) -> JudgmentColumns:
        """Check the judgments and return them; raise DivmetricsError if one is invalid or has two grades."""
        return dataframes.judgments(self.frame, self.source, self.place, self.ad_hoc)

    def topics(self) -> dict[str, Any]:
        """Return {id as text, without the task: id in the table} of the topics: "wt09-101" has the key "101".

        Raises DivmetricsError if the table has no topics.
        """
        named = dataframes.with_names(self.frame, self.source, {"topic": JUDGMENT_COLUMNS["topic"]})
        return {topic_id(id_text(topic) or ""): topic for topic in named["topic"].unique().tolist()}


def wrap_judgments(judgments: Any, ad_hoc: bool = False) -> InMemoryJudgments:
    """Make a table of judgments in any structure that `evaluate` takes, except files.

    These are a DataFrame of pandas, polars or Arrow, {topic: {document: {intent: grade}}}, tuples, and with
    `ad_hoc`, which accepts judgments without subtopics, also {topic: {document: grade}} and ranx.Qrels. A
    result of this function is returned as it is. Raises DivmetricsError for all else.
    """
    if isinstance(judgments, InMemoryJudgments):
        return judgments
    return InMemoryJudgments(*_judgments_table(judgments, ad_hoc), ad_hoc)


def runs(runs: Any) -> list[RunColumns]:
    """Return the columns of runs in memory: {topic: {document: score}}, ranx.Run, a table, or tuples.

    A table or tuples may hold several runs. A run without a name is called "run". Raises DivmetricsError if a
    run is invalid, or for all else.
    """
    if isinstance(runs, Mapping):
        return [_run_of_dict(runs)]
    if _is_from_ranx(runs, "Run"):
        return [_run_of_dict(runs.to_dict(), str(runs.name or dataframes.ONE_RUN))]
    table = as_table(runs)
    if table is not None:
        return dataframes.runs(table)
    if isinstance(runs, Iterable) and not isinstance(runs, (str, bytes)):
        return dataframes.runs(_rows(runs, RUN, SCORED, A_SCORED_DOC), RUN, _items(RUN))
    raise format_error(RUN, f"is {quote(runs)}", RUN_EXPECTED, "convert it")


def _judgments_table(judgments: Any, ad_hoc: bool) -> tuple[pd.DataFrame, str, RowLocator | None]:
    if isinstance(judgments, Mapping):
        return _table_of_dict(judgments, ad_hoc)
    if _is_from_ranx(judgments, "Qrels"):
        if not ad_hoc:
            raise dataframes.no_subtopics("ranx.Qrels")
        return _table_of_dict(judgments.to_dict(), ad_hoc)
    table = as_table(judgments)
    if table is not None:
        table = table.rename(columns={name: own for name, own in LEVELS.items() if own not in table})
        if not ad_hoc and _lacks_only_subtopics(table):
            raise dataframes.no_subtopics(dataframes.JUDGMENTS)
        return table, dataframes.JUDGMENTS, None
    if isinstance(judgments, Iterable) and not isinstance(judgments, (str, bytes)):
        return _rows(judgments, QRELS, JUDGMENT, A_QREL), QRELS, _items(QRELS)
    raise format_error(QRELS, f"are {quote(judgments)}", QRELS_EXPECTED, "convert them")


def _lacks_only_subtopics(table: pd.DataFrame) -> bool:
    there = {name: not {name, *others}.isdisjoint(table) for name, others in JUDGMENT_COLUMNS.items()}
    return not there.pop("intent") and all(there.values())


def as_table(value: Any) -> pd.DataFrame | None:
    """Convert a table of polars, Arrow or another program to pandas; return None for all other values.

    A pandas DataFrame is returned as it is. Raises MissingPackage, a DivmetricsError, if pyarrow is needed
    and not installed.
    """
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return value if isinstance(value, pd.DataFrame) else None
    if hasattr(value, "to_arrow"):  # polars, whose own conversion chooses types that pandas reads
        import_optional("pyarrow", A_TABLE)
        return value.to_arrow().to_pandas()
    if hasattr(value, "__arrow_c_stream__"):
        return import_optional("pyarrow", A_TABLE).table(value).to_pandas()
    if hasattr(value, "__dataframe__"):
        return import_optional("pyarrow.interchange", A_TABLE).from_dataframe(value).to_pandas()
    return None


def _is_from_ranx(value: Any, name: str) -> bool:
    kind = type(value)
    return kind.__name__ == name and kind.__module__.partition(".")[0] == "ranx"


def _table_of_dict(judgments: Mapping[Any, Any], ad_hoc: bool) -> tuple[pd.DataFrame, str, RowLocator | None]:
    rows: list[tuple[Any, ...]] = []
    for topic, docs in judgments.items():
        for doc, labels in _pairs(docs, f"{QRELS}, topic {quote(topic)}", QRELS_EXPECTED):
            if is_number(labels) and ad_hoc:
                labels = {NO_SUBTOPIC: labels}
            elif is_number(labels):
                raise dataframes.no_subtopics(QRELS)
            where = f"{QRELS}, topic {quote(topic)}, document {quote(doc)}"
            rows += [(topic, intent, doc, grade) for intent, grade in _pairs(labels, where, QRELS_EXPECTED)]

    def place(row: int) -> str:
        topic, intent, doc, _ = rows[row]
        return f"{QRELS}, topic {quote(topic)}, document {quote(doc)}, intent {quote(intent)}"

    return pd.DataFrame(rows, columns=list(JUDGMENT)), QRELS, place


def _run_of_dict(run: Mapping[Any, Any], name: str = dataframes.ONE_RUN) -> RunColumns:
    """Return the run {topic: {document: score}}, with rows ordered by score because a dict has no ranks."""
    rows: list[tuple[Any, ...]] = []
    for topic, docs in run.items():
        listed = list(_pairs(docs, f"{RUN}, topic {quote(topic)}", RUN_EXPECTED))
        if all(is_number(score) for _, score in listed):
            listed.sort(key=lambda pair: id_text(pair[0]) or "", reverse=True)
            listed.sort(key=lambda pair: -pair[1])
        rows += [(topic, doc, score) for doc, score in listed]

    def place(row: int) -> str:
        topic, doc, _ = rows[row]
        return f"{RUN}, topic {quote(topic)}, document {quote(doc)}"

    (columns,) = dataframes.runs(pd.DataFrame(rows, columns=list(SCORED)).assign(run=name), RUN, place)
    return columns


def _pairs(value: Any, where: str, expected: str) -> Iterable[tuple[Any, Any]]:
    if not isinstance(value, Mapping):
        raise format_error(where, f"has {quote(value)}", expected, "correct it")
    return value.items()


def _rows(tuples: Iterable[Any], source: str, order: tuple[str, ...], expected: str) -> pd.DataFrame:
    """Make a table of tuples, by the names of their fields or else in the order `order`.

    source: its name in messages; expected: the description of valid tuples in messages.
    """
    rows = list(tuples)
    if not rows:
        return pd.DataFrame(columns=list(order))
    names = getattr(rows[0], "_fields", order)
    wrong = next((i for i, row in enumerate(rows) if not _is_row(row, names)), None)
    if wrong is not None:
        raise format_error(
            _items(source)(wrong), f"is {quote(rows[wrong])}", expected, "give all in one form"
        )
    return pd.DataFrame(rows, columns=list(names))


def _is_row(row: Any, names: Sequence[str]) -> bool:
    return isinstance(row, tuple) and len(row) == len(names) and getattr(row, "_fields", names) == names


def _items(source: str) -> RowLocator:
    return lambda row: f"{source}, item {row} (from 0)"
