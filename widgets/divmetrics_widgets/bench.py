"""What widgets with lists to be reordered share: the page, its numbers, and those of the pages one step away.

An answer of the kernel takes as long as the way to it, with a distant server perhaps a quarter of a second.
So the browser says which document is in hand, and is told in advance what a move by one rank would give; and,
where a hand rests on a label or presses it, what the grades would give that the document may have next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import traitlets

from divmetrics.core.collection import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics_widgets.measuring import ListScorer
from divmetrics_widgets.messages import refused, request
from divmetrics_widgets.page_checks import EDIT, GRADES, HAND, check_names, check_page
from divmetrics_widgets.tool import WidgetBase

AT_MOST = 0.1  # seconds that measuring a page takes, if the next pages are to be measured in advance


class EditableLists(WidgetBase):
    """A page that is edited by hand and measured in Python; a subclass says with `_fill` what it shows."""

    # Each has one writer, and results say of which page they are: front/history.js tells how this agrees.
    _shown = traitlets.Dict({"name": "0"}).tag(sync=True, echo_update=False)
    _edit = traitlets.Dict().tag(sync=True, echo_update=False, reads=EDIT)
    _results = traitlets.Dict().tag(sync=True, echo_update=False)
    # The document with the focus: its side and id.
    _hand = traitlets.Dict().tag(sync=True, echo_update=False, reads=HAND)
    _ahead = traitlets.Dict().tag(sync=True, echo_update=False)
    # Whatever else the browser wants to know it asks for, as front/requests.js describes.
    _hears = staticmethod(request(grades=GRADES))

    def __init__(self, **traits: Any) -> None:
        self._measured: tuple[Any, Any, ListScorer] | None = None
        self._took_anew = 0.0  # seconds that it took to measure other judgments than before
        super().__init__(**traits)
        self.observe(self._edited, "_edit")
        self.observe(self._look_ahead, "_hand")
        self.on_msg(self._respond)

    @property
    def page(self) -> LabState:
        """What is on the page now, as plain values."""
        return self._agreed()[1]

    def _agreed(self, edit: Mapping[str, Any] | None = None) -> tuple[str, LabState]:
        """The page with its name: what was shown and, if it was made on that, the (last) edit over it."""
        now: dict[str, Any] = dict(self._shown)
        over = self._edit if edit is None else edit
        if over.get("on") == now["name"]:
            now |= over
            del now["on"]
        return now.pop("name"), LabState(**now)

    def _check_written(self, written: dict[str, Any]) -> None:
        if "_edit" in written:
            _, page = self._agreed(written["_edit"])
            check_names(page)
            sides = self._shown["lists"]
            if set(page.lists) != set(sides):
                raise refused(page.lists, "the lists", f"lists {' and '.join(sides)}")

    def _list(self, side: str) -> RankedList:
        return self._measure().ranked(side, self.page.lists[side])

    def _measure(self) -> ListScorer:
        """For the judgments on the page; kept while they stay the same."""
        page = self.page
        measure = self._measure_of(page)
        if self._measured is None or self._measured[2] is not measure:
            self._measured = page.topic, page.docs, measure
        return measure

    def _measure_of(self, page: LabState) -> ListScorer:
        """For the judgments on this page: what is kept, if they are the same."""
        if self._measured is not None and self._measured[:2] == (page.topic, page.docs):
            return self._measured[2]
        return ListScorer(page.pool())

    def _show(self, page: LabState) -> None:
        """Put another page on, and measure it; DivmetricsError, and nothing is changed, where it is none."""
        check_page(page)
        with self.hold_sync():
            self._shown = {**vars(page), "name": str(int(self._shown["name"]) + 1)}
            self._report()
        self._look_ahead()

    def _edited(self, _: Any) -> None:
        with self.hold_sync():
            self._report()
        self._look_ahead()

    def _report(self) -> None:
        """Scores and contributions for the browser; where there are none, why."""
        name, page = self._agreed()
        results: dict[str, Any] = {"of": name, "rows": []}
        self._ahead = {}
        known = self._measured
        begun = perf_counter()
        try:
            with self._telling():
                self._fill(results, self._measure(), page)
                self._problem = ""
        finally:
            self._results = results
            self._took = perf_counter() - begun
            if self._measured is not known:
                self._took_anew = self._took

    @property
    def _slow(self) -> bool:
        """Does the page take so long that nothing is measured in advance?"""
        return self._took > AT_MOST

    def _look_ahead(self, _: Any = None) -> None:
        """Measure the pages on which the document in hand stands one rank higher or lower."""
        name, page = self._agreed()
        asked = {"of": name, "hand": self._hand}
        known = {key: self._ahead.get(key) for key in asked}
        if self._problem or self._slow or self._results["of"] != name or known == asked:
            return
        pages = []
        for lists in _one_step(page.lists, **self._hand) if self._hand else ():
            results = self._in_advance(replace(page, lists=lists))
            if results is not None:
                pages.append({"lists": lists, "results": results})
        self._ahead = {**asked, "pages": pages}

    def _respond(self, _: Any, asked: Mapping[str, Any], __: Any) -> None:
        """Send each result of `_answer_<kind>`, or why there is none, as for a request about another page."""
        now, args = self._agreed()[0], dict(asked["args"])
        error = "this could not be measured"
        try:
            if args.pop("of", now) != now:
                raise DivmetricsError("the page has changed since this was asked")
            for result in getattr(self, f"_answer_{asked['kind']}")(**args):
                self.send({"id": asked["id"], "result": result})
                error = ""
        except DivmetricsError as reason:
            error = str(reason)
        finally:
            if error:
                self.send({"id": asked["id"], "error": error})

    def _answer_grades(self, doc: str, grades: Sequence[Mapping[str, int]]) -> Iterator[dict[str, Any]]:
        """Measure the pages on which a document has these grades instead of its own, as many as are quick.

        Each is sent when it is measured: an edit that has been made meanwhile waits for the next one at most.
        """
        name, page = self._agreed()
        if self._problem or self._slow or self._took_anew > AT_MOST or self._results["of"] != name:
            return
        if all(known["id"] != doc for known in page.docs):
            return
        begun = perf_counter()
        for labels in grades:
            if perf_counter() - begun > AT_MOST:
                break
            docs = [{**known, "grades": labels} if known["id"] == doc else known for known in page.docs]
            results = self._in_advance(replace(page, docs=docs))
            if results is not None:
                yield {"grades": labels, "results": results}

    def _in_advance(self, page: LabState) -> dict[str, Any] | None:
        """What is measured on a page that nobody has made yet; None where that fails."""
        results: dict[str, Any] = {"rows": []}
        try:
            check_names(page)
            self._fill(results, self._measure_of(page), page)
        except Exception:  # it is told when somebody makes the page
            return None
        return results

    def _fill(self, results: dict[str, Any], measure: ListScorer, page: LabState) -> None:
        """Add what is measured on this page; what is there before an error is shown all the same."""
        raise NotImplementedError


def _one_step(lists: Mapping[str, list[str]], side: str, doc: str) -> Iterator[dict[str, list[str]]]:
    """The lists after a move of the document by one rank, up and down."""
    docs = list(lists.get(side, ()))
    if doc in docs:
        at = docs.index(doc)
        for upper in (at - 1, at):  # the rank that changes places with the one below
            if 0 <= upper < len(docs) - 1:
                swapped = list(docs)
                swapped[upper : upper + 2] = docs[upper + 1], docs[upper]
                yield {**lists, side: swapped}
