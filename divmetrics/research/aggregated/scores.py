"""Scores of pages, and where a page's score comes from."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from divmetrics.conventions.page_parts import IdealRate, Orientation, effort_of
from divmetrics.core.batch import Batch
from divmetrics.core.calls import public
from divmetrics.core.metric import BaseMetric, Collapsed, Metric
from divmetrics.core.parts import Graded
from divmetrics.errors import DivmetricsError, DivmetricsWarning, some
from divmetrics.research.aggregated.block_page import BlockPage
from divmetrics.research.aggregated.metric_names import AGGREGATED_METRICS, page_metric
from divmetrics.research.aggregated.page_batch import (
    by_query_and_run,
    view_as_intents,
    view_items,
    view_pages,
)
from divmetrics.research.aggregated.reference_measures import GOLD

if TYPE_CHECKING:
    import pandas as pd


@public
def score_pages(
    pages: Iterable[BlockPage], metrics: str | BaseMetric | Iterable[str | BaseMetric]
) -> pd.DataFrame:
    """Scores of pages, as a table that `divmetrics.research.meta` reads.

    Parameters
    ----------
    pages : one for every query and run
    metrics : names or Metric objects. AS_DCG, AS_RBP and AS_ERR, and any row weighted by `Orientation`, read
        pages. Gold standards (prec_v, rec_v, mean-prec, corr) have functions of their own. Ad hoc metrics
        (nDCG@10, Prec@10) read the items from the top down and know nothing of verticals. All others, such as
        alpha-nDCG or D#-nDCG@10, read verticals as intents and blocks as ranks (`view_as_intents`).

    Returns run, topic, metric, score: one row each, metric by metric; runs and queries in the order in which
    they come first.

    Raises DivmetricsError for an unknown metric, and a page that is missing or given twice. Queries whose
    ideal page gains nothing are named in a DivmetricsWarning: every page scores 0 there under AS_ metrics.
    """
    import pandas as pd

    queries, runs, table = by_query_and_run(pages)
    asked = [metrics] if isinstance(metrics, (str, BaseMetric)) else list(metrics)
    if not asked:
        raise DivmetricsError("no metric was asked for; name at least one, such as 'AS_DCG'")
    chosen = [metric if metric in GOLD else page_metric(metric) for metric in asked]
    readings = {_reading(metric) for metric in chosen if isinstance(metric, BaseMetric)}
    read = {reading: reading(table.values()) for reading in readings}
    if view_pages in read:
        _warn_barren(read[view_pages])

    def values(metric: str | BaseMetric) -> np.ndarray:
        if isinstance(metric, BaseMetric):
            return metric.scores(read[_reading(metric)])
        gold = GOLD[metric]
        return np.array([[gold(table[query.id, run]) for run in runs] for query in queries])

    return pd.DataFrame(
        {
            "run": np.tile(np.repeat(runs, len(queries)), len(asked)),
            "topic": np.tile([query.id for query in queries], len(runs) * len(asked)),
            "metric": np.repeat([str(name) for name in asked], len(runs) * len(queries)),
            "score": np.concatenate([values(metric).T.ravel() for metric in chosen]),
        }
    )


@public
def explain_page(metric: str | BaseMetric, page: BlockPage) -> pd.DataFrame:
    """What each block of a page earned under an AS_ metric; the contributions sum to the score.

    Returns one row per block (down to the cutoff): block (from 1), vertical, items, gain (orientation times
    the sum of the items' gains), effort, examined (the weight of both: the discount, times the readers who
    are still there), contribution. A contribution is gain times examined, divided by the page's own effort
    and by the ideal page's rate, its gain per unit of effort.
    """
    import pandas as pd

    row = page_metric(metric)
    if not (isinstance(row, Metric) and isinstance(row.N, IdealRate)):
        raise DivmetricsError(
            f"{row} does not weigh gain against effort, which explain_page tells apart; give it "
            f"{', '.join(AGGREGATED_METRICS)} or a row with N=IdealRate(), or read the metric's contributions on "
            "view_as_intents"
        )
    blocks = page.blocks if row.cutoff is None else page.blocks[: row.cutoff]
    view = row.truncate(view_pages([page]))
    effort = effort_of(view)[0, 0, 0]
    return pd.DataFrame(
        {
            "block": np.arange(1, len(blocks) + 1),
            "vertical": [block.vertical for block in blocks],
            "items": [" ".join(block.items) for block in blocks],
            "gain": np.sum(row.f(view) * Graded(row.N.gain)(view), axis=2)[0, 0],
            "effort": effort,
            "examined": row.N.effort(view, row)[0, 0, 0] / effort,
            "contribution": row.contributions(view)[0, 0].sum(axis=0),
        }
    )


def _reading(metric: BaseMetric) -> Callable[[Iterable[BlockPage]], Batch]:
    if isinstance(metric, Metric) and isinstance(metric.f, Orientation):
        return view_pages
    ad_hoc = isinstance(metric, Collapsed) and metric.collapse == "ad hoc"
    return view_items if ad_hoc else view_as_intents


def _warn_barren(pages: Batch) -> None:
    gained = pages.judged.linear.sum(axis=(1, 2, 3))
    barren = [query for query, gain in zip(pages.topics, gained, strict=True) if gain == 0]
    if barren:
        warnings.warn(
            f"the ideal page of {len(barren)} query(ies) gains nothing, so every page scores 0 there under "
            f"AS_ metrics ({some(barren)})",
            DivmetricsWarning,
            stacklevel=3,
        )
