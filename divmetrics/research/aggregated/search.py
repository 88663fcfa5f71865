"""The best page there is, found by trying every page that fills the layout: for small queries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, permutations, product

from divmetrics.core.calls import public
from divmetrics.core.checks import whole
from divmetrics.core.metric import BaseMetric
from divmetrics.errors import DivmetricsError
from divmetrics.research.aggregated.block_page import WEB, Block, BlockPage, Query, Vertical
from divmetrics.research.aggregated.scores import score_pages

MOST_PAGES = 50_000


@public
def best_page(query: Query, metric: str | BaseMetric, most: int = MOST_PAGES) -> BlockPage:
    """The page with the highest score of all that fill the query's layout, which are all tried.

    A page has `layout.web` web blocks and 0 to `layout.verticals` vertical blocks of `layout.items` items
    each (fewer where there are no more items), of any verticals, in any order. A page with less on it is not
    tried, and metrics that divide by effort may score it higher. Raises DivmetricsError for more than `most`
    pages: there are `count_pages(query)`.
    """
    count = count_pages(query)
    if count > whole("most", most, 1, most=10**9):
        raise DivmetricsError(
            f"query {query.id} has {count:,} pages that fill its layout, more than the {most:,} that are "
            "tried; give it a smaller layout or fewer items, or a larger `most`"
        )
    pages = [BlockPage(query, blocks, f"{n}") for n, blocks in enumerate(_every_page(query))]
    best = pages[int(score_pages(pages, metric)["score"].argmax())]
    return best.with_blocks(best.blocks, "best")


@public
def count_pages(query: Query) -> int:
    """How many pages fill the query's layout."""
    web, room = query.vertical[WEB].items, query.layout
    return sum(
        math.comb(len(web), min(room.web, len(web)))
        * math.prod(math.comb(len(v.items), min(room.items, len(v.items))) for v in chosen)
        * math.factorial(min(room.web, len(web)) + len(chosen))
        for chosen in _selections(query)
    )


def _selections(query: Query) -> Iterator[tuple[Vertical, ...]]:
    """Every choice of verticals, from none to as many as the page has room for."""
    others = [v for v in query.verticals if v.id != WEB and v.items]
    for number in range(min(query.layout.verticals, len(others)) + 1):
        yield from combinations(others, number)


def _every_page(query: Query) -> Iterator[tuple[Block, ...]]:
    room = query.layout
    for chosen in _selections(query):
        for web, *others in product(
            _items(query.vertical[WEB], room.web), *(_items(v, room.items) for v in chosen)
        ):
            blocks = [Block(WEB, (item,)) for item in web]
            blocks += [Block(v.id, items) for v, items in zip(chosen, others, strict=True)]
            yield from permutations(blocks)


def _items(vertical: Vertical, number: int) -> Iterator[tuple[str, ...]]:
    """Every choice of this many of its items, or of all of them where there are no more."""
    return combinations([item.id for item in vertical.items], min(number, len(vertical.items)))
