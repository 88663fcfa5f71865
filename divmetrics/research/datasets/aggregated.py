"""A synthetic collection for aggregated search, and the 36 simulated systems of Zhou et al. (2013) on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from divmetrics.aggregated import (
    WEB,
    Block,
    BlockPage,
    Item,
    PageLayout,
    Query,
    Vertical,
    perfect_order,
)
from divmetrics.aggregated.block_page import MAJORITY
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_fraction, check_ordered, check_whole

# Effort of reading one item, relative to a web text. Ours: the paper's values are missing in our copy.
EFFORTS: Mapping[str, float] = {
    "image": 0.5, "video": 2.0, "news": 1.0, "blog": 1.0, "discussion": 1.0, "encyclopedia": 1.0,
    "shopping": 1.0, "books": 1.0,
}  # fmt: skip
USERS = 20  # simulated users, who each want a vertical or do not
WEB_ITEMS, ITEMS, SCALE = 30, 10, 2

# The share of noise in a system's predictions; the rest is the truth.
VERTICAL_SELECTION: Mapping[str, float] = {"perfect": 0.0, "good": 0.3, "poor": 0.6, "random": 1.0}
ITEM_SELECTION: Mapping[str, float] = {"perfect": 0.0, "good": 0.5, "poor": 0.8}
PRESENTATION = ("perfect", "random", "bad")
# The blocks that a random presentation moves.
Shuffled = Literal["vertical blocks", "all blocks"]


@public
def aggregated_search(topics: int = 50, *, seed: int = 0, layout: PageLayout | None = None) -> list[Query]:
    """Generate queries with general web and eight verticals, judged; the same for the same seed.

    All of it is synthetic. The verticals are "web", "image", "video", "news", "blog", "discussion",
    "encyclopedia", "shopping" and "books", in this order. Each of 20 users wants a vertical or not; on
    average a majority wants two verticals of a query. A vertical has 10 items, general web 30, with grades
    0-2; the share of relevant items varies. Reading an image takes half the effort of a text, a video twice
    the effort.

    Parameters
    ----------
    topics : int
        The number of queries, 1 to 10^6.
    seed : int
        The seed, at least 0.
    layout : PageLayout, optional
        The number and size of the blocks on a page; by default, `PageLayout()`.

    Returns
    -------
    list of Query
        The queries "1", "2", ... (with leading zeros, so that ids have one length).

    Raises
    ------
    DivmetricsError
        If a number is not an integer or out of range, or `layout` is not a PageLayout.

    Examples
    --------
    >>> from divmetrics.research.datasets import aggregated_search
    >>> [query.id for query in aggregated_search(2)]
    ['1', '2']
    """
    check_whole("topics", topics, 1, most=10**6)
    check_whole("seed", seed, 0)
    random = np.random.default_rng([seed, 0])
    width = len(str(topics))
    return [_query(f"{number + 1:0{width}d}", random, layout or PageLayout()) for number in range(topics)]


@public
def simulated_pages(
    queries: Sequence[Query],
    *,
    seed: int = 0,
    vertical_selection: Mapping[str, float] = VERTICAL_SELECTION,
    item_selection: Mapping[str, float] = ITEM_SELECTION,
    shuffled: Shuffled = "vertical blocks",
) -> list[BlockPage]:
    """Generate one page of each of 36 systems per query: 4 vertical x 3 item selections x 3 presentations.

    A system is named after its three components, such as "good-perfect-bad". Other selections than the
    default ones make other systems, three for each pair of selections.

    Parameters
    ----------
    queries : sequence of Query
        The queries.
    seed : int
        The seed of the noise, at least 0.
    vertical_selection : mapping of str to float
        The share of noise, 0..1, in the predictions of each vertical selection, by name; by default those
        that the notes name.
    item_selection : mapping of str to float
        The same for each item selection.
    shuffled : {"vertical blocks", "all blocks"}
        The blocks that the random presentation moves. The paper moves the vertical blocks.

    Returns
    -------
    list of BlockPage
        The pages, query by query: one for every vertical selection, item selection and presentation. `run` is
        the name of the system.

    Raises
    ------
    DivmetricsError
        If `queries` is no sequence of Query, the seed or a share of noise is out of range, or `shuffled` is
        unknown.

    Notes
    -----
    As in section 4.2 of the paper, except where the authors' search engines and click logs would be needed:

    * Vertical selection: verticals with a predicted orientation above 0.5, at most as many as the layout has.
      The prediction is the truth blurred with noise; by default 0 % (perfect), 30 % (good), 60 % (poor) and
      100 % (random). The paper has four real selectors instead, none of them perfect.
    * Item selection, in each vertical and in general web: the items with the highest predicted shares of the
      query's top grade; by default, noise 0 % (perfect), 50 % (good) and 80 % (poor), for the paper's
      Perfect, BM25 and TF.
    * Presentation: in perfect order; vertical blocks at random among the web blocks, which keep their order,
      or all blocks in random order; or the perfect order reversed (bad).

    "perfect-perfect-perfect" displays the ideal page, except for verticals without a relevant item. Systems
    with a common component make the same choices in this component.

    References
    ----------
    zhou2013, section 4.2

    Examples
    --------
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> len(simulated_pages(aggregated_search(2)))
    72
    """
    check_whole("seed", seed, 0)
    check_ordered("queries", queries)
    check_choice("shuffled", shuffled, get_args(Shuffled))
    for name, noise in (*vertical_selection.items(), *item_selection.items()):
        check_fraction(f"the noise of {name!r}", noise)
    pages = []
    for number, query in enumerate(queries):
        random = np.random.default_rng([seed, 1, number])
        verticals = {name: _verticals(query, noise, random) for name, noise in vertical_selection.items()}
        items = {
            name: {v.id: _ranked(v, query.scale or 1, noise, random) for v in query.verticals}
            for name, noise in item_selection.items()
        }
        for selection, selected in verticals.items():
            for chosen, ranked in items.items():
                perfect = perfect_order(BlockPage(query, _blocks(query, selected, ranked)))
                for presentation in PRESENTATION:
                    run = f"{selection}-{chosen}-{presentation}"
                    blocks = _arranged(perfect.blocks, presentation, shuffled, random)
                    pages.append(perfect.with_blocks(blocks, run))
    return pages


def _query(name: str, random: np.random.Generator, layout: PageLayout) -> Query:
    def judged(vertical: str, number: int, effort: float) -> list[Item]:
        relevant = random.random(number) < random.beta(1.5, 2.0)
        grades = relevant * random.integers(1, SCALE + 1, number)
        return [Item(f"{vertical}-{i + 1:02d}", int(grade), effort) for i, grade in enumerate(grades)]

    wanted = random.binomial(USERS, random.beta(0.7, 1.6, len(EFFORTS))) / USERS
    verticals = [
        Vertical(medium, float(share), judged(medium, ITEMS, effort))
        for (medium, effort), share in zip(EFFORTS.items(), wanted, strict=True)
    ]
    return Query(name, (Vertical(WEB, 1.0, judged(WEB, WEB_ITEMS, 1.0)), *verticals), layout, SCALE)


def _verticals(query: Query, noise: float, random: np.random.Generator) -> list[Vertical]:
    others = [vertical for vertical in query.verticals if vertical.id != WEB]
    predicted = _blurred([vertical.orientation for vertical in others], noise, random)
    order = np.argsort(-predicted, kind="stable")[: query.layout.verticals]
    return [others[v] for v in order if predicted[v] > MAJORITY]


def _ranked(vertical: Vertical, scale: int, noise: float, random: np.random.Generator) -> list[str]:
    predicted = _blurred([item.grade / scale for item in vertical.items], noise, random)
    return [vertical.items[i].id for i in np.argsort(-predicted, kind="stable")]


def _blurred(truth: Sequence[float], noise: float, random: np.random.Generator) -> np.ndarray:
    return (1 - noise) * np.array(truth) + noise * random.random(len(truth))


def _blocks(query: Query, selected: Sequence[Vertical], ranked: Mapping[str, list[str]]) -> list[Block]:
    web = [Block(WEB, item) for item in ranked[WEB][: query.layout.web]]
    return [*web, *(Block(v.id, ranked[v.id][: query.layout.items]) for v in selected)]


def _arranged(
    best: Sequence[Block], how: str, shuffled: Shuffled, random: np.random.Generator
) -> list[Block]:
    if how != "random":
        return list(best if how == "perfect" else reversed(best))
    if shuffled == "all blocks":
        return [best[b] for b in random.permutation(len(best))]
    page = [block for block in best if block.vertical == WEB]
    for block in best:
        if block.vertical != WEB:
            page.insert(int(random.integers(0, len(page) + 1)), block)
    return page
