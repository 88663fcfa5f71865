"""A lab embedded below another widget, in which the finder and the judge open two lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets
from ipywidgets import widget_serialization  # type: ignore[import-untyped]  # untyped package

from divmetrics.notebook.textformat.lab_state import LabState
from divmetrics.notebook.textformat.lab_text import write_page
from divmetrics_widgets.lab import RankedListLab
from divmetrics_widgets.tool import WidgetBase


class EmbeddedLabMixin(WidgetBase):
    """A widget with one lab of its own, made on first use; `front/below.js` displays it."""

    _asked = traitlets.Int(0).tag(sync=True, echo_update=False)  # token of the request that was finished last
    _opened = traitlets.Bool(False).tag(sync=True)
    _lab = traitlets.Instance(RankedListLab, allow_none=True).tag(sync=True, **widget_serialization)

    def __init__(self, **traits: Any) -> None:
        self._lab_page: LabState | None = None
        super().__init__(**traits)

    def _lab_of(self, page: LabState) -> RankedListLab:
        """Return the lab with this page; the reader's edits stay until another page is opened."""
        if self._lab is None:
            self._lab = RankedListLab(write_page(page))
            self._lab._place = self._place and f"{self._place} {page.topic['id']}"
        elif self._lab_page is not page:
            self._lab.state = write_page(page)
        self._lab_page = page
        return self._lab

    def _do(self, token: int, act: Callable[[], Any]) -> None:
        """Execute a request of the browser, and report its end by its token."""
        try:
            with self._reporting_errors():
                act()
        finally:
            self._asked = token
