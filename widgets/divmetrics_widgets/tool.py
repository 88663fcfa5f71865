"""What every widget shares: its files, its marks, and a static form for readers without a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import anywidget
import traitlets

from divmetrics.errors import DivmetricsError
from divmetrics.notebook.appearance.marks import mark_drawings
from divmetrics.registry.session import Change, watch
from divmetrics_widgets import in_book
from divmetrics_widgets.bundles import packed
from divmetrics_widgets.messages import Reader, ShortenedText, any_value, nothing, table
from divmetrics_widgets.place import place


@dataclass(frozen=True)
class Module:
    """A file in `front/`, with all that it imports and its style sheets: as text, one ES module.

    The text is made when it is first asked for, so that importing a widget does not wait for it.
    """

    entry: str
    sheets: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _packed(self)


@cache
def _packed(module: Module) -> str:
    return packed(module.entry, ("common.css", *module.sheets))


class WidgetBase(anywidget.AnyWidget):
    """A widget of hand-written JavaScript and CSS; nothing is fetched from anywhere.

    A subclass sets `_esm = Module(...)`. A trait that the browser may write is
    tagged with `reads`, which says what it may hold (see `messages`); `_hears` reads every other message.
    """

    _marks = traitlets.List(mark_drawings()).tag(sync=True)
    _problem = ShortenedText("").tag(sync=True, echo_update=False)
    _place = traitlets.Unicode("").tag(sync=True, echo_update=False)
    _hears: Reader = staticmethod(nothing)
    _refusal = ""
    # ipywidgets 7, as Colab has it, would show itself by this and leave out what `_repr_mimebundle_` adds.
    _ipython_display_ = None

    def _stand(self, about: str) -> None:
        """Remember where this was made and what about, for front/kept.js."""
        where = place(type(self).__name__)
        self._place = where and f"{where} {about}"

    def set_state(self, sync_data: Any) -> None:
        """Take what the browser has written, or else nothing of it, say why, and give back what was there.

        A trait without `reads` is not the browser's to write, and is left as it is.
        """
        try:
            found = table(any_value, any_value)(sync_data, "the message")
            readers = {name: self.trait_metadata(name, "reads") for name in found if name in self.keys}
            written = {n: reads(found[n], f"{n.lstrip('_')}") for n, reads in readers.items() if reads}
            self._check_written(written)
        except DivmetricsError as error:
            self._refuse(error)
            if isinstance(sync_data, dict):
                self.send_state([name for name in sync_data if name in self.keys])
        else:
            self._refuse(None)
            super().set_state(written)

    def _refuse(self, error: DivmetricsError | None) -> None:
        """Say why a message was not taken; the next one that is takes the sentence away again."""
        if error is not None:
            self._problem = str(error)
            self._refusal = self._problem
        elif self._problem == self._refusal:
            self._problem = ""

    def _check_written(self, written: dict[str, Any]) -> None:
        """DivmetricsError where what was written does not fit this widget, or not together."""

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        try:
            said = self._hears(content, "the message")
        except DivmetricsError as error:
            self._refuse(error)
        else:
            self._refuse(None)
            super()._handle_custom_msg(said, buffers)

    def _follow_names(self) -> None:
        """Hear of metrics of one's own: the last thing in making a widget, for a half-made one must not."""
        watch(self._heard)

    def _heard(self, change: Change) -> None:
        if self.comm is not None:  # not closed
            with self._telling(), self.hold_sync():
                self._metric_changed(change)

    def _metric_changed(self, change: Change) -> None:
        """A metric of one's own is new, means another now, or is gone: show it if it belongs here."""

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What goes wrong inside is told in the widget; what is not bad input is raised as well."""
        try:
            yield
        except DivmetricsError as error:
            self._problem = str(error)
        except Exception as error:
            self._problem = f"{type(error).__name__}: {error}"
            raise

    def static_html(self) -> str:
        """What a reader without a kernel sees; plain tables, since strangers' pages drop styles."""
        raise NotImplementedError

    def static_text(self) -> str:
        """The same where there is no HTML."""
        return repr(self)

    def _tables(self) -> dict[str, Any]:
        """What a page without a kernel reads the answers from that the widget gives there."""
        return {}

    def _in_book(self) -> str:
        own = set(self.keys) - {*anywidget.AnyWidget.class_traits(), "_esm"}
        # anywidget has put a trait in the place of the Module.
        declared = (vars(kind).get("_esm") for kind in type(self).__mro__)
        entry = next(each.entry for each in declared if isinstance(each, Module))
        return in_book.element(entry, self.get_state(own), self._tables(), self.static_html(), self.model_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        if in_book.is_enabled():
            return {"text/html": self._in_book(), "text/plain": self.static_text()}, {}
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": self.static_html(), "text/plain": self.static_text()}, metadata
