"""Find the best page of a small query by scoring every page that fills the layout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, permutations, product

from divmetrics.aggregated.block_page import WEB, Block, BlockPage, Query, Vertical
from divmetrics.aggregated.scores import score_pages
from divmetrics.core.calls import public
from divmetrics.core.checks import check_whole
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError

MOST_PAGES = 50_000


@public
def best_page(query: Query, metric: str | BaseMetric, most: int = MOST_PAGES) -> BlockPage:
    """Return the page with the highest score among all pages that fill the query's layout.

    Such a page has `layout.web` web blocks and blocks of 0 to `layout.verticals` different other verticals,
    of `layout.items` items each, in any order; fewer where the query has no more items. The items of a block
    are in the query's order. Pages with fewer web blocks or items are not tried; metrics that divide by
    effort may score them higher.

    Parameters
    ----------
    query : Query
        The query.
    metric : str or BaseMetric
        The metric, or a gold standard by its name, as in `score_pages`.
    most : int
        The largest number of pages that may be scored, 1 to 10^9.

    Returns
    -------
    BlockPage
        The best page, or one of several with the highest score; its run is "best".

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, `most` is out of range, or more than `most` pages fill the layout
        (see `count_pages`).

    Examples
    --------
    >>> from divmetrics.aggregated import best_page
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> best_page(query, "AS_RBP")
    <page best of query q: web[2] news[2] web[1]>
    """
    count = count_pages(query)
    if count > check_whole("most", most, 1, most=10**9):
        raise DivmetricsError(
            f"query {query.id} has {count:,} pages that fill its layout, more than the {most:,} that are "
            "tried; give it a smaller layout or fewer items, or a larger `most`"
        )
    pages = [BlockPage(query, blocks, f"{n}") for n, blocks in enumerate(_every_page(query))]
    best = pages[int(score_pages(pages, metric)["score"].argmax())]
    return best.with_blocks(best.blocks, "best")


@public
def count_pages(query: Query) -> int:
    """Count the pages that fill the query's layout, in the sense of `best_page`.

    Parameters
    ----------
    query : Query
        The query.

    Returns
    -------
    int
        The number of pages that `best_page` scores.

    Examples
    --------
    >>> from divmetrics.aggregated import count_pages
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> count_pages(query)
    42
    """
    web, layout = query.vertical[WEB].items, query.layout
    return sum(
        math.comb(len(web), min(layout.web, len(web)))
        * math.prod(math.comb(len(v.items), min(layout.items, len(v.items))) for v in verticals)
        * math.factorial(min(layout.web, len(web)) + len(verticals))
        for verticals in _selections(query)
    )


def _selections(query: Query) -> Iterator[tuple[Vertical, ...]]:
    """Yield every set of verticals without general web, from none to as many as the layout has."""
    others = [v for v in query.verticals if v.id != WEB and v.items]
    for number in range(min(query.layout.verticals, len(others)) + 1):
        yield from combinations(others, number)


def _every_page(query: Query) -> Iterator[tuple[Block, ...]]:
    layout = query.layout
    for verticals in _selections(query):
        for web, *others in product(
            _items(query.vertical[WEB], layout.web), *(_items(v, layout.items) for v in verticals)
        ):
            blocks = [Block(WEB, (item,)) for item in web]
            blocks += [Block(v.id, items) for v, items in zip(verticals, others, strict=True)]
            yield from permutations(blocks)


def _items(vertical: Vertical, number: int) -> Iterator[tuple[str, ...]]:
    """Yield every choice of `number` items of a vertical, or of all if there are fewer."""
    return combinations([item.id for item in vertical.items], min(number, len(vertical.items)))
