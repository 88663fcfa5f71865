"""ContributionsView: the contributions to a score, intent by rank, with a sentence for each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from html import escape
from typing import Any

import traitlets

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics_widgets import tables_html
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.messages import several, text, union, whole
from divmetrics_widgets.one_list import SingleListWidget
from divmetrics_widgets.telling import describe_cells
from divmetrics_widgets.tool import Module

DEEPEST = 20
CELL = several(union(text, whole(1), expected="an intent, or a rank from 1"))


class ContributionsView(SingleListWidget):
    """The contribution of each intent at each rank of one list; the cells add up to the score.

    Parameters
    ----------
    metric : str or BaseMetric
        A name such as "ERR-IA@5", or a metric.
    ranked_list : RankedList
        A list of at least one document.
    metrics : iterable of str or BaseMetric, optional
        More metrics for the menu; none by default. They are tried only when they are chosen.
    about : mapping of str to str, optional
        A short description of documents, {document: description}; the others have none.

    Raises
    ------
    DivmetricsError
        If there is no metric of a name, the displayed metric cannot score the list (such as one that needs a
        cutoff), or `ranked_list` is no RankedList of at least one document; if `metric` or `selected` is set
        to what is not displayed.

    Notes
    -----
    `selected` is the cell that is explained in words, the list [id of the intent, rank from 1], at first one
    at the highest rank that contributes; it may be observed and set. `metric` is the displayed metric, and
    may be set to another one of the menu. An intent-square metric (X-IS) has a row for each second-level
    subtopic, named "intent/subtopic". At most 20 ranks have cells of their own; the rest is one column. Of
    more than 24 rows, those that no document serves are folded into one line.

    Examples
    --------
    >>> from divmetrics import datasets
    >>> ContributionsView("ERR-IA@5", datasets.harry_potter().list("A", "0083"))
    <ContributionsView: ERR-IA@5 of list A = 0.2870>
    """

    _esm = Module("contributions.js", ("contributions.css",))
    selected: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False, reads=CELL)

    def __init__(
        self,
        metric: str | BaseMetric,
        ranked_list: RankedList,
        *,
        metrics: Iterable[str | BaseMetric] = (),
        about: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(metric, ranked_list, metrics, about)
        self._follow_names()

    @cached_property
    def _scorer(self) -> ListScorer:
        return ListScorer(self._list.judgments)

    @traitlets.validate("selected")
    def _validate_selected(self, proposal: Any) -> list[Any]:
        rows, ranks = [row["id"] for row in self._picture["rows"]], len(self._picture["docs"])
        if len(proposal["value"]) != 2:
            raise DivmetricsError(f"selected is {proposal['value']!r}, expected (intent, rank)")
        intent, rank = proposal["value"]
        if intent not in rows or rank not in range(1, ranks + 1):
            raise DivmetricsError(
                f"selected is {(intent, rank)!r}, expected one of the intents {', '.join(rows)} and a rank "
                f"from 1 to {ranks}"
            )
        return [intent, rank]

    def _check_written(self, written: dict[str, Any]) -> None:
        super()._check_written(written)
        if "selected" in written:
            self._validate_selected({"value": written["selected"]})

    def _on_picture_change(self) -> None:
        rows, depth = [row["id"] for row in self._picture["rows"]], len(self._picture["docs"])
        if not self.selected or self.selected[0] not in rows or self.selected[1] > depth:
            self.selected = self._first_cell()

    def _first_cell(self) -> list[Any]:
        rows = [row for row in self._picture["rows"] if not row["folded"]] or self._picture["rows"]
        for k in range(len(self._picture["docs"])):
            for row in rows:
                if row["cells"][k]:
                    return [row["id"], k + 1]
        return [rows[0]["id"], 1]

    def _draw(self, name: str) -> dict[str, Any]:
        metric, ranked = self._metrics[name], self._list
        earned = self._scorer.contributions(metric, {"list": ranked.docs})["list"]
        whole = earned.values.shape[1]
        depth = min(len(ranked), whole, DEEPEST)
        marks = assign_marks(ranked.topic.intents)
        words, fold = describe_cells(metric, ranked, self._scorer, depth, self._about), earned.fold
        rows = [
            {
                "id": row.name,
                "name": (row.child or row.intent).id,
                "group": row.intent.id if earned.two_levels else "",
                "mark": marks[row.intent.id],
                "label": row.label,
                "about": row.intent.label if earned.two_levels else "",
                "folded": fold is not None and place in fold.places,
                "cells": values[:depth],
                "rest": sum(values[depth:]),
                "sum": sum(values),
                "words": sentences,
            }
            for place, (row, values, sentences) in enumerate(
                zip(earned.rows, earned.values.tolist(), words, strict=True)
            )
        ]
        after = "below the end" if depth == len(ranked) else f"ranks {depth + 1}-{whole}"
        return {
            "metric": name,
            "list": ranked.run,
            "title": ranked.topic.title or ranked.topic.id,
            "docs": list(ranked.docs[:depth]),
            "rows": rows,
            "after": after if any(row["rest"] for row in rows) else "",
            "totals": [sum(row["cells"][k] for row in rows) for k in range(depth)],
            "rest": sum(row["rest"] for row in rows),
            "fold": {"words": fold.words} if fold else None,
            "score": f"{earned.score:.4f}",
        }

    def __repr__(self) -> str:
        return f"<ContributionsView: {self._chosen} of list {self._list.run} = {self._picture['score']}>"

    def static_html(self) -> str:
        picture = self._picture
        rows: Sequence[Mapping[str, Any]] = picture["rows"]
        earned = {
            "cells": [[*row["cells"], *([row["rest"]] if picture["after"] else [])] for row in rows],
            "score": picture["score"],
        }
        table = tables_html.contributions_table(
            self._chosen,
            f"list {picture['list']}",
            {row["id"]: row["mark"] for row in rows},
            earned,
            self._scorer.contributions(self._metrics[picture["metric"]], {"list": self._list.docs})[
                "list"
            ].fold,
        )
        if picture["after"]:
            last = f'<th scope="col">rank {len(picture["docs"]) + 1}</th>'
            table = table.replace(last, f'<th scope="col">{escape(picture["after"])}</th>')
        chosen = next(row for row in rows if row["id"] == self.selected[0])
        return f"{table}<p>{escape(chosen['words'][self.selected[1] - 1])}</p>"
