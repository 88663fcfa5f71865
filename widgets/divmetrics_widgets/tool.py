"""The base class of all widgets: files, marks, messages from the browser, and the static form."""

from __future__ import annotations

import inspect
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
    """A file in `front/` with its imports and style sheets; str() packs them into one ES module.

    The text is made on first use, so that importing a widget stays fast.
    """

    entry: str
    sheets: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _packed(self)


@cache
def _packed(module: Module) -> str:
    return packed(module.entry, ("common.css", *module.sheets))


class _OpensWhenComplete(traitlets.MetaHasTraits):
    """The metaclass of widgets that the browser is told of after __init__, once, with their whole state.

    ipywidgets opens the channel inside `Widget.__init__`, before a subclass has set its traits. A browser
    that asks for all states at that moment, as JupyterLab does while it connects to a kernel, would draw
    a widget from its defaults, and a constructor that raises would leave a model behind.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        widget = super().__call__(*args, **kwargs)
        anywidget.AnyWidget.open(widget)
        return widget

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of __init__ for help(), which would otherwise show that of __call__."""
        own = inspect.signature(cls.__init__)  # type: ignore[misc]  # cls is the class that is described
        return own.replace(parameters=[*own.parameters.values()][1:], return_annotation=own.empty)


class WidgetBase(anywidget.AnyWidget, metaclass=_OpensWhenComplete):
    """A widget of hand-written JavaScript and CSS that loads nothing from the network.

    A subclass sets `_esm = Module(...)`. A trait that the browser may write has the tag `reads`, a reader of
    its values (see `messages`); `_hears` reads every other message.
    """

    _marks = traitlets.List(mark_drawings()).tag(sync=True)
    _problem = ShortenedText("").tag(sync=True, echo_update=False)
    _place = traitlets.Unicode("").tag(sync=True, echo_update=False)
    _hears: Reader = staticmethod(nothing)
    _refusal = ""
    # ipywidgets 7, as in Colab, would display itself by this method and ignore `_repr_mimebundle_`.
    _ipython_display_ = None

    def open(self) -> None:
        """Do nothing: the metaclass opens the channel after __init__."""

    def _set_place(self, about: str) -> None:
        """Record the cell that made this widget and its subject, for front/kept.js."""
        where = place(type(self).__name__)
        self._place = where and f"{where} {about}"

    def set_state(self, sync_data: Any) -> None:
        """Accept the traits that the browser wrote.

        If one is invalid, reject all, report why and send the old values back. A trait without the tag
        `reads` is not writable from the browser and is left as it is.
        """
        try:
            state = table(any_value, any_value)(sync_data, "the message")
            readers = {name: self.trait_metadata(name, "reads") for name in state if name in self.keys}
            written = {n: reads(state[n], f"{n.lstrip('_')}") for n, reads in readers.items() if reads}
            self._check_written(written)
        except DivmetricsError as error:
            self._refuse(error)
            if isinstance(sync_data, dict):
                self.send_state([name for name in sync_data if name in self.keys])
        else:
            self._refuse(None)
            super().set_state(written)

    def _refuse(self, error: DivmetricsError | None) -> None:
        """Report why a message was rejected; None, for the next valid message, clears the report."""
        if error is not None:
            self._problem = str(error)
            self._refusal = self._problem
        elif self._problem == self._refusal:
            self._problem = ""

    def _check_written(self, written: dict[str, Any]) -> None:
        """Raise DivmetricsError if the written traits do not fit this widget or each other."""

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        try:
            message = self._hears(content, "the message")
        except DivmetricsError as error:
            self._refuse(error)
        else:
            self._refuse(None)
            super()._handle_custom_msg(message, buffers)

    def _follow_names(self) -> None:
        """Subscribe to the metric registry; call it last in __init__, on a complete widget."""
        watch(self._on_metric_change)

    def _on_metric_change(self, change: Change) -> None:
        if self.comm is not None:  # not closed
            with self._reporting_errors(), self.hold_sync():
                self._metric_changed(change)

    def _metric_changed(self, change: Change) -> None:
        """Update the widget after a metric was registered, redefined or removed."""

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        """Report an exception of the block in the widget; re-raise it unless it is a DivmetricsError."""
        try:
            yield
        except DivmetricsError as error:
            self._problem = str(error)
        except Exception as error:
            self._problem = f"{type(error).__name__}: {error}"
            raise

    def static_html(self) -> str:
        """Return the HTML for a page without a kernel: plain tables, since other sites drop styles."""
        raise NotImplementedError

    def static_text(self) -> str:
        """Return the plain-text form, where HTML is not displayed."""
        return repr(self)

    def _tables(self) -> dict[str, Any]:
        """Return the tables from which a page without a kernel looks up the widget's answers."""
        return {}

    def _in_book(self) -> str:
        own = set(self.keys) - {*anywidget.AnyWidget.class_traits(), "_esm"}
        # anywidget replaces the Module by a trait on the class, so search the declarations.
        declared = (vars(kind).get("_esm") for kind in type(self).__mro__)
        entry = next(module.entry for module in declared if isinstance(module, Module))
        return in_book.element(entry, self.get_state(own), self._tables(), self.static_html(), self.model_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        page = {in_book.PAGE_TYPE: self._in_book()} if in_book.is_enabled() else {}
        return {**data, "text/html": self.static_html(), "text/plain": self.static_text(), **page}, metadata
