"""The ideal page, put together greedily as Zhou et al. (2013) do; `best_page` tries all pages instead."""

from __future__ import annotations

from divmetrics.blocks.page import Page, Query
from divmetrics.blocks.page_view import ideal_blocks, view_pages
from divmetrics.calls import public
from divmetrics.ideal import sorted_order
from divmetrics.parts import Orientation, PerEffort


@public
def ideal_page(query: Query) -> Page:
    """Perfect choice of verticals, of items and of order (section 4.2 of the paper).

    The verticals that a majority wants, the most wanted first; of each, and of general web, the items with
    the highest grades; blocks as `perfect_order` has them. That is a greedy choice: whether a vertical is
    worth its effort is not asked, so a page that leaves one out may score above 1. `best_page` finds out.
    """
    return perfect_order(Page(query, ideal_blocks(query), "ideal"))


@public
def perfect_order(page: Page) -> Page:
    """The same blocks by decreasing gain per effort.

    The paper orders blocks so that gain could be maximised; a page's score is gain per effort, so that is
    what our reading maximises. Of equal blocks the one of the more wanted vertical stands first, then the one
    whose first item the query names first.
    """
    query = page.query
    place = {item: i for i, item in enumerate(query.items)}
    blocks = sorted(
        page.blocks, key=lambda block: (-query.vertical[block.vertical].orientation, place[block.items[0]])
    )
    if not blocks:
        return page
    order = sorted_order(view_pages([page.arranged(blocks)]), PerEffort(), Orientation())
    return page.arranged(blocks[b] for b in order[0].tolist())
