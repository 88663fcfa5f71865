"""What widgets with lists to be reordered share: the page, and its numbers after every edit."""

from __future__ import annotations

from typing import Any

import traitlets

from divmetrics.collection import RankedList
from divmetrics_widgets.measuring import Measure
from divmetrics_widgets.page import Page
from divmetrics_widgets.tool import Tool


class Bench(Tool):
    """A page that is edited by hand and measured in Python; a subclass says with `_fill` what it shows."""

    _topic = traitlets.Dict().tag(sync=True, echo_update=False)
    _docs: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False)
    _lists = traitlets.Dict().tag(sync=True, echo_update=False)
    _metrics: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False)
    _edit = traitlets.Int(0).tag(sync=True, echo_update=False)
    _results = traitlets.Dict().tag(sync=True, echo_update=False)

    def __init__(self, **traits: Any) -> None:
        self._measured: tuple[Any, Any, Measure] | None = None
        super().__init__(**traits)
        self.observe(self._edited, "_edit")

    @property
    def page(self) -> Page:
        """What is on the page now, as plain values."""
        return Page(self._topic, self._docs, self._lists, self._metrics)

    def _list(self, side: str) -> RankedList:
        pool = self._measure().pool
        return RankedList(pool.topic, self._lists[side], pool, side)

    def _measure(self) -> Measure:
        """For the judgments on the page; kept while they stay the same objects."""
        if (
            self._measured is None
            or self._measured[0] is not self._topic
            or self._measured[1] is not self._docs
        ):
            self._measured = self._topic, self._docs, Measure(self.page.pool())
        return self._measured[2]

    def _show(self, page: Page) -> None:
        """Put another page on, and measure it."""
        with self.hold_sync():
            self._topic, self._docs, self._lists = page.topic, page.docs, page.lists
            self._metrics = list(page.metrics)
            self._report()

    def _edited(self, _: Any) -> None:
        with self.hold_sync():
            self._report()

    def _report(self) -> None:
        """Scores and contributions for the browser; where there are none, why."""
        results: dict[str, Any] = {"edit": self._edit, "rows": []}
        try:
            with self._telling():
                self._fill(results, self._measure())
                self._problem = ""
        finally:
            self._results = results

    def _fill(self, results: dict[str, Any], measure: Measure) -> None:
        """Add what is measured; what is there before an error is shown all the same."""
        raise NotImplementedError
