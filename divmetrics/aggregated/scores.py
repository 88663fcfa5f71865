"""Score pages, and explain the score of a page block by block."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from divmetrics.aggregated.block_page import BlockPage
from divmetrics.aggregated.page_batch import (
    batch_as_intents,
    batch_items,
    batch_pages,
    by_query_and_run,
)
from divmetrics.aggregated.reference_measures import GOLD
from divmetrics.conventions.page_parts import IdealRate, Orientation, effort_of
from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.checks import check_choice, check_ordered
from divmetrics.core.metric import BaseMetric, Metric, is_ad_hoc
from divmetrics.core.parts import Graded
from divmetrics.errors import DivmetricsError, DivmetricsWarning, some
from divmetrics.registry.parse import metric as metric_named
from divmetrics.registry.parse import metrics as names_of_metrics

if TYPE_CHECKING:
    import pandas as pd

NoRelevantVertical = Literal["count", "skip"]


@public
def score_pages(
    pages: Iterable[BlockPage],
    metrics: str | BaseMetric | Iterable[str | BaseMetric],
    *,
    no_relevant_vertical: NoRelevantVertical = "count",
) -> pd.DataFrame:
    """Score pages, as a table that `divmetrics.research.meta` reads.

    Parameters
    ----------
    pages : iterable of BlockPage
        One page of every run for every query, in any order.
    metrics : str or BaseMetric, or iterable of these
        AS_DCG, AS_RBP and AS_ERR, and any metric weighted by `Orientation`, read pages (`batch_pages`). Gold
        standards are the functions of a page in `GOLD`, by name: prec_v (`vertical_precision`), rec_v
        (`vertical_recall`), mean-prec (`mean_item_precision`), corr (`presentation_correlation`). Ad hoc
        metrics (nDCG@10, Prec@10) read the items from the top down and ignore verticals. All others, such as
        alpha-nDCG or D#-nDCG@10, read verticals as intents and blocks as ranks (`batch_as_intents`).
    no_relevant_vertical : {"count", "skip"}
        What prec_v and rec_v do about a query without a relevant vertical. "count", the default: rec_v is 1,
        and prec_v is 1 for a page without verticals, else 0. "skip": they have no row for the query, so that
        it is not in their mean, as in TREC FedWeb 2014 (evalVS.pl). Both agree on all other queries: a page
        without verticals has prec_v 0.

    Returns
    -------
    DataFrame
        One row per metric, run and query, in this order, runs and queries by first appearance. Columns: run,
        topic (the query's id), metric (the name as given) and score.

    Raises
    ------
    DivmetricsError
        If a metric is unknown or none is named, the pages cannot be used (as in `batch_pages`), or "skip"
        leaves no query, also if another metric is named.

    Warns
    -----
    DivmetricsWarning
        If, with an AS_ metric, the ideal page of a query gains nothing, so that every page scores 0 there.

    Examples
    --------
    >>> from divmetrics.aggregated import score_pages
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> page = BlockPage(query, [("web", "w1"), ("news", "n2"), ("web", "w2")])
    >>> score_pages([page], ["AS_RBP", "prec_v", "nDCG@3"]).round(4)
      run topic  metric   score
    0   A     q  AS_RBP  0.6735
    1   A     q  prec_v  1.0000
    2   A     q  nDCG@3  0.6646
    """
    import pandas as pd

    check_choice("no_relevant_vertical", no_relevant_vertical, get_args(NoRelevantVertical))
    queries, runs, table = by_query_and_run(pages)
    if isinstance(metrics, (str, BaseMetric)):
        metrics = [metrics]
    check_ordered("metrics", metrics, "a metric or several in an order")
    names = list(metrics)
    if not names:
        raise DivmetricsError("no metric was asked for; name at least one, such as 'AS_DCG'")
    resolved = [metric if is_gold(metric) else metric_named(metric) for metric in names]
    scores = pd.DataFrame(
        {
            "run": np.tile(np.repeat(runs, len(queries)), len(names)),
            "topic": np.tile([query.id for query in queries], len(runs) * len(names)),
            "metric": np.repeat([str(name) for name in names], len(runs) * len(queries)),
            "score": compute_page_scores(table.values(), resolved).transpose(2, 0, 1).ravel(),
        }
    )
    if no_relevant_vertical == "count":
        return scores
    skipped = [query.id for query in queries if not query.relevant]
    if len(skipped) == len(queries):
        raise DivmetricsError(
            f"none of the {len(queries)} query(ies) has a relevant vertical, so that none is left; give "
            "orientations above 0.5, or no_relevant_vertical='count'"
        )
    left_out = scores["metric"].isin(["prec_v", "rec_v"]) & scores["topic"].isin(skipped)
    return scores[~left_out].reset_index(drop=True)


def is_gold(metric: object) -> bool:
    """Return whether this is the name of a gold standard."""
    return isinstance(metric, str) and metric in GOLD


def compute_page_scores(pages: Iterable[BlockPage], metrics: Sequence[str | BaseMetric]) -> np.ndarray:
    """Compute scores, (run, query, metric), under metrics and gold standards (by name).

    Runs and queries are in order of first appearance. Warns of queries whose ideal page gains nothing, if a
    metric reads pages; raises DivmetricsError as `batch_pages` does.
    """
    queries, runs, table = by_query_and_run(pages)
    builders = {_batch_builder(metric) for metric in metrics if isinstance(metric, BaseMetric)}
    batches = {builder: builder(table.values()) for builder in builders}
    if batch_pages in batches:
        _warn_no_gain(batches[batch_pages])

    def values(metric: str | BaseMetric) -> np.ndarray:
        if isinstance(metric, BaseMetric):
            return metric.scores(batches[_batch_builder(metric)])
        gold = GOLD[metric]
        return np.array([[gold(table[query.id, run]) for run in runs] for query in queries])

    return np.stack([values(metric).T for metric in metrics], axis=-1)


@public
def explain_page(metric: str | BaseMetric, page: BlockPage) -> pd.DataFrame:
    """List the contribution of each block to the score of a page under an AS_ metric; they sum to the score.

    Parameters
    ----------
    metric : str or BaseMetric
        AS_DCG, AS_RBP, AS_ERR, or a metric with N=IdealRate() (from `divmetrics.conventions.page_parts`).
    page : BlockPage
        A page.

    Returns
    -------
    DataFrame
        One row per block down to the metric's cutoff. Columns: block (1 is the top), vertical (its id), items
        (their ids, separated by spaces), gain (the sum of the items' gains, times the weight of the vertical,
        its orientation), effort (the sum of the items' efforts), examined (the weight of gain and effort: the
        discount times the share of users who have not stopped) and contribution (gain times examined, divided
        by the effort of the page and by the gain per unit of effort of the ideal page).

    Raises
    ------
    DivmetricsError
        If there is no metric of this name, or its N is not IdealRate(), so that it does not weigh gain
        against effort.

    Examples
    --------
    >>> from divmetrics.aggregated import explain_page
    >>> from divmetrics.aggregated import BlockPage, Item, PageLayout, Query, Vertical
    >>> web = Vertical("web", 1.0, [Item("w1", 2), Item("w2", 1), Item("w3")])
    >>> news = Vertical("news", 0.8, [Item("n1", 2), Item("n2")])
    >>> query = Query("q", (web, news), PageLayout(web=2, verticals=1, items=1))
    >>> page = BlockPage(query, [("web", "w1"), ("news", "n2"), ("web", "w2")])
    >>> explain_page("AS_RBP", page).round(3)
       block vertical items  gain  effort  examined  contribution
    0      1      web    w1   2.0     1.0     0.200         0.510
    1      2     news    n2   0.0     1.0     0.160         0.000
    2      3      web    w2   1.0     1.0     0.128         0.163
    """
    import pandas as pd

    row = metric_named(metric)
    if not (isinstance(row, Metric) and isinstance(row.N, IdealRate)):
        raise DivmetricsError(
            f"{row} does not weigh gain against effort, which explain_page tells apart; give it "
            f"{', '.join(names_of_metrics(of='pages'))} or a row with N=IdealRate(), or read the metric's "
            "contributions on batch_as_intents"
        )
    blocks = page.blocks if row.cutoff is None else page.blocks[: row.cutoff]
    batch = row.truncate(batch_pages([page]))
    effort = effort_of(batch)[0, 0, 0]
    return pd.DataFrame(
        {
            "block": np.arange(1, len(blocks) + 1),
            "vertical": [block.vertical for block in blocks],
            "items": [" ".join(block.items) for block in blocks],
            "gain": np.sum(row.f(batch) * Graded(row.N.gain)(batch), axis=2)[0, 0],
            "effort": effort,
            "examined": row.N.effort(batch, row)[0, 0, 0] / effort,
            "contribution": row.contributions(batch)[0, 0].sum(axis=0),
        }
    )


def _batch_builder(metric: BaseMetric) -> Callable[[Iterable[BlockPage]], Batch]:
    if isinstance(metric, Metric) and isinstance(metric.f, Orientation):
        return batch_pages
    return batch_items if is_ad_hoc(metric) else batch_as_intents


def _warn_no_gain(batch: Batch) -> None:
    gains = batch.judged.linear.sum(axis=(1, 2, 3))
    without_gain = [query for query, gain in zip(batch.topics, gains, strict=True) if gain == 0]
    if without_gain:
        warnings.warn(
            f"the ideal page of {len(without_gain)} query(ies) gains nothing, so every page scores 0 there "
            f"under AS_ metrics ({some(without_gain)})",
            DivmetricsWarning,
            stacklevel=4,
        )
