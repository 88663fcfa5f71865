"""ReaderWalk: a metric's readers walk down a list, rank by rank, and fill the baskets that are its score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import traitlets

from divmetrics.core.collection import RankedList
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.research.aggregated import BlockPage, page_metric
from divmetrics_widgets.messages import whole
from divmetrics_widgets.one_list import SingleListWidget
from divmetrics_widgets.tool import Module
from divmetrics_widgets.walk_still import still_html, still_text
from divmetrics_widgets.walking import DEEPEST, walk_to_json
from divmetrics_widgets.walking_pages import page_walk_to_json


class ReaderWalk(SingleListWidget):
    """What a metric's readers do, step by step down one list; the baskets of all ranks add up to the score.

    Parameters
    ----------
    metric : a name such as "ERR-IA@5", or a metric
    ranked_list : a RankedList of at least one document, or a `blocks.Page` of at least one block, which an
        AS_ metric measures
    metrics : more metrics to choose from in a menu
    about : {document: a few words about it}

    `rank` is the last rank that was read, 0 before the first; it may be observed and set. `metric` is the
    metric that is shown. At most 20 ranks are walked. The readers are expected numbers, never drawn at random
    and never rounded to whole people. Raises DivmetricsError, in one sentence, for input that cannot be used.
    """

    _esm = Module("walk.js", ("contributions.css", "lab.css", "walking.css"))
    rank = traitlets.Int(0).tag(sync=True, echo_update=False, reads=whole(0, DEEPEST))

    def __init__(
        self,
        metric: str | BaseMetric,
        ranked_list: RankedList | BlockPage,
        *,
        metrics: Iterable[str | BaseMetric] = (),
        about: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(metric, ranked_list, metrics, about)
        self._follow_names()

    @traitlets.validate("rank")
    def _within(self, proposal: Any) -> int:
        ranks = self._picture["ranks"]
        if proposal["value"] not in range(ranks + 1):
            raise DivmetricsError(f"rank is {proposal['value']}, expected a whole number from 0 to {ranks}")
        return int(proposal["value"])

    def _check_written(self, written: dict[str, Any]) -> None:
        super()._check_written(written)
        if "rank" in written:
            self._within({"value": written["rank"]})

    def _redrawn(self) -> None:
        self.rank = min(self.rank, self._picture["ranks"])

    def _check_list(self, shown: Any) -> None:
        if not isinstance(shown, BlockPage):
            super()._check_list(shown)
        elif not shown.blocks:
            raise DivmetricsError(
                f"page {shown.run} of query {shown.query.id} has no blocks: there is nothing to show; give a "
                "page with at least one block"
            )

    def _named(self, name: str | BaseMetric) -> BaseMetric:
        return page_metric(name) if isinstance(self._list, BlockPage) else super()._named(name)

    def _drawn(self, name: str) -> dict[str, Any]:
        metric = self._metrics[name]
        if isinstance(self._list, BlockPage):
            return page_walk_to_json(metric, self._list, self._about)
        return walk_to_json(metric, self._list, self._about)

    def __repr__(self) -> str:
        return f"<ReaderWalk: {self._chosen} of list {self._list.run} = {self._picture['score']}>"

    def static_html(self) -> str:
        return still_html(self._picture)

    def static_text(self) -> str:
        return still_text(self._picture)
