"""Build the batches of pages: verticals as intents and blocks as ranks, or items as the documents of a list.

A block's gain is the sum of its items' grades. Its exponential gain is 2^Y (1 - prod (1 - R(g))): the gain of
one document that satisfies as many users as the block's items together, so that R(g) of the block is this
probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from divmetrics.aggregated.block_page import WEB, Block, BlockPage, Item, Query, Vertical
from divmetrics.core.batch import Batch, make_batch
from divmetrics.core.calls import public
from divmetrics.core.checks import check_ordered
from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Grades, Judgments
from divmetrics.core.runs import Run
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError


@public
def batch_pages(pages: Iterable[BlockPage]) -> Batch:
    """Build the batch of pages for the metrics of aggregated search: verticals as intents, blocks as ranks.

    The probability of an intent is the vertical's orientation, the share of users who prefer the vertical to
    general web results. Orientations do not sum to 1.

    Parameters
    ----------
    pages : iterable of BlockPage
        One page of every run for every query, in any order.

    Returns
    -------
    Batch
        The arrays have the axes (query, run, vertical, block), with queries and runs in order of first
        appearance, verticals as in the query, blocks from the top down; 0 where a query or a page has fewer.
        The pool, from which ideal lists are made, has the blocks of each query's `ideal_page`.

    Raises
    ------
    DivmetricsError
        If a run has no page or two pages for a query, two different queries have one id, there is no page at
        all, or `pages` is a set or a mapping.

    Examples
    --------
    >>> from divmetrics.aggregated import batch_pages
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> pages = simulated_pages(aggregated_search(1))
    >>> batch_pages(pages).linear.shape
    (1, 36, 9, 13)
    """
    return _batch_with_pool(pages, ideal_blocks)


@public
def batch_as_intents(pages: Iterable[BlockPage]) -> Batch:
    """Build the batch of pages for diversity metrics: verticals as intents, blocks as ranks.

    The probability of an intent is the vertical's orientation, divided by the sum over the query's verticals.
    The pool has the best block of every vertical (of general web, the best items, as many as the layout has
    blocks), even if few users want the vertical; a metric makes its ideal list of these blocks. A block of
    several items can gain more than the top grade, so that a metric that divides by the top grade (RBP-IA)
    can exceed 1.

    Parameters
    ----------
    pages : iterable of BlockPage
        One page of every run for every query, in any order.

    Returns
    -------
    Batch
        The arrays have the axes (query, run, vertical, block), as in `batch_pages`.

    Raises
    ------
    DivmetricsError
        As in `batch_pages`.

    Examples
    --------
    >>> from divmetrics.aggregated import batch_as_intents
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> pages = simulated_pages(aggregated_search(1))
    >>> round(float(batch_as_intents(pages).probability.sum()), 12)
    1.0
    """
    batch = _batch_with_pool(pages, best_blocks)
    shares = batch.probability / batch.probability.sum(axis=1, keepdims=True)
    return replace(batch, probability=shares, pool=replace(batch.judged, probability=shares))


@public
def as_collection(pages: Iterable[BlockPage]) -> Collection:
    """Build the collection of pages for ad hoc metrics: the items from the top down, with a single intent.

    Duplicates keep their grades here; `score_pages` sets them to 0, and counts each once in ideal lists.

    Parameters
    ----------
    pages : iterable of BlockPage
        One page of every run for every query, in any order.

    Returns
    -------
    Collection
        One topic per query, with the intent "relevant" and the grades of all items of the query; one list of
        item ids per run and query.

    Raises
    ------
    DivmetricsError
        As in `batch_pages`.

    Examples
    --------
    >>> from divmetrics.aggregated import as_collection
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> pages = simulated_pages(aggregated_search(1))
    >>> as_collection(pages)
    <collection: 1 topics, 36 runs, top grade Y = 2>
    """
    queries, runs, table = by_query_and_run(pages)
    lists: dict[str, dict[str, list[str]]] = {run: {} for run in runs}
    for (query_id, run), page in table.items():
        lists[run][query_id] = _from_the_top(page)
    judged = _judged(queries, lambda query: (item for item, _ in query.items.values()))
    return judged.with_runs([Run.of(run, of_run) for run, of_run in lists.items()])


def batch_items(pages: Iterable[BlockPage]) -> Batch:
    """Build the batch (query, run, 1, rank) of the lists of `as_collection`, with gain 0 for duplicates.

    Raises DivmetricsError as `batch_pages` does.
    """
    pages = list(pages)
    batch = make_batch(as_collection(pages))
    queries, runs, table = by_query_and_run(pages)
    gains = np.ones((len(queries), len(runs), 1, batch.depth))
    for q, query in enumerate(queries):
        for r, run in enumerate(runs):
            page = table[query.id, run]
            places = [k for k, item in enumerate(_from_the_top(page)) if item in page.duplicates]
            gains[q, r, 0, places] = 0
    pool = make_batch(_judged(queries, _best_of_duplicates)).pool
    return batch.map_gains(lambda gain: gain * gains, pool=pool)


def _from_the_top(page: BlockPage) -> list[str]:
    return [item for block in page.blocks for item in block.items]


def _best_of_duplicates(query: Query) -> Iterable[Item]:
    best: dict[str, Item] = {}
    for item, _ in query.items.values():
        if item.content not in best or item.grade > best[item.content].grade:
            best[item.content] = item
    return best.values()


def _judged(queries: Sequence[Query], items: Callable[[Query], Iterable[Item]]) -> Collection:
    """Build the collection of some items of each query, without runs."""
    pools = {}
    for query in queries:
        topic = Topic(query.id, (Intent("relevant", 1.0),))
        grades: Grades = {item.id: {"relevant": item.grade} for item in items(query)}
        pools[query.id] = Judgments.of(topic, grades)
    return Collection.on_one_scale(pools, _scale(queries))


def best_blocks(query: Query, verticals: Sequence[Vertical] | None = None) -> list[Block]:
    """Return the best web blocks, at most as many as the layout has, and a block of best items per vertical.

    By default, `verticals` are all verticals of the query but general web; one without items has no block.
    Of duplicates, only the first is chosen: web before the verticals, these in their order.
    """
    layout, displayed = query.layout, set[str]()
    others = [v for v in query.verticals if v.id != WEB] if verticals is None else verticals

    def best(vertical: Vertical, number: int) -> tuple[str, ...]:
        of_content: dict[str, str] = {}
        for item in vertical.best_items:
            if len(of_content) < number and item.content not in displayed:
                of_content.setdefault(item.content, item.id)
        displayed.update(of_content)
        return tuple(of_content.values())

    web = [Block(WEB, item) for item in best(query.vertical[WEB], layout.web)]
    chosen = ((vertical.id, best(vertical, layout.items)) for vertical in others)
    return [*web, *(Block(vertical, items) for vertical, items in chosen if items)]


def ideal_blocks(query: Query) -> list[Block]:
    """Return the best web blocks, and those of the verticals that a majority of users wants.

    There are at most as many as the layout has. Verticals without a relevant item are left out. The order is
    that of `tie_break_order`: a metric that divides by the ideal page sorts the blocks by gain per effort and
    keeps this order among ties.
    """
    useful = [v for v in query.relevant if any(item.grade for item in v.items)]
    return tie_break_order(query, best_blocks(query, useful[: query.layout.verticals]))


def tie_break_order(query: Query, blocks: Iterable[Block]) -> list[Block]:
    """Sort blocks in the order that breaks ties: larger orientation first, then the query's item order."""
    position = {item: i for i, item in enumerate(query.items)}
    return sorted(
        blocks, key=lambda block: (-query.vertical[block.vertical].orientation, position[block.items[0]])
    )


def _batch_with_pool(pages: Iterable[BlockPage], pool_of: Callable[[Query], list[Block]]) -> Batch:
    queries, runs, table = by_query_and_run(pages)
    rows = [[table[query.id, run] for run in runs] for query in queries]
    pools = [[BlockPage(query, pool_of(query))] for query in queries]
    return replace(_batch(queries, rows), pool=_batch(queries, pools))


def by_query_and_run(
    pages: Iterable[BlockPage],
) -> tuple[list[Query], list[str], dict[tuple[str, str], BlockPage]]:
    """Return the queries and run names, in order of first appearance, and {(query id, run): page}.

    Raises DivmetricsError as `batch_pages` does.
    """
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
    """Return the top grade Y of all queries, the highest of their own."""
    return max(query.scale or 1 for query in queries)


def _batch(queries: Sequence[Query], pages: Sequence[Sequence[BlockPage]]) -> Batch:
    """Build the batch without pool; `pages[q][r]` is the page of run r for query q."""
    scale, runs = _scale(queries), len(pages[0])
    most = max(len(query.verticals) for query in queries)
    deepest = max(len(page.blocks) for of_query in pages for page in of_query)
    linear = np.zeros((len(queries), runs, most, deepest))
    unsatisfied = np.ones(linear.shape)
    effort = np.zeros((len(queries), runs, 1, deepest))
    orientation = np.zeros((len(queries), most))
    for q, query in enumerate(queries):
        position = {vertical.id: v for v, vertical in enumerate(query.verticals)}
        orientation[q, : len(position)] = [vertical.orientation for vertical in query.verticals]
        for r, page in enumerate(pages[q]):
            for b, block in enumerate(page.blocks):
                v = position[block.vertical]
                items = page.items(block)
                linear[q, r, v, b] = sum(item.grade for item in items)
                unsatisfied[q, r, v, b] = math.prod(1 - (2**i.grade - 1) / 2**scale for i in items)
                effort[q, r, 0, b] = sum(item.effort for item in items)
    present = np.arange(most) < np.array([len(query.verticals) for query in queries])[:, None]
    return Batch(
        topics=tuple(query.id for query in queries),
        linear=linear,
        explicit_exponential=2.0**scale * (1 - unsatisfied),
        probability=orientation,
        navigational=np.zeros(orientation.shape, dtype=bool),
        present=present,
        length=np.array([[len(page.blocks) for page in of_query] for of_query in pages]),
        scale=scale,
        adhoc_scale=1,
        effort=effort,
    )
