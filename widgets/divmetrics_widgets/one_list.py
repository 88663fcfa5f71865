"""What widgets share that show one list under one metric, with a menu of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import traitlets

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.session import Change
from divmetrics_widgets.by_name import means
from divmetrics_widgets.messages import text
from divmetrics_widgets.tool import WidgetBase


class SingleListWidget(WidgetBase):
    """One list under a chosen metric; a subclass says with `_drawn` what is shown of it."""

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
        self._by_name = {str(self._named(name)) for name in (metric, *several) if isinstance(name, str)}
        self._metrics = {str(found): found for found in map(self._named, [metric, *several])}
        first = next(iter(self._metrics))
        super().__init__(_names=list(self._metrics), _chosen=first, _picture=self._drawn(first))
        self._redrawn()
        self.observe(self._choose, "_chosen")

    @property
    def metric(self) -> BaseMetric:
        """The metric that is shown."""
        return self._metrics[self._chosen]

    @metric.setter
    def metric(self, name: str | BaseMetric) -> None:
        self._chosen = str(self._named(name))
        if self._problem:
            raise DivmetricsError(self._problem)

    def _check_list(self, shown: Any) -> None:
        """DivmetricsError for what cannot be shown."""
        if not isinstance(shown, RankedList):
            raise DivmetricsError(f"the list is {shown!r}, expected a RankedList")
        if not len(shown):
            raise DivmetricsError(
                f"list {shown.run} of topic {shown.topic.id} is empty: there is nothing to show; give a list "
                "with at least one document"
            )

    def _named(self, name: str | BaseMetric) -> BaseMetric:
        """The metric of a name."""
        return metric_named(name)

    def _drawn(self, name: str) -> dict[str, Any]:
        """What is shown of the list under the metric of this name."""
        raise NotImplementedError

    def _tables(self) -> dict[str, Any]:
        return {"pictures": {name: self._drawn(name) for name in self._names}}

    def _redrawn(self) -> None:
        """Another picture is there: what was chosen in the one before may not be in it."""

    @traitlets.validate("_chosen")
    def _known(self, proposal: Any) -> str:
        name = str(proposal["value"])
        if name not in self._metrics:
            raise DivmetricsError(
                f"{name!r} is not among the metrics of this view{did_you_mean(name, self._metrics)}; "
                f"they are {', '.join(self._metrics)}"
            )
        return name

    def _check_written(self, written: dict[str, Any]) -> None:
        if "_chosen" in written:
            self._known({"value": written["_chosen"]})

    def _choose(self, _: Any) -> None:
        with self.hold_sync():
            try:
                self._picture = self._drawn(self._chosen)
                self._problem = ""
            except DivmetricsError as error:
                self._chosen = self._picture["metric"]  # the last good one; draws it again
                self._problem = str(error)
            else:
                self._redrawn()

    def _metric_changed(self, change: Change) -> None:
        """What was asked for by name follows it; a metric that was given as such stays."""
        for name in self._by_name:
            if means(name, change.name):
                self._metrics[name] = self._named(name)  # where it is gone, says so; the picture stays
                if name == self._chosen:
                    self._choose(None)
