"""MetricComposer: a metric put together from the four columns of Table 1, and what it makes of a list."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, replace
from html import escape
from typing import Any

import numpy as np
import traitlets

from divmetrics.conventions.convention import conventions
from divmetrics.core.collection import RankedList
from divmetrics.core.metric import Metric
from divmetrics.core.parts import One, PreferredRank
from divmetrics.core.rules import check
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

UNKNOWN = "mine"  # the name of a composed row that is in no table
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
    metric : where to begin: the name of a metric that is a single row, such as "ERR-IA@5", or a Metric
    ranked_list : the list to be scored, a RankedList; by default list D of the harry potter example
    about : {document: a few words about it}

    `metric` is the composed Metric, whose repr is code that makes it again; it may be set, by name too. A
    row that is in a table has its name, every other one its own or "mine". `known_as` says which names the
    tables have for it, `score` what the list earns. `state` is the code of the metric, and
    `composer.observe(f, "state")` calls f after every change. Raises DivmetricsError, in one sentence, for
    input that cannot be used.
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
        self._row = _checked_row(metric)
        self._parts: dict[str, tuple[Any, ...]] = dict(menus.parts_of_tables())
        self._answered = ""
        super().__init__(_starts=_starts())
        self._about = dict(about or {})
        if ranked_list is None:  # another list may have other documents of the same ids
            self._put_list(harry_potter().list("D", "0083"), {**harry_potter_documents(), **self._about})
        else:
            self._put_list(ranked_list, self._about)
        self.metric = self._row
        self.on_msg(self._asked)
        self._stand("")
        self._follow_names()

    @property
    def metric(self) -> Metric:
        """The composed row."""
        return self._row

    @metric.setter
    def metric(self, chosen: str | Metric) -> None:
        self._show(_checked_row(chosen))

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names that the tables have for what is composed; none where it is new."""
        return names_of(self._row)

    @property
    def ranked_list(self) -> RankedList:
        """The list that is scored."""
        return self._ranked

    @ranked_list.setter
    def ranked_list(self, ranked: RankedList) -> None:
        self._put_list(ranked, self._about)
        self._show(self._row)

    @property
    def score(self) -> float:
        """What the list scores. Raises DivmetricsError where the metric lacks something, such as a cutoff."""
        return self._row.score(self._ranked)

    def _metric_changed(self, change: Change) -> None:
        self._starts = _starts()

    def _put_list(self, ranked: RankedList, about: Mapping[str, str]) -> None:
        if not isinstance(ranked, RankedList):
            raise DivmetricsError(
                f"the list to be scored is {ranked!r}, expected a RankedList, as in "
                "MetricComposer(ranked_list=collection.list('A', topic))"
            )
        self._ranked, self._measure = ranked, ListScorer(ranked.judgments)
        topic, marks = ranked.topic, assign_marks(ranked.topic.intents)
        self._listed = {
            "name": ranked.run,
            "title": topic.title or topic.id,
            "docs": [{"id": doc, "about": about.get(doc, "")} for doc in ranked.docs],
            "intents": [{"id": t.id, "label": t.label, "mark": marks[t.id]} for t in topic.intents],
        }

    def _asked(self, _: Any, content: Any, __: Any) -> None:
        """Edits of the browser, in the order in which they were made."""
        self._answered = content["token"]
        before = row = self._row
        try:
            for edit in EDITS(content["edits"], "the edits"):
                row = self._edited(row, edit)
            self._show(row)
        except DivmetricsError as error:
            self._show(before, str(error))
        except Exception as error:  # of one's own part; without an answer the browser would wait for ever
            self._show(before, f"{type(error).__name__}: {error}")
            raise

    def _edited(self, row: Metric, edit: dict[str, Any]) -> Metric:
        if "start" in edit:
            start = _checked_row(edit["start"])
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
        return _renamed(row, UNKNOWN if names_of(self._row) else self._row.name)

    def _show(self, row: Metric, problem: str = "") -> None:
        """Compose this row, measure it, and tell the browser."""
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
            shown = {**self._described(), **self._measured(), "list": self._listed}
            self._shown = {**shown, "answered": self._answered}
            self._problem = problem
            self.set_trait("state", repr(row))

    def _described(self) -> dict[str, Any]:
        row, known = self._row, self.table_names
        plain = replace(row, name="T")
        return {
            "name": str(row),
            "known": [name for name in known if name.count("=") == known[0].count("=")],
            "near": _neighbours(row),
            "cutoff": row.cutoff,
            "stop": row.stop is not None,
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
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                earned = plain(self._measure.earned(self._row, lists)[self._ranked.run])
            except DivmetricsError as error:
                return {"score": "", "cells": [], "remarks": [str(error)]}
            remarks = check(self._row, self._measure.view(lists))
        remarks += [str(said.message) for said in caught if issubclass(said.category, DivmetricsWarning)]
        if not np.isfinite(earned["cells"]).all():
            return {"score": "", "cells": [], "remarks": remarks}
        if not isinstance(self._row.N, One) and compare_scores(np.sum(earned["cells"]), 1) > 0:
            remarks.append("The score is above 1: this N is not the most that a list can earn.")
        return {**earned, "remarks": remarks}

    def __repr__(self) -> str:
        score = self._shown["score"] or "no score"
        return f"<MetricComposer of {self._row}: {score} on list {self._ranked.run}>"

    def static_html(self) -> str:
        shown = self._shown
        rows = []
        for column, sentence in shown["reader"]:
            part = getattr(self._row, column)
            code, text, words = map(escape, (repr(part), plain_formula(part), sentence))
            rows.append([column, words, text, f"<code>{code}</code>"])
        pieces = [
            f"<p><b>{escape(shown['name'])}</b>: {escape(shown['formula']['text'])}</p>",
            tables_html.table(["column", "what its readers do", "formula", "part"], rows),
            *(f"<p>{escape(remark)}</p>" for remark in shown["remarks"]),
        ]
        if shown["score"]:
            intents = {t["id"]: t["mark"] for t in shown["list"]["intents"]}
            which = f"list {self._ranked.run}"
            pieces.append(tables_html.contributions_table(shown["name"], which, intents, shown))
        return "".join(pieces)


def _checked_row(chosen: str | Metric) -> Metric:
    found = metric_named(chosen)
    if not isinstance(found, Metric):
        raise DivmetricsError(
            f"{found} is made of several rows; a composer holds a single row of the table, such as "
            f"{', '.join(row.name for row in _plain_rows('paper')[:5])}"
        )
    return found


def _plain_rows(table: str) -> list[Metric]:
    return [row for row in conventions()[table].rows.values() if isinstance(row, Metric)]


def _neighbours(row: Metric) -> list[tuple[str, str]]:
    """The paper's rows that differ in a single column, each with that column."""
    found = []
    for known in _plain_rows("paper"):
        columns = [column for column in COLUMNS if getattr(known, column) != getattr(row, column)]
        if len(columns) == 1 and known.stop == row.stop:
            found.append((known.name, columns[0]))
    return found


def _starts() -> dict[str, list[str]]:
    """For each convention the names of its single rows, and last one's own and those of plug-ins."""
    tables = {f"convention {table}": list(map(str, _plain_rows(table))) for table in conventions()}
    own = [name for name, row in added_metrics().items() if isinstance(row, Metric)]
    return {**tables, "your own": own} if own else tables


def _renamed(row: Metric, own: str) -> Metric:
    """With the name and the source that the tables have for it, or with a name of its own."""
    known = names_of(row)
    if not known:
        return replace(row, name=own, source="", explicit_parameters=(), convention="paper")
    found = metric_named(known[0])
    return replace(
        row,
        name=found.name,
        source=found.source,
        explicit_parameters=found.explicit_parameters,
        convention=found.convention,
    )


def _about(part: Any) -> list[str]:
    """What a part is, with its formula and its source."""
    return list(dict.fromkeys(describe_part(part)))


def _terms(row: Metric) -> list[tuple[str, str]]:
    """The formula as pieces of MathML, each with the column that it comes from; none where one has none."""
    terms = [(column, mathml(latex)) for column, latex in latex_terms(row) if latex.strip(" \\,")]
    return terms if all(drawn for _, drawn in terms) else []
