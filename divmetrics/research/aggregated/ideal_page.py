"""The ideal page, put together greedily as Zhou et al. (2013) do; `best_page` tries all pages instead."""

from __future__ import annotations

from divmetrics.conventions.page_parts import GainPerEffort, Orientation
from divmetrics.core.calls import public
from divmetrics.core.ideal import sorted_order
from divmetrics.research.aggregated.block_page import BlockPage, Query
from divmetrics.research.aggregated.page_batch import ideal_blocks, tie_break_order, view_pages


@public
def ideal_page(query: Query) -> BlockPage:
    """Perfect choice of verticals, of items and of order (section 4.2 of the paper).

    The verticals that a majority wants, the most wanted first; of each, and of general web, the items with
    the highest grades; blocks as `perfect_order` has them. It is what AS_ metrics divide by: it scores 1, at
    any cutoff, under those with a = 1 and linear gains.

    That is a greedy choice, and another page that fills the layout may score above 1: whether a vertical is
    worth its effort is not asked, nor whether an item is, nor is the order always the best. Where there are
    only web items, all of the same effort, no page that fills the layout beats it: never under AS_DCG and
    AS_RBP; under AS_ERR on none of at most ten blocks and grades of at most 4 (all were tried; far longer
    pages are known that do). Otherwise `best_page` finds out. A page that shows less may score above either.
    """
    return perfect_order(BlockPage(query, ideal_blocks(query), "ideal"))


@public
def perfect_order(page: BlockPage) -> BlockPage:
    """The same blocks by decreasing gain per effort, with a = 1 and linear gains.

    The paper orders blocks so that gain could be maximised; a page's score is gain per effort, so by that
    our reading goes. Where all blocks take the same effort, no other order of them has a higher AS_DCG or
    AS_RBP, at any cutoff. Under AS_ERR one may: a block that gains less, but satisfies more readers, can be
    better off first, as readers who leave do not pay for what is below. Where efforts differ, one may under
    all three: what gains nothing but costs little can belong above what gains a little at a high cost.

    Of blocks of equal gain per effort the one of the more wanted vertical stands first, then the one whose
    first item the query names first.
    """
    if not page.blocks:
        return page
    blocks = tie_break_order(page.query, page.blocks)
    order = sorted_order(view_pages([page.with_blocks(blocks)]), GainPerEffort(), Orientation())
    return page.with_blocks(blocks[b] for b in order[0].tolist())
