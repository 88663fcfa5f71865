"""HierarchyLab: one list under a metric and under its intent-square form, beside the topic's two levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import traitlets

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import LabState, intent_marks
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.session import Change
from divmetrics_widgets import following_levels, tables_html
from divmetrics_widgets.bench import EditableLists
from divmetrics_widgets.by_name import means, resolve_name
from divmetrics_widgets.measuring import ListScorer, plain
from divmetrics_widgets.messages import refused
from divmetrics_widgets.page_checks import listed_docs
from divmetrics_widgets.presets import FIRST, preset
from divmetrics_widgets.tool import Module
from divmetrics_widgets.two_levels import (
    check_levels,
    describe_levels,
    pair,
    subtopic_hits,
    with_square_forms_only,
)

SIDE = "A"
DEPTH = 20
HEADS = ["subtopic", "probability", "documents", "first at rank", "served at rank: grade"]


class HierarchyLab(EditableLists):
    """The tree of a topic, and one list under a metric and under its intent-square form (-IS).

    Parameters
    ----------
    start : str or RankedList
        The name of a preset whose topic has two levels ("harry potter", "Yu et al. 2017, query 0053", "Yu et
        al. 2017, query 0078" or "Yu et al. 2017, query 0080"), or a list of at least one document, of which
        the first 20 are used.
    metric : str or BaseMetric
        A metric with an intent-square form, such as "ERR-IA@5" (its form is "ERR-IS@5"), "alpha-nDCG@10" or
        "D#-nDCG@5".
    about : mapping of str to str, optional
        A short description of documents of a RankedList, {document: description}; the others have none.

    Raises
    ------
    DivmetricsError
        If there is no preset or metric of the name, the topic has no second-level subtopics, the list is
        empty, or the metric has no intent-square form (as nDCG@5 and ERR-IS@5) or lacks a cutoff that it
        needs.

    Notes
    -----
    `ranked_list` and `metric` may be read and set; `scores` is {name: score} of the two forms, and
    `lab.observe(f, "scores")` calls f after every change.

    Examples
    --------
    >>> lab = HierarchyLab("harry potter", "ERR-IA@5")
    >>> {name: round(score, 4) for name, score in lab.scores.items()}
    {'ERR-IA@5': 0.287, 'ERR-IS@5': 0.1402}
    """

    _esm = Module("hierarchy.js", ("lab.css", "contributions.css", "hierarchy.css"))
    _squared: traitlets.List[Any] = traitlets.List().tag(sync=True)
    scores = traitlets.Dict()

    def __init__(
        self,
        start: str | RankedList = FIRST,
        metric: str | BaseMetric = "ERR-IA@5",
        *,
        about: Mapping[str, str] | None = None,
    ) -> None:
        page = _initial_page(start, about)
        chosen = _checked_name(metric, page)
        super().__init__(_squared=list(with_square_forms_only()))
        self._show(LabState(page.topic, page.docs, page.lists, [chosen]))
        self._set_place(page.topic["id"])
        self._follow_names()

    @property
    def ranked_list(self) -> RankedList:
        """The current list; may be set to a RankedList or to document ids, best first."""
        return self._list(SIDE)

    @ranked_list.setter
    def ranked_list(self, docs: RankedList | Sequence[str]) -> None:
        page = _initial_page(self.ranked_list.reordered(listed_docs(docs, "the list")))
        now = self.page
        about = {doc["id"]: doc for doc in now.docs}
        docs_with_labels = [about.get(doc["id"], doc) for doc in page.docs]
        self._show(replace(now, docs=docs_with_labels, lists=page.lists))

    @property
    def metric(self) -> BaseMetric:
        """The metric beside its intent-square form; may be set to a metric or a name."""
        return metric_named(self.page.metrics[0])

    @metric.setter
    def metric(self, name: str | BaseMetric) -> None:
        page = self.page
        self._show(replace(page, metrics=[_checked_name(name, page)]))

    def _check_written(self, written: dict[str, Any]) -> None:
        super()._check_written(written)
        metrics = written.get("_edit", {}).get("metrics", [""])
        if len(metrics) != 1:
            raise refused(metrics, "the choice of metrics", "one")

    def _metric_changed(self, change: Change) -> None:
        self._squared = list(with_square_forms_only())
        if means(self.page.metrics[0], change.name):
            self._score_page()

    def _score_page(self) -> None:
        super()._score_page()
        if not self._problem:
            page = self.page
            batch = self._scorer().batch(page.lists)
            forms = pair(page.metrics[0])
            self.scores = {str(form): float(form.scores(batch)[0, 0]) for form in forms}

    def _add_scores(self, results: dict[str, Any], scorer: ListScorer, page: LabState) -> None:
        check_levels(page.topic)
        flat, square = pair(page.metrics[0])
        results.update(
            chosen=str(flat),
            square=str(square),
            earned={SIDE: plain(scorer.contributions(flat, page.lists)[SIDE])},
            most=scorer.largest_contribution(flat),
            below=plain(scorer.contributions(square, page.lists)[SIDE]),
            words=describe_levels(flat, square, scorer.ranked(SIDE, page.lists[SIDE]), scorer),
        )

    def _tables(self) -> dict[str, Any]:
        page = self.page
        return following_levels.tables(*pair(page.metrics[0]), self._scorer(), page.lists)

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} = {score:.4f}" for name, score in self.scores.items())
        page = self.page
        return f"<HierarchyLab of topic {page.topic['id']}: {' '.join(page.lists[SIDE])}; {scores}>"

    def static_html(self) -> str:
        page, results = self.page, self._results
        topic, docs = page.topic, page.lists[SIDE]
        tree = []
        for intent in topic["intents"]:
            name = f"<b>{escape(intent['id'])}</b> {escape(intent['label'])}"
            children = [
                subtopic_hits(page.docs, docs, f"{intent['id']}/{c['id']}") for c in intent["children"]
            ]
            ranks = sorted({rank for hits in children for rank, _ in hits})
            tree.append([name, f"<b>{intent['probability']:.4g}</b>", *_count_and_first(ranks), ""])
            for child, hits in zip(intent["children"], children, strict=True):
                tree.append(
                    [
                        f"{escape(intent['id'])}/{escape(child['id'])} {escape(child['label'])}",
                        f"{child['probability']:.4g}",
                        *_count_and_first([rank for rank, _ in hits]),
                        ", ".join(f"rank {rank}: {grade}" for rank, grade in hits) or "not served",
                    ]
                )
        title = f"{escape(topic['title'] or topic['id'])}: {escape(' '.join(docs))}"
        pieces = [tables_html.table(HEADS, tree, title)]
        if self._problem:
            return f"{pieces[0]}<p>{escape(self._problem)}</p>"
        intents = intent_marks(topic)
        leaves = {f"{t['id']}/{e['id']}": intents[t["id"]] for t in topic["intents"] for e in t["children"]}
        below = {"cells": results["below"]["leaves"], "score": results["below"]["score"]}
        scores = [[escape(name), f"{score:.4f}"] for name, score in self.scores.items()]
        pieces += [
            tables_html.table(["metric", "score"], scores),
            tables_html.contributions_table(results["chosen"], "the list", intents, results["earned"][SIDE]),
            tables_html.contributions_table(results["square"], "the list", leaves, below),
            *(f"<p>{escape(text)}</p>" for text in results["words"]),
        ]
        return "".join(pieces)


def _count_and_first(ranks: Sequence[int]) -> list[str]:
    """Format the number of documents that serve a subtopic, and the rank of the first."""
    return [f"{len(ranks)}", f"{ranks[0]}" if ranks else ""]


def _initial_page(start: str | RankedList, about: Mapping[str, str] | None = None) -> LabState:
    if isinstance(start, RankedList):
        page = LabState.of(start, start, about=about, depth=DEPTH)
    elif isinstance(start, str):
        page = preset(start)
    else:
        raise DivmetricsError(f"a lab starts with {start!r}; expected a preset's name or a RankedList")
    check_levels(page.topic)
    docs = page.lists[SIDE][:DEPTH]
    if not docs:
        raise DivmetricsError(
            f"the list of topic {page.topic['id']} is empty: there is nothing to move or to measure; give a "
            "list with at least one document"
        )
    return LabState(page.topic, page.docs, {SIDE: docs})


def _checked_name(metric: str | BaseMetric, page: LabState) -> str:
    """Return the metric's name. Raises DivmetricsError if it or its intent-square form has no score."""
    flat, square = pair(metric)
    batch = ListScorer(page.judgments()).batch(page.lists)
    for form in (flat, square):
        form.scores(batch)
    return resolve_name(flat)
