"""From pages to what rows read: verticals become intents and blocks ranks, or items the documents of a list.

A block's gain is the sum of its items' grades. Its exponential gain is 2^Y (1 - prod (1 - R(g))): that of one
document which satisfies as many readers as its items together, so that R(g) of the block is that chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.calls import public
from divmetrics.core.checks import check_ordered
from divmetrics.core.collection import Collection, Grades, Intent, Judgments, Run, Topic
from divmetrics.errors import DivmetricsError
from divmetrics.research.aggregated.block_page import WEB, Block, BlockPage, Query, Vertical


@public
def view_pages(pages: Iterable[BlockPage]) -> Batch:
    """Pages as the aggregated search metrics read them: an intent's weight is the vertical's orientation.

    Axes: (query, run, vertical, block), queries and runs in the order in which they come first. The pool is
    the ideal page's blocks. Every run must have one page for every query.
    """
    return _view(pages, ideal_blocks)


@public
def view_as_intents(pages: Iterable[BlockPage]) -> Batch:
    """Pages as diversity metrics read them: weights are orientations divided by their sum.

    So the weights of a query sum to 1, as probabilities of intents do. The pool is the best block that each
    vertical can give, wanted or not: a metric makes its own ideal page of them. A block of several items can
    gain more than the top grade, so what divides by that (RBP-IA) can exceed 1.
    """
    whole = _view(pages, best_blocks)
    shares = whole.probability / whole.probability.sum(axis=1, keepdims=True)
    return replace(whole, probability=shares, pool=replace(whole.judged, probability=shares))


@public
def as_collection(pages: Iterable[BlockPage]) -> Collection:
    """Pages as ad hoc metrics read them: the items from the top down, a list with a single intent."""
    queries, runs, table = by_query_and_run(pages)
    pools = {}
    for query in queries:
        topic = Topic(query.id, (Intent("relevant", 1.0),))
        grades: Grades = {item.id: {"relevant": item.grade} for item, _ in query.items.values()}
        pools[query.id] = Judgments.of(topic, grades)
    lists: dict[str, dict[str, list[str]]] = {run: {} for run in runs}
    for (query_id, run), page in table.items():
        lists[run][query_id] = [item for block in page.blocks for item in block.items]
    collection = Collection.on_one_scale(pools, _scale(queries))
    return collection.with_runs([Run.of(run, of_run) for run, of_run in lists.items()])


def view_items(pages: Iterable[BlockPage]) -> Batch:
    """The lists of `as_collection` as a View."""
    return make_batch(as_collection(pages))


def best_blocks(query: Query, verticals: Sequence[Vertical] | None = None) -> list[Block]:
    """As many web blocks as the layout has, best first, then one block of each vertical's best items."""
    layout = query.layout
    chosen = [v for v in query.verticals if v.id != WEB] if verticals is None else verticals
    web = query.vertical[WEB].best_items[: layout.web]
    return [
        *(Block(WEB, (item.id,)) for item in web),
        *(Block(v.id, tuple(item.id for item in v.best_items[: layout.items])) for v in chosen if v.items),
    ]


def ideal_blocks(query: Query) -> list[Block]:
    """The best blocks of the verticals that a majority wants, as many as the page has room for.

    A vertical without any relevant item is left out. They stand as `before_ties` has them: what divides by
    the ideal page sorts them by gain per effort and keeps that order among equals.
    """
    useful = [v for v in query.relevant if any(item.grade for item in v.items)]
    return tie_break_order(query, best_blocks(query, useful[: query.layout.verticals]))


def tie_break_order(query: Query, blocks: Iterable[Block]) -> list[Block]:
    """Blocks in the order that decides ties: the more wanted vertical, then the item that is named first."""
    place = {item: i for i, item in enumerate(query.items)}
    return sorted(
        blocks, key=lambda block: (-query.vertical[block.vertical].orientation, place[block.items[0]])
    )


def _view(pages: Iterable[BlockPage], pool_of: Callable[[Query], list[Block]]) -> Batch:
    queries, runs, table = by_query_and_run(pages)
    given = [[table[query.id, run].blocks for run in runs] for query in queries]
    return replace(_arrays(queries, given), pool=_arrays(queries, [[pool_of(query)] for query in queries]))


def by_query_and_run(
    pages: Iterable[BlockPage],
) -> tuple[list[Query], list[str], dict[tuple[str, str], BlockPage]]:
    """The queries, the runs, and {(query, run): page}; every run must have one page for every query."""
    check_ordered("pages", pages)
    table: dict[tuple[str, str], BlockPage] = {}
    queries: dict[str, Query] = {}
    for page in pages:
        if queries.setdefault(page.query.id, page.query) != page.query:
            raise DivmetricsError(
                f"two different queries have the id {page.query.id!r}; give each an id of its own"
            )
        if (page.query.id, page.run) in table:
            raise DivmetricsError(f"run {page.run!r} has two pages for query {page.query.id}; give one")
        table[page.query.id, page.run] = page
    if not table:
        raise DivmetricsError("no pages were given; give at least one")
    runs = list(dict.fromkeys(run for _, run in table))
    for query in queries:
        for run in runs:
            if (query, run) not in table:
                raise DivmetricsError(
                    f"run {run!r} has no page for query {query}; give it one (it may have no blocks), or "
                    "leave the query or the run out"
                )
    return list(queries.values()), runs, table


def _scale(queries: Sequence[Query]) -> int:
    """Y, one for all: the highest of the queries' own."""
    return max(query.scale or 1 for query in queries)


def _arrays(queries: Sequence[Query], pages: Sequence[Sequence[Sequence[Block]]]) -> Batch:
    """A View without pool; `pages` is (query, run) -> blocks."""
    scale, runs = _scale(queries), len(pages[0])
    most = max(len(query.verticals) for query in queries)
    deepest = max(len(blocks) for of_query in pages for blocks in of_query)
    linear = np.zeros((len(queries), runs, most, deepest))
    unsatisfied = np.ones(linear.shape)
    effort = np.zeros((len(queries), runs, 1, deepest))
    orientation = np.zeros((len(queries), most))
    for q, query in enumerate(queries):
        place = {vertical.id: v for v, vertical in enumerate(query.verticals)}
        orientation[q, : len(place)] = [vertical.orientation for vertical in query.verticals]
        for r, blocks in enumerate(pages[q]):
            for b, block in enumerate(blocks):
                v = place[block.vertical]
                items = [query.items[item][0] for item in block.items]
                linear[q, r, v, b] = sum(item.grade for item in items)
                unsatisfied[q, r, v, b] = math.prod(1 - (2**i.grade - 1) / 2**scale for i in items)
                effort[q, r, 0, b] = sum(item.effort for item in items)
    present = np.arange(most) < np.array([len(query.verticals) for query in queries])[:, None]
    return Batch(
        topics=tuple(query.id for query in queries),
        linear=linear,
        given_exponential=2.0**scale * (1 - unsatisfied),
        probability=orientation,
        navigational=np.zeros(orientation.shape, dtype=bool),
        present=present,
        length=np.array([[len(blocks) for blocks in of_query] for of_query in pages]),
        scale=scale,
        adhoc_scale=1,
        effort=effort,
    )
