"""The base class of widgets that display one list under one metric, with a menu of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import traitlets

from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.session import Change
from divmetrics_widgets.by_name import means
from divmetrics_widgets.messages import text
from divmetrics_widgets.tool import WidgetBase


class SingleListWidget(WidgetBase):
    """One list under a chosen metric; a subclass implements `_draw`."""

    _names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _chosen = traitlets.Unicode("").tag(sync=True, echo_update=False, reads=text)
    _picture = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        metric: str | BaseMetric,
        ranked_list: Any,
        metrics: Iterable[str | BaseMetric],
        about: Mapping[str, str] | None,
    ) -> None:
        self._check_list(ranked_list)
        self._list, self._about = ranked_list, dict(about or {})
        several = [metrics] if isinstance(metrics, (str, BaseMetric)) else [*metrics]
        self._by_name = {str(metric_named(name)) for name in (metric, *several) if isinstance(name, str)}
        self._metrics = {str(resolved): resolved for resolved in map(metric_named, [metric, *several])}
        first = next(iter(self._metrics))
        super().__init__(_names=list(self._metrics), _chosen=first, _picture=self._draw(first))
        self._on_picture_change()
        self.observe(self._on_choice, "_chosen")

    @property
    def metric(self) -> BaseMetric:
        """The displayed metric; may be set to another one of the menu, by its name, too."""
        return self._metrics[self._chosen]

    @metric.setter
    def metric(self, name: str | BaseMetric) -> None:
        self._chosen = str(metric_named(name))
        if self._problem:
            raise DivmetricsError(self._problem)

    def _check_list(self, ranked_list: Any) -> None:
        """Raise DivmetricsError if this is not a list that can be displayed."""
        if not isinstance(ranked_list, RankedList):
            raise DivmetricsError(f"the list is {ranked_list!r}, expected a RankedList")
        if not len(ranked_list):
            raise DivmetricsError(
                f"list {ranked_list.run} of topic {ranked_list.topic.id} is empty: there is nothing to "
                "show; give a list with at least one document"
            )

    def _draw(self, name: str) -> dict[str, Any]:
        """Return the data to display for the list under the metric of this name."""
        raise NotImplementedError

    def _tables(self) -> dict[str, Any]:
        return {"pictures": {name: self._draw(name) for name in self._names}}

    def _on_picture_change(self) -> None:
        """Adapt the selection to a new picture, which may lack the selected item."""

    @traitlets.validate("_chosen")
    def _validate_chosen(self, proposal: Any) -> str:
        name = str(proposal["value"])
        if name not in self._metrics:
            raise DivmetricsError(
                f"{name!r} is not among the metrics of this view{did_you_mean(name, self._metrics)}; "
                f"they are {', '.join(self._metrics)}"
            )
        return name

    def _check_written(self, written: dict[str, Any]) -> None:
        if "_chosen" in written:
            self._validate_chosen({"value": written["_chosen"]})

    def _on_choice(self, _: Any) -> None:
        with self.hold_sync():
            try:
                self._picture = self._draw(self._chosen)
                self._problem = ""
            except DivmetricsError as error:
                self._chosen = self._picture["metric"]  # the last valid metric; the observer draws it again
                self._problem = str(error)
            else:
                self._on_picture_change()

    def _metric_changed(self, change: Change) -> None:
        """Update the metrics that were requested by name; metric objects stay as they are."""
        for name in self._by_name:
            if means(name, change.name):
                self._metrics[name] = metric_named(name)  # raises if it was removed
                if name == self._chosen:
                    self._on_choice(None)
