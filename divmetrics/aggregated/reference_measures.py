"""Gold standards of aggregated search, one for each quality of a page (Zhou et al. 2013, section 3.3).

They are simple on purpose: no gains, no discounts. Each maps a page to a number of at most 1. Where the paper
leaves a case open, the docstring states our choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from divmetrics.aggregated.block_page import WEB, BlockPage
from divmetrics.aggregated.ideal_page import perfect_order
from divmetrics.core.calls import public
from divmetrics.optional import import_optional


@public
def vertical_precision(page: BlockPage) -> float:
    """Compute the share of the page's verticals that are relevant (vertical selection).

    A vertical is relevant if its orientation is above 0.5, so that a majority of users wants it. General web
    does not count as a vertical.

    Parameters
    ----------
    page : BlockPage
        A page.

    Returns
    -------
    float
        The share, 0..1. A page without verticals has 1 if no vertical is relevant, else 0; `score_pages` can
        skip queries without a relevant vertical instead, as TREC FedWeb 2014 does.

    References
    ----------
    zhou2013, section 3.3

    Examples
    --------
    >>> from divmetrics.aggregated import vertical_precision
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> page = simulated_pages(aggregated_search(1))[13]
    >>> round(vertical_precision(page), 3)
    0.667
    """
    displayed, relevant = _verticals(page)
    return len(displayed & relevant) / len(displayed) if displayed else float(not relevant)


@public
def vertical_recall(page: BlockPage) -> float:
    """Compute the share of the relevant verticals that the page has (vertical diversity).

    A vertical is relevant if its orientation is above 0.5, so that a majority of users wants it. General web
    does not count as a vertical.

    Parameters
    ----------
    page : BlockPage
        A page.

    Returns
    -------
    float
        The share, 0..1; 1 if no vertical is relevant.

    References
    ----------
    zhou2013, section 3.3

    Examples
    --------
    >>> from divmetrics.aggregated import vertical_recall
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> page = simulated_pages(aggregated_search(1))[13]
    >>> round(vertical_recall(page), 3)
    1.0
    """
    displayed, relevant = _verticals(page)
    return len(displayed & relevant) / len(relevant) if relevant else 1.0


@public
def mean_item_precision(page: BlockPage) -> float:
    """Compute the share of items with a grade above 0, averaged over sources (item selection).

    Parameters
    ----------
    page : BlockPage
        A page.

    Returns
    -------
    float
        The mean share, 0..1; 0 for a page without blocks. The sources are the verticals that the page has,
        general web among them; all blocks of a vertical are one source. Duplicates have grade 0.

    References
    ----------
    zhou2013, section 3.3

    Examples
    --------
    >>> from divmetrics.aggregated import mean_item_precision
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> page = simulated_pages(aggregated_search(1))[13]
    >>> round(mean_item_precision(page), 3)
    0.367
    """
    relevant: dict[str, list[bool]] = {}
    for block in page.blocks:
        relevant.setdefault(block.vertical, []).extend(item.grade > 0 for item in page.items(block))
    return sum(sum(flags) / len(flags) for flags in relevant.values()) / max(len(relevant), 1)


@public
def presentation_correlation(page: BlockPage) -> float:
    """Compute Spearman's correlation of the order of blocks with the reference page's (presentation).

    Parameters
    ----------
    page : BlockPage
        A page.

    Returns
    -------
    float
        The correlation, -1..1; 1 for a page with fewer than two blocks. The reference page has the same
        blocks in `perfect_order`, so that only the order counts.

    Raises
    ------
    MissingPackage
        If SciPy is not installed. It is a DivmetricsError and an ImportError.

    References
    ----------
    zhou2013, section 3.3

    Examples
    --------
    >>> from divmetrics.aggregated import presentation_correlation
    >>> from divmetrics.research.datasets import aggregated_search, simulated_pages
    >>> page = simulated_pages(aggregated_search(1))[13]
    >>> round(presentation_correlation(page), 3)
    0.83
    """
    stats = import_optional("scipy.stats", "Spearman's correlation")

    if len(page.blocks) < 2:
        return 1.0
    position = {block: b for b, block in enumerate(perfect_order(page).blocks)}
    return float(
        stats.spearmanr(range(len(page.blocks)), [position[block] for block in page.blocks]).statistic
    )


# The gold standards of pages, by name.
GOLD: Mapping[str, Callable[[BlockPage], float]] = {
    "prec_v": vertical_precision,
    "rec_v": vertical_recall,
    "mean-prec": mean_item_precision,
    "corr": presentation_correlation,
}


def _verticals(page: BlockPage) -> tuple[set[str], set[str]]:
    """Return the ids of the page's verticals, and of those relevant to the query."""
    displayed = {block.vertical for block in page.blocks} - {WEB}
    return displayed, {vertical.id for vertical in page.query.relevant}
