"""Editable lists of documents: the page, its scores, and the scores of the pages one edit away.

A round trip to a distant kernel may take a quarter of a second. The browser therefore reports the document
with the focus and receives in advance the scores after a move by one rank; and, when a
label has the focus or is pressed, the scores for the grades that the document may get next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import traitlets

from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.messages import refused, request
from divmetrics_widgets.page_checks import EDIT, GRADES, HAND, check_names, check_page
from divmetrics_widgets.tool import WidgetBase

AT_MOST = 0.1  # seconds: a page that takes longer to score is not scored in advance


class EditableLists(WidgetBase):
    """A page that is edited by hand and scored in Python; a subclass implements `_add_scores`."""

    # Each trait has one writer, and results name their page; front/history.js describes the protocol.
    _shown = traitlets.Dict({"name": "0"}).tag(sync=True, echo_update=False)
    _edit = traitlets.Dict().tag(sync=True, echo_update=False, reads=EDIT)
    _results = traitlets.Dict().tag(sync=True, echo_update=False)
    # The side and id of the document with the focus.
    _hand = traitlets.Dict().tag(sync=True, echo_update=False, reads=HAND)
    _ahead = traitlets.Dict().tag(sync=True, echo_update=False)
    # All other data are sent on request, as front/requests.js describes.
    _hears = staticmethod(request(grades=GRADES))

    def __init__(self, **traits: Any) -> None:
        self._cached: tuple[Any, Any, ListScorer] | None = None  # the topic, the documents and their scorer
        self._first_seconds = 0.0  # of scoring the last page with new judgments
        super().__init__(**traits)
        self.observe(self._on_edit, "_edit")
        self.observe(self._look_ahead, "_hand")
        self.on_msg(self._respond)

    @property
    def page(self) -> LabState:
        """The current topic, documents, lists and metrics as plain values."""
        return self._current_page()[1]

    def _current_page(self, edit: Mapping[str, Any] | None = None) -> tuple[str, LabState]:
        """Return the current page's name and the page: `_shown` with the last edit applied."""
        now: dict[str, Any] = dict(self._shown)
        over = self._edit if edit is None else edit
        if over.get("on") == now["name"]:
            now |= over
            del now["on"]
        return now.pop("name"), LabState(**now)

    def _check_written(self, written: dict[str, Any]) -> None:
        if "_edit" in written:
            _, page = self._current_page(written["_edit"])
            check_names(page)
            sides = self._shown["lists"]
            if set(page.lists) != set(sides):
                raise refused(page.lists, "the lists", f"lists {' and '.join(sides)}")

    def _list(self, side: str) -> RankedList:
        return self._scorer().ranked(side, self.page.lists[side])

    def _scorer(self) -> ListScorer:
        """Return the scorer for the judgments on the page."""
        page = self.page
        scorer = self._scorer_for(page)
        if self._cached is None or self._cached[2] is not scorer:
            self._cached = page.topic, page.docs, scorer
        return scorer

    def _scorer_for(self, page: LabState) -> ListScorer:
        """Return the cached scorer if `page` has the same judgments, else a new one."""
        if self._cached is not None and self._cached[:2] == (page.topic, page.docs):
            return self._cached[2]
        return ListScorer(page.judgments())

    def _show(self, page: LabState) -> None:
        """Replace the page and rescore it.

        Raises DivmetricsError and leaves the widget unchanged if the page is invalid.
        """
        check_page(page)
        with self.hold_sync():
            self._shown = {**vars(page), "name": str(int(self._shown["name"]) + 1)}
            self._score_page()
        self._look_ahead()

    def _on_edit(self, _: Any) -> None:
        with self.hold_sync():
            self._score_page()
        self._look_ahead()

    def _score_page(self) -> None:
        """Send scores and contributions to the browser, or the reason why there are none."""
        name, page = self._current_page()
        results: dict[str, Any] = {"of": name, "rows": []}
        self._ahead = {}
        previous = self._cached
        start = perf_counter()
        try:
            with self._reporting_errors():
                self._add_scores(results, self._scorer(), page)
                self._problem = ""
        finally:
            self._results = results
            self._seconds = perf_counter() - start
            if self._cached is not previous:
                self._first_seconds = self._seconds

    @property
    def _slow(self) -> bool:
        """Whether scoring the page takes too long for anything to be scored in advance."""
        return self._seconds > AT_MOST

    def _look_ahead(self, _: Any = None) -> None:
        """Score the pages with the focused document one rank higher or lower."""
        name, page = self._current_page()
        wanted = {"of": name, "hand": self._hand}
        available = {key: self._ahead.get(key) for key in wanted}
        if self._problem or self._slow or self._results["of"] != name or available == wanted:
            return
        pages = []
        for lists in _swaps_with_neighbours(page.lists, **self._hand) if self._hand else ():
            results = self._results_in_advance(replace(page, lists=lists))
            if results is not None:
                pages.append({"lists": lists, "results": results})
        self._ahead = {**wanted, "pages": pages}

    def _respond(self, _: Any, request_content: Mapping[str, Any], __: Any) -> None:
        """Send each result of `_answer_<kind>`, or the reason why there is none."""
        now, args = self._current_page()[0], dict(request_content["args"])
        error = "this could not be measured"
        try:
            if args.pop("of", now) != now:
                raise DivmetricsError("the page has changed since this was asked")
            for result in getattr(self, f"_answer_{request_content['kind']}")(**args):
                self.send({"id": request_content["id"], "result": result})
                error = ""
        except DivmetricsError as reason:
            error = str(reason)
        finally:
            if error:
                self.send({"id": request_content["id"], "error": error})

    def _answer_grades(self, doc: str, grades: Sequence[Mapping[str, int]]) -> Iterator[dict[str, Any]]:
        """Yield the results of the page with each of these label sets for `doc`, until time runs out.

        Each result is sent as soon as it is computed: an edit made meanwhile waits for at most one of them.
        """
        name, page = self._current_page()
        if self._problem or self._slow or self._first_seconds > AT_MOST or self._results["of"] != name:
            return
        if all(other["id"] != doc for other in page.docs):
            return
        start = perf_counter()
        for labels in grades:
            if perf_counter() - start > AT_MOST:
                break
            docs = [{**other, "grades": labels} if other["id"] == doc else other for other in page.docs]
            results = self._results_in_advance(replace(page, docs=docs))
            if results is not None:
                yield {"grades": labels, "results": results}

    def _results_in_advance(self, page: LabState) -> dict[str, Any] | None:
        """Return the results of a page one edit away, or None if it cannot be scored."""
        results: dict[str, Any] = {"rows": []}
        try:
            check_names(page)
            self._add_scores(results, self._scorer_for(page), page)
        except Exception:  # reported when a user makes the page
            return None
        return results

    def _add_scores(self, results: dict[str, Any], scorer: ListScorer, page: LabState) -> None:
        """Add the scores of `page` to `results`; entries added before an error are displayed."""
        raise NotImplementedError


def _swaps_with_neighbours(
    lists: Mapping[str, list[str]], side: str, doc: str
) -> Iterator[dict[str, list[str]]]:
    """Yield the lists after a move of the document by one rank, up and down."""
    docs = list(lists.get(side, ()))
    if doc in docs:
        at = docs.index(doc)
        for upper in (at - 1, at):  # index of the upper document of the swap
            if 0 <= upper < len(docs) - 1:
                swapped = list(docs)
                swapped[upper : upper + 2] = docs[upper + 1], docs[upper]
                yield {**lists, side: swapped}
