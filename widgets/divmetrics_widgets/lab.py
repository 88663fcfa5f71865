"""RankedListLab: two lists of one topic that a reader edits by hand while every metric is computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import traitlets

from divmetrics.conventions.convention import convention as convention_named
from divmetrics.core import checks
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.io.loading import load_for_convention
from divmetrics.notebook.textformat.lab_state import SIDES, LabState, intent_marks
from divmetrics.notebook.textformat.lab_text import read_page, write_page
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.session import Change
from divmetrics.registry.suggest import suggest_name
from divmetrics.research.counterfactual import Goal, Progress
from divmetrics_widgets import published, tables_html
from divmetrics_widgets.bench import EditableLists
from divmetrics_widgets.by_name import means, menu, readers, resolve_name
from divmetrics_widgets.factors import factors, lines_needed
from divmetrics_widgets.flipping import flipped, reached
from divmetrics_widgets.following import tables
from divmetrics_widgets.measuring import ListScorer, plain
from divmetrics_widgets.messages import Text, flag, name, one_of, record, refused, request, text
from divmetrics_widgets.mixing import lines
from divmetrics_widgets.page_checks import GRADES, listed_docs
from divmetrics_widgets.parting import explain_metric_conflict
from divmetrics_widgets.presets import FIRST, PRESETS, examples, preset
from divmetrics_widgets.ranks_ahead import ranks_ahead
from divmetrics_widgets.score_changes import MeasuredPage, explain_score_change
from divmetrics_widgets.tool import Module
from divmetrics_widgets.walking import walk_to_json

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 20
METRICS = ("S-recall@10", "ERR-IA@10", "alpha-nDCG@10", "D#-nDCG@10")
CELLS = 600  # of both lists together; on a larger page the factors are sent for one document at a time
_DOCUMENT = record(of=name, side=one_of(SIDES), doc=name)
LINKS = ("https://", "http://", "file://")
Metrics = str | BaseMetric | Iterable[str | BaseMetric]


class RankedListLab(EditableLists):
    """Two lists of one topic side by side; every edit shows its effect on the metrics.

    Parameters
    ----------
    start : str or RankedList
        The name of a preset (see `RankedListLab.questions()`), the text of another lab's `state`, or list A.
    b : RankedList, optional
        List B, if `start` is a RankedList; by default a copy of A. Both lists have the same judgments.
    metrics : str, BaseMetric or iterable of these, optional
        Names such as "ERR-IA@5" or "ndeval:alpha-nDCG@20", or metrics that are registered under a name; by
        default those of the preset or state, for a RankedList S-recall, ERR-IA, alpha-nDCG and D#-nDCG at
        cutoff 10. A metric that is registered while the lab is open gets a row of its own.
    about : mapping of str to str, optional
        A short description of documents, {document: description}, if `start` is a RankedList; otherwise
        ignored.
    goal : Goal, optional
        A task to solve by hand from here, such as Goal("ERR-IA@5", keep="D#-nDCG@5", edits=2); none by
        default.

    Raises
    ------
    DivmetricsError
        If there is no preset or metric of a name, a `state` cannot be read, `b` has other judgments than list
        A, or the metric to flip of the goal prefers neither list.

    Notes
    -----
    In the browser, F in a metric's row (or "flip it") searches for the smallest edit that flips the metric;
    Enter applies the edit, Escape discards it.

    `a` and `b` are the lists as RankedList objects, `scores` is a tidy table, `state` is the whole page as a
    short text, and `progress` is the progress towards `goal`. All may be read at any time; `a`, `b`,
    `metrics`, `state` and `goal` may be set. Reset returns to the page on which the goal was set.
    `lab.observe(f, "state")` calls f after every edit, when the scores are available.

    Examples
    --------
    >>> lab = RankedListLab("harry potter", metrics=["ERR-IA@5"])
    >>> lab.scores["score"].round(4).tolist()
    [0.287, 0.359]
    """

    _esm = Module("lab.js", ("lab.css", "trail.css", "lights.css", "walking.css", "picker.css", "mix.css"))
    _chosen = traitlets.Unicode("").tag(sync=True, echo_update=False, reads=text)
    _walk = traitlets.Unicode("").tag(sync=True, echo_update=False, reads=one_of(("", *SIDES)))
    _show_best = traitlets.Bool(False).tag(sync=True, echo_update=False, reads=flag)
    _examples: traitlets.List[Any] = traitlets.List(examples()).tag(sync=True)
    _readers = traitlets.Dict().tag(sync=True)  # {metric: description of its readers}
    _goal = traitlets.Dict().tag(sync=True, echo_update=False)
    # The address of the book's page with this lab, and the name of the lab's page there.
    _book = traitlets.Dict().tag(sync=True)
    _hears = staticmethod(
        request(
            grades=GRADES,
            factors=_DOCUMENT,
            ranks=_DOCUMENT,
            flip=record(of=name, metric=name, keep=flag),
            lines=record(of=name, metric=name, intent=name),
            families=record(),
            preset=record(name=one_of(PRESETS)),
        )
    )
    state = Text("").tag(sync=True, echo_update=False, reads=text)

    def __init__(
        self,
        start: str | RankedList = FIRST,
        b: RankedList | None = None,
        *,
        metrics: Metrics | None = None,
        about: Mapping[str, str] | None = None,
        goal: Goal | None = None,
    ) -> None:
        self._written = ""  # the last state that the lab itself wrote
        self._before: MeasuredPage | None = None  # the page before the last edit
        self._last: MeasuredPage | None = None  # the page measured last
        self._goal_and_start: tuple[Goal, tuple[RankedList, RankedList]] | None = None
        page = _initial_page(start, b, about)
        chosen = page.metrics if metrics is None else _resolve_metrics(metrics)
        super().__init__()
        self._show(replace(page, metrics=chosen))
        self._book = {"address": published.page(), "name": self._shown["name"]}
        self.observe(self._on_state_change, "state")
        if goal is not None:
            self.goal = goal
        self._set_place(page.topic["id"])
        self._follow_names()

    @classmethod
    def from_files(
        cls,
        qrels: Any,
        run_a: Any,
        run_b: Any,
        topic: str,
        *,
        topics: Any = None,
        metrics: Metrics = METRICS,
        convention: str = "paper",
        depth: int = DEPTH,
        scale: int | None = None,
    ) -> RankedListLab:
        """Open the lab on runs in files: the first `depth` documents of each for one topic.

        The scores are those of `divmetrics.evaluate` on the whole files for every metric with a cutoff of at
        most `depth`.

        Parameters
        ----------
        qrels, run_a, run_b, topics, scale, convention
            Judgments, two runs, and the options of these names, as `divmetrics.evaluate` takes them.
        topic : str
            The id of the topic, which must be judged and answered by both runs.
        metrics : str, BaseMetric or iterable of these
            The metrics to show; by default S-recall, ERR-IA, alpha-nDCG and D#-nDCG at cutoff 10.
        depth : int
            The number of documents of each run to show, at least 1; 20 by default.

        Returns
        -------
        RankedListLab
            The lab, with `run_a` as list A and `run_b` as list B.

        Raises
        ------
        DivmetricsError
            If the input cannot be read, the topic or a run's list for it is missing, a metric is unknown, or
            `depth` is below 1.
        """
        checks.check_whole("depth", depth, 1)
        chosen = convention_named(convention)
        collection = load_for_convention(chosen, qrels, [run_a, run_b], topics, scale=scale)
        names = _resolve_metrics(metrics, convention)
        a, b = collection.lists(topic)
        return cls(write_page(LabState.of(a, b, names, depth=depth)))

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Return the names of the presets, which the constructor takes.

        Returns
        -------
        tuple of str
            The names; `questions` says what each of them is.
        """
        return tuple(PRESETS)

    @staticmethod
    def questions() -> pd.DataFrame:
        """Return a table of the presets.

        Returns
        -------
        DataFrame
            One row per preset. Columns example (its name), question (what it asks), source (where its lists
            come from), try first (the first thing to do with it).
        """
        import pandas as pd

        columns = {"name": "example", "question": "question", "source": "source", "first": "try first"}
        return pd.DataFrame(examples(), columns=list(columns)).rename(columns=columns)

    @property
    def question(self) -> str:
        """The question of the preset from which the lists were made; "" if there is none."""
        example = PRESETS.get(self.page.example)
        return "" if example is None else example.question

    @property
    def a(self) -> RankedList:
        """List A; may be set to a RankedList or to document ids, best first."""
        return self._list("A")

    @a.setter
    def a(self, docs: RankedList | Sequence[str]) -> None:
        self._set_list("A", docs)

    @property
    def b(self) -> RankedList:
        """List B; may be set to a RankedList or to document ids, best first."""
        return self._list("B")

    @b.setter
    def b(self, docs: RankedList | Sequence[str]) -> None:
        self._set_list("B", docs)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the displayed metrics; may be set as in the constructor."""
        return tuple(self.page.metrics)

    @metrics.setter
    def metrics(self, metrics: Metrics) -> None:
        self._show(replace(self.page, metrics=_resolve_metrics(metrics)))

    @property
    def goal(self) -> Goal | None:
        """The task to solve by hand from the lists at which it was set; None if there is none."""
        return self._goal_and_start and self._goal_and_start[0]

    @goal.setter
    def goal(self, goal: Goal | None) -> None:
        if goal is not None and not isinstance(goal, Goal):
            raise refused(goal, "the lab's goal", 'None or a Goal, such as Goal("ERR-IA@5", edits=2)')
        start = self.a, self.b
        shown = {"says": goal.describe(start), "start": vars(self.page)} if goal else {}
        self._goal_and_start = None if goal is None else (goal, start)
        with self.hold_sync():
            self._goal = shown
            self._score_page()

    @property
    def progress(self) -> Progress | None:
        """The progress towards the goal, true if it is reached; None if there is no goal.

        Raises DivmetricsError if documents were added or removed, or the topic changed.
        """
        return self._goal_and_start and self._goal_and_start[0].progress(
            self._goal_and_start[1], (self.a, self.b)
        )

    @property
    def scores(self) -> pd.DataFrame:
        """A DataFrame with a row per list and metric: columns run ("A" or "B"), topic, metric, score.

        Raises DivmetricsError if a metric cannot score the lists.
        """
        import pandas as pd

        page = self.page
        batch = self._scorer().batch(page.lists)
        scores = [(name, metric_named(name).scores(batch)[0]) for name in page.metrics]
        rows = [
            (side, page.topic["id"], name, float(of_lists[place]))
            for place, side in enumerate(SIDES)
            for name, of_lists in scores
        ]
        return pd.DataFrame(rows, columns=["run", "topic", "metric", "score"])

    def _set_list(self, side: str, docs: RankedList | Sequence[str]) -> None:
        listed = self._list(side).reordered(listed_docs(docs, f"list {side}")).docs
        page = self.page
        page_docs = {doc["id"] for doc in page.docs}
        new = [{"id": doc, "about": "", "grades": None} for doc in listed if doc not in page_docs]
        lists = {**page.lists, side: list(listed)}
        self._show(replace(page, docs=[*page.docs, *new], lists=lists))

    def _check_written(self, written: dict[str, Any]) -> None:
        super()._check_written(written)
        if "state" in written:
            read_page(written["state"])

    def _answer_families(self) -> Iterator[list[dict[str, Any]]]:
        """Yield all metrics by family, for the menu below the field for a metric's name."""
        yield menu()

    def _answer_preset(self, name: str) -> Iterator[dict[str, Any]]:
        """Replace the page by a preset."""
        self._show(preset(name))
        yield {}

    def _answer_factors(self, side: str, doc: str) -> Iterator[dict[str, Any]]:
        """Yield the factors of every cell, or of the document's cells if the page has too many."""
        lists, scorer = self._scored_lists(), self._scorer()
        cells = sum(map(len, lists.values())) * len(scorer.judgments.topic.intents)
        only = None if cells <= CELLS else doc
        yield factors(metric_named(self._results["chosen"]), scorer, lists, only)

    def _answer_ranks(self, side: str, doc: str) -> Iterator[dict[str, Any]]:
        """Yield the scores of a list with one of its documents at another rank."""
        lists = self._scored_lists()
        if doc not in lists[side]:
            raise DivmetricsError(f"{doc} is not in list {side}")
        yield ranks_ahead(self._scorer(), side, lists[side], doc, self.page.metrics, slow=self._slow)

    def _scored_lists(self) -> dict[str, list[str]]:
        """Return the lists of the page. Raises DivmetricsError if the page has no scores."""
        name, page = self._current_page()
        if self._results.get("of") != name or "chosen" not in self._results:
            raise DivmetricsError("this page has no scores")
        return page.lists

    def _answer_flip(self, metric: str, keep: bool) -> Iterator[dict[str, Any]]:
        """Yield the smallest edit that flips a metric."""
        page = self.page
        rows = self._scorer().rows(page.lists, page.metrics) if keep else []
        constraints = [row["metric"] for row in rows if "problem" not in row]
        yield flipped(metric, constraints, self.a, self.b, page.metrics)

    def _answer_lines(self, metric: str, intent: str) -> Iterator[dict[str, Any]]:
        """Yield the scores of both lists over the share of the readers with one intent."""
        yield lines(metric, self.a, self.b, intent)

    def _on_state_change(self, change: Any) -> None:
        if change["new"] != self._written:
            try:
                self._show(read_page(change["new"]))
            finally:
                self.state = self._written

    def _metric_changed(self, change: Change) -> None:
        page = self.page
        displayed = [name for name in page.metrics if means(name, change.name)]
        if change.what == "new" and not displayed:
            cutoff = _usual_cutoff(page.metrics)
            new = change.name if cutoff is None else f"{change.name}@{cutoff}"
            self._show(replace(page, metrics=[*page.metrics, new]))
        elif displayed:
            self._score_page()

    def _page_before(self, page: LabState) -> MeasuredPage | None:
        """Return the page before `page`: the one measured last, unless `page` is that one."""
        last = self._last
        return last if last and replace(last.page, metrics=page.metrics) != page else self._before

    def _score_page(self) -> None:
        page = self.page
        self._before = self._page_before(page)
        try:
            super()._score_page()
        finally:
            rows = self._results["rows"]
            self._last = MeasuredPage(page, rows, self._scorer() if rows else None)
            self._written = write_page(self.page)
            self.state = self._written
            self._readers = readers(self.page.metrics)

    def _add_scores(self, results: dict[str, Any], scorer: ListScorer, page: LabState) -> None:
        lists = page.lists
        results["rows"] = scorer.rows(lists, page.metrics)
        if self._goal_and_start:
            a, b = (scorer.ranked(side, lists[side]) for side in SIDES)
            results["goal"] = reached(*self._goal_and_start, (a, b))
        usable = [row["metric"] for row in results["rows"] if "problem" not in row]
        results["usual"] = _usual_cutoff(usable)
        for row in results["rows"]:
            if (
                "problem" in row
                and (suggestion := _suggest_metric(row["metric"], usable, scorer, lists)) is not None
            ):
                row["correction"] = suggestion
        if usable:
            chosen = self._chosen if self._chosen in usable else usable[0]
            results.update(self._details(metric_named(chosen), scorer, page), chosen=chosen)
            names = [chosen, *(name for name in usable if name != chosen)]
            now = MeasuredPage(page, results["rows"], scorer)
            results["moved"] = explain_score_change(self._page_before(page), now, names)
            results["parts"] = explain_metric_conflict(results["rows"], chosen, scorer, lists)

    def _details(self, metric: BaseMetric, scorer: ListScorer, page: LabState) -> dict[str, Any]:
        """Return the contributions of a metric and, if switched on, its best list and a walk."""
        lists = page.lists
        earned = {side: plain(of_list) for side, of_list in scorer.contributions(metric, lists).items()}
        details: dict[str, Any] = {
            "earned": earned,
            "most": scorer.largest_contribution(metric),
            "lines": lines_needed(metric, scorer.judgments.topic),
        }
        if self._show_best:
            depth = metric.cutoff or max(map(len, lists.values()))
            best = scorer.best(metric, depth)
            score = scorer.contributions(metric, {"best": best})["best"].score
            details["best"] = {"docs": best, "score": f"{score:.4f}"}
        if self._walk:
            about = {doc["id"]: doc["about"] for doc in page.docs}
            details["walk"] = walk_to_json(metric, scorer.ranked(self._walk, lists[self._walk]), about)
        return details

    def __repr__(self) -> str:
        page = self.page
        lists = " and ".join(f"{side}: {' '.join(page.lists[side])}" for side in SIDES)
        return f"<RankedListLab of topic {page.topic['id']}, {lists}>"

    def _tables(self) -> dict[str, Any]:
        page = self.page
        about = {doc["id"]: doc["about"] for doc in page.docs}
        return tables(self._scorer(), page.lists, page.metrics, about, self._goal_and_start)

    def static_html(self) -> str:
        page = self.page
        topic, labels = page.topic, {doc["id"]: _format_labels(doc) for doc in page.docs}
        intents = ", ".join(f"{t['id']} {t['probability']:.4g} {t['kind']}" for t in topic["intents"])
        head = f"<p><b>{escape(topic['title'] or topic['id'])}</b>: {escape(intents)}</p>"
        example = PRESETS.get(page.example)
        pieces = [
            f"<p><b>{escape(example.question)}</b> ({escape(example.source)})</p>" if example else "",
            head,
            f"<p><b>Goal:</b> {escape(self._goal['says'])}</p>" if self._goal else "",
            tables_html.lists_table(page.lists, labels, {doc["id"]: doc["about"] for doc in page.docs}),
            tables_html.scores_table(SIDES, self._results["rows"]),
            f"<p>{escape(parts)}</p>" if (parts := self._results.get("parts")) else "",
        ]
        chosen, marks = self._results.get("chosen", ""), intent_marks(topic)
        contributions = self._scorer().contributions(metric_named(chosen), page.lists) if chosen else {}
        for side, earned in contributions.items():
            fold = None if earned.two_levels else earned.fold  # folding applies to intents, not to subtopics
            pieces.append(tables_html.contributions_table(chosen, f"list {side}", marks, plain(earned), fold))
        return "".join(pieces)


def _initial_page(start: str | RankedList, b: RankedList | None, about: Mapping[str, str] | None) -> LabState:
    if isinstance(start, RankedList):
        return LabState.of(start, b or start, METRICS, about)
    if not isinstance(start, str) or b is not None:
        raise DivmetricsError(
            f"a lab starts with {start!r}{' and a list' if b is not None else ''}; expected a preset's name, "
            "the text of a lab's state, or one or two RankedList objects"
        )
    if start.strip().startswith(LINKS):
        raise DivmetricsError(
            "a lab starts with a link, which does not hold the grades of documents; expected the text of a "
            "page: open the link, press share, and copy the text below it"
        )
    return read_page(start) if "\n" in start.strip() else preset(start)


def _format_labels(doc: Mapping[str, Any]) -> str:
    if doc["grades"] is None:
        return "never judged"
    return ", ".join(f"{key}:{grade}" for key, grade in doc["grades"].items())


def _resolve_metrics(metrics: Metrics, convention: str | None = None) -> list[str]:
    """Return the names of the metrics. Raises DivmetricsError for an unknown metric."""
    several = [metrics] if isinstance(metrics, (str, BaseMetric)) else metrics
    if not isinstance(several, Iterable):
        raise refused(metrics, "the choice of metrics", "names of metrics, such as ['ERR-IA@5']")
    return [resolve_name(metric, convention) for metric in several]


def _suggest_metric(
    name: str, usable: Sequence[str], scorer: ListScorer, lists: Mapping[str, Sequence[str]]
) -> str | None:
    """Suggest a metric for a name that cannot be measured.

    Returns "" without a suggestion, and None if the name is spelled correctly.
    """
    suggestion = suggest_name(name, cutoff=_usual_cutoff(usable))
    if suggestion is None:
        return ""
    return None if suggestion == name or "problem" in scorer.rows(lists, [suggestion])[0] else suggestion


def _usual_cutoff(metrics: Sequence[str]) -> int | None:
    """Return the cutoff that most of these names have, or None if most have none."""
    cutoffs = [name.rpartition("@")[2] if "@" in name else "" for name in metrics]
    usual = max(cutoffs, key=cutoffs.count, default="10")
    return int(usual) if usual.isdecimal() else None
