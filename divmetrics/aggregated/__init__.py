"""Score pages of aggregated search: blocks, each from one vertical (Zhou et al. 2013).

A search engine places news, images or videos among its web results, so that a page is a list of blocks. A
page's score is the gain of its items for the users who want them, divided by the effort of reading them. The
formulas of the paper are missing in the copy used here: gain, effort, stopping and the ideal page follow our
interpretation of its text.
"""

from __future__ import annotations

from divmetrics.aggregated.block_page import WEB, Block, BlockPage, Item, PageLayout, Query, Vertical
from divmetrics.aggregated.ideal_page import ideal_page, perfect_order
from divmetrics.aggregated.page_batch import as_collection, batch_as_intents, batch_pages
from divmetrics.aggregated.reference_measures import (
    GOLD,
    mean_item_precision,
    presentation_correlation,
    vertical_precision,
    vertical_recall,
)
from divmetrics.aggregated.scores import explain_page, score_pages
from divmetrics.aggregated.search import best_page, count_pages

__all__ = [
    "GOLD",
    "WEB",
    "Block",
    "BlockPage",
    "Item",
    "PageLayout",
    "Query",
    "Vertical",
    "as_collection",
    "batch_as_intents",
    "batch_pages",
    "best_page",
    "count_pages",
    "explain_page",
    "ideal_page",
    "mean_item_precision",
    "perfect_order",
    "presentation_correlation",
    "score_pages",
    "vertical_precision",
    "vertical_recall",
]  # fmt: skip
