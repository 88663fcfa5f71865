"""What opens two lists in a lab, which then stands below it: the finder and the judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets
from ipywidgets import widget_serialization  # type: ignore[import-untyped]  # it has no types

from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.notebook.textformat.lab_text import write_page
from divmetrics_widgets.lab import RankedListLab
from divmetrics_widgets.tool import WidgetBase


class EmbeddedLabMixin(WidgetBase):
    """A widget with one lab of its own, made when it is first asked for; `front/below.js` shows it."""

    _asked = traitlets.Int(0).tag(sync=True, echo_update=False)  # the token of what was done last
    _opened = traitlets.Bool(False).tag(sync=True)
    _lab = traitlets.Instance(RankedListLab, allow_none=True).tag(sync=True, **widget_serialization)

    def __init__(self, **traits: Any) -> None:
        self._in_lab: LabState | None = None
        super().__init__(**traits)

    def _lab_of(self, page: LabState) -> RankedListLab:
        """The lab with this page. What a reader has done with the page stays until another one is opened."""
        if self._lab is None:
            self._lab = RankedListLab(write_page(page))
            self._lab._place = self._place and f"{self._place} {page.topic['id']}"
        elif self._in_lab is not page:
            self._lab.state = write_page(page)
        self._in_lab = page
        return self._lab

    def _do(self, token: int, act: Callable[[], Any]) -> None:
        """What the browser has asked for; it hears of the end by its token."""
        try:
            with self._telling():
                act()
        finally:
            self._asked = token
