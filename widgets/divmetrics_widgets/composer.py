"""MetricComposer: a metric composed from the four columns of Table 1, and its score for one list."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, replace
from html import escape
from typing import Any

import numpy as np
import traitlets

from divmetrics.conventions.convention import conventions
from divmetrics.core.metric import Metric
from divmetrics.core.parts import One, PreferredRank
from divmetrics.core.runs import RankedList
from divmetrics.core.tolerances import compare_scores
from divmetrics.errors import DivmetricsError, DivmetricsWarning
from divmetrics.explanations.catalogue import COLUMNS, describe_part
from divmetrics.explanations.formulas import formula, latex_terms
from divmetrics.explanations.part_descriptions import description_of, plain_formula
from divmetrics.explanations.user_model_texts import describe_columns
from divmetrics.notebook.appearance.mathml import mathml
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import names_of
from divmetrics.registry.rules import check
from divmetrics.registry.session import Change, added_metrics
from divmetrics.research.datasets import harry_potter, harry_potter_documents
from divmetrics_widgets import menus, tables_html
from divmetrics_widgets.measuring import ListScorer, plain
from divmetrics_widgets.messages import (
    any_value,
    flag,
    number,
    one_of,
    optional,
    record,
    refused,
    several,
    text,
    union,
    whole,
)
from divmetrics_widgets.tool import Module, WidgetBase

UNKNOWN = "mine"  # the name of a composed row that no table has
VALUE = optional(union(number, text, expected="a number or a word"))
EDITS = several(
    union(
        record(start=text),
        record(stop=flag),
        record(cutoff=VALUE),
        record(column=one_of(COLUMNS), parameter=text, value=VALUE),
        record(column=one_of(COLUMNS), part=whole(0)),
        expected="an edit of a part, a parameter, the cutoff, the stop or the start",
    )
)


class MetricComposer(WidgetBase):
    """Four menus, one for each column of Table 1 of Yu et al. (2017): N, f, w and M.

    Parameters
    ----------
    metric : str or Metric
        The metric to start from, a single row of a table, such as "ERR-IA@5" ("D#-nDCG" has two rows).
    ranked_list : RankedList, optional
        The list to score; by default list D of the harry potter example.
    about : mapping of str to str, optional
        A short description of documents, {document: description}; the others have none.

    Raises
    ------
    DivmetricsError
        If there is no metric of the name, it is not a single row of a table, or `ranked_list` is no
        RankedList.

    Notes
    -----
    `metric` is the composed Metric, whose repr is code that makes it again; it may be set, by name too, as
    `ranked_list` may. A row of a table has its name, every other row its own name or "mine". `table_names`
    lists the names that the tables have for it, `score` is the list's score. `state` is the code of the
    metric, and `composer.observe(f, "state")` calls f after every change.

    Examples
    --------
    >>> composer = MetricComposer("ERR-IA@5")
    >>> f"{composer.score:.4f}"
    '0.4646'
    """

    _esm = Module("composer.js", ("composer.css",))
    _hears = staticmethod(record(token=text, edits=any_value))
    _menus = traitlets.Dict().tag(sync=True, echo_update=False)
    _starts = traitlets.Dict().tag(sync=True)
    _shown = traitlets.Dict().tag(sync=True, echo_update=False)
    state = traitlets.Unicode("", read_only=True).tag(sync=True)

    def __init__(
        self,
        metric: str | Metric = "ERR-IA@5",
        ranked_list: RankedList | None = None,
        *,
        about: Mapping[str, str] | None = None,
    ) -> None:
        self._row = _single_row(metric)
        self._parts: dict[str, tuple[Any, ...]] = dict(menus.parts_of_tables())
        self._answered = ""
        super().__init__(_starts=_starts())
        self._about = dict(about or {})
        if ranked_list is None:  # another list may use the same ids for other documents
            self._set_list(harry_potter().list("D", "0083"), {**harry_potter_documents(), **self._about})
        else:
            self._set_list(ranked_list, self._about)
        self.metric = self._row
        self.on_msg(self._on_message)
        self._set_place("")
        self._follow_names()

    @property
    def metric(self) -> Metric:
        """The composed metric; may be set to a metric or a name, as in the constructor."""
        return self._row

    @metric.setter
    def metric(self, metric: str | Metric) -> None:
        self._show(_single_row(metric))

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names that the tables have for the composed row; empty if it is new."""
        return names_of(self._row)

    @property
    def ranked_list(self) -> RankedList:
        """The list to score; may be set to another RankedList."""
        return self._ranked

    @ranked_list.setter
    def ranked_list(self, ranked: RankedList) -> None:
        self._set_list(ranked, self._about)
        self._show(self._row)

    @property
    def score(self) -> float:
        """The list's score. Raises DivmetricsError if the metric lacks something, such as a cutoff."""
        return self._row.score(self._ranked, level=1)

    def _metric_changed(self, change: Change) -> None:
        self._starts = _starts()

    def _set_list(self, ranked: RankedList, about: Mapping[str, str]) -> None:
        if not isinstance(ranked, RankedList):
            raise DivmetricsError(
                f"the list to be scored is {ranked!r}, expected a RankedList, as in "
                "MetricComposer(ranked_list=collection.list('A', topic))"
            )
        self._ranked, self._scorer = ranked, ListScorer(ranked.judgments)
        topic, marks = ranked.topic, assign_marks(ranked.topic.intents)
        self._listed = {
            "name": ranked.run,
            "title": topic.title or topic.id,
            "docs": [{"id": doc, "about": about.get(doc, "")} for doc in ranked.docs],
            "intents": [{"id": t.id, "label": t.label, "mark": marks[t.id]} for t in topic.intents],
        }

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        """Apply edits from the browser in the order in which they were made."""
        self._answered = content["token"]
        before = row = self._row
        try:
            for edit in EDITS(content["edits"], "the edits"):
                row = self._apply_edit(row, edit)
            self._show(row)
        except DivmetricsError as error:
            self._show(before, str(error))
        except Exception as error:  # from a user's own part; without an answer the browser would wait forever
            self._show(before, f"{type(error).__name__}: {error}")
            raise

    def _apply_edit(self, row: Metric, edit: dict[str, Any]) -> Metric:
        if "start" in edit:
            start = _single_row(edit["start"])
            return start if row.cutoff is None else start @ row.cutoff
        if "part" in edit:
            parts = self._parts[edit["column"]]
            if edit["part"] >= len(parts):
                expected = f"a number from 0 to {len(parts) - 1}"
                raise refused(edit["part"], f"the part of {edit['column']}", expected)
            row = menus.with_part(row, edit["column"], parts[edit["part"]])
        elif "parameter" in edit:
            row = menus.with_parameter(row, edit["column"], edit["parameter"], edit["value"])
        elif "stop" in edit:
            row = replace(row, stop=PreferredRank() if edit["stop"] else None)
        elif edit["cutoff"] is None:
            row = replace(row, cutoff=None)
        else:
            row = row @ edit["cutoff"]
        return _with_table_name(row, UNKNOWN if names_of(self._row) else self._row.name)

    def _show(self, row: Metric, problem: str = "") -> None:
        """Set the composed row, score the list, and update the browser."""
        for column in COLUMNS:
            part = getattr(row, column)
            if menus.place_of(part, self._parts[column]) is None:
                self._parts[column] = (*self._parts[column], part)
        self._row = row
        with self.hold_sync():
            self._menus = {
                column: [f"{menus.label(part)}: {plain_formula(part)}" for part in parts]
                for column, parts in self._parts.items()
            }
            traits = {**self._description(), **self._measured(), "list": self._listed}
            self._shown = {**traits, "answered": self._answered}
            self._problem = problem
            self.set_trait("state", repr(row))

    def _description(self) -> dict[str, Any]:
        row, names = self._row, self.table_names
        plain = replace(row, name="T")
        return {
            "name": str(row),
            "known": [name for name in names if name.count("=") == names[0].count("=")],
            "near": _neighbours(row),
            "cutoff": row.cutoff,
            "stop": isinstance(row.stop, PreferredRank),
            "formula": {"text": formula(plain), "terms": _terms(plain)},
            "reader": list(describe_columns(row).items()),
            "columns": {column: self._column(column) for column in COLUMNS},
        }

    def _column(self, column: str) -> dict[str, Any]:
        part = getattr(self._row, column)
        typeset = description_of(part).latex
        return {
            "place": menus.place_of(part, self._parts[column]),
            "words": _about(part),
            "formula": {"text": plain_formula(part), "mathml": mathml(typeset) if typeset else ""},
            "parameters": [asdict(parameter) for parameter in menus.parameters(self._row, column)],
        }

    def _measured(self) -> dict[str, Any]:
        lists = {self._ranked.run: self._ranked.docs}
        with warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always")
            try:
                earned = plain(self._scorer.contributions(self._row, lists)[self._ranked.run])
            except DivmetricsError as error:
                return {"score": "", "cells": [], "remarks": [str(error)]}
            remarks = check(self._row, self._scorer.batch(lists))
        remarks += [
            str(warning.message)
            for warning in caught_warnings
            if issubclass(warning.category, DivmetricsWarning)
        ]
        if not np.isfinite(earned["cells"]).all():
            return {"score": "", "cells": [], "remarks": remarks}
        if not isinstance(self._row.N, One) and compare_scores(np.sum(earned["cells"]), 1) > 0:
            remarks.append("The score is above 1: this N is not the most that a list can earn.")
        return {**earned, "remarks": remarks}

    def __repr__(self) -> str:
        score = self._shown["score"] or "no score"
        return f"<MetricComposer of {self._row}: {score} on list {self._ranked.run}>"

    def static_html(self) -> str:
        traits = self._shown
        rows = []
        for column, sentence in traits["reader"]:
            part = getattr(self._row, column)
            code, text, words = map(escape, (repr(part), plain_formula(part), sentence))
            rows.append([column, words, text, f"<code>{code}</code>"])
        pieces = [
            f"<p><b>{escape(traits['name'])}</b>: {escape(traits['formula']['text'])}</p>",
            tables_html.table(["column", "what its readers do", "formula", "part"], rows),
            *(f"<p>{escape(remark)}</p>" for remark in traits["remarks"]),
        ]
        if traits["score"]:
            intents = {t["id"]: t["mark"] for t in traits["list"]["intents"]}
            list_name = f"list {self._ranked.run}"
            pieces.append(tables_html.contributions_table(traits["name"], list_name, intents, traits))
        return "".join(pieces)


def _single_row(value: str | Metric) -> Metric:
    row = metric_named(value)
    if not isinstance(row, Metric):
        raise DivmetricsError(
            f"{row} is made of several rows; a composer holds a single row of the table, such as "
            f"{', '.join(row.name for row in _plain_rows('paper')[:5])}"
        )
    return row


def _plain_rows(table: str) -> list[Metric]:
    return [row for row in conventions()[table].rows.values() if isinstance(row, Metric)]


def _neighbours(row: Metric) -> list[tuple[str, str]]:
    """Return the rows of the paper that differ in one column, each with that column."""
    neighbours = []
    for other in _plain_rows("paper"):
        columns = [column for column in COLUMNS if getattr(other, column) != getattr(row, column)]
        if len(columns) == 1 and other.stop == row.stop:
            neighbours.append((other.name, columns[0]))
    return neighbours


def _starts() -> dict[str, list[str]]:
    """Return the names of single rows by convention; last, the session's own and those of plug-ins."""
    tables = {f"convention {table}": list(map(str, _plain_rows(table))) for table in conventions()}
    own = [name for name, row in added_metrics().items() if isinstance(row, Metric)]
    return {**tables, "your own": own} if own else tables


def _with_table_name(row: Metric, own: str) -> Metric:
    """Return the row with the name and the source that the tables have for it, or with the name `own`."""
    names = names_of(row)
    if not names:
        return replace(row, name=own, source="", explicit_parameters=(), convention="paper")
    table_row = metric_named(names[0])
    return replace(
        row,
        name=table_row.name,
        source=table_row.source,
        explicit_parameters=table_row.explicit_parameters,
        convention=table_row.convention,
    )


def _about(part: Any) -> list[str]:
    """Return the description of a part, with its formula and its source."""
    return list(dict.fromkeys(describe_part(part)))


def _terms(row: Metric) -> list[tuple[str, str]]:
    """Return the formula as (column, MathML) terms, or an empty list if one of them has no MathML."""
    terms = [(column, mathml(latex)) for column, latex in latex_terms(row) if latex.strip(" \\,")]
    return terms if all(mathml_text for _, mathml_text in terms) else []
