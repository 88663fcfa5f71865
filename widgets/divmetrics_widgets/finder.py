"""DisagreementFinder: two metrics, a pool and a length; the lists on which the two disagree."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import traitlets

from divmetrics.core import checks
from divmetrics.core.collection import Collection, Judgments, RankedList
from divmetrics.core.metric import BaseMetric
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

BUDGET = 50_000  # lists; about a second
MOST = 2_000_000  # that may be asked for in the form; under a minute
GIVEN = "the given topic"
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
    """Two lists on which two metrics disagree the most, or with the fewest edits, and why.

    Parameters
    ----------
    m1, m2 : names such as "ERR-IA@5"
    topic : the name of a preset of the lab (`RankedListLab.presets()` lists them), or what
        `divmetrics.disagree` takes: a Pool, a RankedList (its judgments) or a Collection with one topic
    length : the number of documents in each list
    find : "margin", the most, or "edits", with the fewest edits
    budget, seed : as `divmetrics.disagree` takes them; a thousand lists take about 20 milliseconds. Both have
        a field in the form
    about : {document: a few words about it}

    `answer` is what `divmetrics.disagree` gives, and may be observed; `lab` is a RankedListLab with the two
    lists and the two metrics. Raises DivmetricsError, in one sentence, for input that cannot be used.
    """

    _esm = Module("finder.js", ("finder.css",))
    _hears = staticmethod(record(may=("find", "open"), find=any_value, open=flag, token=whole(0)))
    _names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _pools: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _choice = traitlets.Dict().tag(sync=True)
    _found = traitlets.Dict().tag(sync=True)
    _progress: traitlets.List[Any] = traitlets.List([0, 0]).tag(sync=True)  # lists scored, of how many
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
        self._given = None if isinstance(topic, str) else topic
        pools = [*([GIVEN] if self._given is not None else []), *PRESETS]
        super().__init__(_names=all_metric_names(), _pools=pools)
        pool = topic if isinstance(topic, str) else GIVEN
        choice = {"m1": str(m1), "m2": str(m2), "pool": pool, "length": length, "find": find}
        self._search({**choice, "budget": budget, "seed": seed})
        self.on_msg(self._said)
        self._stand("")
        self._follow_names()

    @property
    def lab(self) -> RankedListLab:
        """The two lists in a lab. It is one lab: a new answer is put into it when it is asked for again.

        Raises DivmetricsError where the answer is that no two lists are known.
        """
        if not isinstance(self.answer, Disagreement):
            raise DivmetricsError(f"there are no two lists to open in the lab: {self.answer!r}")
        return self._lab_of(self._page)

    def _said(self, _: Any, content: Any, __: Any) -> None:
        def act() -> None:
            if "open" in content:
                self._opened = isinstance(self.lab, RankedListLab)  # made when it is asked for
            else:
                self._search_or_stop(CHOICE(content.get("find"), "the choice"))

        self._do(content["token"], act)

    def _metric_changed(self, change: Change) -> None:
        self._names = all_metric_names()
        if change.what != "gone" and any(means(self._choice[key], change.name) for key in ("m1", "m2")):
            self._search(self._choice)

    def _search_or_stop(self, choice: dict[str, Any]) -> None:
        """Search until who has asked interrupts the kernel."""
        checks.check_whole("budget", choice["budget"], 1, most=MOST)
        try:
            self._search(choice)
        except KeyboardInterrupt:
            scored, of = self._progress
            raise DivmetricsError(
                f"the search was stopped after {scored:,} of {of:,} lists were scored, so there is no answer"
            ) from None

    def _tell(self, scored: int, of: int) -> None:
        self._progress = [scored, of]

    def _search(self, choice: dict[str, Any]) -> None:
        topic, about = self._topic(choice["pool"])
        answer = disagree(
            choice["m1"],
            choice["m2"],
            topic,
            choice["length"],
            find=choice["find"],
            budget=choice["budget"],
            seed=choice["seed"],
            progress=self._tell,
        )
        with self.hold_sync():
            self._choice, self._problem = choice, ""
            self._found = self._described(answer, about)
            self.set_trait("answer", answer)

    def _topic(self, name: str) -> tuple[Judgments | RankedList | Collection, Mapping[str, str]]:
        """The judgments of this name, and what is known about the documents."""
        if name == GIVEN and self._given is not None:
            return self._given, self._about
        page = preset(name)
        return page.pool(), {doc["id"]: doc["about"] for doc in page.docs}

    def _described(self, answer: Disagreement | Agreement, about: Mapping[str, str]) -> dict[str, Any]:
        if isinstance(answer, Agreement):
            return {"title": f"{answer!r}", "lists": {}}
        names = list(map(str, answer.metrics))
        page = self._page = LabState.of(answer.a, answer.b, names, about)
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
            "rows": ListScorer(answer.searched.pool).rows(page.lists, names),
            "reasons": [*answer.reasons, answer.how],
        }

    def __repr__(self) -> str:
        return f"<DisagreementFinder: {self._found['title']}>"

    def static_text(self) -> str:
        return repr(self.answer)

    def static_html(self) -> str:
        found = self._found
        title = f"<p><b>{escape(found['title'])}</b></p>"
        if not found["lists"]:
            return title
        labels = {
            doc: ", ".join(f"{key} {grade}" for key, grade in about["grades"].items())
            for doc, about in found["docs"].items()
        }
        reasons = "".join(f"<p>{escape(text)}</p>" for text in (found["what"], *found["reasons"]))
        lists = tables_html.lists_table(found["lists"], labels)
        return title + lists + tables_html.scores_table(SIDES, found["rows"]) + reasons
