"""The small pictures on the map of the course: each metric's user model on the same list."""

from __future__ import annotations

from functools import cache

import divmetrics as dm
from divmetrics.aggregated import BlockPage
from divmetrics.core.metric import BaseMetric
from divmetrics.core.runs import RankedList
from divmetrics_widgets.walk_still import thumbnail
from divmetrics_widgets.walking import walk_to_json
from divmetrics_widgets.walking_pages import page_walk_to_json

DOCS = ("d1", "d7", "d2", "d14", "d15")
PAGE = "random-perfect-random"
EXPLANATION = """The pictures all show one list of five pages for *harry potter*: a streaming service
(film ■), the encyclopedia (series ●, book ▲ and film ■), a second streaming service with the same films
(■), the theme park's own site (◆) and a blog about the park (◆). The right half of a picture shows what
each rank adds to the score, in the colours of the intents. The left half shows what is there before each
rank: the readers who still read, the interest that is left or the doors that are still closed, and for
all other metrics, as a plain blue bar, the score so far. (The metrics of aggregated search are shown on a
page of five blocks.)"""


def picture(metric: BaseMetric) -> str:
    """Return a metric's picture as an HTML image with alternative text."""
    if metric.name in dm.metrics(of="pages"):
        return thumbnail(page_walk_to_json(metric, _page(), {}))
    return thumbnail(walk_to_json(metric @ len(DOCS), _list(), {}))


@cache
def _list() -> RankedList:
    return dm.datasets.harry_potter().list("C", "0083").reordered(DOCS)


@cache
def _page() -> BlockPage:
    """Return the upper end of a page of web results and blocks of other verticals."""
    pages = dm.datasets.simulated_pages(dm.datasets.aggregated_search(1))
    page = next(page for page in pages if page.run == PAGE)
    return page.with_blocks(page.blocks[: len(DOCS)])
