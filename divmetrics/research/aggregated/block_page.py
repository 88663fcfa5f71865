"""What a reader of an aggregated search page would draw: verticals with their items, blocks, pages.

Everything is checked on entry, so that nothing further down has to ask again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from divmetrics.core.batch import HIGHEST_EXPONENT
from divmetrics.core.calls import public
from divmetrics.core.checks import check_fraction, check_ordered, check_text_fields, is_number, quote, whole
from divmetrics.errors import DivmetricsError, did_you_mean, some

# The id of the general web vertical.
WEB = "web"
MAJORITY = 0.5  # more readers than this want a relevant vertical (Zhou et al. 2013, section 3.3)


@public
@dataclass(frozen=True)
class Item:
    """One result of one vertical: its grade (0, 1, ...), and the effort of reading it (a web text: 1)."""

    id: str
    grade: int = 0
    effort: float = 1.0

    def __post_init__(self) -> None:
        check_text_fields(self, "id")
        whole(f"item {self.id!r}: grade", self.grade, 0, most=HIGHEST_EXPONENT)
        if not is_number(self.effort) or self.effort <= 0:
            raise DivmetricsError(
                f"item {self.id!r}: effort is {self.effort!r}, expected a number above 0 (a web text takes 1)"
            )


@public
@dataclass(frozen=True)
class Vertical:
    """A source of results for one query, with its judged items.

    `orientation` is orient(v, q), the share of readers who prefer it to general web results, in 0..1. General
    web itself is the vertical "web", the reference: 1.
    """

    id: str
    orientation: float
    items: tuple[Item, ...]

    def __init__(self, id: str, orientation: float, items: Iterable[Item]) -> None:  # noqa: A002 (the field's name)
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "orientation", orientation)
        object.__setattr__(self, "items", tuple(items))
        expected = "a number from 0 to 1, the share of readers who want it"
        check_fraction(f"vertical {self.id!r}: orientation", self.orientation, expected)
        if self.id == WEB and self.orientation != 1:
            raise DivmetricsError(
                f"vertical {WEB!r}: orientation is {self.orientation!r}, expected 1: general web is what "
                "the other verticals are compared with"
            )

    @property
    def relevant(self) -> bool:
        """Does a majority want it? General web is no choice, so it is not asked."""
        return self.id != WEB and self.orientation > MAJORITY

    @property
    def best_items(self) -> list[Item]:
        """The highest grades first; of equals, the first given."""
        return sorted(self.items, key=lambda item: -item.grade)


@public
@dataclass(frozen=True)
class PageLayout:
    """What a page has room for: `web` blocks of one web result, up to `verticals` blocks of `items` items.

    The default is that of Zhou et al. (2013, section 4.2).
    """

    web: int = 10
    verticals: int = 3
    items: int = 3

    def __post_init__(self) -> None:
        for name, least in (("web", 0), ("verticals", 0), ("items", 1)):
            whole(name, getattr(self, name), least)


@public
@dataclass(frozen=True)
class Query:
    """A query, the verticals that could answer it (general web among them), and the room on a page.

    `scale` is the top grade Y; None: the highest grade of its items.
    """

    id: str
    verticals: tuple[Vertical, ...]
    layout: PageLayout = PageLayout()
    scale: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.layout, PageLayout):
            raise DivmetricsError(f"Query: layout is {quote(self.layout)}, expected a PageLayout")
        object.__setattr__(self, "verticals", tuple(self.verticals))
        ids = [vertical.id for vertical in self.verticals]
        self._once("vertical", ids)
        if WEB not in ids:
            raise DivmetricsError(
                f"query {self.id}: there is no vertical {WEB!r} (it has {some(ids) or 'none'}); add general "
                "web"
            )
        items = [item for vertical in self.verticals for item in vertical.items]
        self._once("item", [item.id for item in items])
        top = max((item.grade for item in items), default=0)
        if self.scale is None:
            object.__setattr__(self, "scale", max(top, 1))
        else:
            expected = f"a whole number of at least {max(top, 1)}, the highest grade of its items"
            whole(f"query {self.id}: scale", self.scale, max(top, 1), expected, most=HIGHEST_EXPONENT)

    def _once(self, what: str, ids: list[str]) -> None:
        twice = next((i for i in ids if ids.count(i) > 1), None)
        if twice is not None:
            raise DivmetricsError(f"query {self.id}: {what} {twice!r} is given twice; ids must differ")

    def __repr__(self) -> str:
        shown = ", ".join(f"{v.id} {v.orientation:g}" for v in self.verticals)
        return f"<query {self.id}: {shown}; grades 0-{self.scale}>"

    @cached_property
    def vertical(self) -> dict[str, Vertical]:
        """Vertical id -> the vertical."""
        return {vertical.id: vertical for vertical in self.verticals}

    @cached_property
    def items(self) -> dict[str, tuple[Item, str]]:
        """Item id -> the item and its vertical."""
        return {item.id: (item, vertical.id) for vertical in self.verticals for item in vertical.items}

    @property
    def relevant(self) -> tuple[Vertical, ...]:
        """The verticals that a majority wants, the most wanted first."""
        return tuple(sorted((v for v in self.verticals if v.relevant), key=lambda v: -v.orientation))


@public
@dataclass(frozen=True)
class Block:
    """Items of one vertical that stand together on a page, by their ids."""

    vertical: str
    items: tuple[str, ...]

    def __init__(self, vertical: str, items: str | Iterable[str]) -> None:
        object.__setattr__(self, "vertical", vertical)
        object.__setattr__(self, "items", (items,) if isinstance(items, str) else tuple(items))
        if not self.items:
            raise DivmetricsError(f"a block of {self.vertical!r} has no items; give it one, or leave it out")


@public
@dataclass(frozen=True, eq=False)
class BlockPage:
    """An aggregated search page: blocks from the top down, made of a query's items.

    A block may be given as (vertical, item id or ids). An item stands on a page once.
    """

    query: Query
    blocks: tuple[Block, ...]
    run: str = "A"

    def __init__(self, query: Query, blocks: Iterable[Block | tuple[str, Any]], run: str = "A") -> None:
        check_ordered("BlockPage: blocks", blocks)
        made = tuple(block if isinstance(block, Block) else Block(*block) for block in blocks)
        where = f"page {run}, query {query.id}"
        seen: set[str] = set()
        for place, block in enumerate(made, 1):
            if block.vertical not in query.vertical:
                raise DivmetricsError(
                    f"{where}, block {place}: there is no vertical {block.vertical!r}"
                    f"{did_you_mean(block.vertical, query.vertical)}; the query has "
                    f"{', '.join(query.vertical)}"
                )
            for item in block.items:
                _, home = query.items.get(item, (None, None))
                if home != block.vertical:
                    found = f"it is one of {home!r}" if home else "nobody judged it"
                    raise DivmetricsError(
                        f"{where}, block {place}: {item!r} is not an item of {block.vertical!r} ({found}); "
                        "name items that the query's vertical has"
                    )
                if item in seen:
                    raise DivmetricsError(
                        f"{where}, block {place}: item {item!r} stands on the page already; an item may "
                        "appear once"
                    )
                seen.add(item)
        object.__setattr__(self, "query", query)
        object.__setattr__(self, "blocks", made)
        object.__setattr__(self, "run", run)

    def __repr__(self) -> str:
        grades = [",".join(str(item.grade) for item in self.items(block)) for block in self.blocks]
        shown = " ".join(f"{b.vertical}[{g}]" for b, g in zip(self.blocks, grades, strict=True))
        return f"<page {self.run} of query {self.query.id}: {shown}>"

    def items(self, block: Block) -> tuple[Item, ...]:
        """A block's items with their grades and efforts."""
        return tuple(self.query.items[item][0] for item in block.items)

    def with_blocks(self, blocks: Iterable[Block], run: str | None = None) -> BlockPage:
        """Another page of the same query."""
        return BlockPage(self.query, blocks, self.run if run is None else run)
