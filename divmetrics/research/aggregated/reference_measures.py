"""Gold standards of aggregated search, one for each thing that a page can do well (Zhou et al. 2013, 3.3).

They are simple on purpose: no gains, no discounts. Each takes a page and returns a number of at most 1. Where
the paper's words leave a case open, the choice is ours, and said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from divmetrics.core.calls import public
from divmetrics.optional import import_optional
from divmetrics.research.aggregated.block_page import WEB, BlockPage
from divmetrics.research.aggregated.ideal_page import perfect_order


@public
def vertical_precision(page: BlockPage) -> float:
    """Vertical selection: the share of the page's verticals that are relevant (a majority wants them).

    A page without verticals has 1 where no vertical is relevant, else 0.
    """
    shown, relevant = _verticals(page)
    return len(shown & relevant) / len(shown) if shown else float(not relevant)


@public
def vertical_recall(page: BlockPage) -> float:
    """Vertical diversity: the share of the relevant verticals that the page has; 1 where there are none."""
    shown, relevant = _verticals(page)
    return len(shown & relevant) / len(relevant) if relevant else 1.0


@public
def mean_item_precision(page: BlockPage) -> float:
    """Item selection: the share of items with a grade above 0, averaged over the page's sources.

    Each vertical is a source, and so is general web, all its blocks together. A page without blocks has 0.
    """
    found: dict[str, list[bool]] = {}
    for block in page.blocks:
        found.setdefault(block.vertical, []).extend(item.grade > 0 for item in page.items(block))
    return sum(sum(flags) / len(flags) for flags in found.values()) / max(len(found), 1)


@public
def presentation_correlation(page: BlockPage) -> float:
    """Result presentation: Spearman's correlation of the order of blocks with the reference page's, in -1..1.

    The reference page has the same blocks in `perfect_order`, so only the order counts. A page with fewer
    than two blocks has 1: nothing can be out of order.
    """
    stats = import_optional("scipy.stats", "Spearman's correlation")

    if len(page.blocks) < 2:
        return 1.0
    place = {block: b for b, block in enumerate(perfect_order(page).blocks)}
    return float(stats.spearmanr(range(len(page.blocks)), [place[block] for block in page.blocks]).statistic)


# What a page does well by itself, the gold standards for metrics of pages, by name.
GOLD: Mapping[str, Callable[[BlockPage], float]] = {
    "prec_v": vertical_precision,
    "rec_v": vertical_recall,
    "mean-prec": mean_item_precision,
    "corr": presentation_correlation,
}


def _verticals(page: BlockPage) -> tuple[set[str], set[str]]:
    """The page's verticals, and those that are relevant to the query."""
    shown = {block.vertical for block in page.blocks} - {WEB}
    return shown, {vertical.id for vertical in page.query.relevant}
