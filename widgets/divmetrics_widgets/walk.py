"""ReaderWalk: a metric's readers walk down a list and fill the baskets that add up to its score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import traitlets

from divmetrics.aggregated import BlockPage
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError
from divmetrics_widgets.messages import whole
from divmetrics_widgets.one_list import SingleListWidget
from divmetrics_widgets.tool import Module
from divmetrics_widgets.walk_still import still_html, still_text
from divmetrics_widgets.walking import DEEPEST, walk_to_json
from divmetrics_widgets.walking_pages import page_walk_to_json


class ReaderWalk(SingleListWidget):
    """The readers of a metric, step by step down one list; the baskets of all ranks add up to the score.

    The readers are expected numbers, never drawn at random and never rounded to whole people.

    Parameters
    ----------
    metric : str or BaseMetric
        A name such as "ERR-IA@5", or a metric.
    ranked_list : RankedList or BlockPage
        A list of at least one document, or, for an AS_ metric, an aggregated page of at least one block.
    metrics : iterable of str or BaseMetric, optional
        More metrics for the menu; none by default. They are tried only when they are chosen.
    about : mapping of str to str, optional
        A short description of documents, {document: description}; the others have none.

    Raises
    ------
    DivmetricsError
        If there is no metric of a name, the displayed metric cannot score what is walked (such as one that
        needs a cutoff, or an AS_ metric of a list), or `ranked_list` has no document or block; if `metric` or
        `rank` is set to what the walk does not have.

    Notes
    -----
    `rank` is the rank that was read last, an int, 0 before the first; it may be observed and set. `metric` is
    the displayed metric, and may be set to another one of the menu. The walk has at most 20 ranks.

    Examples
    --------
    >>> from divmetrics import datasets
    >>> ReaderWalk("ERR-IA@5", datasets.harry_potter().list("A", "0083"))
    <ReaderWalk: ERR-IA@5 of list A = 0.2870>
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
    def _validate_rank(self, proposal: Any) -> int:
        ranks = self._picture["ranks"]
        if proposal["value"] not in range(ranks + 1):
            raise DivmetricsError(f"rank is {proposal['value']}, expected a whole number from 0 to {ranks}")
        return int(proposal["value"])

    def _check_written(self, written: dict[str, Any]) -> None:
        super()._check_written(written)
        if "rank" in written:
            self._validate_rank({"value": written["rank"]})

    def _on_picture_change(self) -> None:
        self.rank = min(self.rank, self._picture["ranks"])

    def _check_list(self, ranked_list: Any) -> None:
        if not isinstance(ranked_list, BlockPage):
            super()._check_list(ranked_list)
        elif not ranked_list.blocks:
            raise DivmetricsError(
                f"page {ranked_list.run} of query {ranked_list.query.id} has no blocks: there is nothing to "
                "show; give a page with at least one block"
            )

    def _draw(self, name: str) -> dict[str, Any]:
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
