"""Build the ideal page greedily as Zhou et al. (2013) do; `best_page` tries all pages instead."""

from __future__ import annotations

from divmetrics.aggregated.block_page import BlockPage, Query
from divmetrics.aggregated.page_batch import batch_pages, ideal_blocks, tie_break_order
from divmetrics.conventions.page_parts import GainPerEffort, Orientation
from divmetrics.core.calls import public
from divmetrics.core.ideal import sorted_order


@public
def ideal_page(query: Query) -> BlockPage:
    """Return the page with perfect choice of verticals, of items and of order (section 4.2 of the paper).

    The page has, at most, as many blocks as the query's layout. Its verticals are those that a majority of
    users wants and that have a relevant item, the highest orientations first; its items are those with the
    highest grades of each vertical and of general web, one of each set of duplicates; its blocks are in
    `perfect_order`. AS_ metrics (those of pages) divide by the gain per unit of effort of this page: with
    their parameter a = 1 and linear gains it scores 1 at any cutoff, or 0 if it gains nothing.

    Parameters
    ----------
    query : Query
        The query.

    Returns
    -------
    BlockPage
        The ideal page, run "ideal".

    Notes
    -----
    The choice is greedy: it ignores whether a vertical or an item is worth its effort, and the order is not
    always the best, so that another page that fills the layout may score above 1. If there are only web items
    of equal effort, no page that fills the layout has a higher score under AS_DCG and AS_RBP, nor under
    AS_ERR for at most ten blocks and grades of at most 4 (verified exhaustively; much longer counterexamples
    are known). In all other cases, `best_page` finds the best page that fills the layout. A page with fewer
    blocks may score above both.

    References
    ----------
    zhou2013, section 4.2

    Examples
    --------
    >>> from divmetrics.aggregated import ideal_page
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> ideal_page(query)
    <page ideal of query q: web[2] news[2] web[1]>
    """
    return perfect_order(BlockPage(query, ideal_blocks(query), "ideal"))


@public
def perfect_order(page: BlockPage) -> BlockPage:
    """Return the page with its blocks sorted by decreasing gain per effort.

    The gain of a block is the sum of its items' grades, times the orientation of the vertical, as under AS_
    metrics with a = 1. The given page is not changed.

    Parameters
    ----------
    page : BlockPage
        A page.

    Returns
    -------
    BlockPage
        The page with its blocks in that order, of the same run. Of tied blocks, the one of the vertical with
        the larger orientation is first, then the one whose first item comes first in the query.

    Notes
    -----
    The paper orders blocks so as to maximise gain; we order by gain per effort, since pages score this rate.
    If all blocks take the same effort, no other order has a higher AS_DCG or AS_RBP at any cutoff. Under
    AS_ERR another order may: a block that gains less but satisfies more users can be better first, as
    users who leave do not pay for the blocks below. If efforts differ, another order may be better under all
    three: a block without gain but at little cost can belong above one with little gain at a high cost.

    References
    ----------
    zhou2013, section 4.2

    Examples
    --------
    >>> from divmetrics.aggregated import perfect_order
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> page = BlockPage(query, [("web", "w1"), ("news", "n2"), ("web", "w2")])
    >>> perfect_order(page)
    <page A of query q: web[2] web[1] news[0]>
    """
    if not page.blocks:
        return page
    blocks = tie_break_order(page.query, page.blocks)
    order = sorted_order(batch_pages([page.with_blocks(blocks)]), GainPerEffort(), Orientation())
    return page.with_blocks(blocks[b] for b in order[0].tolist())
