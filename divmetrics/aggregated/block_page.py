"""Queries and pages of aggregated search: verticals with judged items, and blocks of items.

All values are checked when an object is made; other modules rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from divmetrics.core.batch import HIGHEST_EXPONENT
from divmetrics.core.calls import public
from divmetrics.core.checks import (
    check_fraction,
    check_ordered,
    check_text_fields,
    check_whole,
    is_number,
    quote,
)
from divmetrics.core.topics import first_duplicate
from divmetrics.errors import DivmetricsError, did_you_mean, some

# The id of the general web vertical.
WEB = "web"
MAJORITY = 0.5  # a vertical is relevant if a larger share of users wants it (Zhou et al. 2013, section 3.3)


@public
@dataclass(frozen=True)
class Item:
    """One judged result of a vertical.

    Parameters
    ----------
    id : str
        The id of the item.
    grade : int
        The relevance grade, from 0 (not relevant, the default) to 1023.
    effort : float
        The effort of reading the item, above 0; reading a web text takes 1, the default.
    content : str
        The name of what the item shows; by default its id. Items of the same content are duplicates: on a
        page, only the first of them keeps its grade.

    Raises
    ------
    DivmetricsError
        If the grade or the effort is out of range, or `id` or `content` is not text.

    Examples
    --------
    >>> from divmetrics.aggregated import Item
    >>> Item("clip", grade=2, effort=2.0)
    Item(id='clip', grade=2, effort=2.0)
    """

    id: str
    grade: int = 0
    effort: float = 1.0
    content: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "content")
        object.__setattr__(self, "content", self.content or self.id)
        check_whole(f"item {self.id!r}: grade", self.grade, 0, most=HIGHEST_EXPONENT)
        if not is_number(self.effort) or self.effort <= 0:
            raise DivmetricsError(
                f"item {self.id!r}: effort is {self.effort!r}, expected a number above 0 (a web text takes 1)"
            )


@public
@dataclass(frozen=True)
class Vertical:
    """A source of results for one query, with its judged items.

    Parameters
    ----------
    id : str
        The id of the vertical; general web is the vertical "web".
    orientation : float
        orient(v, q), the share of users who prefer the vertical to general web results, in 0..1; 1 for "web".
        Above 0.5 the vertical is `relevant`, unless it is "web".
    items : iterable of Item
        The judged items; may be empty. They are kept as a tuple, in this order.

    Raises
    ------
    DivmetricsError
        If the orientation is out of range, or is not 1 for "web", `id` is not text, or an item is no Item.

    References
    ----------
    zhou2013, section 3.3

    Examples
    --------
    >>> from divmetrics.aggregated import Item, Vertical
    >>> Vertical("news", 0.8, [Item("n1", 2)]).relevant
    True
    """

    id: str
    orientation: float
    items: tuple[Item, ...]

    def __init__(self, id: str, orientation: float, items: Iterable[Item]) -> None:  # noqa: A002 (the field's name)
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "orientation", orientation)
        object.__setattr__(self, "items", tuple(items))
        check_text_fields(self, "id")
        if not all(isinstance(item, Item) for item in self.items):
            raise DivmetricsError(f"Vertical: items is {quote(items)}, expected several, each an Item")
        expected = "a number from 0 to 1, the share of readers who want it"
        check_fraction(f"vertical {self.id!r}: orientation", self.orientation, expected)
        if self.id == WEB and self.orientation != 1:
            raise DivmetricsError(
                f"vertical {WEB!r}: orientation is {self.orientation!r}, expected 1: general web is what "
                "the other verticals are compared with"
            )

    @property
    def relevant(self) -> bool:
        """Whether a majority of users wants it (orientation above 0.5); always False for general web."""
        return self.id != WEB and self.orientation > MAJORITY

    @property
    def best_items(self) -> list[Item]:
        """The items by descending grade, ties in the order of `items`."""
        return sorted(self.items, key=lambda item: -item.grade)


@public
@dataclass(frozen=True)
class PageLayout:
    """The number and size of the blocks on a page; the default is that of Zhou et al. (2013, section 4.2).

    Parameters
    ----------
    web : int
        The number of blocks of general web, of one result each; at least 0.
    verticals : int
        The largest number of blocks of other verticals, at most one of each; at least 0.
    items : int
        The number of items in a block of another vertical; at least 1.

    Raises
    ------
    DivmetricsError
        If a number is not an integer or too small.

    References
    ----------
    zhou2013, section 4.2

    Examples
    --------
    >>> from divmetrics.aggregated import PageLayout
    >>> PageLayout(verticals=2)
    PageLayout(web=10, verticals=2, items=3)
    """

    web: int = 10
    verticals: int = 3
    items: int = 3

    def __post_init__(self) -> None:
        for name, least in (("web", 0), ("verticals", 0), ("items", 1)):
            check_whole(name, getattr(self, name), least)


@public
@dataclass(frozen=True)
class Query:
    """A query with its verticals (one of them general web) and the layout of its pages.

    Parameters
    ----------
    id : str
        The id of the query.
    verticals : iterable of Vertical
        The verticals, including "web".
    layout : PageLayout
        The number and size of the blocks that `ideal_page` and `best_page` fill; a `BlockPage` may have more
        or fewer.
    scale : int, optional
        The top grade Y, at least 1; by default the highest grade of the items, or 1 if that is 0.
    title : str
        The text of the query; "" by default.

    Raises
    ------
    DivmetricsError
        If "web" is missing, two verticals or two items (also of different verticals) have one id, the layout
        is not a PageLayout, the scale is below a grade, or `id` or `title` is not text.

    Examples
    --------
    >>> from divmetrics.aggregated import Item, Query, Vertical
    >>> Query("q", (Vertical("web", 1.0, [Item("w1", 2)]), Vertical("news", 0.8, [Item("n1")])))
    <query q: web 1, news 0.8; grades 0-2>
    """

    id: str
    verticals: tuple[Vertical, ...]
    layout: PageLayout = PageLayout()
    scale: int | None = None
    title: str = ""

    def __post_init__(self) -> None:
        check_text_fields(self, "id", "title")
        if not isinstance(self.layout, PageLayout):
            raise DivmetricsError(f"Query: layout is {quote(self.layout)}, expected a PageLayout")
        object.__setattr__(self, "verticals", tuple(self.verticals))
        ids = [vertical.id for vertical in self.verticals]
        self._check_distinct("vertical", ids)
        if WEB not in ids:
            raise DivmetricsError(
                f"query {self.id}: there is no vertical {WEB!r} (it has {some(ids) or 'none'}); add general "
                "web"
            )
        items = [item for vertical in self.verticals for item in vertical.items]
        self._check_distinct("item", [item.id for item in items])
        top = max((item.grade for item in items), default=0)
        if self.scale is None:
            object.__setattr__(self, "scale", max(top, 1))
        else:
            expected = f"a whole number of at least {max(top, 1)}, the highest grade of its items"
            check_whole(f"query {self.id}: scale", self.scale, max(top, 1), expected, most=HIGHEST_EXPONENT)

    def _check_distinct(self, kind: str, ids: list[str]) -> None:
        repeated = first_duplicate(ids)
        if repeated is not None:
            raise DivmetricsError(f"query {self.id}: {kind} {repeated!r} is given twice; ids must differ")

    def __repr__(self) -> str:
        verticals = ", ".join(f"{v.id} {v.orientation:g}" for v in self.verticals)
        return f"<query {self.id}: {verticals}; grades 0-{self.scale}>"

    @cached_property
    def vertical(self) -> dict[str, Vertical]:
        """{id: vertical}, in the order of `verticals`."""
        return {vertical.id: vertical for vertical in self.verticals}

    @cached_property
    def items(self) -> dict[str, tuple[Item, str]]:
        """{item id: (item, id of its vertical)}."""
        return {item.id: (item, vertical.id) for vertical in self.verticals for item in vertical.items}

    @property
    def relevant(self) -> tuple[Vertical, ...]:
        """The verticals that a majority of users wants, by descending orientation, without general web."""
        return tuple(sorted((v for v in self.verticals if v.relevant), key=lambda v: -v.orientation))


@public
@dataclass(frozen=True)
class Block:
    """A group of items of one vertical on a page.

    Parameters
    ----------
    vertical : str
        The id of the vertical.
    items : str or iterable of str
        The ids of the items, from the top down; at least one. A str is the id of the only item.

    Raises
    ------
    DivmetricsError
        If there is no item, an id is not text, or `items` is a set or a mapping.

    Examples
    --------
    >>> from divmetrics.aggregated import Block
    >>> Block("news", ["n1", "n2"])
    Block(vertical='news', items=('n1', 'n2'))
    """

    vertical: str
    items: tuple[str, ...]

    def __init__(self, vertical: str, items: str | Iterable[str]) -> None:
        object.__setattr__(self, "vertical", vertical)
        if not isinstance(items, str):
            check_ordered("Block: items", items)
        object.__setattr__(self, "items", (items,) if isinstance(items, str) else tuple(items))
        check_text_fields(self, "vertical")
        if not all(isinstance(item, str) for item in self.items):
            raise DivmetricsError(f"Block: items is {quote(items)}, expected several, each text")
        if not self.items:
            raise DivmetricsError(f"a block of {self.vertical!r} has no items; give it one, or leave it out")


@public
@dataclass(frozen=True, eq=False)
class BlockPage:
    """A page of aggregated search: blocks of a query's items, from the top down.

    Parameters
    ----------
    query : Query
        The query.
    blocks : iterable of Block or (vertical, item id or ids)
        The blocks, from the top down; may be empty. `vertical` is an id. An item may appear once, a vertical
        in several blocks.
    run : str
        The name of the system that made the page.

    Raises
    ------
    DivmetricsError
        If a vertical or an item is not one of the query's, an item is repeated, a block has no items, or
        `blocks` has no order (a set or a mapping), or `run` is not text.

    Examples
    --------
    The text of a page shows the grades of the items in each block:

    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> page = BlockPage(query, [("web", "w1"), ("news", "n2"), ("web", "w2")])
    >>> page
    <page A of query q: web[2] news[0] web[1]>
    """

    query: Query
    blocks: tuple[Block, ...]
    run: str = "A"

    def __init__(self, query: Query, blocks: Iterable[Block | tuple[str, Any]], run: str = "A") -> None:
        check_ordered("BlockPage: blocks", blocks)
        parsed = tuple(block if isinstance(block, Block) else Block(*block) for block in blocks)
        where = f"page {run}, query {query.id}"
        ids: set[str] = set()
        for position, block in enumerate(parsed, 1):
            if block.vertical not in query.vertical:
                raise DivmetricsError(
                    f"{where}, block {position}: there is no vertical {block.vertical!r}"
                    f"{did_you_mean(block.vertical, query.vertical)}; the query has "
                    f"{', '.join(query.vertical)}"
                )
            for item in block.items:
                _, vertical = query.items.get(item, (None, None))
                if vertical != block.vertical:
                    reason = f"it is one of {vertical!r}" if vertical else "nobody judged it"
                    raise DivmetricsError(
                        f"{where}, block {position}: {item!r} is not an item of {block.vertical!r} "
                        f"({reason}); name items that the query's vertical has"
                    )
                if item in ids:
                    raise DivmetricsError(
                        f"{where}, block {position}: item {item!r} stands on the page already; an item may "
                        "appear once"
                    )
                ids.add(item)
        object.__setattr__(self, "query", query)
        object.__setattr__(self, "blocks", parsed)
        object.__setattr__(self, "run", run)
        check_text_fields(self, "run")

    def __repr__(self) -> str:
        grades = [",".join(str(item.grade) for item in self.items(block)) for block in self.blocks]
        blocks = " ".join(f"{b.vertical}[{g}]" for b, g in zip(self.blocks, grades, strict=True))
        return f"<page {self.run} of query {self.query.id}: {blocks}>"

    @cached_property
    def duplicates(self) -> frozenset[str]:
        """The ids of items whose content (see `Item`) is on the page above them."""
        displayed: set[str] = set()
        repeated = []
        for item in (item for block in self.blocks for item in block.items):
            content = self.query.items[item][0].content
            if content in displayed:
                repeated.append(item)
            displayed.add(content)
        return frozenset(repeated)

    def items(self, block: Block) -> tuple[Item, ...]:
        """Return the items of a block, with grade 0 for an item whose content is on the page above it.

        TREC FedWeb 2014 treats duplicates in the same way (README-RM.txt): "after the first occurrence of a
        particular result in the merged list", the others "are set to non-relevant".

        Parameters
        ----------
        block : Block
            A block of the page.

        Returns
        -------
        tuple of Item
            The items, from the top down; the grade of a duplicate is 0.

        Raises
        ------
        KeyError
            If the query has no such item.
        """
        items = (self.query.items[item][0] for item in block.items)
        return tuple(replace(item, grade=0) if item.id in self.duplicates else item for item in items)

    def with_blocks(self, blocks: Iterable[Block], run: str | None = None) -> BlockPage:
        """Return a new page of the same query with other blocks.

        Parameters
        ----------
        blocks : iterable of Block or (vertical, item id or ids)
            The blocks, from the top down.
        run : str, optional
            The name of the system; by default that of this page.

        Returns
        -------
        BlockPage
            The page.

        Raises
        ------
        DivmetricsError
            As for a new `BlockPage`.
        """
        return BlockPage(self.query, blocks, self.run if run is None else run)
