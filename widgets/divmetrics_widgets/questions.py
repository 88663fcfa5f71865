"""What a reader of a lab looks at, once the answer to an edit is there: asked by the browser when hands rest.

So no edit waits for it, and a held key asks nothing. A question names the page that it is about; one about a
page that is past is not answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from divmetrics.registry.parse import metric as metric_named
from divmetrics_widgets.bench import EditableLists
from divmetrics_widgets.factors import factors
from divmetrics_widgets.messages import name, record, text, union, whole
from divmetrics_widgets.ranks_ahead import ranks_ahead

CELLS = 600  # of all lists: so many are told at once, of more those of a document

QUESTION = union(
    record(),
    record(number=whole(0), of=name, side=text, doc=text),
    expected="a question about a document of the page",
)


class ExplainableLists(EditableLists):
    """A bench that tells of a document what it earns, factor by factor, and what it would at other ranks."""

    # `number` tells a question from the same one asked again, as where a metric has come to mean another.
    _factors_of = traitlets.Dict().tag(sync=True, echo_update=False, reads=QUESTION)
    _factors = traitlets.Dict().tag(sync=True, echo_update=False)

    _ranks_of = traitlets.Dict().tag(sync=True, echo_update=False, reads=QUESTION)
    _ranks = traitlets.Dict().tag(sync=True, echo_update=False)

    @traitlets.observe("_factors_of")
    def _tell_factors(self, change: Any) -> None:
        asked = change["new"]
        lists = self._asked_about(asked)
        if lists is None:
            return
        metric, measure = metric_named(self._results["chosen"]), self._measure()
        cells = sum(map(len, lists.values())) * len(measure.pool.topic.intents)
        told = factors(metric, measure, lists, None if cells <= CELLS else asked["doc"])
        self._factors = {"of": asked["of"], "number": asked["number"], **told}

    @traitlets.observe("_ranks_of")
    def _tell_ranks(self, change: Any) -> None:
        asked = change["new"]
        lists = self._asked_about(asked)
        if lists is None or asked["doc"] not in lists.get(asked["side"], ()):
            return
        side, doc = asked["side"], asked["doc"]
        told = ranks_ahead(self._measure(), side, lists[side], doc, self.page.metrics, slow=self._slow)
        self._ranks = {**asked, **told}

    def _asked_about(self, asked: Mapping[str, Any]) -> Mapping[str, Sequence[str]] | None:
        """The lists of the page that a question is about; None where it is past, or has no scores."""
        of, page = self._agreed()
        if asked.get("of") != of or self._results.get("of") != of or "chosen" not in self._results:
            return None
        return page.lists
