"""DisagreementFinder: two lists on which two metrics disagree, by metrics, judgments and length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from itertools import product
from typing import Any, get_args

import traitlets

from divmetrics.core import checks
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import SIDES, LabState, label_keys
from divmetrics.notebook.textformat.marks import assign_marks
from divmetrics.registry.session import Change
from divmetrics.research.disagreements import Agreement, Disagreement, disagree
from divmetrics.research.disagreements.disagreement import SearchGoal
from divmetrics_widgets import tables_html
from divmetrics_widgets.by_name import all_metric_names, means
from divmetrics_widgets.lab import RankedListLab
from divmetrics_widgets.lab_below import EmbeddedLabMixin
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.messages import any_value, flag, number, optional, record, text, whole
from divmetrics_widgets.presets import FIRST, PRESETS, preset
from divmetrics_widgets.tool import Module

BUDGET = 50_000  # lists: about a second
MOST = 2_000_000  # largest budget in the form: under a minute
CALLERS_TOPIC = "the given topic"
# The metrics of lesson 03: a page without a kernel has the answers for every two of them.
COMPARED = ("S-recall", "nDCG-IA", "ERR-IA", "iRBU-IA", "alpha-nDCG", "D-nDCG", "D#-nDCG")
CHOICE = record(
    m1=text,
    m2=text,
    pool=text,
    find=text,
    length=optional(number),
    budget=optional(number),
    seed=optional(number),
)


class DisagreementFinder(EmbeddedLabMixin):
    """Two lists on which two metrics disagree by the largest margin, or after the fewest edits, and why.

    Parameters
    ----------
    m1, m2 : str or BaseMetric
        Names such as "ERR-IA@5".
    topic : str, Judgments, RankedList or Collection
        The name of a preset of the lab (see `RankedListLab.presets()`; "harry potter" by default), or the
        judgments of one topic, a list that has them, or a collection with one topic.
    length : int
        The number of documents in each list, from 1 to the number of judged documents.
    find : {"margin", "edits"}
        Whether to make the smaller of the two differences of scores as large as possible ("margin"), or the
        number of edits between the lists as small as possible.
    budget : int
        The largest number of lists to score, at least 1; a thousand take about 20 milliseconds.
    seed : int
        The seed of the search, at least 0.
    about : mapping of str to str, optional
        A short description of documents, {document: description}; the others have none. Ignored for a preset,
        which has its own.

    Raises
    ------
    DivmetricsError
        If there is no metric or preset of a name, both metrics are the same, the topic has no judged
        document, or an option is out of range (as in `divmetrics.disagree`).

    Notes
    -----
    `answer` is the result of `divmetrics.disagree`, a Disagreement or an Agreement, and may be observed;
    `lab` is a RankedListLab with the two lists and the two metrics.

    Examples
    --------
    >>> DisagreementFinder("ERR-IA@5", "D#-nDCG@5", budget=1000)
    <DisagreementFinder: ERR-IA@5 prefers A by 0.1875, D#-nDCG@5 prefers B by 0.2002.>
    """

    _esm = Module("finder.js", ("finder.css",))
    _hears = staticmethod(record(may=("find", "open"), find=any_value, open=flag, token=whole(0)))
    _names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _pools: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _choice = traitlets.Dict().tag(sync=True)
    _found = traitlets.Dict().tag(sync=True)
    _progress: traitlets.List[Any] = traitlets.List([0, 0]).tag(sync=True)  # lists scored, budget
    answer = traitlets.Any(read_only=True)

    def __init__(
        self,
        m1: str | BaseMetric = "ERR-IA@5",
        m2: str | BaseMetric = "D#-nDCG@5",
        topic: str | Judgments | RankedList | Collection = FIRST,
        length: int = 3,
        *,
        find: SearchGoal = "margin",
        budget: int = BUDGET,
        seed: int = 0,
        about: Mapping[str, str] | None = None,
    ) -> None:
        self._about = dict(about or {})
        self._explicit_topic = None if isinstance(topic, str) else topic
        pools = [*([CALLERS_TOPIC] if self._explicit_topic is not None else []), *PRESETS]
        super().__init__(_names=all_metric_names(), _pools=pools)
        topic_name = topic if isinstance(topic, str) else CALLERS_TOPIC
        choice = {"m1": str(m1), "m2": str(m2), "pool": topic_name, "length": length, "find": find}
        self._search({**choice, "budget": budget, "seed": seed})
        self.on_msg(self._on_message)
        self._set_place("")
        self._follow_names()

    @property
    def lab(self) -> RankedListLab:
        """The two lists in a lab, the same object for every answer; reading it loads the current answer.

        Raises DivmetricsError if the search has found no two lists.
        """
        if not isinstance(self.answer, Disagreement):
            raise DivmetricsError(f"there are no two lists to open in the lab: {self.answer!r}")
        return self._lab_of(self._page)

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        def act() -> None:
            if "open" in content:
                self._opened = isinstance(self.lab, RankedListLab)  # reading the property makes the lab
            else:
                self._search_or_stop(CHOICE(content.get("find"), "the choice"))

        self._do(content["token"], act)

    def _metric_changed(self, change: Change) -> None:
        self._names = all_metric_names()
        if change.what != "gone" and any(means(self._choice[key], change.name) for key in ("m1", "m2")):
            self._search(self._choice)

    def _search_or_stop(self, choice: dict[str, Any]) -> None:
        """Search until the budget is used up or the user interrupts the kernel."""
        checks.check_whole("budget", choice["budget"], 1, most=MOST)
        try:
            self._search(choice)
        except KeyboardInterrupt:
            scored, of = self._progress
            raise DivmetricsError(
                f"the search was stopped after {scored:,} of {of:,} lists were scored, so there is no answer"
            ) from None

    def _report_progress(self, scored: int, of: int) -> None:
        self._progress = [scored, of]

    def _search(self, choice: dict[str, Any]) -> None:
        answer = self._disagree(choice, self._report_progress)
        with self.hold_sync():
            self._choice, self._problem = choice, ""
            self._found = self._describe(answer, choice["pool"])
            self.set_trait("answer", answer)
            if isinstance(answer, Disagreement):
                self._page = self._page_of(answer, choice["pool"])

    def _disagree(
        self, choice: Mapping[str, Any], progress: Callable[[int, int], object] | None = None
    ) -> Disagreement | Agreement:
        topic, _ = self._topic(choice["pool"])
        options = {name: choice[name] for name in ("find", "budget", "seed")}
        return disagree(choice["m1"], choice["m2"], topic, choice["length"], progress=progress, **options)

    def _topic(self, name: str) -> tuple[Judgments | RankedList | Collection, Mapping[str, str]]:
        """Return the judgments of this name, and the descriptions of the documents."""
        if name == CALLERS_TOPIC and self._explicit_topic is not None:
            return self._explicit_topic, self._about
        page = preset(name)
        return page.judgments(), {doc["id"]: doc["about"] for doc in page.docs}

    def _tables(self) -> dict[str, Any]:
        """Return the answers for every two metrics of `COMPARED`, and the documents that they list."""
        choice = self._choice
        own = (choice["m1"], choice["m2"])
        names = list(dict.fromkeys([*own, *(f"{name}@{choice['length']}" for name in COMPARED)]))
        docs: dict[str, Any] = {}
        marks: dict[str, int] = {}
        answers: dict[str, Any] = {find: {name: {} for name in names} for find in get_args(SearchGoal)}
        for find, m1, m2 in product(answers, names, names):
            answer = self._stored({**choice, "m1": m1, "m2": m2, "find": find})
            docs |= answer.pop("docs", {})
            marks |= answer.pop("marks", {})
            answers[find][m1][m2] = answer
        return {"docs": docs, "marks": marks, "answers": answers}

    def _stored(self, choice: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return self._describe(self._disagree(choice), choice["pool"])
        except DivmetricsError as error:
            reason = str(error)
            return {"title": f"{reason[0].upper()}{reason[1:]}.", "lists": {}}

    def _page_of(self, answer: Disagreement, pool: str) -> LabState:
        return LabState.of(answer.a, answer.b, list(map(str, answer.metrics)), self._topic(pool)[1])

    def _describe(self, answer: Disagreement | Agreement, pool: str) -> dict[str, Any]:
        if isinstance(answer, Agreement):
            return {"title": f"{answer!r}", "lists": {}}
        names = list(map(str, answer.metrics))
        page = self._page_of(answer, pool)
        listed = set().union(*page.lists.values())
        marks = assign_marks(answer.a.topic.intents)
        (m1, m2), (one, other) = names, answer.margins
        return {
            "title": f"{m1} prefers A by {one:.4g}, {m2} prefers B by {other:.4g}.",
            "lists": page.lists,
            "what": f"Two {answer.searched.what}, {answer.edits} edit{'s' if answer.edits > 1 else ''} apart "
            "(an edit swaps two documents or replaces one).",
            "marks": {key: marks[t["id"]] for t in page.topic["intents"] for key in label_keys(t)},
            "docs": {doc["id"]: doc for doc in page.docs if doc["id"] in listed},
            "rows": ListScorer(answer.searched.judgments).rows(page.lists, names),
            "reasons": [*answer.reasons, answer.how],
        }

    def __repr__(self) -> str:
        return f"<DisagreementFinder: {self._found['title']}>"

    def static_text(self) -> str:
        return repr(self.answer)

    def static_html(self) -> str:
        result = self._found
        title = f"<p><b>{escape(result['title'])}</b></p>"
        if not result["lists"]:
            return title
        labels = {
            doc: ", ".join(f"{key} {grade}" for key, grade in about["grades"].items())
            for doc, about in result["docs"].items()
        }
        reasons = "".join(f"<p>{escape(text)}</p>" for text in (result["what"], *result["reasons"]))
        lists = tables_html.lists_table(result["lists"], labels)
        return title + lists + tables_html.scores_table(SIDES, result["rows"]) + reasons
